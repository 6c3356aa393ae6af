"""The workspaces of OpenClaw's agents, and their allowed readers."""

import os
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from clawgit import errors
from clawgit.errors import NO_FIX, Command, Fix, explain_partial_failure
from clawgit.openclaw.host import Agent, Host
from clawgit.workspace.workspace import Workspace, open_workspace

KEY = "read_agents"


class Home(Struct, frozen=True):
    """One workspace, and the ids of its agents: more than one if they share it."""

    agents: tuple[str, ...]
    root: Path

    @property
    def name(self) -> str:
        """The agents by name, as `main, work`."""
        return ", ".join(self.agents)

    def is_at(self, folder: Path) -> bool:
        """Return whether `folder` is this workspace, by any path."""
        return os.path.realpath(self.root) == os.path.realpath(folder)


class Unread(Home, frozen=True):
    """A workspace that was not looked at, with the reason and a fix: its content is unknown."""

    why: str
    fix: Fix = NO_FIX

    @property
    def document(self) -> dict[str, object]:
        """The same as JSON has it."""
        names = {"agent": self.agents[0], "agents": list(self.agents)}
        return {**names, "workspace": str(self.root), "unknown": True, "why": self.why, "fix": str(self.fix)}


def make_unread(place: Home, error: Exception) -> Unread:
    """Return the report on a workspace that could not be looked at."""
    explanation = explain_partial_failure(error)
    return Unread(place.agents, place.root, explanation.message, explanation.fix)


def group_workspaces(agents: Iterable[Agent]) -> tuple[Home, ...]:
    """Return workspaces with their agents, each folder once, by any path."""
    homes: dict[str, Home] = {}
    for agent in agents:
        place = os.path.realpath(agent.workspace)
        group = homes.get(place, Home((), agent.workspace))
        homes[place] = Home((*group.agents, agent.id), group.root)
    return tuple(homes.values())


def home(host: Host, name: str) -> Home:
    """Return the workspace of an agent. Raises UsageError with the nearest name if OpenClaw has no such agent."""
    agent = host.agent(name)
    return next(home_entry for home_entry in group_workspaces(host.agents) if agent.id in home_entry.agents)


def open_exactly(root: Path, fix: Fix = NO_FIX) -> Workspace:
    """Open the workspace at a folder, and none around it. Raises ClawgitError with the obstacle."""
    fix = fix or Command("clawgit init {}", root)
    if not root.is_dir():
        state = "is no folder" if os.path.lexists(root) else "is not there"
        raise errors.workspace_missing(f"{root} {state}", fix=fix)
    workspace = open_workspace(root)
    if os.path.realpath(workspace.root) != os.path.realpath(root):
        raise errors.workspace_nested(f"{root} is inside {workspace.root}", fix=fix)
    return workspace


def require_readable(own: Workspace, other: Home) -> None:
    """Raise ClawgitError unless the workspace `own` may read that of another agent, by its trusted `read_agents`."""
    if other.is_at(own.root):
        return
    readable = frozenset(map(str, own.config.value(KEY)))
    if not readable.isdisjoint(other.agents):
        return
    name = other.agents[0]
    waits = any(name in (setting.untrusted or ()) for setting in own.config.untrusted() if setting.key.name == KEY)
    if waits:
        raise errors.setting_unapproved(f"{KEY} names {name}, and nobody approved it", fix=Command("clawgit trust"))
    agent_list = ", ".join(sorted({*readable, name}))
    words = f"{own.root} may not read the workspace of the agent {name}: {KEY} does not name it"
    fix = Command(f"clawgit -C {{}} config {KEY} [{{}}]", own.root, agent_list, note="at a terminal")
    raise errors.not_shared(words, fix=fix)
