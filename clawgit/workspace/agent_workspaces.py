"""The workspaces of OpenClaw's agents, and who may read them."""

import os
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from clawgit import errors
from clawgit.errors import NO_FIX, Command, Fix, explained
from clawgit.workspace.host.host import Agent, Host
from clawgit.workspace.workspace import Workspace, open_workspace

KEY = "read_agents"


class Home(Struct, frozen=True):
    """One workspace, and the ids of the agents that live in it: more than one where they share it."""

    agents: tuple[str, ...]
    root: Path

    @property
    def name(self) -> str:
        """The agents by name, as `main, work`."""
        return ", ".join(self.agents)

    def is_at(self, folder: Path) -> bool:
        """Return whether `folder` is this workspace, by whatever path."""
        return os.path.realpath(self.root) == os.path.realpath(folder)


class Unread(Home, frozen=True):
    """A workspace that was not looked at, why, and what to do about it: what it holds is unknown."""

    why: str
    fix: Fix = NO_FIX

    @property
    def document(self) -> dict[str, object]:
        """The same as JSON has it."""
        names = {"agent": self.agents[0], "agents": list(self.agents)}
        return {**names, "workspace": str(self.root), "unknown": True, "why": self.why, "fix": str(self.fix)}


def unread(one: Home, error: Exception) -> Unread:
    """Return what is told of a workspace that could not be looked at."""
    known = explained(error)
    return Unread(one.agents, one.root, known.message, known.fix)


def grouped(agents: Iterable[Agent]) -> tuple[Home, ...]:
    """Return workspaces with their agents, each folder once, by whatever path it is named."""
    found: dict[str, Home] = {}
    for one in agents:
        place = os.path.realpath(one.workspace)
        known = found.get(place, Home((), one.workspace))
        found[place] = Home((*known.agents, one.id), known.root)
    return tuple(found.values())


def home(host: Host, name: str) -> Home:
    """Return the workspace of an agent. Raises UsageError that names the nearest where OpenClaw has none such."""
    agent = host.agent(name)
    return next(one for one in grouped(host.agents) if agent.id in one.agents)


def open_exactly(root: Path, fix: Fix = NO_FIX) -> Workspace:
    """Open the workspace at a folder, and none around it. Raises ClawgitError that says what is in the way."""
    fix = fix or Command("clawgit init {}", root)
    if not root.is_dir():
        there = "is no folder" if os.path.lexists(root) else "is not there"
        raise errors.workspace_missing(f"{root} {there}", fix=fix)
    found = open_workspace(root)
    if os.path.realpath(found.root) != os.path.realpath(root):
        raise errors.workspace_nested(f"{root} is inside {found.root}", fix=fix)
    return found


def require_readable(own: Workspace, other: Home) -> None:
    """Raise ClawgitError unless the workspace `own` may read that of another agent, by its trusted `read_agents`."""
    if other.is_at(own.root):
        return
    named = frozenset(map(str, own.config.value(KEY)))
    if not named.isdisjoint(other.agents):
        return
    name = other.agents[0]
    waits = any(name in (one.untrusted or ()) for one in own.config.untrusted() if one.key.name == KEY)
    if waits:
        raise errors.setting_unapproved(f"{KEY} names {name}, and nobody approved it", fix=Command("clawgit trust"))
    wanted = ", ".join(sorted({*named, name}))
    raise errors.not_shared(
        f"{own.root} may not read the workspace of the agent {name}: {KEY} does not name it",
        fix=Command(f"clawgit -C {{}} config {KEY} [{{}}]", own.root, wanted, note="at a terminal"),
    )
