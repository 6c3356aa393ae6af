"""Sessions for captures, messages and calls."""

import contextlib
import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.openclaw.host import Host, Operators
from clawgit.sessions import chat_store, openclaw_sessions, session_import, session_messages, transcript
from clawgit.sessions.envelope import MACHINE_TURNS, MACHINES, Session
from clawgit.sessions.openclaw_sessions import TranscriptFile
from clawgit.sessions.session_messages import State
from clawgit.sessions.transcript import TranscriptEntry
from clawgit.store.calls import Turn
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.workspace_base import SessionEvent as SpokenTurn

MAX_IMPORT_SECONDS = 3.0
MIN_SHARE_OF_WORDS = 0.8
"""A turn that has so many of a line's words asks for that line."""


def follow_host(workspace: Workspace) -> None:
    """Import the conversations of the agent that works here; slow or failed ones wait for the next import.

    Without such an agent in OpenClaw, and in an unmanaged folder, nothing is imported.
    """
    owners = [owner.id for owner in workspace.host.owners(workspace.root)] if workspace.managed else []
    if not owners:
        return
    deadline = time.monotonic() + MAX_IMPORT_SECONDS
    with contextlib.suppress(ClawgitError), chat_store.open_chat_store(workspace.store, os.environ) as store:
        sources = enumerate(openclaw_sessions.list_transcripts_of_host(workspace.host, owners))
        # The first one is where OpenClaw writes now: a slow machine reads it all the same.
        in_time = takewhile(lambda pair: not pair[0] or time.monotonic() < deadline, sources)
        session_import.import_transcripts(workspace, store, (source for _, source in in_time))


def asks(workspace: Workspace, line: str, since: datetime) -> bool:
    """Return whether a turn of the operator after a moment has nearly all words of a line."""
    line_words, start = set(words_of(line)), since.timestamp()
    enough = max(1, MIN_SHARE_OF_WORDS * len(line_words))
    chat_database = chat_store.open_chat_store(workspace.store, os.environ, reading=True)
    with contextlib.suppress(ClawgitError), chat_database as store:
        recent = (summary.session for summary in store.sessions() if (summary.last or 0.0) >= start)
        turns = (turn for session in recent for turn in store.messages(session) if turn.origin == "operator")
        texts = [turn.text for turn in turns if (turn.time or 0.0) >= start]
        return any(len(line_words.intersection(words_of(text))) >= enough for text in texts)
    return False


def find_question(workspace: Workspace, session: str, moment: float) -> SpokenTurn | None:
    """Return the last message in a session before a moment, None if it is not kept."""
    chat_database = chat_store.open_chat_store(workspace.store, os.environ, reading=True)
    with contextlib.suppress(ClawgitError), chat_database as store:
        return store.find_question(session, moment)
    return None


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return re.findall(r"\w+", text.casefold())


LASTING: frozenset[Turn] = frozenset({"operator"})
"""Turns in which a write may land; what is written in any other waits for the operator."""

_YOUNG = 120.0  # seconds for which a call may take
_TAIL = 256 << 10  # bytes of a transcript file in which the call must stand
_NEEDLE = 120  # characters of an argument by which a long call is known
_OPENS = frozenset("{[")


class Caller(Struct, frozen=True):
    """The requester of an agent's call: the kind of turn, and the key of its session."""

    turn: Turn
    session: str = ""


def find_caller(host: Host, agents: Iterable[str], tool: str, text: str, now: float) -> Caller | None:
    """Return the turn in which an agent of OpenClaw called `tool` with `text` a moment ago, None if unknown.

    OpenClaw gives an MCP server no data on the calling session, but writes the call down before it is made. `now`
    counts seconds since 1970. Unreadable sources are skipped.
    """
    for source in openclaw_sessions.list_transcripts_of_host(host, agents):
        with contextlib.suppress(OSError, ClawgitError):
            for session, entries in _list_young_sessions(source, now):
                if _calls(entries, tool, text, now):
                    return _caller(entries, session(), host.operators)
    return None


def _list_young_sessions(
    source: TranscriptFile, now: float
) -> Iterator[tuple[Callable[[], Session], list[TranscriptEntry]]]:
    """Yield the last entries of the sessions of a source in which something happens, with a reader of its data."""
    if source.form == "database":
        for name, entries in openclaw_sessions.list_newest_sessions(source.path):
            yield partial(openclaw_sessions.session, source.path, source.agent, name), entries
    elif not source.final and now - source.path.stat().st_mtime < _YOUNG:
        yield partial(session_import.describe_session, source), _tail(source.path)


def _calls(entries: Iterable[TranscriptEntry], tool: str, text: str, now: float) -> bool:
    """Return whether one of these makes the call: by its own name, or through another tool that names it."""
    young = (entry for entry in entries if entry.time is not None and abs(now - entry.time) < _YOUNG)
    calls = (call for entry in young for call in entry.calls)
    return any(call.name.endswith(tool) or tool in call.arguments for call in calls if _contains(call.arguments, text))


def _contains(arguments: str, text: str) -> bool:
    """Return whether a text is among the arguments of a call; those that were too long are cut."""
    # The arguments are JSON, so quotes and line ends of the text are escaped there.
    sign = json.dumps(text[:_NEEDLE], ensure_ascii=False)[1:-1]
    return text in _strings(arguments) or (len(arguments) >= transcript.LONGEST_CALL and sign in arguments)


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings in a value, also of JSON within a string: a call within a call is written so."""
    if isinstance(value, str):
        yield value
        with contextlib.suppress(ValueError, RecursionError):
            yield from _strings(json.loads(value)) if value[:1] in _OPENS else ()
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(item)


def _caller(entries: Iterable[TranscriptEntry], session: Session, operators: Operators) -> Caller:
    """Return the owner of the turn: that of the last message that is no answer."""
    name = session.key or session.id
    if session.kind in MACHINES or session.kind == "hook":
        return Caller(MACHINE_TURNS.get(session.kind, "machine"), name)
    turns = [(number, entry) for number, entry in enumerate(entries) if entry.role == "user"]
    events = [
        event for event, *_ in session_messages.read_events(turns, replace(session, started=None), State(), operators)
    ]
    if not events:
        return Caller("others" if session.kind == "group" else "operator", name)
    spoken_by: Turn = "others" if events[-1].origin == "untrusted" else "operator"
    return Caller(MACHINE_TURNS.get(events[-1].skipped, spoken_by), name)


def _tail(place: Path) -> list[TranscriptEntry]:
    """Return the last entries of a file; a line of which the tail has only the end is no event."""
    with place.open("rb") as file:
        file.seek(max(0, file.seek(0, 2) - _TAIL))
        return list(transcript.parse_all(file.read(_TAIL).splitlines()))
