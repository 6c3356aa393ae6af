"""Inbox items for lines that others had the agent write: one for each session."""

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.store.calls import KnownCalls, ToolCall
from clawgit.store.entry_table import EntryRow
from clawgit.store.item import FileEdit, FileVersion, Item
from clawgit.text.entry import named
from clawgit.workspace import commit_message, entries
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.line_writers import SLACK_SECONDS, LineWriters
from clawgit.workspace.workspace_base import WorkspaceBase

MAX_DAYS = 30
MAX_SHOWN_LINES = 20
_READ = "untrusted sessions"


class _Read(Struct, frozen=True):
    head: str
    calls: int


def refresh(workspace: WorkspaceBase) -> None:
    """Open an item for each session with lines that are not trusted, and close those with nothing left to decide.

    Where neither a commit nor a call is new nothing is read; where nothing can be written nothing is opened.
    """
    calls, head = KnownCalls(workspace.store), workspace.head
    newest = calls.count_calls()
    if not newest or head is None or not workspace.managed:
        return
    with contextlib.suppress(ClawgitError):
        state = _Read(head, newest)
        if workspace.store.read_document(_READ, _Read) != state:
            _offer_items(workspace, calls)
            workspace.store.save_document(_READ, state)


def _offer_items(workspace: WorkspaceBase, calls: KnownCalls) -> None:
    writers = LineWriters(workspace)
    since = workspace.now().timestamp() - MAX_DAYS * 86_400
    suspects = [call for call in calls.list_since(since) if not writers.trusts(call)]
    lines: dict[str, list[tuple[EntryRow, ToolCall]]] = defaultdict(list)
    for row, call in _list_untrusted(workspace, writers, suspects):
        lines[call.session].append((row, call))
    items = [item for item in workspace.store.read_items() if item.kind == "quarantine" and "session" in item.details]
    for item in items:
        if item.state == "open" and _list_ids(lines.get(item.details["session"], ())) != item.details["entries"]:
            workspace.store.decide(item.id, "closed", workspace.now())
    for session, pairs in lines.items():
        known = [item for item in items if item.details["session"] == session and item.state != "closed"]
        decided = {name for item in known for name in item.details["entries"]}
        if not set(_list_ids(pairs)) <= decided:
            workspace.store.open_item(_make_item(workspace, session, pairs))


def _list_untrusted(
    workspace: WorkspaceBase, writers: LineWriters, suspects: Sequence[ToolCall]
) -> Iterator[tuple[EntryRow, ToolCall]]:
    """Yield the entries that one of these calls may have written, each with its call."""
    if not suspects:
        return
    oldest = datetime.fromtimestamp(min(call.time for call in suspects) - SLACK_SECONDS, workspace.now().tzinfo)
    cited = {row.id for row in workspace.rows().values() if row.origin == "operator" and row.mentions}
    with workspace.open_table() as table:
        rows = table.list_changed(oldest)
    for row in (row for row in rows if row.changed and row.id not in cited):
        if writers.is_trusted(row.path, row.text, row.changed):
            continue
        found = (writers.find(row.path, line, row.changed).call for line in row.text.splitlines())
        call = next((call for call in found if call and not writers.trusts(call)), None)
        if call is None:  # of an unknown session, unless another call has the same words
            call = next((one for one in suspects if any(map(one.writes_line, row.text.splitlines()))), None)
        if call:
            yield row, call


def _list_ids(pairs: Sequence[tuple[EntryRow, ToolCall]]) -> list[str]:
    return sorted({row.id for row, _ in pairs})


def _make_item(workspace: WorkspaceBase, session: str, pairs: Sequence[tuple[EntryRow, ToolCall]]) -> Item:
    """Return an item that trusts these entries: approval gives each a row of the sidecar."""
    call = pairs[0][1]
    found = {row.id: row for row, _ in pairs}
    name = named("\0".join((session, *sorted(found))))
    before = loosely((workspace.read(entries.PATH) or "").encode())
    known = entries.parse(before)
    rows = {key: known.get(key) or Row(key, row.path, row.key, row.tag or "") for key, row in found.items()}
    vouched = {key: replace(row, origin="operator", mentions=row.mentions | {name}) for key, row in rows.items()}
    shown = [f"- {row.path}:{row.start}: {commit_message.one_line(row.text)}" for row in found.values()]
    more = [f"- and {len(shown) - MAX_SHOWN_LINES:,} more"] if len(shown) > MAX_SHOWN_LINES else []
    paths = commit_message.list_names(dict.fromkeys(row.path for row in found.values()))
    count = "1 line" if len(found) == 1 else f"{len(found):,} lines"
    sender = call.requester or call.place or session
    reason = f"Written in turns of {sender} ({call.turn or 'unknown'}); not shown to the agent unless you approve."
    return Item(
        name,
        "quarantine",
        f"memory: {count} in {paths}, asked for by {sender}",
        workspace.now(),
        "\n".join((reason, *shown[:MAX_SHOWN_LINES], *more)),
        sender,
        workspace.head or "",
        (("Clawgit-Agent", "capture"), (commit_message.CHANGE, name), ("Origin", "unknown")),
        (FileEdit(entries.PATH, FileVersion(before), FileVersion(entries.with_rows(before, {**known, **vouched}))),),
        {"session": session, "entries": sorted(found)},
        sameness=f"session {session}",
    )
