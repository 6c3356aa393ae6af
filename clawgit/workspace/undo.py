"""Takes one change back and keeps what came later."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile

from msgspec.structs import replace

from clawgit import errors
from clawgit.errors import NO_FIX, Advice, ClawgitError, Command, Fix
from clawgit.git import commit_chain, history, repository
from clawgit.text.merge import Conflict, revert
from clawgit.workspace import (
    commit_message,
    entries,
    entry_association,
    file_contents,
    file_roles,
    memory,
    reading_cursors,
    records,
)
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.records import Record
from clawgit.workspace.workspace import Workspace

SYNC = "sync"
"""As whom a merge of several machines lands; that one can be taken back, and then what came in is."""


class ConflictError(ClawgitError):
    """Later lines stand where something would be written; nothing was. `path` is the first file of several."""

    def __init__(
        self, path: str, conflicts: tuple[Conflict, ...], name: str, *, words: str = "", fix: Fix = NO_FIX
    ) -> None:
        super().__init__(
            "undo-conflict",
            words or f"{path}: a later change stands where {name} would be taken back",
            fix=fix or Command("clawgit log {}", path, note=f"undo the later change first, or edit {path} by hand"),
        )
        self.path = path
        self.conflicts = conflicts


def newest(workspace: Workspace, only: str | None = None) -> str:
    """Return the newest change (of the file `only`) that is not undone.

    What a plain undo took back is passed over, and that undo with it; an undo of an older change, by its name, is a
    change of its own. Of one file what others did counts, too, and no undo. Raises ClawgitError when there is none.
    """
    for found in records.list_standing(workspace, only) if only else ():
        parents = history.commit(workspace.repo, found.commit).parents
        if repository.blob_id(workspace.repo, next(iter(parents), None), only or ""):  # else it brought the file
            return found.commit
    undone, undos = set[str | None](), list[Record]()
    for found in records.log(workspace) if only is None else ():
        names = {found.commit, found.change} - {None}
        by_name = found.change is None and any(one.undoes in names for one in undos)
        undos = undos if by_name else [one for one in undos if one.undoes not in names]
        if not by_name and undone & names:
            continue
        undone.add(found.undoes)
        if by_name or (found.change and not found.undoes):
            return (*undos, found)[0].commit
        undos += [found] if found.undoes else []
    of = f" of {only}" if only else ""
    raise errors.undo_nothing(f"there is no change{of} to undo", fix=Command("clawgit log"))


def newest_undo(workspace: Workspace, name: str | None = None) -> str:
    """Return the newest undo that is not redone, of the change `name` if given. Raises ClawgitError."""
    wanted = records.record(history.commit(workspace.repo, records.find(workspace, name))) if name else None
    known = {wanted.commit, wanted.change} - {None} if wanted else set()
    taken_back = set[str | None]()
    for found in records.log(workspace):
        if taken_back & {found.commit, found.change} - {None}:
            continue
        taken_back.add(found.undoes)
        fits = not known or known & {found.undoes, found.commit, found.change}
        if found.undoes and fits and not found.is_redo:
            return found.commit
    of = f" of {name}" if name else ""
    raise errors.undo_nothing(f"there is no undo{of} to take back", fix=Command("clawgit log"))


def passed_over(workspace: Workspace, commit: str) -> tuple[str, ...]:
    """Return the commits after one that were captured or made by others, the newest first; undos are none."""
    later = takewhile(lambda found: found.commit != commit, records.log(workspace))
    return tuple(one.commit for one in later if not (one.change or one.undoes))


def redo(workspace: Workspace, name: str | None = None) -> Change:
    """Return the change that brings back what the newest undo (of the change `name`) took back.

    Raises ClawgitError as undo does.
    """
    return replace(undo(workspace, newest_undo(workspace, name)), is_redo=True)


def undo(workspace: Workspace, name: str | None = None, only: str | None = None, *, again: bool = False) -> Change:
    """Return the change that takes back `name` (a change id or revision; None: the newest), in `only` or everywhere.

    What it had learnt is tombstoned, so that no agent learns it once more; `again` lets them.
    Raises ClawgitError when nothing is left to take back, ConflictError when later changes stand in the way.
    """
    oid = records.find(workspace, name) if name else newest(workspace, only)
    commit = history.commit(workspace.repo, oid)
    found = records.record(commit)
    if len(commit.parents) > 1 and not (commit.as_ours and found.agent == SYNC):
        short = oid[:10]
        note = f"and undo one of these, or: git revert -m 1 {short}"
        fix = Command("git log --oneline {}^..{}", short, short, note=note)
        raise errors.undo_merge(f"{short} is a merge: it joined changes, and made none", fix=fix)
    parent = commit.parents[0] if commit.parents else None
    paths = [
        path
        for path in commit_chain.changed(workspace.repo, parent, oid)
        if path not in (entries.PATH, reading_cursors.PATH)
    ]
    if only is not None and only not in paths:
        raise errors.undo_elsewhere(
            f"{oid[:10]} did not change {only}", fix=Command("clawgit undo {}", found.change or oid[:10])
        )
    if file_roles.FORMAT in paths and repository.blob_id(workspace.repo, oid, file_roles.FORMAT):
        if repository.blob_id(workspace.repo, parent, file_roles.FORMAT):
            raise errors.undo_format(f"{oid[:10]} upgraded the format, and stays", fix=Command("clawgit log"))
        raise errors.undo_first(f"{oid[:10]} began the workspace, and stays", fix=Advice("clawgit undo CHANGE"))
    wanted = [path for path in paths if path != file_roles.FORMAT and only in (None, path)]
    try:
        edits = _edits(workspace, parent, oid, wanted, found)
    except ConflictError as error:
        if only is None and file_roles.SOUL in wanted != [file_roles.SOUL] and error.path != file_roles.SOUL:
            alone = "takes back what it did to SOUL.md alone"
            error.fix = Command("clawgit soul revert {}", found.change or oid[:10], note=alone)
        raise
    rows = () if only else tuple(take_back_rows(workspace, parent, oid, workspace.rows()))
    if not edits and (paths or not rows):  # a change of the sidecar alone, such as a mention, has no paths
        raise errors.undo_done(f"{found.change or oid[:10]} is already undone", fix=Command("git show {}", oid[:10]))
    kept = tuple(row for row in rows if not (again and row.status == "tombstone"))
    gone = not repository.blob_id(workspace.repo, oid, reading_cursors.PATH)  # back with it: nothing is read anew
    read = repository.read(workspace.repo, parent if gone else None, reading_cursors.PATH)
    cursors = tuple(reading_cursors.parse(file_contents.text_of(read) or "").values())
    room, subject = file_roles.room(edits[0].path) if edits else "memory", found.subject
    why = f"Takes back {found.change or oid[:10]}: {subject}"
    undone, drops = found.change or oid, tuple(row.id for row in rows)
    title = f"{room}: {_name_undo(found)}"
    return Change(title, why, edits, rows=kept, drops=drops, cursors=cursors, undoes=undone)


def _name_undo(found: Record) -> str:
    """Return what taking a change back is called: of an undo a redo, and of a redo an undo."""
    words = found.subject.partition(": ")[2] or found.subject
    verb = "redo" if found.undoes and words.startswith("undo: ") else "undo"
    if found.undoes:
        words = words.removeprefix("undo: ").removeprefix("redo: ")
    return f"{verb}: {commit_message.shorten(words, 50)}"


def _edits(workspace: Workspace, parent: str | None, oid: str, paths: Iterable[str], found: Record) -> tuple[Edit, ...]:
    """Return what takes the change back in each file. Raises ConflictError with the conflicts of all files."""
    edits: list[Edit] = []
    refused: list[ConflictError] = []
    for path in paths:
        try:
            edit = take_back_file(workspace, parent, found, path, workspace.read)
        except ConflictError as exc:
            refused.append(exc)
        else:
            edits += [edit] if edit else []
    if refused:
        conflicts = tuple(conflict for exc in refused for conflict in exc.conflicts)
        raise ConflictError(refused[0].path, conflicts, found.change or oid[:10])
    return tuple(edits)


def take_back_file(
    workspace: Workspace, parent: str | None, found: Record, path: str, read: Callable[[str], str | None]
) -> Edit | None:
    """Return what takes a change back in one file, None for nothing; `read` reads the files as they are.

    Raises ConflictError where a later change is in the way.
    """
    repo = workspace.repo
    before = file_contents.decoded(path, repository.read(repo, parent, path))
    after = file_contents.decoded(path, repository.read(repo, found.commit, path))
    now = read(path)
    if now is None and before is not None and after is not None:
        path = entry_association.here(workspace, path)
        now = read(path)
    if now == before:
        return None
    known = before or ""
    if now == after:
        return Edit(path, now, before, known)
    if after is None or now is None:
        raise ConflictError(path, (Conflict(after or "", now or "", known),), found.change or found.commit[:10])
    day = file_roles.journal_day(path) if before is None else None
    title = memory.birth(day) if day else ""  # of a journal that others have written in since its title stays
    merged = revert(known or (title if after.startswith(title) else ""), after, now)
    if merged.conflicts:
        raise ConflictError(path, merged.conflicts, found.change or found.commit[:10])
    return None if merged.text == now else Edit(path, now, merged.text, known)


def take_back_rows(workspace: Workspace, parent: str | None, oid: str, rows: Mapping[str, Row]) -> Iterator[Row]:
    """Yield the sidecar rows to set: what the commit learnt is tombstoned, what it changed or dropped is as before."""
    sidecars = (repository.read(workspace.repo, commit, entries.PATH) for commit in (parent, oid))
    before, after = (entries.parse(file_contents.loosely(data)) for data in sidecars)
    stood: dict[str, Row] = {}  # what a change did first to an entry is no birth of it
    for path in {row.file for key, row in after.items() if key not in before}:
        text = file_contents.text_of(repository.read(workspace.repo, parent, path))
        stood |= entry_association.bare(path, text or "")
    for key, row in rows.items():
        if key not in after or after[key] == before.get(key):
            continue
        back = entries.taken_back(before.get(key, stood.get(key)), after[key], row)
        if back != row:
            yield back
    yield from (row for key, row in before.items() if key not in after and key not in rows)
