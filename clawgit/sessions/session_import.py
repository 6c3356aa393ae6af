"""Brings conversations into the chat store."""

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, session_unreadable
from clawgit.messages import message_flags
from clawgit.openclaw import openclaw_files as host_files
from clawgit.openclaw.host import NOBODY, Operators
from clawgit.sessions import envelope, openclaw_sessions, session_messages, transcript
from clawgit.sessions.chat_store import ChatStore, Marks
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_calls import SessionCalls
from clawgit.sessions.session_messages import Event, State
from clawgit.sessions.transcript import Entry, UnfitError
from clawgit.sessions.transcript_discovery import Found
from clawgit.store.calls import CallTable
from clawgit.workspace import line_writers, unkept_requests, untrusted_sessions, waiting_batches
from clawgit.workspace.workspace import Workspace

_WORDY = 20
"""Letters of a message from which on what holds it is taken away with it; shorter ones anybody says."""
_SOME = 1_000  # events that land at once
_HEAD = 64 << 10


class BadLine(Struct, frozen=True):
    """A line that could not be read, counted from 1; of a database, the event's own number."""

    path: str
    line: int
    reason: str


class Imported(Struct):
    """The outcome of an import.

    `new` counts messages, `skipped` the others by reason; `rewritten` names the sources with changed earlier parts,
    `problems` are the unreadable ones. `operators` are the counted authors. Of sessions that OpenClaw forgot since the
    last import, `forgotten` counts the removed messages, `words` are their words; `packed` events were not read, since
    nothing here unpacks them.
    """

    sessions: dict[tuple[str, str], Session] = field(default_factory=dict)
    new: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    bad_lines: list[BadLine] = field(default_factory=list)
    rewritten: list[str] = field(default_factory=list)
    problems: list[ClawgitError] = field(default_factory=list)
    operators: Operators = NOBODY
    forgotten: dict[tuple[str, str], int] = field(default_factory=dict)
    packed: int = 0
    words: list[str] = field(default_factory=list)
    calls: CallTable | None = None
    root: str = ""
    withheld: Collection[str] = ()


def bring(
    store: ChatStore, found: Iterable[Found], agent: str, operators: Operators = NOBODY, done: Imported | None = None
) -> Imported:
    """Import transcripts, each message once; a file of unknown origin counts as that of `agent`.

    Continues the last import, and begins anew if the operator has changed since. An unreadable one leaves the rest
    alone.
    """
    done = done or Imported(operators=operators)
    ways = {"database": _database, "jsonl": _transcript}
    for source in found:
        before = done.packed
        try:
            ways[source.form](store, source if source.agent else replace(source, agent=agent), done)
        except OSError as exc:
            words = f"{source.path} {host_files.explain_error(exc)}"
            done.problems.append(session_unreadable(words, fix=Command("ls -l {}", source.path)))
        except ClawgitError as exc:
            done.problems.append(exc)
        if count := done.packed - before:
            words = f"{source.path}: {count:,} long messages are packed, and were not read"
            done.problems.append(session_unreadable(words, fix=openclaw_sessions.FIX))
    return done


def follow(workspace: Workspace, store: ChatStore, found: Iterable[Found], agent: str = "") -> Imported:
    """Import transcripts as `bring` does, with OpenClaw's operators, and forget the sessions that it forgot.

    Without `agent` a file of unknown origin counts as that of the agent that works here.
    """
    operators, began = workspace.host.operators, workspace.now().timestamp()
    agent = agent or next((owner.id for owner in workspace.host.owners(workspace.root)), "main")
    with contextlib.closing(CallTable(workspace.store)) as calls:
        started = Imported(operators=operators, calls=calls, root=os.path.realpath(workspace.root))
        started.withheld = untrusted_sessions.list_withheld(workspace).keys()
        result = bring(store, found, agent, operators, started)
        names = {name for _, name in result.forgotten}
        calls.forget(names)
    line_writers.note_followed(workspace.store, began)
    message_flags.forget(workspace.store, names)
    if names or result.words:
        waiting_batches.drop_all(workspace.store)
    unkept_requests.forget_sessions(workspace.store, names, result.words)
    return result


def _database(store: ChatStore, found: Found, done: Imported) -> None:
    session_ids = store.forgotten()
    for name in sorted(openclaw_sessions.forgotten(found.path, found.agent)):
        if (found.agent, name) not in session_ids:
            messages = store.messages(Session(name, found.agent), abandoned=True)
            done.words += [message.text for message in messages if len(message.text) >= _WORDY]
            done.forgotten[found.agent, name] = store.forget(found.agent, name)
    session_ids = store.forgotten()
    for session in openclaw_sessions.sessions(found.path, found.agent):
        if (session.agent, session.id) not in session_ids:
            _rows(store, found, store.meet(session), done)


