"""Lists lines that are not trusted, by session."""

import contextlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.history import blame
from clawgit.store.calls import KnownCalls, ToolCall, hash_line
from clawgit.store.entry_table import EntryRow, Moment
from clawgit.store.item import FileEdit, FileVersion, Item
from clawgit.text.entry import digest, make_name
from clawgit.text.entry import entries as entries_of
from clawgit.workspace import commit_message, entries
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.line_writers import SLACK_SECONDS, LineWriters
from clawgit.workspace.workspace_base import WorkspaceBase

MAX_SHOWN_LINES = 20
Copy = tuple[str, int]
"""The hash of a line, and its number among the lines of its file with the same words, from 1."""
_READ = "withheld lines"


class WithheldLine(Struct, frozen=True):
    """A line of a file at HEAD that is not trusted, and the number of the call that wrote it."""

    copy: Copy
    line: int
    call: int


class _File(Struct, frozen=True):
    """The withheld lines of a file; `key` changes with the file, the calls and the decisions."""

    key: str
    lines: tuple[WithheldLine, ...]


class _Read(Struct, frozen=True):
    key: str
    files: dict[str, _File]


def list_withheld(workspace: WorkspaceBase) -> Mapping[str, frozenset[Copy]]:
    """Return the untrusted lines, by file; without a writable store they are found anew each time."""
    return {path: frozenset(line.copy for line in file.lines) for path, file in _read_files(workspace).items()}


def offer_items(workspace: WorkspaceBase) -> None:
    """Open an item for each session with lines that are not trusted, and close those with nothing left to decide."""
    store = workspace.store
    rows: dict[str, dict[str, EntryRow]] = defaultdict(dict)
    senders: dict[str, ToolCall] = {}
    if files := _read_files(workspace):
        calls = {call.number: call for call in KnownCalls(store).list_all()}
        with workspace.open_table() as table:
            for path, file in files.items():
                for line in file.lines:
                    row, call = table.find_at_line(path, line.line), calls.get(line.call)
                    if row and call:
                        rows[call.session][row.id] = row
                        senders.setdefault(call.session, call)
    with contextlib.suppress(ClawgitError):
        quarantined = store.read_items(kind="quarantine", edits=False)
        items = [item for item in quarantined if item.state != "closed" and "session" in item.details]
        for item in items:
            if item.state == "open" and sorted(rows.get(item.details["session"], ())) != item.details["entries"]:
                store.decide(item.id, "closed", workspace.now())
        for session, found in rows.items():
            asked = {name for item in items if item.details["session"] == session for name in item.details["entries"]}
            if not found.keys() <= asked:
                store.open_item(_make_item(workspace, senders[session], found))


def _read_files(workspace: WorkspaceBase) -> dict[str, _File]:
    """Return the files with lines that are not trusted. Only files that changed, or that new calls wrote, are read."""
    store, head = workspace.store, workspace.head
    newest = store.newest("tool_call")
    if not newest or head is None or not workspace.managed:
        return {}
    writers = LineWriters(workspace)
    key = f"{head} {newest} {writers.trusts_timers}"
    document = store.read_document(_READ, _Read)
    if document and document.key == key:
        files = document.files
    else:
        files = _find_lines(workspace, writers, document.files if document else {})
        with contextlib.suppress(ClawgitError):
            store.save_document(_READ, _Read(key, files))
    return {path: file for path, file in files.items() if file.lines}


def _find_lines(workspace: WorkspaceBase, writers: LineWriters, known: Mapping[str, _File]) -> dict[str, _File]:
    calls = KnownCalls(workspace.store).list_all()
    suspects = [call for call in calls if not writers.trusts(call)]
    decisions = repository.blob_id(workspace.repo, workspace.head, entries.PATH)
    files: dict[str, _File] = {}
    for path in _list_paths(workspace, suspects):
        own = [call for call in suspects if call.path in ("", path)]
        blob = repository.blob_id(workspace.repo, workspace.head, path)
        key = f"{blob} {own[-1].number if own else 0} {decisions} {writers.trusts_timers}"
        if path in known and known[path].key == key:
            files[path] = known[path]
        elif blob and own:
            files[path] = _File(key, tuple(_list_lines(workspace, writers, path)))
    return files


