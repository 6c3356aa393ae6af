"""Finds the writers of lines, and untrusted lines.

A line belongs to a call that has its words, was made for its file, and ran between the two captures around it. Without
such a call it may come from a command that ran meanwhile, else from somebody at the machine.
"""

import contextlib
import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property, partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.git.churn import list_merged
from clawgit.git.history import Commit
from clawgit.git.repository import Oid
from clawgit.store.calls import KnownCalls, ToolCall, Turn, hash_line
from clawgit.store.database import StateStore
from clawgit.store.item import FileEdit, FileVersion, Item
from clawgit.text.entry import make_name
from clawgit.workspace import commit_message, entries
from clawgit.workspace.file_contents import to_text

if TYPE_CHECKING:
    from clawgit.store.entry_table import EntryRow, EntryTable, Moment
    from clawgit.workspace.workspace_base import WorkspaceBase

    _Rows = Mapping[str, EntryRow]

SLACK_SECONDS = 2.0
"""Clocks of git count whole seconds."""
TRUST_TIMERS = "trust_timers"
_TIMERS: frozenset[Turn] = frozenset({"cron", "heartbeat"})
_RANKS: Mapping[Turn, int] = {"operator": 0, "cron": 1, "heartbeat": 1, "subagent": 1}
_LOOK, _LOOKS, _FOLLOWED = "last look", "looks", "followed until"
_MAX_LOOKS = 5_000
_IDLE_SECONDS = 60.0


class Look(Struct, frozen=True):
    """The time of the last comparison of all files with HEAD; `late` files differ since an earlier time."""

    time: float
    late: dict[str, float] = field(default_factory=dict)

    def since(self, path: str) -> float:
        """Return when a file was last seen as it is committed."""
        return min(self.time, self.late.get(path, self.time))


class CommitLook(Struct, frozen=True):
    """The look before a commit."""

    commit: Oid
    look: Look


class Writer(Struct, frozen=True):
    """The writer of a line between `since` and `until`.

    `how` is "reported" by the plugin, "matched" with a transcript afterwards, "probably" for a call whose file may have
    had it before, "while" a command ran, or "" if no call is known. `commands` may have written it, too; of those that
    ran meanwhile `call` is the one that is trusted least.
    """

    call: ToolCall | None = None
    how: Literal["reported", "matched", "probably", "while", ""] = ""
    since: float = 0.0
    until: float = 0.0
    commands: tuple[ToolCall, ...] = ()


def note_look(store: StateStore, now: float, late: Collection[str], *, is_idle: bool = False) -> None:
    """Note that all files but the `late` ones are committed; `is_idle`: nothing had changed. Best effort."""
    with contextlib.suppress(ClawgitError):
        last = store.read_document(_LOOK, Look)
        # A watcher looks again and again, and need not write each time.
        if last is None or not is_idle or late or last.late or now - last.time >= _IDLE_SECONDS:
            store.save_document(_LOOK, Look(now, {path: last.since(path) if last else now for path in late}))


def note_commits(store: StateStore, commits: Iterable[Oid]) -> None:
    """Note the last look before these commits of edits by others. Best effort."""
    with contextlib.suppress(ClawgitError):
        if last := store.read_document(_LOOK, Look):
            store.append_rows(_LOOKS, [CommitLook(commit, last) for commit in commits], _MAX_LOOKS)


def note_followed(store: StateStore, now: float) -> None:
    """Note that the conversations are known up to a moment. Best effort."""
    with contextlib.suppress(ClawgitError):
        store.save_document(_FOLLOWED, now)


def find_writer(calls: Sequence[ToolCall], line: str, call_ids: Iterable[str] = ()) -> Writer:
    """Return the writer of a line, of `calls` that ran at the time, the newest first; `call_ids` are in its commit."""
    having = [call for call in calls if call.writes_line(line)]
    seen_calls = [call for call in having if call.added is not None]
    choice = [call for call in seen_calls if call.call in set(call_ids)] or seen_calls
    # A command may only look for the line that an edit brings; without one the first call with the line wrote it.
    edits = [call for call in having if call.kind == "edit" and call.has_line(line)]
    choice = choice[:1] or edits[-1:] or having[-1:]
    running = tuple(call for call in calls if call.kind == "command")
    if not choice:
        worst = max(running, key=lambda call: (_RANKS.get(call.turn, 2), call.is_outside), default=None)
        return Writer(worst, "while", commands=running) if worst else Writer()
    (writer,) = choice
    # The file may have had a line before that a whole file has, or that only a part of an edit is found in.
    if writer.added is None and (writer.kind == "write" or not writer.has_line(line)):
        return Writer(writer, "probably", commands=tuple(call for call in running if call.time <= writer.time))
    return Writer(writer, "reported" if writer.is_seen else "matched")


