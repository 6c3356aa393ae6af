"""Brings conversations, and the calls in them, into the stores."""

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from typing import cast

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, session_unreadable
from clawgit.messages import triage
from clawgit.openclaw import openclaw_files as host_files
from clawgit.openclaw.host import NOBODY, Operators
from clawgit.safety.redaction import redact
from clawgit.sessions import envelope, openclaw_sessions, session_messages, transcript
from clawgit.sessions.chat_store import ChatStore, Marks
from clawgit.sessions.envelope import MACHINE_TURNS, MACHINES, Session
from clawgit.sessions.openclaw_sessions import TranscriptFile
from clawgit.sessions.session_messages import Event, ForkedError, State
from clawgit.sessions.transcript import FileUse, TranscriptEntry, UnfitError
from clawgit.store.calls import (
    CallTable,
    ToolCall,
    Turn,
    hash_command_lines,
    hash_content,
    hash_folded_lines,
    normalise_lines,
)
from clawgit.workspace import line_writers, waiting_batches
from clawgit.workspace.workspace import Workspace

_WORDY = 20
"""Letters of a message from which on what holds it is taken away with it; shorter ones anybody says."""
_LANDING_EVENTS = 1_000  # events that land at once
_HEAD = 64 << 10
_OWN_TOOLS = ("write", "edit", "apply_patch")
"""Tools whose answers bring nothing from outside; nor do clawgit's."""
_MEMORY_TOOLS = ("memory_search", "memory_get")
"""Tools of OpenClaw's that find every line, also those that are not trusted."""


class BadLine(Struct, frozen=True):
    """A line that could not be read, counted from 1; of a database, the event's own number."""

    path: str
    line: int
    reason: str


class Imported(Struct):
    """The outcome of an import.

    `new` counts messages, `skipped` the others by reason; `rewritten` names the sources with changed earlier parts,
    `problems` are the unreadable ones. Of sessions that OpenClaw forgot since the last import, `forgotten` counts the
    removed messages, `words` are their words; `packed` events were not read, since nothing here unpacks them.
    """

    sessions: dict[tuple[str, str], Session] = field(default_factory=dict)
    new: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    bad_lines: list[BadLine] = field(default_factory=list)
    rewritten: list[str] = field(default_factory=list)
    problems: list[ClawgitError] = field(default_factory=list)
    forgotten: dict[tuple[str, str], int] = field(default_factory=dict)
    packed: int = 0
    words: list[str] = field(default_factory=list)


def import_transcripts(
    workspace: Workspace, store: ChatStore, sources: Iterable[TranscriptFile], agent: str = ""
) -> Imported:
    """Import transcripts, with OpenClaw's operators, and forget the sessions that it forgot.

    Without `agent` a file of unknown origin counts as that of the agent that works here.
    """
    began, root = workspace.now().timestamp(), os.path.realpath(workspace.root)
    agent = agent or next((owner.id for owner in workspace.host.owners(workspace.root)), "main")
    withheld_files = line_writers.list_withheld(workspace).keys()
    with contextlib.closing(CallTable(workspace.store)) as calls:
        result = Importer(store, workspace.host.operators, calls, root, withheld_files).bring(sources, agent)
        names = {name for _, name in result.forgotten}
        calls.forget(names)
    line_writers.note_followed(workspace.store, began)
    triage.clear_flags(workspace.store, names)
    # A waiting batch may have words of a forgotten conversation.
    if names or result.words:
        waiting_batches.drop_all(workspace.store)
    waiting_batches.forget_sessions(workspace.store, names, result.words)
    return result


class _Source(Struct, frozen=True):
    """A source of a session, and the marks behind which it is read; without any it is read as a whole.

    What is before `taken` was taken before: it is only looked at for the branch that counts.
    """

    session: Session
    stream: str
    name: str
    marks: Marks
    taken: Marks

    @property
    def begin(self) -> int:
        """The ordinal of the first event that is new."""
        return int(self.taken.get("offset", self.taken.get("seq", -1) + 1))


