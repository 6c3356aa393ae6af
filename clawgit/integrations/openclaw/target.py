"""What is connected: a workspace, its agents, this program."""

from pathlib import Path
from typing import Literal

from msgspec import Struct

from clawgit.errors import ClawgitError, quoted
from clawgit.workspace.host.agents import Agent
from clawgit.workspace.host.host import Host
from clawgit.workspace.workspace import Workspace

Way = Literal["plugin", "hook"]
"""How OpenClaw is connected: by a plugin, or by a hook and an MCP server. Never by both: a turn has one context."""


class Target(Struct, frozen=True):
    """A workspace of OpenClaw, the `agents` that work in it, where clawgit lies, and by which `way` they connect.

    `speaks` tells whether this clawgit can be an MCP server.
    """

    workspace: Workspace
    agents: tuple[Agent, ...]
    program: Path
    speaks: bool
    way: Way = "hook"

    @property
    def host(self) -> Host:
        """The OpenClaw of this machine."""
        return self.workspace.host

    @property
    def root(self) -> Path:
        """The workspace's folder."""
        return self.workspace.root

    @property
    def name(self) -> str:
        """What the plugin, the hook and the MCP server are called."""
        return f"clawgit-{self.agents[0].id}"

    @property
    def alone(self) -> bool:
        """Whether every agent of OpenClaw works in this workspace, so that all of them may see what is installed."""
        return len(self.host.agents) == len(self.agents)

    @property
    def folder(self) -> Path:
        """Where OpenClaw looks for the hook."""
        return self.host.state / "hooks" / self.name

    @property
    def plugin(self) -> Path:
        """Where OpenClaw looks for the plugin."""
        return self.host.state / "extensions" / self.name


def target(workspace: Workspace, program: Path, *, speaks: bool) -> Target:
    """Return what is to be connected. Raises ClawgitError where OpenClaw is not there, or works elsewhere."""
    host = workspace.host
    if not host.installed:
        raise ClawgitError(f"there is no OpenClaw here: {host.state} does not exist", fix="openclaw onboard")
    agents = host.owners(workspace.root)
    if not agents:
        known = ", ".join(f"{agent.id} in {agent.workspace}" for agent in host.agents)
        raise ClawgitError(
            f"no agent of OpenClaw works in {workspace.root}, only {known}",
            fix=f"openclaw config set agents.defaults.workspace {quoted(workspace.root)}",
        )
    return Target(workspace, agents, program, speaks)