def is_clawgits(commit: Commit) -> bool:
    """Return whether a commit is a change that clawgit made, on the operator's word or an agent's, and no capture."""
    message = commit_message.parse_message(commit.message)
    return commit.ours and bool(message.get(commit_message.CHANGE)) and message.get("Clawgit-Agent") != "capture"


class LineWriters:
    """Finds the writers of the lines of one workspace; `is_live`: all calls are reported as they end."""

    def __init__(self, workspace: "WorkspaceBase", *, is_live: bool = False) -> None:
        self._workspace = workspace
        self._is_live = is_live
        self._calls = KnownCalls(workspace.store)
        self._commit = cache(self._read_commit)
        self._read_citations = cache(self._find_citations)
        self._list_merged = cache(partial(list_merged, workspace.repo, workspace.head or ""))
        self._list_writes = cache(self._calls.list_writes)
        self._list_others = cache(self._calls.list_others_writes)
        self._is_settled = cache(self._is_clawgits_or_old)

    def find(self, path: str, line: str, changed: "Moment | None") -> Writer:
        """Return the writer of a line that came with a commit; None for one that is not committed yet."""
        since, until = self._window(path, changed)
        commit = self._commit(changed.commit) if changed else None
        call_ids = (value.split(" ")[-1] for value in _read_trailer_values(commit, "Tool-Call")) if commit else ()
        writer = find_writer(self._list_writes(path, since, until + SLACK_SECONDS), line, call_ids)
        return replace(writer, since=since, until=until)

    def list_recent(self, path: str, lines: Iterable[str], now: float) -> list[Writer]:
        """Return who wrote uncommitted lines of a file; for no line, each call that may have written it."""
        last = self._workspace.store.read_document(_LOOK, Look)
        since = (last.since(path) if last else now) - SLACK_SECONDS
        calls = self._list_writes(path, since, now + SLACK_SECONDS)
        return [find_writer(calls, line) for line in lines] or [Writer(call, "while") for call in calls]

    def is_trusted(self, path: str, text: str, changed: "Moment | None") -> bool:
        """Return whether an entry may be shown to the owner's agent unasked.

        `changed` is the commit that gave it its words, None if it is not committed.
        """
        if changed and self._is_settled(changed):
            return True
        commit = self._commit(changed.commit) if changed else None
        if commit and not commit.ours and any(turn not in _RANKS for turn in _read_trailer_values(commit, "Turn")):
            return False
        for line in filter(str.strip, text.splitlines()):
            writer = self.find(path, line, changed)
            is_known = writer.call is not None or self._is_live or writer.until <= self._known_until
            # Others may have written what was moved here since, and is not committed.
            if not is_known or self._find_stranger(path if changed else "", line, writer):
                return False
        return True

    def find_stranger(self, path: str, line: str, changed: "Moment | None") -> ToolCall | None:
        """Return the call, not trusted, that wrote a line or may have; None for clawgit's lines and for older ones."""
        if changed and self._is_settled(changed):
            return None
        return self._find_stranger(path, line, self.find(path, line, changed))

    def is_vouched(self, row: "EntryRow") -> bool:
        """Return whether the present words of an entry are the owner's, or he accepted them.

        A row of the sidecar follows its line through a rewording: only what was cited or accepted since then counts.
        """
        citations = self._citations.get(row.id, frozenset())
        if row.changed is None or not citations or self._is_settled(row.changed):
            return bool(citations)
        former = self._read_citations(row.changed.commit).get(row.id, frozenset())
        if not citations <= former:
            branches = self._list_merged(row.changed.commit)
            former = former.union(*(self._read_citations(end).get(row.id, ()) for end in branches))
        return not citations <= former

    def trace(self, table: "EntryTable", row: "EntryRow") -> "EntryRow":
        """Return an entry that clawgit brought back with the commit and the file that it got its words in before."""
        if row.changed is None or self.is_vouched(row) or not self._is_settled(row.changed):
            return row
        for old in reversed(table.find(key=row.key, paths=(row.path,), removed=True)):
            is_before = old.by is not None and old.by.date <= row.changed.date
            if is_before and old.changed and not self._is_settled(old.changed):
                return replace(row, id=old.id, source=old.source, changed=old.changed)
        return row

    def is_owners_change(self, path: str, changed: "Moment | None") -> bool:
        """Return whether the owner changed a file himself, or by a message that names it; False if that is not known.

        Without any call of the agent's nothing is known.
        """
        since, until = self._window(path, changed)
        if until > self._known_until or not self._calls.list_last(1):
            return False
        calls, ask = self._list_writes(path, since, until + SLACK_SECONDS), self._workspace.sessions.question
        questions = [ask(call.session, call.time) if call.turn == "operator" else None for call in calls]
        name = PurePosixPath(path).stem.casefold()
        return all(question and name in question.text.casefold() for question in questions)

    def _find_stranger(self, path: str, line: str, writer: Writer) -> ToolCall | None:
        if writer.call:
            return next((call for call in (writer.call, *writer.commands) if not self.trusts(call)), None)
        # Clocks may differ: words that somebody else had the agent write before are not trusted, either.
        before = (call for call in self._list_others(path) if call.time <= writer.until + SLACK_SECONDS)
        return next((call for call in before if call.writes_line(line)), None)

    def trusts(self, call: ToolCall) -> bool:
        """Return whether the lines of a call are trusted: of the owner's turns, and of those that met nothing else."""
        if call.turn == "operator":
            return True
        return call.turn in _RANKS and (not call.is_outside or (call.turn in _TIMERS and self.trusts_timers))

    def _window(self, path: str, changed: "Moment | None") -> tuple[float, float]:
        if changed is None:
            last = self._workspace.store.read_document(_LOOK, Look)
            return (last.since(path) if last else 0.0), self._workspace.now().timestamp()
        until = datetime.fromisoformat(changed.date).timestamp()
        return self.find_look(changed.commit, until, path), until

    def find_look(self, name: Oid, until: float, path: str = "") -> float:
        """Return when a file was last seen as it was before a commit made at `until`."""
        if look := self._looks.get(name):
            return min(look.since(path), until)
        commit = self._commit(name)
        parent = self._commit(commit.parents[0]) if commit and commit.parents else None
        if parent is None:
            return 0.0
        # The look before the parent saw another version of a file that the parent changed.
        look = None if path in parent.paths else self._looks.get(parent.id)
        return min(look.since(path), until) if look else parent.date.timestamp() - SLACK_SECONDS

    @cached_property
    def _looks(self) -> dict[Oid, Look]:
        return {row.commit: row.look for row in self._workspace.store.read_rows(_LOOKS, CommitLook)}

    @cached_property
    def _citations(self) -> Mapping[str, frozenset[str]]:
        return _list_citations(self._workspace.rows().values())

    def _find_citations(self, commit: Oid) -> Mapping[str, frozenset[str]]:
        """Return the citations in a commit; those of now if it cannot be read, so that nothing was cited since."""
        try:
            data = repository.read(self._workspace.repo, commit, entries.PATH)
        except ClawgitError:
            return self._citations
        return _list_citations(entries.parse(to_text(data)).values())

    def _read_commit(self, name: Oid) -> Commit | None:
        with contextlib.suppress(ClawgitError):  # of a shallow or damaged clone
            return history.commit(self._workspace.repo, name)
        return None

    def _is_clawgits_or_old(self, changed: "Moment") -> bool:
        """Return whether clawgit made a commit, on the operator's word, or found its lines there when it came."""
        commit = self._commit(changed.commit)
        if commit is not None and is_clawgits(commit):
            return True
        if self._first is None:
            return False
        seconds = datetime.fromisoformat(changed.date).timestamp() - self._first.date.timestamp()
        # Clocks differ: within the slack, ancestry decides instead of dates.
        if abs(seconds) > SLACK_SECONDS:
            return seconds < 0
        return repository.reaches(self._workspace.repo, self._first.id, changed.commit)

    @cached_property
    def _first(self) -> Commit | None:
        """The commit with which clawgit came."""
        repo = self._workspace.repo
        commits = list(history.walk_log(repo, file_roles.FORMAT, named=False)) if repository.head(repo) else []
        return commits[-1] if commits else None

    @cached_property
    def _known_until(self) -> float:
        """The moment up to which the calls of every session are known; without OpenClaw there are none."""
        followed = self._workspace.store.read_document(_FOLLOWED, float) or 0.0
        newest = 0.0
        for place in self._workspace.host.list_transcript_places(self._workspace.root):
            with contextlib.suppress(OSError):
                newest = max(newest, os.stat(place).st_mtime)  # noqa: PTH116 - of a path of any kind
        # All is known if no transcript is newer than the last reading.
        return followed if newest and newest > followed + SLACK_SECONDS else 9e18

    @cached_property
    def trusts_timers(self) -> bool:
        """Whether the lines of timers are trusted, whatever they have read."""
        return bool(self._workspace.config.lenient.value(TRUST_TIMERS) == "on")