class Importer(Struct):
    """Imports transcripts, each message once. Continues the last import; begins anew if the operator has changed since.

    With `calls` the calls of tools are recorded, as a workspace at the real path `root` sees them.

    `withheld` are the files with lines that are not trusted.
    """

    store: ChatStore
    operators: Operators = NOBODY
    calls: CallTable | None = None
    root: str = ""
    withheld: Collection[str] = ()
    result: Imported = field(default_factory=Imported)

    def bring(self, sources: Iterable[TranscriptFile], agent: str) -> Imported:
        """Import sources; a file of unknown origin counts as that of `agent`, an unreadable one is skipped."""
        result = self.result
        for source in sources:
            before, place = result.packed, source if source.agent else replace(source, agent=agent)
            try:
                if source.form == "database":
                    self._read_database(place)
                else:
                    self._read_file(place)
            except OSError as exc:
                words = f"{source.path} {host_files.explain_error(exc)}"
                result.problems.append(session_unreadable(words, fix=Command("ls -l {}", source.path)))
            except ClawgitError as exc:
                result.problems.append(exc)
            if count := result.packed - before:
                words = f"{source.path}: {count:,} long messages are packed, and were not read"
                result.problems.append(session_unreadable(words, fix=openclaw_sessions.FIX))
        return result

    def _read_source(
        self,
        place: TranscriptFile,
        session: Session,
        stream: str,
        name: str,
        read: Callable[[TranscriptFile, _Source], None],
    ) -> None:
        """Read a source on from its mark, and as a whole if that does not fit: it was rewritten, or forks.

        So it does if it was read in another way than now, or if its first reading was not finished.
        """
        marks = self.store.mark(name) or {}
        self.result.sessions[session.agent, session.id] = session
        is_fit = marks.get("way") == session_messages.mark_reading(session, self.operators) and "leaf" in marks
        marks, bad_lines = marks if is_fit else {}, self.result.bad_lines
        source, skipped, count = (
            _Source(session, stream, name, marks, marks),
            self.result.skipped.copy(),
            len(bad_lines),
        )
        try:
            read(place, source)
        except (transcript.RewrittenError, ForkedError) as exc:
            # The second reading finds these lines again.
            del bad_lines[count:]
            self.result.skipped = skipped
            if isinstance(exc, transcript.RewrittenError):
                self.result.rewritten.append(name if place.form == "database" else str(place.path))
                marks = {}
            read(place, replace(source, marks={}, taken=marks))
            done = marks.get("lines", marks.get("seq", -1))
            bad_lines[count:] = [bad for bad in bad_lines[count:] if bad.line > done]

    def _read_database(self, place: TranscriptFile) -> None:
        session_ids = self.store.forgotten()
        for name in sorted(openclaw_sessions.list_forgotten(place.path, place.agent)):
            if (place.agent, name) not in session_ids:
                messages = self.store.messages(Session(name, place.agent), abandoned=True)
                self.result.words += [message.text for message in messages if len(message.text) >= _WORDY]
                self.result.forgotten[place.agent, name] = self.store.forget(place.agent, name)
        # The sessions that were forgotten just now count, too.
        session_ids = self.store.forgotten()
        for session in openclaw_sessions.sessions(place.path, place.agent):
            if (session.agent, session.id) not in session_ids:
                name = f"{place.path}#{session.id}"
                self._read_source(place, self.store.meet(session), "database", name, self._read_rows)

    def _read_rows(self, place: TranscriptFile, source: _Source) -> None:
        session, mark = source.session, convert(source.marks, openclaw_sessions.Mark)
        end = openclaw_sessions.find_end(place.path, session.id, mark)
        if end is None:
            raise transcript.RewrittenError
        if end.seq == mark.seq and source.marks:
            return

        def entries() -> Iterator[tuple[int, TranscriptEntry]]:
            nonlocal mark
            for seq, event in openclaw_sessions.list_session_events(place.path, session.id, mark.seq):
                mark = openclaw_sessions.Mark(seq, mark.count + 1, openclaw_sessions.hash_event(event))
                if entry := self._read_entry(event, str(place.path), seq):
                    yield seq, entry

        self._take(source, entries(), lambda: mark)

    def _read_file(self, place: TranscriptFile) -> None:
        session = describe_session(place)
        if (session.agent, session.id) not in self.store.forgotten():
            name = str(place.path.absolute())
            self._read_source(place, self.store.meet(session), place.stream, name, self._read_lines)

    def _read_lines(self, place: TranscriptFile, source: _Source) -> None:
        stamp, path = transcript.read_file_stamp(place.path), str(place.path)
        if list(stamp) == source.marks.get("stamp"):
            return
        with transcript.open_transcript(place.path) as file:
            reader = transcript.Reader(file, convert(source.marks, transcript.Mark), stamp, final=place.final)

            def entries() -> Iterator[tuple[int, TranscriptEntry]]:
                for line in reader:
                    if line.data is None:
                        self.result.bad_lines.append(BadLine(path, line.number, "it is too long"))
                    elif line.data and (entry := self._read_entry(line.data, path, line.number)):
                        yield line.start, entry

            self._take(source, entries(), lambda: reader.mark)

    def _read_entry(self, data: bytes | str, path: str, number: int) -> TranscriptEntry | None:
        """Return the entry of a line, None for one that is no event, which is noted."""
        if data == openclaw_sessions.UNREADABLE:
            self.result.packed += 1
            return None
        try:
            entry = transcript.parse_entry(data)
        except UnfitError as exc:
            self.result.bad_lines.append(BadLine(path, number, str(exc)))
            return None
        return None if entry.type == "session" else entry

    def _take(
        self, source: _Source, entries: Iterable[tuple[int, TranscriptEntry]], read_mark: Callable[[], Struct]
    ) -> None:
        """Keep the entries of one source behind its mark, some at a time, each part with the mark behind it.

        Raises ForkedError for an event that does not follow the one before, unless the source is read as a whole.
        """
        session, marks = source.session, source.marks
        state, turn, leaf = convert(marks, State), source.taken.get("turn", ""), marks.get("leaf")
        calls = _SessionCalls(self.calls, session, self.root, turn, self.withheld) if self.calls else None
        read = session_messages.read_events(entries, session, state, self.operators)
        way, tree = session_messages.mark_reading(session, self.operators), session_messages.Tree()
        is_last = False
        while not is_last:
            events: list[Event] = []
            for event, state, entry in islice(read, _LANDING_EVENTS):  # noqa: B007 - the last state counts
                events.append(event)
                if calls and event.ordinal >= source.begin:
                    calls.record(event, entry)
            is_last, branch = len(events) < _LANDING_EVENTS, None
            mark = {**to_builtins(read_mark()), **to_builtins(state), "turn": calls.turn if calls else "", "way": way}
            # A source that is read on has no tree here: its events must follow in one line.
            if marks:
                mark["leaf"] = leaf = session_messages.find_leaf(events, leaf)
            else:
                session_messages.grow_tree(tree, events)
                if is_last:  # only now it is known, and a reading that was killed before begins again
                    mark["leaf"], branch = next(reversed(tree), None), session_messages.find_branch(tree)
                else:
                    mark = dict(source.taken)
            new = [event for event in events if event.ordinal >= source.begin]
            self.result.skipped.update(event.skipped for event in new if event.skipped)
            self.result.new += self.store.take(session, source.stream, new, source.name, mark, seen=tree, branch=branch)


