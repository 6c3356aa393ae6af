"""Finds the turn that is meant."""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.sessions import (
    chat_store_choice,
    openclaw_sessions,
    session_import,
    session_messages,
    transcript,
    transcript_discovery,
)
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.sessions.envelope import MACHINE_TURNS, MACHINES, Session
from clawgit.sessions.session_messages import State
from clawgit.sessions.transcript import Entry
from clawgit.sessions.transcript_discovery import Found
from clawgit.store.calls import Turn
from clawgit.store.database import StateStore
from clawgit.workspace.host.host import Host, Operators
from clawgit.workspace.workspace_base import Turn as SpokenTurn


def kept_turn(folder: Path, session: str, event: str) -> SpokenTurn | None:
    """Return what was said in a session, as the chat store in `folder` (`.git/clawgit`) has it."""
    with chat_store_choice.opened(StateStore(folder), os.environ, reading=True) as store:
        return turn(store, session, event)


def turn(store: ChatStore, session: str, event: str) -> SpokenTurn | None:
    """Return what was said in `event` of `session`, both given by id; None where it is not kept.

    Of two agents' sessions with one id, the one that has the event. Raises ClawgitError for a store that cannot be
    read.
    """
    return spoken(store.message(session, event))


def spoken(message: Message | None) -> SpokenTurn | None:
    """Return a message as what was said in a turn; None for none."""
    if message is None:
        return None
    when = datetime.fromtimestamp(message.time, UTC).isoformat() if message.time is not None else None
    return SpokenTurn(message.text, message.role, when, message.origin)


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
