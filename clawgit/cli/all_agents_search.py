"""Searches the memories of all agents."""

import os
from collections.abc import Callable

from clawgit.cli import agent_choice
from clawgit.cli.call import Call
from clawgit.errors import ClawgitError, Command, all_failed
from clawgit.search.answer import Answer
from clawgit.search.ask import relabel_shared
from clawgit.search.federated_search import Joined, Part, joined
from clawgit.workspace import agent_workspaces, shared_memory
from clawgit.workspace.agent_workspaces import Home, Unread
from clawgit.workspace.workspace import Workspace

SHARED = ("shared",)
"""Whose the shared memory is."""


def search_all_agents(call: Call, ask: Callable[[Workspace], Answer], most: int | None) -> tuple[Joined, list[Unread]]:
    """Return one answer of all that could be read, and what could not; a memory that they share is asked once.

    Raises ClawgitError where no memory of an agent can be read.
    """
    asked: set[str] = set()

    def look(home: Home, workspace: Workspace) -> tuple[Part, Workspace, int]:
        asked.add(os.path.realpath(workspace.root))
        return Part(ask(workspace), home.agents), workspace, most or int(workspace.config.value("max_results"))

    every = list(agent_choice.each(call, look))
    unread = [one for one in every if isinstance(one, Unread)]
    own = [one[1] for one in every if not isinstance(one, Unread)]
    if not own:
        told = "; ".join(f"{one.name}: {one.why}" for one in unread)
        raise all_failed(f"no agent's memory could be read: {told}", fix=Command("clawgit status --all-agents"))
    parts = [part for part, _, _ in own]
    for _, workspace, _ in own:
        root = workspace.root
        try:
            place = shared_memory.place(workspace)
            if place is None or os.path.realpath(place) in asked:
                continue
            asked.add(os.path.realpath(place))
            root = place
            if shared := shared_memory.opened(workspace):
                parts.append(Part(relabel_shared(ask(shared)), SHARED))
        except (ClawgitError, OSError) as exc:
            unread.append(agent_workspaces.unread(Home(SHARED, root), exc))
    return joined(parts, max(limit for _, _, limit in own)), unread