def _list_paths(workspace: WorkspaceBase, suspects: Sequence[ToolCall]) -> list[str]:
    """Return the files that these calls may have written; a command may have written any that changed since."""
    paths = {call.path for call in suspects} - {""}
    if times := [call.time for call in suspects if not call.path]:
        start = datetime.fromtimestamp(min(times) - SLACK_SECONDS, workspace.now().tzinfo)
        with workspace.open_table() as table:
            paths |= {row.path for row in table.list_changed(start)}
    return sorted(paths)


def _list_lines(workspace: WorkspaceBase, writers: LineWriters, path: str) -> Iterator[WithheldLine]:
    """Yield the lines of a file, headings among them, that a call which is not trusted wrote, or may have written."""
    rows = workspace.rows().values()
    keys = {row.hash for row in rows if row.file == path and row.origin == "operator" and row.mentions}
    trusted = [entry for entry in entries_of(workspace.read_loosely(path)) if digest(entry.text) in keys]
    counts = Counter[str]()
    for number, text, changed in _list_moments(workspace, path):
        counts[name := hash_line(text)] += 1
        if any(entry.start <= number <= entry.end for entry in trusted):
            continue
        if call := writers.find_stranger(path, text, changed):
            yield WithheldLine((name, counts[name]), number, call.number)


def _list_moments(workspace: WorkspaceBase, path: str) -> Iterator[tuple[int, str, Moment]]:
    """Yield the lines of a file at HEAD that are not blank: number, text, and the commit that gave it its words."""
    with workspace.open_table() as table:
        rows = table.list_rows(paths=(path,))
    moments = {row.start: row.changed for row in rows if row.start == row.end}
    lines = blame(workspace.repo, path, workspace.head)
    commits = history.read_commits(workspace.repo, (line.commit for line in lines if line.commit))
    for line in lines:
        commit = commits.get(line.commit or "")
        if line.text.strip() and commit:
            moment = Moment(commit.id, commit.date.isoformat(), commit.author)
            yield line.line, line.text, moments.get(line.line) or moment


def _make_item(workspace: WorkspaceBase, call: ToolCall, found: Mapping[str, EntryRow]) -> Item:
    """Return an item that trusts these entries of a session: approval gives each a row of the sidecar."""
    session, names = call.session, sorted(found)
    name = make_name("\0".join((session, *names)))
    before = loosely((workspace.read(entries.PATH) or "").encode())
    old_rows = entries.parse(before)
    rows = (old_rows.get(key) or Row(key, row.path, row.key, row.tag or "") for key, row in found.items())
    vouched = {row.id: replace(row, origin="operator", mentions=row.mentions | {name}) for row in rows}
    listing = [f"- {row.path}:{row.start}: {commit_message.fold_spaces(row.text)}" for row in found.values()]
    if len(listing) > MAX_SHOWN_LINES:
        listing[MAX_SHOWN_LINES:] = [f"- and {len(listing) - MAX_SHOWN_LINES:,} more"]
    paths = commit_message.list_names(dict.fromkeys(row.path for row in found.values()))
    count = "1 line" if len(found) == 1 else f"{len(found):,} lines"
    sender = call.requester or call.place or session
    reason = f"Written in turns of {sender} ({call.turn or 'unknown'}); not shown to the agent unless you approve."
    return Item(
        name,
        "quarantine",
        f"memory: {count} in {paths}, asked for by {sender}",
        workspace.now(),
        "\n".join((reason, *listing)),
        sender,
        workspace.head or "",
        (("Clawgit-Agent", "capture"), (commit_message.CHANGE, name), ("Origin", "unknown")),
        (FileEdit(entries.PATH, FileVersion(before), FileVersion(entries.with_rows(before, {**old_rows, **vouched}))),),
        {"session": session, "entries": names},
        sameness=f"session {session}",
    )
