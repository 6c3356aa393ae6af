"""Reads which sessions OpenClaw was told to forget."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.workspace.host import database
from clawgit.workspace.host import files as host_files

if TYPE_CHECKING:
    from sqlite3 import Connection

_FIND = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'memory_session_tombstones'"
_ASK = "SELECT session_id FROM memory_session_tombstones WHERE agent_id = ?"


class Forgotten(Struct, frozen=True):
    """The ids of forgotten sessions, by agent; `unread` are sentences about the databases that could not be asked."""

    sessions: frozenset[tuple[str, str]] = frozenset()
    unread: tuple[str, ...] = ()


def forgotten(databases: Iterable[tuple[str, Path]]) -> Forgotten:
    """Return what `openclaw memory forget` left in the databases of agents: it keeps their transcripts."""
    found: set[tuple[str, str]] = set()
    unread = []
    for agent, place in databases:
        try:
            found |= {(agent, name) for name in of_agent(place, agent)}
        except database.UnreadableError as exc:
            unread.append(f"{place} {exc}")
    return Forgotten(frozenset(found), tuple(unread))


def of_agent(place: Path, agent: str) -> frozenset[str]:
    """Return the sessions of an agent that are forgotten; none where there is no database. Raises UnreadableError."""

    def ask(connection: "Connection") -> frozenset[str]:
        if not connection.execute(_FIND).fetchone():
            return frozenset()
        return frozenset(str(name) for (name,) in connection.execute(_ASK, (agent,)))

    return database.ask(place, ask) if host_files.there(place) else frozenset()
