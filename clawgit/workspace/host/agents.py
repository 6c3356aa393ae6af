"""Which agents OpenClaw has, and where each one works."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from clawgit.workspace.host.config import HostConfig
from clawgit.workspace.host.files import there
from clawgit.workspace.host.places import Places, expanded, variable

MAIN = "main"
_DEFAULTS = "agents.defaults.workspace"


class Agent(Struct, frozen=True):
    """One agent of OpenClaw; `found` says what names its workspace, `own` is what the configuration says of it."""

    id: str
    workspace: Path
    found: str
    own: Mapping[str, Any]


class Agents(Struct, frozen=True):
    """All agents, the default one first; `problems` are sentences about what is said of them."""

    all: tuple[Agent, ...]
    problems: tuple[str, ...]


class _Entry(Struct, frozen=True):
    """What the configuration says of an agent; `key` is where it does, `pooled` of which kind of list."""

    id: str
    own: Mapping[str, Any]
    key: str
    pooled: bool


def agents(config: HostConfig, places: Places, environ: Mapping[str, str]) -> Agents:
    """Return the agents of a configuration; without one there is the agent `main`.

    Where versions differ about a workspace that nothing names, the folder that is there decides.
    """
    found = list(_entries(config)) or [_Entry(MAIN, {}, "", pooled=False)]
    first = _default(found)
    found.sort(key=lambda entry: entry.id != first)
    shared = _shared(config)
    problems = [wrong for key, value in ((_DEFAULTS, shared), *_named(found)) if (wrong := _unfit(key, value))]
    known = [
        _agent(entry, shared, places, environ, first=at == 0, several=len(found) > 1) for at, entry in enumerate(found)
    ]
    return Agents(tuple(known), tuple(f"{config.path}: {wrong}" for wrong in problems))


def _entries(config: HostConfig) -> Iterator[_Entry]:
    """Yield the agents of the present key and of the older list, each id once."""
    seen = set()
    for entry in (*_pooled(config), *_listed(config)):
        if entry.id not in seen:
            seen.add(entry.id)
            yield entry


def _pooled(config: HostConfig) -> Iterator[_Entry]:
    for name, own in config.table("agents", "entries").items():
        yield _Entry(normal(name), own if isinstance(own, Mapping) else {}, f"agents.entries.{name}", pooled=True)


def _listed(config: HostConfig) -> Iterator[_Entry]:
    listed = config.at("agents", "list")
    for at, own in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(own, Mapping):
            yield _Entry(normal(str(own.get("id") or "")), own, f"agents.list[{at}]", pooled=False)


def normal(name: str) -> str:
    """Return an agent's id as OpenClaw writes it."""
    return re.sub(r"[^a-z0-9_-]+", "-", name.strip().lower()).strip("-")[:64] or MAIN


def _default(entries: list[_Entry]) -> str:
    marked = [entry.id for entry in entries if entry.own.get("default") is True]
    pooled = [entry.id for entry in entries if entry.pooled and entry.id == MAIN]
    return (*marked, *pooled, entries[0].id)[0]


def _shared(config: HostConfig) -> Any:
    """Return the workspace of all, also by the key of a time when there was one agent."""
    return config.at("agents", "defaults", "workspace") or config.at("agent", "workspace")


def _named(entries: list[_Entry]) -> Iterator[tuple[str, Any]]:
    for entry in entries:
        yield f"{entry.key}.workspace", entry.own.get("workspace")


def _unfit(key: str, value: Any) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        return f"{key} is no path: {value!r}"
    unset = re.search(r"\$\{\w+\}", value)
    return f"{key} needs {unset[0]}, which is not set here" if unset else None


def _path(value: Any, home: Path) -> Path | None:
    return expanded(value, home) if isinstance(value, str) and not _unfit("", value) else None


def _agent(
    entry: _Entry, shared: Any, places: Places, environ: Mapping[str, str], *, first: bool, several: bool
) -> Agent:
    if own := _path(entry.own.get("workspace"), places.home):
        return Agent(entry.id, own, f"{entry.key}.workspace", entry.own)
    root = _path(shared, places.home)
    apart = (root / entry.id, _DEFAULTS) if root else (places.state / f"workspace-{entry.id}", "")
    whole = (root, _DEFAULTS) if root else _usual(places, environ)
    candidates = (apart, whole) if entry.pooled and several else (whole,)
    place, found = next((one for one in candidates if there(one[0])), candidates[0]) if first else apart
    return Agent(entry.id, place, found, entry.own)


def _usual(places: Places, environ: Mapping[str, str]) -> tuple[Path, str]:
    """Return the workspace of the default agent where the configuration names none, and what names it."""
    if named := expanded(variable(environ, "WORKSPACE_DIR"), places.home):
        return named, "OPENCLAW_WORKSPACE_DIR"
    own, older = places.state / "workspace", (places.home / "clawd", places.home / "openclaw")
    if places.profile and not places.moved:
        own = places.home / f".openclaw-{places.profile}" / "workspace"
        older = (places.home / f".openclaw/workspace-{places.profile}", places.home / f"clawd-{places.profile}")
    known = (own,) if places.moved else (own, *older)
    return next(filter(there, known), own), ""
