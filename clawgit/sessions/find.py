"""Finds transcripts."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.errors import UsageError, quoted
from clawgit.workspace.host.files import there
from clawgit.workspace.host.host import TRANSCRIPTS, Host

Form = Literal["jsonl", "database", "dump"]

DATABASE = TRANSCRIPTS
_ID = r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}?"
_NAME = re.compile(
    rf"(?P<id>{_ID})(?P<topic>-topic-[A-Za-z0-9._%-]+?)?\.jsonl(?P<archive>\.(?:reset|deleted)\.[0-9TZ.:_-]+)?(?:\.zst)?"
)
_NEVER = re.compile(r"\.checkpoint\.|\.bak(?:\.|$)|\.lock$|\.tmp$|\.trajectory\.")


class Found(Struct, frozen=True):
    """A file with conversations in it: whose they are, and of a transcript which session and which stream it is."""

    path: Path
    form: Form
    agent: str = ""
    session: str = ""
    stream: str = ""

    @property
    def final(self) -> bool:
        """Whether nobody writes it any more."""
        return not self.stream.startswith("file")


def of_host(host: Host, agents: Iterable[str]) -> Iterator[Found]:
    """Yield what the OpenClaw of this machine has of these agents: the database first, then files, then dumps."""
    workspaces = {agent.id: agent.workspace for agent in host.agents}
    for agent in agents:
        yield from of_agent(host.state / "agents" / agent, agent)
        if agent in workspaces:
            yield from _dumps(workspaces[agent] / "memory", agent)


def every_agent(host: Host) -> tuple[str, ...]:
    """Return all agents: those of the configuration, and those that only have left conversations."""
    folder = host.state / "agents"
    left = [one.name for one in _listed(folder) if one.is_dir()]
    return tuple(dict.fromkeys((*(agent.id for agent in host.agents), *left)))


def of_agent(folder: Path, agent: str) -> Iterator[Found]:
    """Yield what stands in an agent's folder of OpenClaw's state."""
    if there(place := folder / "agent" / DATABASE):
        yield Found(place, "database", agent)
    for name in ("sessions", "session-sqlite-import-archive", "sessions/session-sqlite-import-archive"):
        yield from _transcripts(folder / name, agent)


def at(path: Path) -> Iterator[Found]:
    """Yield what stands at a path that somebody named: a file, or a folder of files, of an agent, or of OpenClaw.

    Raises UsageError where nothing of the kind is there.
    """
    if not there(path):
        raise UsageError(f"{path} does not exist", fix="clawgit session import --all")
    found = list(_below(path) if path.is_dir() else _file(path))
    if not found:
        raise UsageError(f"{path} holds no transcripts", fix=f"ls {quoted(path)}")
    yield from found


def _below(folder: Path) -> Iterator[Found]:
    agents = [one for one in _listed(folder / "agents") if one.is_dir()]
    for agent in agents:
        yield from of_agent(agent, agent.name)
    if agents:
        return
    if any(there(folder / name) for name in ("sessions", f"agent/{DATABASE}")):
        yield from of_agent(folder, folder.name)
    elif there(folder / DATABASE):
        yield Found(folder / DATABASE, "database", folder.parent.name)
    else:
        yield from _transcripts(folder, _agent(folder))
        yield from _dumps(folder, "")


def _file(path: Path) -> Iterator[Found]:
    if path.suffix in (".sqlite", ".db"):
        yield Found(path, "database", path.parent.parent.name if path.parent.name == "agent" else "")
    elif path.suffix == ".md":
        yield Found(path, "dump", "", "", f"dump:{path.name}")
    else:
        known = _transcript(path, _agent(path.parent))
        yield known or Found(path, "jsonl", _agent(path.parent), path.name.partition(".jsonl")[0], "file")


def _agent(folder: Path) -> str:
    """Return the agent whose folder of transcripts this is, "" for another folder."""
    return folder.parent.name if folder.name == "sessions" and folder.parent.parent.name == "agents" else ""


def _transcripts(folder: Path, agent: str) -> Iterator[Found]:
    """Yield the transcripts of a folder; what is older in a session comes first."""
    found = (_transcript(path, agent) for path in _listed(folder))
    yield from sorted((one for one in found if one), key=lambda one: (one.session, one.stream == "file", one.stream))


def _transcript(path: Path, agent: str) -> Found | None:
    name = _NAME.fullmatch(path.name)
    if name is None or _NEVER.search(path.name) or not path.is_file():
        return None
    archive = (name["archive"] or "").strip(".")
    stream = ":".join(part for part in (archive or "file", (name["topic"] or "").strip("-")) if part)
    return Found(path, "jsonl", agent, name["id"], stream)


def _dumps(folder: Path, agent: str) -> Iterator[Found]:
    for path in _listed(folder):
        if path.suffix == ".md" and path.is_file():
            yield Found(path, "dump", agent, "", f"dump:{path.name}")


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
