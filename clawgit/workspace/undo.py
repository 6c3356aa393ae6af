"""Reverts one change and keeps later ones."""

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile

from msgspec.structs import replace

from clawgit import errors, file_roles
from clawgit.errors import NO_FIX, ClawgitError, Command, Fix
from clawgit.git import commit_chain, commit_graph, history, own_commits, repository
from clawgit.git.history import Commit
from clawgit.git.paths import is_text
from clawgit.git.repository import Oid
from clawgit.text.merge import Conflict, revert
from clawgit.workspace import (
    commit_message,
    entries,
    entry_association,
    file_contents,
    memory_lines,
    purged_objects,
    reading_cursors,
    records,
)
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.records import Record
from clawgit.workspace.uncommitted import list_held_back, list_uncommitted_files
from clawgit.workspace.workspace import Workspace

SYNC = "sync"
"""As whom a merge of several machines lands; that one can be taken back, and then what came in is."""

_NEVER_TAKEN_BACK = frozenset((entries.PATH, reading_cursors.CURSORS_PATH, purged_objects.PATH))
"""Files that an undo does not revert as texts: of the first two it reverts rows, and what was purged stays purged."""


class ConflictError(ClawgitError):
    """Later lines are in the way in the file `path`; nothing was written."""

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


def list_undoable(workspace: Workspace, path: str | None = None) -> Iterator[Oid]:
    """Yield the changes (of the file `path`) that are neither undone nor an undo, newest first.

    Without a file, those of other machines are left out. For one file changes by others count, too, but not the one
    that brought it. Raises ClawgitError at the end.
    """
    others: list[str] = []
    is_anothers = _recognise_others(workspace)
    for record in records.list_standing(workspace, *filter(None, (path,))):
        parent = next(iter(history.commit(workspace.repo, record.commit).parents), None)
        if path is None and is_anothers(record):
            others.append(record.commit[:10])
        elif record.change if path is None else repository.blob_id(workspace.repo, parent, path):
            yield record.commit
    scope = f" of {path}" if path else ""
    words, fix = f"there is no change{scope} of clawgit's to undo", Command("clawgit log")
    captures = (record.commit for record in records.list_standing(workspace) if record.agent == "capture")
    capture = next((oid for oid in captures if history.commit(workspace.repo, oid).parents), "")
    differences = list_uncommitted_files(workspace.repo, workspace.config.lenient.captured_globs)
    held_paths = {change.path for change, _ in list_held_back(workspace, differences)}
    if not path and (edited := [change.path for change in differences if change.path not in held_paths]):
        fix = Command("clawgit capture", note=f"not committed yet: {commit_message.list_names(edited)}")
    elif capture and not path:
        fix = Command("clawgit undo {}", capture[:10], note="the newest captured edit of others")
    if others:
        fix = Command("clawgit undo {}", others[0], note="the newest change of another machine")
    raise errors.undo_nothing(words, fix=fix)


def _recognise_others(workspace: Workspace) -> Callable[[Record], bool]:
    """Return a function that tells the changes of other machines; one that git rewrote here is none of them."""
    lines = own_commits.read_own_commits(workspace.repo)
    return lambda record: bool(record.change) and own_commits.BROUGHT + record.commit in lines


def newest_undo(workspace: Workspace, name: str | None = None) -> str:
    """Return the newest undo that is not redone, of the change `name` if given; a newer change ends the search.

    Without a name, those of other machines are left out. Raises ClawgitError.
    """
    is_anothers, others = _recognise_others(workspace), list[Oid]()
    target_names = (
        records.read_commit_record(workspace, records.find_commit(workspace, name)).names if name else frozenset()
    )
    for record in records.list_standing(workspace, undos=True):
        if not name and is_anothers(record):
            others += [record.commit] if record.undoes and not record.is_redo else []
            continue
        fits = not target_names or target_names & {record.undoes, *record.names}
        if record.undoes and fits and not record.is_redo:
            return record.commit
        if record.change and not (record.undoes or name):
            break
    scope = f" of {name}" if name else " on this machine"
    fix = Command("clawgit undo --redo {}", others[0][:10]) if others else Command("clawgit log")
    raise errors.undo_nothing(f"nothing to redo: no undo{scope} that is still in force", fix=fix)


def list_passed_over(workspace: Workspace, commit: str) -> tuple[str, ...]:
    """Return the commits after one that were captured or made by others, the newest first; undos are none."""
    later = takewhile(lambda item: item.commit != commit, records.list_records(workspace))
    return tuple(item.commit for item in later if not (item.undoes or (item.change and not item.claimed)))