def _list_citations(rows: Iterable[entries.Row]) -> dict[str, frozenset[str]]:
    """Return the words of the owner's that entries cite, and his decisions to accept them, by entry."""
    return {row.id: row.mentions for row in rows if row.origin == "operator" and row.mentions}


def _read_trailer_values(commit: Commit, name: str) -> tuple[str, ...]:
    return commit_message.parse_message(commit.message).all(name)


# ---- lines that are not trusted

MAX_SHOWN_LINES = 20
Copy = tuple[str, int]
"""The hash of a line, and its number among the lines of its file with the same words, from 1."""
_READ = "withheld lines"


class WithheldLine(Struct, frozen=True):
    """A line of a file at HEAD that is not trusted, and the number of the call that wrote it."""

    copy: Copy
    line: int
    call: int


class _Withheld(Struct, frozen=True):
    """The withheld lines of each file; `key` changes with HEAD and the calls, those of `files` with each file, too."""

    key: str = ""
    files: dict[str, tuple[str, tuple[WithheldLine, ...]]] = field(default_factory=dict)


def list_withheld(workspace: "WorkspaceBase") -> Mapping[str, frozenset[Copy]]:
    """Return the untrusted lines, by file; without a writable store they are found anew each time."""
    return {path: frozenset(line.copy for line in lines) for path, lines in _find_withheld(workspace).items()}


