"""What a stale write leaves open."""

import contextlib
import time
from collections.abc import Iterator, Mapping
from datetime import datetime

from msgspec import Struct

from clawgit.errors import ClawgitError, quoted
from clawgit.git import commit_chain, references, repository
from clawgit.git.commit_chain import NewCommit
from clawgit.git.locks import repository_lock
from clawgit.git.repository import Oid, Repository
from clawgit.text import conflict
from clawgit.text.conflict import LEFT_OUT, Conflict, Side
from clawgit.text.edit import append_block
from clawgit.text.entry import digest, entries, entry_id, named
from clawgit.workspace import commit_message, entry_association, file_roles
from clawgit.workspace.alarms import Alarm
from clawgit.workspace.capture import AUTHOR
from clawgit.workspace.capture_outcome import Taken
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.entries import PATH, Row
from clawgit.workspace.file_contents import text_of
from clawgit.workspace.sidecar_rows import Table
from clawgit.workspace.stale_write import Healed
from clawgit.workspace.workspace_base import WorkspaceBase
from clawgit.workspace.write_setting import Setting

_PATIENCE = 10.0


def keep(setting: Setting, taken: Taken) -> tuple[str, ...]:
    """Keep each file as its stale writer wrote it, in a commit of its own; return how to see it.

    The branch gets the healed file at once, so that what was put back keeps its line in `git blame`.
    """
    written = _all_kept(setting, taken) if taken.written else ()
    before = (
        f"what {path} lacks: git diff {oid[:10]} -- {quoted(path)}"
        for path, found in taken.told.items()
        if found.missing and (oid := taken.as_of.get(path))
    )
    return (*written, *before)


def _all_kept(setting: Setting, taken: Taken) -> tuple[str, ...]:
    """Keep them now that the healed files have landed: before, a plan that is made once more would take them for older.

    Best effort: the change has landed, and the words are in git's object store in any case.
    """
    try:
        with repository_lock(setting.repo, time.monotonic() + _PATIENCE):
            return tuple(
                f"{path} as it was written: git show {quoted(f'{_kept(setting, path, data)[:10]}:{path}')}"
                for path, data in taken.written.items()
            )
    except (ClawgitError, OSError):
        return ()


def _kept(setting: Setting, path: str, data: bytes) -> Oid:
    repo: Repository = setting.repo
    tip = references.target(repo, file_roles.ORIGINALS)
    if tip and repository.read(repo, tip, path) == data:
        return tip
    words = commit_message.render(
        commit_message.Message(f"capture: {path} as it was written", "", (("Origin", "unknown"),))
    )
    (made,) = commit_chain.build(repo, tip, [NewCommit(words, AUTHOR, setting.when, {path: data})])
    references.point(repo, file_roles.ORIGINALS, made)
    return made


RULE = "stale write"
AGENT = "capture"
_SHOWN = 5
_SEEN = "its writer took it out, or had never seen it"
_REWORDED = "it was reworded here, and its writer has other words for it, or took the old ones out"
_REVIVED = "others took it out, and its writer changed it"


class Asked(Struct, frozen=True):
    """Records that were opened: their ids, a sentence for each, and what writes them; None where nothing is open."""

    ids: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    change: Change | None = None


def asked(workspace: WorkspaceBase, stale: Mapping[str, Healed]) -> Asked:
    """Return the records of what nobody can decide but the operator. What was recorded before is not asked again."""
    text = before = workspace.read(file_roles.CONFLICTS)
    known = {one.id for one in conflict.conflicts(text or "")}
    new = [one for path, healed in stale.items() for one in _records(workspace, path, healed)]
    new = [one for one in {one.id: one for one in new}.values() if one.id not in known]
    if not new:
        return Asked()
    for one in new:
        text = append_block(text or conflict.BIRTH, conflict.rendered(one))
    count = "1 text" if len(new) == 1 else f"{len(new)} texts"
    subject = f"memory: {count} stand until somebody decides: written from an old reading"
    notes = tuple(_note(one) for one in new)
    change = Change(subject, edits=(Edit(file_roles.CONFLICTS, before, text),), origin="unknown", agent=AGENT)
    return Asked(tuple(one.id for one in new), notes, change)


def open_records(text: str) -> list[Conflict]:
    """Return the records of stale writes in CONFLICTS.md that wait for the operator."""
    return [one for one in conflict.conflicts(text) if one.open and one.rule == RULE]


def _records(workspace: WorkspaceBase, path: str, healed: Healed) -> Iterator[Conflict]:
    if not healed.doubts or path == file_roles.CONFLICTS:
        return
    text, when = workspace.read(path) or "", workspace.now()
    rows = entry_association.by_words(workspace.table().of_files({path}))
    for doubt in healed.doubts:
        a = _side(text, path, doubt.ours, rows, when)
        if a is None:
            continue
        b = _side(text, path, doubt.theirs, rows, when) if doubt.theirs else None
        why = _REVIVED if doubt.ours_gone else _REWORDED if b else _SEEN
        name = named("\0".join((RULE, path, digest(a.text), digest(b.text) if b else "")))
        yield Conflict(
            name, f"{when:%Y-%m-%d}", a, b or Side(LEFT_OUT), f"{path} was written from an old reading: {why}", RULE
        )