def redo(workspace: Workspace, name: str | None = None) -> Change:
    """Return the change that redoes the newest undo (of the change `name`). Raises ClawgitError as undo does."""
    return replace(undo(workspace, newest_undo(workspace, name)), is_redo=True)


def undo(workspace: Workspace, name: str | None = None, only: str | None = None, *, again: bool = False) -> Change:
    """Return the change that reverts `name` (a change id or revision), in `only` or everywhere.

    None is the newest change of which something is left.

    Its learnt entries are tombstoned, so that no agent learns them once more; `again` lets them. Raises ClawgitError
    when nothing is left to revert, ConflictError when later changes are in the way.
    """
    if name:
        return _undo_commit(workspace, records.find_commit(workspace, name), only, again=again)
    for oid in list_undoable(workspace, only):
        try:
            return _undo_commit(workspace, oid, only, again=again)
        except ClawgitError as error:
            if error.key not in ("undo-done", errors.undo_purge.name) or only:
                raise
    raise AssertionError  # list_undoable() raises at its end


def _undo_commit(workspace: Workspace, oid: Oid, only: str | None, *, again: bool) -> Change:
    commit = history.commit(workspace.repo, oid)
    record = records.record(commit)
    if len(commit.parents) > 1 and not (commit.as_ours and record.agent == SYNC):
        short = oid[:10]
        note = f"and undo one of these, or: git revert -m 1 {short}"
        fix = Command("git log --oneline {}^..{}", short, short, note=note)
        raise errors.undo_merge(f"{short} is a merge: it joined changes, and made none", fix=fix)
    parent, paths = _list_paths(workspace, commit)
    if only is not None and only not in paths:
        fix = Command("clawgit undo {}", record.change or oid[:10])
        raise errors.undo_elsewhere(f"{oid[:10]} did not change {only}", fix=fix)
    for later in takewhile(lambda item: item.commit != oid, records.list_standing(workspace, undos=True)):
        if later.undoes in record.names and {*paths} <= {*later.files}:
            words = f"{record.change or oid[:10]} was undone already, by {later.commit[:10]}"
            raise errors.undo_done(words, fix=Command("clawgit undo --redo {}", record.change or oid[:10]))
    chosen_paths = [path for path in paths if only in (None, path)]
    left_out = [path for path in chosen_paths if not is_plain(workspace, path, parent, oid)]
    undo_paths = [path for path in chosen_paths if path != file_roles.FORMAT and path not in left_out]
    notes = tuple(name_left_out(workspace, path, parent) for path in left_out)
    try:
        candidates = [take_back_file(workspace, parent, record, path, workspace.read) for path in undo_paths]
    except ConflictError as error:
        if only is None and file_roles.SOUL in undo_paths != [file_roles.SOUL] and error.path != file_roles.SOUL:
            alone = "takes back what it did to SOUL.md alone"
            error.fix = Command("clawgit soul revert {}", record.change or oid[:10], note=alone)
        raise
    edits = tuple(edit for edit in candidates if edit)
    rows = () if only else tuple(take_back_rows(workspace, parent, oid, workspace.rows()))
    if not edits and left_out:
        raise errors.path_encoding("; ".join(notes), fix=by_git(workspace, left_out[0], parent))
    if not edits and (paths or not rows):  # a change of the sidecar alone, such as a mention, has no paths
        words = f"nothing of {record.change or oid[:10]} is left: it was undone, or later changes took it out"
        raise errors.undo_done(words, fix=Command("git show {}", oid[:10]))
    new_rows = tuple(row for row in rows if not (again and row.status == "tombstone"))
    is_new = not repository.blob_id(
        workspace.repo, oid, reading_cursors.CURSORS_PATH
    )  # back with it: nothing is read anew
    read = repository.read(workspace.repo, parent if is_new else None, reading_cursors.CURSORS_PATH)
    cursors = tuple(reading_cursors.parse_cursors(file_contents.text_of(read) or "").values())
    room, words = file_roles.name_area(edits[0].path) if edits else "memory", record.subject.partition(": ")[2]
    is_redo = bool(record.undoes) and words.startswith("undo: ")
    words = re.sub("^(undo|redo): ", "", words or record.subject) if record.undoes else words or record.subject
    title = f"{room}: {'redo' if is_redo else 'undo'}: {commit_message.shorten(words, 50)}"
    reason = f"Takes back {record.change or oid[:10]}: {record.subject}"
    undone, drops = record.change or oid, tuple(row.id for row in rows)
    return Change(title, reason, edits, rows=new_rows, drops=drops, cursors=cursors, undoes=undone, left_out=notes)