def list_withheld_places(workspace: "WorkspaceBase") -> frozenset[tuple[str, int]]:
    """Return the path and the number of each untrusted line."""
    return frozenset((path, line.line) for path, lines in _find_withheld(workspace).items() for line in lines)


def offer_items(workspace: "WorkspaceBase") -> None:
    """Open an item for each session with lines that are not trusted, and close those with nothing left to decide."""
    store = workspace.store
    rows: dict[str, dict[str, EntryRow]] = defaultdict(dict)
    senders: dict[str, ToolCall] = {}
    if files := _find_withheld(workspace):
        calls = {call.number: call for call in KnownCalls(store).list_all()}
        with workspace.open_table() as table:
            places = [(path, line) for path, lines in files.items() for line in lines if line.call in calls]
            for path, line in places:
                call = calls[line.call]
                for row in table.find(paths=(path,), lines=(line.line, line.line))[-1:]:
                    rows[call.session][row.id] = row
                    senders.setdefault(call.session, call)
    with contextlib.suppress(ClawgitError):
        items = [item for item in store.read_items(kind="quarantine", edits=False) if "session" in item.details]
        asked = defaultdict[str, set[str]](set)
        for item in items:
            session, versions = item.details["session"], item.details["entries"]
            # An item with other lines, or other words of theirs, than now makes room for a new one.
            if item.state == "open" and versions != _name_versions(rows.get(session, {})):
                store.decide(item.id, "closed", workspace.now())
            # What was accepted and is withheld all the same has other words now.
            elif item.state in ("open", "rejected"):
                asked[session] |= {" ".join(version.split(" ")[:2]) for version in versions}
        for session, session_rows in rows.items():
            # Items of older versions have the ids alone.
            if any(asked[session].isdisjoint((row.id, f"{row.id} {row.key}")) for row in session_rows.values()):
                store.open_item(_make_session_item(workspace, senders[session], len(items), session_rows))


def _name_versions(rows: "_Rows") -> list[str]:
    """Return the id of each entry with the hash of its words and its file."""
    return sorted(f"{name} {row.key} {row.path}" for name, row in rows.items())