def _rows(store: ChatStore, found: Found, session: Session, done: Imported) -> None:
    source = f"{found.path}#{session.id}"
    marks = store.mark(source) or {}
    mark = convert(marks, openclaw_sessions.Mark)
    end = openclaw_sessions.find_end(found.path, session.id, mark)
    done.sessions[session.agent, session.id] = session
    if end is None or _otherwise(marks, session, done):
        done.rewritten += [source] if end is None else []
        mark, is_rewritten, marks = openclaw_sessions.Mark(), True, {}
    elif end.seq == mark.seq and marks:
        return
    else:
        is_rewritten = False

    def entries() -> Iterator[tuple[int, Entry]]:
        nonlocal mark
        for seq, event in openclaw_sessions.rows(found.path, session.id, mark.seq):
            mark = openclaw_sessions.Mark(seq, mark.count + 1, openclaw_sessions.digest(event))
            if entry := _entry(event, str(found.path), seq, done):
                yield seq, entry

    _take(store, session, "database", entries(), source, lambda: mark, marks, done, anew=is_rewritten)


def _transcript(store: ChatStore, found: Found, done: Imported) -> None:
    session, source = described(found), str(found.path.absolute())
    if (session.agent, session.id) in store.forgotten():
        return
    session = store.meet(session)
    marks = store.mark(source) or {}
    stamp = transcript.stamp(found.path)
    done.sessions[session.agent, session.id] = session
    is_rewritten = _otherwise(marks, session, done)
    if list(stamp) == marks.get("stamp") and not is_rewritten:
        return
    try:
        _lines(store, found, session, source, {} if is_rewritten else marks, done, anew=is_rewritten)
    except transcript.RewrittenError:
        done.rewritten.append(str(found.path))
        _lines(store, found, session, source, {}, done, anew=True)


def _lines(
    store: ChatStore, found: Found, session: Session, source: str, kept: Marks, done: Imported, *, anew: bool
) -> None:
    stamp = transcript.stamp(found.path)
    with transcript.open_transcript(found.path) as file:
        reader = transcript.Reader(file, convert(kept, transcript.Mark), stamp, final=found.final)

        def entries() -> Iterator[tuple[int, Entry]]:
            for line in reader:
                if line.data is None:
                    done.bad_lines.append(BadLine(str(found.path), line.number, "it is too long"))
                elif line.data and (entry := _entry(line.data, str(found.path), line.number, done)):
                    yield line.start, entry

        _take(store, session, found.stream, entries(), source, lambda: reader.mark, kept, done, anew=anew)


def described(found: Found) -> Session:
    """Return the session of a transcript: by its head, by OpenClaw's list, by its name."""
    with transcript.open_transcript(found.path) as file:
        head = file.readline(_HEAD)
    first = next(transcript.parse_all([head]), Entry())
    name = first.id if first.type == "session" and first.id else found.session
    folders = (found.path.parent, found.path.parent.parent, found.path.parent.parent / "sessions")
    lists = (openclaw_sessions.registered(folder, found.agent) for folder in folders)
    list_entry = next((sessions[name] for sessions in lists if name in sessions), None)
    session = list_entry or Session(
        name, found.agent, kind=envelope.kind(name, "", "group" if "topic-" in found.stream else "")
    )
    return session if session.started is not None else replace(session, started=first.time)


def _take(
    store: ChatStore,
    session: Session,
    stream: str,
    entries: Iterable[tuple[int, Entry]],
    source: str,
    reached: Callable[[], Struct],
    kept: Marks,
    done: Imported,
    *,
    anew: bool,
) -> None:
    """Keep the entries of one source behind its mark, some at a time, each part with the mark behind it."""
    state, turn = convert(kept, State), kept.get("turn", "")
    calls = SessionCalls(done.calls, session, done.root, turn, done.withheld) if done.calls else None
    read = session_messages.read(entries, session, state, done.operators)
    while True:
        events: list[Event] = []
        for event, state, entry in islice(read, _SOME):  # noqa: B007 - the last state counts
            events.append(event)
            if calls:
                calls.record(event, entry)
        done.skipped.update(event.skipped for event in events if event.skipped)
        turn, way = calls.turn if calls else "", session_messages.way(session, done.operators)
        mark = {**to_builtins(reached()), **to_builtins(state), "turn": turn, "way": way}
        done.new += store.take(session, stream, events, source, mark, anew=anew)
        if len(events) < _SOME:
            return
        anew = False


def _otherwise(kept: Mapping[str, Any], session: Session, done: Imported) -> bool:
    """Return whether a source was read in another way than now."""
    return bool(kept) and kept.get("way") != session_messages.way(session, done.operators)


def _entry(data: bytes | str, path: str, number: int, done: Imported) -> Entry | None:
    """Return the entry of a line, None for one that is no event, which is noted."""
    if data == openclaw_sessions.UNREADABLE:
        done.packed += 1
        return None
    try:
        entry = transcript.parse(data)
    except UnfitError as exc:
        done.bad_lines.append(BadLine(path, number, str(exc)))
        return None
    return None if entry.type == "session" else entry
