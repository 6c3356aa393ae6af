"""What captures, messages and calls ask of sessions."""

import contextlib
import json
import os
import re
import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.sessions import (
    chat_store,
    openclaw_sessions,
    session_import,
    session_messages,
    transcript,
    transcript_discovery,
)
from clawgit.sessions.envelope import MACHINE_TURNS, MACHINES, Session
from clawgit.sessions.session_messages import State
from clawgit.sessions.transcript import Entry
from clawgit.sessions.transcript_discovery import Found
from clawgit.store.calls import Turn
from clawgit.workspace.host.host import Host, Operators
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.workspace_base import Turn as SpokenTurn

MAX_IMPORT_SECONDS = 3.0
MIN_SHARE_OF_WORDS = 0.8
"""A turn that has so many of a line's words asks for that line."""


def follow_host(workspace: Workspace) -> None:
    """Import the conversations of the agent that works here; what takes too long, or fails, waits for the next import.

    Where OpenClaw has no such agent, and in a folder that is not managed, nothing is imported.
    """
    owners = [owner.id for owner in workspace.host.owners(workspace.root)] if workspace.managed else []
    if not owners:
        return
    deadline = time.monotonic() + MAX_IMPORT_SECONDS
    with contextlib.suppress(ClawgitError), chat_store.opened(workspace.store, os.environ) as store:
        found = transcript_discovery.of_host(workspace.host, owners)
        session_import.follow(workspace, store, takewhile(lambda _: time.monotonic() < deadline, found))


def asks(workspace: Workspace, line: str, since: datetime) -> bool:
    """Return whether a turn of the operator after a moment has nearly all words of a line."""
    wanted, start = set(words_of(line)), since.timestamp()
    enough = max(1, MIN_SHARE_OF_WORDS * len(wanted))
    opened = chat_store.opened(workspace.store, os.environ, reading=True)
    with contextlib.suppress(ClawgitError), opened as store:
        recent = (found.session for found in store.sessions() if (found.last or 0.0) >= start)
        turns = (turn for session in recent for turn in store.messages(session) if turn.origin == "operator")
        texts = [turn.text for turn in turns if (turn.time or 0.0) >= start]
        return any(len(wanted.intersection(words_of(text))) >= enough for text in texts)
    return False


def find_question(workspace: Workspace, session: str, moment: float) -> SpokenTurn | None:
    """Return what somebody said last in a session before a moment, None where that is not kept."""
    opened = chat_store.opened(workspace.store, os.environ, reading=True)
    with contextlib.suppress(ClawgitError), opened as store:
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
    """Who had the agent call a tool: the kind of turn, and the key of its session."""

    turn: Turn
    session: str = ""


def find_caller(host: Host, agents: Iterable[str], tool: str, text: str, now: float) -> Caller | None:
    """Return the turn in which an agent of OpenClaw called `tool` with `text` a moment ago, None where none is known.

    OpenClaw tells an MCP server nothing of the session that calls it, but writes the call down before it is made. `now`
    counts seconds since 1970. What cannot be read is passed over.
    """
    for agent in agents:
        for one in transcript_discovery.of_agent(host.state / "agents" / agent, agent):
            try:
                found = _in(one, tool, text, now, host.operators)
            except (OSError, ClawgitError):
                continue
            if found:
                return found
    return None


def _in(one: Found, tool: str, text: str, now: float, operators: Operators) -> Caller | None:
    if one.form == "database":
        for name, entries in openclaw_sessions.newest(one.path):
            if _calls(entries, tool, text, now):
                return _caller(entries, openclaw_sessions.session(one.path, one.agent, name), operators)
    elif not one.final and now - one.path.stat().st_mtime < _YOUNG:
        entries = _tail(one.path)
        if _calls(entries, tool, text, now):
            return _caller(entries, session_import.described(one), operators)
    return None


def _calls(entries: Iterable[Entry], tool: str, text: str, now: float) -> bool:
    """Return whether one of these makes the call: by its own name, or through another tool that names it."""
    young = (entry for entry in entries if entry.time is not None and abs(now - entry.time) < _YOUNG)
    made = (call for one in young for call in one.calls)
    return any(call.name.endswith(tool) or tool in call.arguments for call in made if _says(call.arguments, text))


def _says(arguments: str, text: str) -> bool:
    """Return whether a text is among the arguments of a call; those that were too long are cut."""
    sign = json.dumps(text[:_NEEDLE], ensure_ascii=False)[1:-1]
    return text in _strings(arguments) or (len(arguments) >= transcript.LONGEST_CALL and sign in arguments)


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings in a value, also of JSON within a string: a call within a call is written so."""
    if isinstance(value, str):
        yield value
        with contextlib.suppress(ValueError, RecursionError):
            yield from _strings(json.loads(value)) if value[:1] in _OPENS else ()
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _strings(one)


def _caller(entries: Iterable[Entry], session: Session, operators: Operators) -> Caller:
    """Return whose turn it is: that of the last message that is no answer."""
    name = session.key or session.id
    if session.kind in MACHINES or session.kind == "hook":
        return Caller(MACHINE_TURNS.get(session.kind, "machine"), name)
    said = [(number, entry) for number, entry in enumerate(entries) if entry.role == "user"]
    known = [event for event, *_ in session_messages.read(said, replace(session, started=None), State(), operators)]
    if not known:
        return Caller("others" if session.kind == "group" else "operator", name)
    spoken_by: Turn = "others" if known[-1].origin == "untrusted" else "operator"
    return Caller(MACHINE_TURNS.get(known[-1].skipped, spoken_by), name)


def _tail(place: Path) -> list[Entry]:
    """Return the last entries of a file; a line of which the tail has only the end is no event."""
    with place.open("rb") as file:
        file.seek(max(0, file.seek(0, 2) - _TAIL))
        return list(transcript.parse_all(file.read(_TAIL).splitlines()))