def _list_paths(workspace: Workspace, commit: Commit) -> tuple[Oid, list[str]]:
    """Return the parent of a commit, and the files that its undo reverts. Raises ClawgitError for one that stays."""
    oid, parent = commit.id, next(iter(commit.parents), None)
    changed_paths = commit_chain.list_changed_paths(workspace.repo, parent, oid)
    has_format = file_roles.FORMAT in changed_paths and repository.blob_id(workspace.repo, oid, file_roles.FORMAT)
    if parent is None or has_format:
        words = f"{oid[:10]} began the history or the workspace, or upgraded its format, and stays"
        raise errors.undo_first(words, fix=Command("clawgit log"))
    paths = [path for path in changed_paths if path not in _NEVER_TAKEN_BACK]
    if not paths and purged_objects.PATH in changed_paths:
        words = f"{oid[:10]} records what was purged, and a purge cannot be undone"
        raise errors.undo_purge(words, fix=Command("clawgit log"))
    return parent, paths


def is_plain(workspace: Workspace, path: str, *commits: Oid) -> bool:
    """Return whether a file is a text that clawgit can write, in each of some commits that has it."""
    tree_entries = (commit_graph.entry(workspace.repo, commit, path) for commit in commits)
    blobs = [tree_entry.blob if tree_entry.regular else None for tree_entry in tree_entries if tree_entry]
    return is_text(path) and all(
        blob and file_contents.text_of(repository.blob(workspace.repo, blob)) is not None for blob in blobs
    )


def name_left_out(workspace: Workspace, path: str, commit: Oid) -> str:
    """Return the sentence on a file that clawgit cannot restore to its state at a commit, with git's command."""
    return f"{path!r} is left out: it is a link, or its name or content no text: {by_git(workspace, path, commit).line}"


def by_git(workspace: Workspace, path: str, commit: Oid) -> Command:
    """Return git's command that restores a file to its state at a commit."""
    if commit_graph.entry(workspace.repo, commit, path):
        return Command("git checkout {} -- {}", commit[:10], path)
    return Command("git rm {}", path)


def take_back_file(
    workspace: Workspace, parent: str | None, record: Record, path: str, read: Callable[[str], str | None]
) -> Edit | None:
    """Return the edit that reverts a change in one file, None for nothing; `read` reads the files as they are.

    Raises ConflictError if a later change is in the way.
    """
    repo = workspace.repo
    before = file_contents.decode_file(path, repository.read(repo, parent, path))
    after = file_contents.decode_file(path, repository.read(repo, record.commit, path))
    now = read(path)
    if now is None and after is not None:
        path = entry_association.find_present_name(workspace, path)
        now = read(path)
    if now == before:
        return None
    old_text = before or ""
    if now == after:
        tree_entry = commit_graph.entry(repo, parent, path)
        return Edit(path, now, before, old_text, executable=bool(tree_entry and tree_entry.executable))
    if after is None or now is None:
        raise ConflictError(path, (Conflict(after or "", now or "", old_text),), record.change or record.commit[:10])
    day = file_roles.journal_day(path) if before is None else None
    title = (
        memory_lines.render_journal_head(day) if day else ""
    )  # of a journal that others have written in since its title stays
    result = revert(old_text or (title if after.startswith(title) else ""), after, now)
    if result.conflicts:
        raise ConflictError(path, result.conflicts, record.change or record.commit[:10])
    return None if result.text == now else Edit(path, now, result.text, old_text)


def take_back_rows(workspace: Workspace, parent: str | None, oid: str, rows: Mapping[str, Row]) -> Iterator[Row]:
    """Yield the sidecar rows to set: learnt ones are tombstoned, changed or dropped ones are as before."""
    sidecars = (repository.read(workspace.repo, commit, entries.PATH) for commit in (parent, oid))
    before, after = (entries.parse(file_contents.to_text(data)) for data in sidecars)
    old_rows: dict[str, Row] = {}  # what a change did first to an entry is no birth of it
    for path in {row.file for key, row in after.items() if key not in before}:
        text = file_contents.text_of(repository.read(workspace.repo, parent, path))
        old_rows |= entry_association.make_bare_rows(path, text or "")
    for key, row in rows.items():
        if key not in after or after[key] == before.get(key):
            continue
        back = entries.take_back(before.get(key, old_rows.get(key)), after[key], row)
        if back != row:
            yield back
    yield from (row for key, row in before.items() if key not in after and key not in rows)