def _find_withheld(workspace: "WorkspaceBase") -> dict[str, tuple[WithheldLine, ...]]:
    """Return the files with lines that are not trusted. Only files that changed, or that new calls wrote, are read."""
    store, head = workspace.store, workspace.head
    newest = store.newest("tool_call")
    if not newest or head is None or not workspace.managed:
        return {}
    writers = LineWriters(workspace)
    key = f"{newest} {head} {writers.trusts_timers}"
    memo = store.read_document(_READ, _Withheld) or _Withheld()
    if memo.key != key:
        strangers = [call for call in KnownCalls(store).list_all() if not writers.trusts(call)]
        decisions = repository.blob_id(workspace.repo, head, entries.PATH)
        files: dict[str, tuple[str, tuple[WithheldLine, ...]]] = {}
        for path, sources in _list_written_paths(workspace, strangers).items():
            numbers = [call.number for call in strangers if call.path in ("", *sources)]
            blob = repository.blob_id(workspace.repo, head, path)
            file_key = f"{blob} {numbers[-1:]} {decisions} {writers.trusts_timers} {sorted(sources)}"
            if blob and numbers:
                is_same = memo.files.get(path, ("", ()))[0] == file_key
                lines = memo.files[path][1] if is_same else tuple(_list_lines(workspace, writers, path))
                files[path] = file_key, lines
        memo = _Withheld(key, files)
        with contextlib.suppress(ClawgitError):
            store.save_document(_READ, memo)
    return {path: lines for path, (_, lines) in memo.files.items() if lines}


def _list_written_paths(workspace: "WorkspaceBase", strangers: Sequence[ToolCall]) -> dict[str, set[str]]:
    """Return the files that these calls may have written, and those with lines from there, each with its sources.

    A command may have written any that changed since.
    """
    paths = {call.path for call in strangers} - {""}
    with workspace.open_table() as table:
        if times := [call.time for call in strangers if not call.path]:
            start = datetime.fromtimestamp(min(times) - SLACK_SECONDS, workspace.now().tzinfo)
            paths |= {row.path for row in table.list_changed(start)}
        sources = {path: {path} for path in sorted(paths)}
        for row in (row for row in table.list_moved() if row.source in paths):
            sources.setdefault(row.path, {row.path}).add(row.source)
    return sources


def _list_lines(workspace: "WorkspaceBase", writers: LineWriters, path: str) -> Iterator[WithheldLine]:
    """Yield the lines of a file, headings among them, that a call which is not trusted wrote, or may have written."""
    from clawgit.store.entry_table import Moment  # noqa: PLC0415 - 10 ms

    with workspace.open_table() as table:
        rows = [writers.trace(table, row) for row in table.find(paths=(path,))]
    trusted = {number for row in rows if writers.is_vouched(row) for number in range(row.start, row.end + 1)}
    # The lines of a paragraph came one by one, unless it was moved.
    whole = (row for row in rows if row.start == row.end or row.source != path)
    entry_rows = {number: row for row in whole for number in range(row.start, row.end + 1)}
    lines = history.blame(workspace.repo, path, workspace.head)
    commits = history.read_commits(workspace.repo, (line.commit for line in lines if line.commit))
    counts = Counter[str]()
    for line in lines:
        commit = commits.get(line.commit or "")
        if not line.text.strip() or commit is None:
            continue
        counts[name := hash_line(line.text)] += 1
        row = entry_rows.get(line.line)
        moment = (row and row.changed) or Moment(commit.id, commit.date.isoformat(), commit.author)
        source = row.source if row else line.path
        if line.line not in trusted and (call := writers.find_stranger(source, line.text, moment)):
            yield WithheldLine((name, counts[name]), line.line, call.number)


def _make_session_item(workspace: "WorkspaceBase", call: ToolCall, number: int, entry_rows: "_Rows") -> Item:
    """Return an item that trusts these entries of a session: approval gives each a row; `number` makes its id."""
    session, names = call.session, _name_versions(entry_rows)
    name = make_name("\0".join((session, str(number), *names)))
    before = to_text((workspace.read(entries.PATH) or "").encode())
    old_rows = entries.parse(before)
    rows = (old_rows.get(key) or entries.Row(key, row.path, row.key, row.tag or "") for key, row in entry_rows.items())
    vouched = {row.id: replace(row, origin="operator", mentions=row.mentions | {name}) for row in rows}
    listing = [f"- {row.path}:{row.start}: {commit_message.fold_spaces(row.text)}" for row in entry_rows.values()]
    if len(listing) > MAX_SHOWN_LINES:
        listing[MAX_SHOWN_LINES:] = [f"- and {len(listing) - MAX_SHOWN_LINES:,} more"]
    paths = commit_message.list_names(dict.fromkeys(row.path for row in entry_rows.values()))
    count = "1 line" if len(entry_rows) == 1 else f"{len(entry_rows):,} lines"
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