def describe_session(place: TranscriptFile) -> Session:
    """Return the session of a transcript: by its head, by OpenClaw's list, by its name."""
    with transcript.open_transcript(place.path) as file:
        head = file.readline(_HEAD)
    first = next(transcript.parse_all([head]), TranscriptEntry())
    name = first.id if first.type == "session" and first.id else place.session
    # The list for an archive is in the folder above it, or in `sessions` beside it.
    folders = (place.path.parent, place.path.parent.parent, place.path.parent.parent / "sessions")
    lists = (openclaw_sessions.read_session_list(folder, place.agent) for folder in folders)
    list_entry = next((sessions[name] for sessions in lists if name in sessions), None)
    session = list_entry or Session(
        name, place.agent, kind=envelope.read_session_kind(name, "", "group" if "topic-" in place.stream else "")
    )
    return session if session.started is not None else replace(session, started=first.time)


# ---- calls


class _SessionCalls:
    """The calls of one source of a session, recorded entry by entry; `turn` is the owner of the last entry's turn."""

    def __init__(self, table: CallTable, session: Session, root: str, turn: str, withheld: Collection[str]) -> None:
        self._table, self._session, self._root, self._withheld = table, session, root, withheld
        self._reads: dict[str, str] = {}
        self._is_talk = session.kind not in MACHINES and session.kind != "hook"
        self.turn = cast("Turn", turn) if self._is_talk else MACHINE_TURNS.get(session.kind, "machine")

    def record(self, event: Event, entry: TranscriptEntry) -> None:
        """Record the calls and answers of the entry that an event was made of."""
        time = entry.time or event.at
        if entry.role == "user" and self._is_talk:
            self._begin_turn(event, time)
        for use in entry.files:
            path = place_in_workspace(self._root, use.path) if use.path else ""
            if use.kind == "read":
                # An answer names only its call, so the path is remembered until then.
                self._reads[use.call] = path or use.path
            if path or not use.path:
                call = describe_use(use, path, self._session.id, time)
                call = replace(call, turn=self.turn, place=self._session.key)
                self._table.record_call(call, is_partial=not use.whole)
        if entry.answers:
            self._table.record_answer(self._session.id, entry.answers, entry.result, time, failed=entry.failed)
            if not is_own_tool(entry.tool, self._reads.get(entry.answers, ""), self._root, self._withheld):
                self._table.note_outside(self._session.id, time)

    def _begin_turn(self, event: Event, time: float) -> None:
        """Note the owner of a new turn; OpenClaw's own insertions continue the turn before."""
        if event.skipped:
            self.turn = MACHINE_TURNS.get(event.skipped, self.turn)
            return
        turns: dict[str, Turn] = {"operator": "operator", "untrusted": "others"}
        self.turn = turns.get(event.origin, "machine")
        if self.turn != "operator":
            self._table.note_outside(self._session.id, time)


