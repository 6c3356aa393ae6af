"""Which agents of OpenClaw a command is about."""

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from clawgit.cli import operator_input, place
from clawgit.cli.call import Call
from clawgit.errors import ClawgitError, UsageError, options_conflict
from clawgit.schedule.fleet import fleet_file
from clawgit.workspace import agent_workspaces
from clawgit.workspace.agent_workspaces import Home, Unread
from clawgit.workspace.host.host import Host
from clawgit.workspace.workspace import Workspace, open_workspace

Looked = TypeVar("Looked")


def choose(call: Call, agent: str | None, *, every: bool) -> None:
    """Have a command be about an agent, or about all.

    Raises UsageError where two are named, or one and all; ClawgitError where the workspace of the one that is named may
    not be read from here. The operator at a terminal may read those of all his agents. Without one it may be an agent
    who calls: then the workspace at hand has to allow it.
    """
    if every and (agent or call.agent):
        raise options_conflict("--agent and --all-agents ask for two different things")
    if agent and call.agent and agent != call.agent:
        raise options_conflict(f"--agent names {call.agent} and {agent}")
    call.agent = agent or call.agent
    if call.agent and not operator_input.possible():
        wanted = agent_workspaces.home(Host(os.environ), call.agent)
        if wanted.root.is_dir():  # of one that is not there, whoever opens it says so
            agent_workspaces.require_readable(_own(call), wanted)


def each_workspace(call: Call, look: Callable[[Home, Workspace], Looked]) -> Iterator[tuple[Home, Looked] | Unread]:
    """Yield what `look` makes of the workspace of each agent of OpenClaw, and of the fleet, or why it could not.

    Those that may not be read from here are told, and never left out.
    """
    own = _own(call) if not operator_input.possible() else None
    for one in _every(call):
        try:
            if own is not None:
                agent_workspaces.require_readable(own, one)
            workspace = agent_workspaces.open_exactly(one.root)
            workspace.attended = operator_input.possible()
            with call.closing(workspace):
                found = look(one, workspace)
        except UsageError:  # of what was typed, which holds for all of them
            raise
        except (ClawgitError, OSError) as exc:
            yield agent_workspaces.unread(one, exc)
        else:
            yield one, found


def _every(call: Call) -> tuple[Home, ...]:
    host = Host(os.environ)
    for problem in host.problems:
        call.out.warn(f"there may be other agents: {problem}")
    known = agent_workspaces.grouped(host.agents)
    fleet = fleet_file.load(fleet_file.place(os.environ), named=fleet_file.VARIABLE in os.environ)
    known = known if fleet.openclaw else ()
    others = [one for one in fleet_file.homes(fleet, os.environ) if not any(one.is_at(home.root) for home in known)]
    return (*known, *others)


def _own(call: Call) -> Workspace:
    """Return the workspace at hand, were no agent named: whose trusted `read_agents` decides without a terminal."""
    return open_workspace(place.choose(call.folder, os.environ).path)


def describe(one: tuple[Home, Mapping[str, Any]] | Unread) -> dict[str, Any]:
    """Return the document of an agent's workspace with its names; of one that was not looked at it is unknown."""
    if isinstance(one, Unread):
        return one.document
    home, document = one
    return {"agent": home.agents[0], "agents": list(home.agents), **document}
