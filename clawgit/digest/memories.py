"""Memories that came, and what is gone."""

import contextlib
from collections.abc import Iterator
from datetime import date, datetime

from clawgit.digest import quoting
from clawgit.digest.digest import Item, Part
from clawgit.digest.happened import Act, Happened
from clawgit.errors import ClawgitError, quoted
from clawgit.text import entry, lines
from clawgit.text.identity import digest
from clawgit.workspace import due_entries, entries, scope
from clawgit.workspace.due_entries import Due
from clawgit.workspace.entries import Row
from clawgit.workspace.workspace import Workspace

_FEW = 3
_MOVER = "memory-compactor"


def came(happened: Happened) -> Part:
    """Return the memories that were added; what others wrote, or what came from outside, is counted."""
    found = [one for path in happened.workspace.memory_files for one in _added(happened, path)]
    return Part("memories", tuple(one for one in found if one), found.count(None), "clawgit memory list")


def _added(happened: Happened, path: str) -> Iterator[Item | None]:
    """Yield what was added to one file and still stands there, None for each that is not quoted."""
    new = happened.lines(path)
    if not new:
        return
    workspace, text = happened.workspace, happened.text(happened.workspace.head, path)
    rows = {row.hash: row for row in _rows(happened, workspace.head).values() if row.file == path}
    before = _rows(happened, happened.before)
    stood = _said(happened, happened.before, path)
    written = [lines.content(row) for row in lines.split(text)]
    for one in entry.entries(text):
        span, row = written[one.start - 1 : one.end], rows.get(digest(one.text))
        if one.kind != "bullet" or span[0] not in new or digest(one.text) in stood or (row and row.id in before):
            continue
        sure = row is not None and row.status == "live" and quoting.known(row.origin)
        if row and sure and all(new.get(line, False) for line in span):
            yield Item(f"{quoting.quote(one.text)} ({one.tag or row.tag or 'memory'}, {row.id})")
        elif row is None or row.status == "live":
            yield None


def due(workspace: Workspace, now: datetime) -> Part:
    """Return what is due on the day of `now` and in the week that begins with it, with its day."""
    today, rows = now.astimezone(workspace.now().tzinfo).date(), workspace.rows()
    found: list[tuple[date, Due]] = []
    for path in due_entries.files(workspace.memory_files, rows):
        with contextlib.suppress(ClawgitError):  # a file that cannot be read is told among the alarms
            found += due_entries.coming(due_entries.due(path, workspace.read(path) or "", rows.values(), today), today)
    known = [
        pair for pair in sorted(found, key=lambda pair: pair[0]) if pair[1].row and quoting.known(pair[1].row.origin)
    ]
    items = tuple(Item(f"{_when(day, today)}: {quoting.quote(one.entry.text)}") for day, one in known)
    return Part("due", items, len(found) - len(known), "clawgit memory list --tag event")


def _when(day: date, today: date) -> str:
    return "today" if day == today else f"{day:%A} {day}"


def gone(happened: Happened) -> Part:
    """Return what was removed and is gone still, each with the command that brings it back."""
    items = (*_files(happened), *_entries(happened), *_lost(happened))
    return Part("removals", items, look="clawgit log")


def _files(happened: Happened) -> Iterator[Item]:
    for act in happened.acts:
        left = [
            path
            for path in act.record.files
            if scope.captured(path, tracked=True)
            and path not in scope.MAY_GO
            and happened.there(act.parent, path)
            and not happened.there(happened.workspace.head, path)
        ]
        if len(left) > _FEW or not all(map(quoting.plain, left)):
            how = "moved to the archive" if act.record.agent == _MOVER and act.commit.ours else "removed in one change"
            yield Item(f"{len(left)} file{'' if len(left) == 1 else 's'} {how}", command=act.undo)
        else:
            yield from (Item(path, command=_back(path, act)) for path in left)


def _back(path: str, act: Act) -> str:
    return f"clawgit restore {quoted(path)} --as-of {(act.parent or '')[:10]}"


def _entries(happened: Happened) -> Iterator[Item]:
    """Yield the memories that the sidecar knew and that no file holds any more."""
    head = happened.workspace.head
    before, now = _rows(happened, happened.before), _rows(happened, head)
    paths = {path for act in happened.acts for path in act.record.files}
    stood = {(path, one) for path in paths for one in _said(happened, happened.before, path)}
    stands = {one for path in paths for one in _said(happened, head, path)}
    for row in before.values():
        after = now.get(row.id, row)
        if (row.file, row.hash) in stood and not {row.hash, after.hash} & stands and happened.there(head, row.file):
            how = "superseded" if after.status == "superseded" else "removed"
            said = _words(happened, row) or "a memory that is not quoted"
            yield Item(f"{said} ({how})", command=f"clawgit restore {row.id}")


def _said(happened: Happened, commit: str | None, path: str) -> set[str]:
    """Return what stands in a file of memories, as the sidecar names it."""
    if not _kept(happened, path):
        return set()
    return {digest(one.text) for one in entry.entries(happened.text(commit, path)) if one.kind == "bullet"}


def _words(happened: Happened, row: Row) -> str:
    if not quoting.known(row.origin):
        return ""
    found = entry.entries(happened.text(happened.before, row.file))
    return next((quoting.quote(one.text) for one in found if digest(one.text) == row.hash), "")


def _lost(happened: Happened) -> Iterator[Item]:
    """Yield where others took more lines out of a memory file or journal than they put in."""
    for act in happened.acts:
        for path in act.record.files:
            if act.quotable or act.record.undoes or not _kept(happened, path) or not quoting.plain(path):
                continue
            counts = [_count(happened.text(commit, path)) for commit in (act.parent, act.commit.id)]
            if counts[1] < counts[0] and happened.there(happened.workspace.head, path):
                many = counts[0] - counts[1]
                yield Item(f"{path} lost {many} line{'' if many == 1 else 's'} to others", command=act.undo)


def _kept(happened: Happened, path: str) -> bool:
    return path in happened.workspace.memory_files or scope.journal_day(path) is not None


def _count(text: str) -> int:
    return sum(bool(line.strip()) for line in text.split("\n"))


def _rows(happened: Happened, commit: str | None) -> dict[str, Row]:
    return entries.parse(happened.text(commit, entries.PATH))