def is_own_tool(tool: str, path: str, root: str, withheld_files: Collection[str] = ()) -> bool:
    """Return whether the answers of a tool bring nothing from outside; of `read`, by the path that it reads.

    `withheld_files` are the files with lines that are not trusted.
    """
    name = tool.lower()
    if name in _MEMORY_TOOLS:
        return not withheld_files
    if name == "read":
        place = place_in_workspace(root, path) if path else ""
        return bool(place) and place not in withheld_files
    return name in _OWN_TOOLS or "clawgit" in name


def place_in_workspace(root: str, path: str) -> str:
    """Return a path below `root`, the real path of a workspace, as seen from there; "" for one elsewhere."""
    place = os.path.normpath(os.path.join(root, path))  # noqa: PTH118 - a path as the agent wrote it
    return place[len(root) + 1 :] if place.startswith(f"{root}{os.sep}") else ""


def describe_use(use: FileUse, path: str, session: str, time: float) -> ToolCall:
    """Return a call from its use of a file in the workspace, or its command."""
    call = ToolCall(session, use.call or f"{use.tool} {time}", use.tool, use.kind, path, time, time)
    if use.kind == "command":
        return replace(call, ended=None, words=hash_command_lines(use.text))
    if use.kind == "edit":
        pieces = tuple(filter(None, (normalise_lines(redact(piece)) for piece in use.pieces)))
        return replace(call, words=hash_folded_lines(use.text), pieces=pieces)
    if use.kind == "write":
        return replace(call, **hash_content(use.text))
    return call
