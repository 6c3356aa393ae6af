"""Which agents of OpenClaw a command is about."""

import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from clawgit.cli import operator_input
from clawgit.cli.call import Call, choose_folder
from clawgit.errors import ClawgitError, UsageError, options_conflict
from clawgit.openclaw.host import Host
from clawgit.schedule import fleet_runner
from clawgit.workspace import shared_memory
from clawgit.workspace.shared_memory import Home, Unread
from clawgit.workspace.workspace import Workspace, open_workspace

Reply = TypeVar("Reply")


def choose(call: Call, agent: str | None, *, all_agents: bool) -> None:
    """Set a command's agent, or all agents.

    Raises UsageError for two agents, or one and all; ClawgitError if the workspace of the named one may not be read
    from here. The operator at a terminal may read those of all his agents. Without a terminal the caller may be an
    agent: then the current workspace has to allow it.
    """
    if all_agents and (agent or call.agent):
        raise options_conflict("--agent and --all-agents ask for two different things")
    if agent and call.agent and agent != call.agent:
        raise options_conflict(f"--agent names {call.agent} and {agent}")
    call.agent = agent or call.agent
    if call.agent and not operator_input.is_interactive():
        home = shared_memory.home(Host(os.environ), call.agent)
        if home.root.is_dir():  # of one that is not there, whoever opens it says so
            shared_memory.require_readable(_open_own(call), home)


def look_at_each_workspace(
    call: Call, look: Callable[[Home, Workspace], Reply]
) -> Iterator[tuple[Home, Reply] | Unread]:
    """Yield what `look` makes of the workspace of each agent of OpenClaw, and of the fleet, or why it could not.

    Those that may not be read from here are told, and never left out.
    """
    own = None if operator_input.is_interactive() else _open_own(call)
    for home in _list_homes(call):
        try:
            if own is not None:
                shared_memory.require_readable(own, home)
            workspace = shared_memory.open_exactly(home.root)
            # `own` is None only at a terminal.
            workspace.attended = own is None
            with call.closing(workspace):
                result = look(home, workspace)
        except UsageError:  # of what was typed, which holds for all of them
            raise
        except (ClawgitError, OSError) as exc:
            yield shared_memory.make_unread(home, exc)
        else:
            yield home, result


def describe_each_workspace(call: Call, look: Callable[[Workspace], dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the document of each workspace with its agents; one that was not looked at is unknown."""
    documents = []
    for result in look_at_each_workspace(call, lambda _, workspace: look(workspace)):
        if isinstance(result, Unread):
            documents.append(result.document)
        else:
            home, document = result
            documents.append({"agent": home.agents[0], "agents": list(home.agents), **document})
    return documents


def _list_homes(call: Call) -> tuple[Home, ...]:
    host = Host(os.environ)
    for problem in host.problems:
        call.out.warn(f"there may be other agents: {problem}")
    fleet = fleet_runner.load_fleet(
        fleet_runner.locate_fleet_file(os.environ), named=fleet_runner.VARIABLE in os.environ
    )
    homes = shared_memory.group_workspaces(host.agents) if fleet.openclaw else ()
    others = [
        item for item in fleet_runner.homes(fleet, os.environ) if not any(item.is_at(home.root) for home in homes)
    ]
    return (*homes, *others)


def _open_own(call: Call) -> Workspace:
    """Return the current workspace: its trusted `read_agents` decides without a terminal."""
    return open_workspace(choose_folder(call.folder)[0])
