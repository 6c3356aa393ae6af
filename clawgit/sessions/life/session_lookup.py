"""Finds the conversation that somebody names."""

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit import errors
from clawgit.errors import Command
from clawgit.sessions import openclaw_sessions, transcript_discovery
from clawgit.sessions.transcript_discovery import Found
from clawgit.workspace.host.host import Host

_FIX = Command("clawgit session list")


class _Named(Struct, frozen=True):
    """A conversation with the key of the place where it is held."""

    found: Found
    key: str = ""


def find(host: Host, agents: Iterable[str], wanted: str, *, files: bool = True) -> Found:
    """Return where a conversation stands: a file, else what a session is called by its id, its key, or a beginning.

    Without `files` it is no file, whatever lies in the folder at hand. `AGENT/ID` looks at that agent alone; `agents`
    are those that are looked at otherwise. A database goes before files, and a file before its archives. Raises
    UsageError for a file without a conversation, ClawgitError where no session, or more than one, is called so, and for
    one that OpenClaw was told to forget.
    """
    with contextlib.suppress(OSError, RuntimeError, ValueError):  # what cannot be a path is a name
        place = Path(wanted).expanduser()
        if files and place.is_file():
            return _in_file(place)
    agent, _, name = wanted.rpartition("/")
    every = [one for named in ([agent] if agent else agents) for one in _of_agent(host, named)]
    exact = [one for one in every if name and one.found.session == name]
    keyed = [one for one in every if wanted and wanted == one.key] if not exact else []
    begun = [one for one in every if name and one.found.session.startswith(name)] if not (exact or keyed) else []
    chosen = exact or keyed or begun
    if not chosen:
        raise errors.session_unknown(f"OpenClaw has no conversation {wanted}", fix=_FIX)
    if len({(one.found.agent, one.found.session) for one in chosen}) > 1:
        raise errors.id_ambiguous(f"several conversations are called {wanted}", fix=_FIX)
    first = min(chosen, key=lambda one: (one.found.form != "database", one.found.final, _older(one.found)))
    _refuse_forgotten(host, first.found)
    return first.found


def _older(found: Found) -> tuple[int, ...]:
    """Return what puts the younger of two archives first."""
    return tuple(-ord(letter) for letter in found.stream)


def _in_file(place: Path) -> Found:
    found = list(transcript_discovery.at(place))
    several = [one for some in found for one in _expanded(some)]
    if len(several) != 1 or several[0].found.form == "dump":
        words = f"{place} holds {len(several)} conversations" if len(several) != 1 else f"{place} is no transcript"
        raise errors.option_missing(
            words, fix=Command("clawgit session import {}", place, note="then name one: clawgit session list")
        )
    return several[0].found


def _of_agent(host: Host, agent: str) -> Iterator[_Named]:
    for found in transcript_discovery.of_agent(host.state / "agents" / agent, agent):
        yield from _expanded(found)


def _expanded(found: Found) -> Iterator[_Named]:
    """Yield the conversations of a source: of a database each, of a file the one."""
    if found.form == "database":
        for session in openclaw_sessions.sessions(found.path, found.agent):
            yield _Named(replace(found, session=session.id), session.key)
    else:
        listed = openclaw_sessions.registered(found.path.parent, found.agent).get(found.session)
        yield _Named(found, listed.key if listed else "")


def _refuse_forgotten(host: Host, found: Found) -> None:
    place = host.state / "agents" / found.agent / "agent" / transcript_discovery.DATABASE
    if place.is_file() and found.session in openclaw_sessions.forgotten(place, found.agent):
        raise errors.session_forgotten(f"OpenClaw was told to forget {found.session}", fix=_FIX)