def _side(text: str, path: str, words: str, rows: Mapping[tuple[str, str], Row], when: datetime) -> Side | None:
    """Return an entry as a record has it, None where it does not stand in the file."""
    one = next((one for one in entries(text) if one.text == words), None)
    if one is None:
        return None
    row = rows.get((path, digest(words)), Row(entry_id(path, words, one.ordinal), path, ""))
    day = row.last or row.first or when.date()
    return Side(one_line(words), path, row.id, day.isoformat(), row.origin)


def _note(one: Conflict) -> str:
    words = f"“{shorten(one.a.text, 60)}”"
    if one.b.nothing:
        choices = f"clawgit conflicts resolve {one.id} --keep a   # it stays; or --keep b: it goes"
        return f"{one.a.path}: {words} stands, though {one.why.partition(': ')[2]}: {choices}"
    return (
        f"{one.a.path}: {words} and “{shorten(one.b.text, 60)}” both stand: "
        f"clawgit conflicts resolve {one.id} --keep a   # or b, or both"
    )


def came_back(taken: Taken) -> Iterator[str]:
    """Yield what was put back, line by line; a writer who takes it out once more meant it.

    Of a file whose edit waits as a proposal all is back, and that is told at once.
    """
    for path, healed in taken.stale.items():
        if path in taken.offered:
            continue
        for words in healed.back[:_SHOWN]:
            plain = shorten(one_line(words).lstrip("-*+# "), 60)
            yield f"{path}: “{plain}” is back; take it out again if that was meant"
        if healed.back[_SHOWN:]:
            yield f"{path}: {len(healed.back) - _SHOWN:,} more lines are back: what was written lacks them"


def _difference(taken: Taken, path: str, commit: Oid | None) -> str:
    """Return the command that shows what became of a file."""
    at = taken.as_of.get(path)
    return f"git diff {at[:10] if at else 'HEAD~1'} {commit[:10] if commit else 'HEAD'} -- {quoted(path)}"


def ways_back(taken: Taken, commit: Oid | None) -> Iterator[str]:
    """Yield for each memory that others took out, and that stays out, the command that brings it back."""
    table = Table(text_of(taken.committed.get(PATH)) or "")
    for path, healed_to in taken.files.items():
        before, after = text_of(taken.trusted.get(path)), text_of(healed_to)
        if before is None or after is None or before == after or not _named_by_id(path, table):
            continue
        gone = entry_association.vanished(table, {path: before}, {path: after})
        for key, words in gone[:_SHOWN]:
            yield f"{path}: “{shorten(one_line(words), 60)}” is gone: clawgit restore {key}"
        if gone[_SHOWN:]:
            yield f"{path}: {len(gone) - _SHOWN:,} more entries are gone: {_difference(taken, path, commit)}"


_CURED = 3
"""Of so many memories that went the way back is told in one command."""


def hidden(taken: Taken) -> Iterator[Alarm]:
    """Yield an alarm for each memory file in which others hid entries, as in a comment: their words stand there."""
    if not taken.setting:
        return
    told = {path for alarm in taken.alarms for path in alarm.paths}
    names = {file_roles.MEMORY, file_roles.LOWER_MEMORY}
    with contextlib.suppress(ClawgitError):  # of CONFIG.md: whoever needs the value says so
        names.add(taken.setting.config.memory_file)
    for path in sorted(names):
        if path in told or taken.trusted.get(path) in (None, taken.files.get(path)):
            continue
        before, now = text_of(taken.trusted[path]), text_of(taken.files.get(path))
        if before is None or now is None:
            continue
        table = Table(text_of(taken.committed.get(PATH)) or "")
        after = {name: text_of(data) for name, data in taken.files.items() if name != PATH}
        vanished = entry_association.vanished(table, {path: before}, after)
        if gone := [(key, words) for key, words in vanished if words.split("\n")[0] in now]:
            many = "1 memory was" if len(gone) == 1 else f"{len(gone):,} memories were"
            cure = " && ".join(f"clawgit restore {key}" for key, _ in gone[:_CURED])
            more = f"   # and so for {len(gone) - _CURED} more" if gone[_CURED:] else ""
            words = f"{path}: {many} hidden by others, as in a comment"
            yield Alarm(words, (path,), taken.as_of.get(path), cure=cure + more, level="low", lasts=True)


def _named_by_id(path: str, table: Table) -> bool:
    """Tell whether `clawgit restore ID` finds what stood in that file."""
    named = path in (file_roles.MEMORY, file_roles.LOWER_MEMORY) or (
        path.startswith("memory/") and path.endswith(".md")
    )
    return named or bool(table.of_files({path}))
