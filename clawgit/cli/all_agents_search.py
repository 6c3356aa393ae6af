"""Searches the memories of all agents."""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from clawgit.cli import agent_choice
from clawgit.cli.call import Call
from clawgit.errors import NO_FIX, ClawgitError, Command, all_failed
from clawgit.search.answer import Answer
from clawgit.search.ask import relabel_shared
from clawgit.search.federated_search import Joined, Part, joined
from clawgit.workspace import shared_memory
from clawgit.workspace.agent_workspaces import Home, Unread
from clawgit.workspace.workspace import Workspace

SHARED = "shared"
"""Whose the shared memory is."""


class Found(NamedTuple):
    """One answer of all that could be read, and what could not."""

    joined: Joined
    unread: Sequence[Unread]


class Search:
    """One question to all agents; the memory that they share is asked once, whoever of them names it."""

    def __init__(self, call: Call, ask: Callable[[Workspace], Answer], most: int | None) -> None:
        self._call, self._ask, self._most = call, ask, most
        self._wanted = 1
        self._asked: set[str] = set()
        self._parts: list[Part] = []
        self._unread: list[Unread] = []

    def found(self) -> Found:
        """Return the answer. Raises ClawgitError where no memory of an agent can be read."""
        every = list(agent_choice.each(self._call, lambda home, workspace: (self._of(home, workspace), workspace)))
        own = [one[1] for one in every if isinstance(one, tuple)]
        unread = [one for one in every if isinstance(one, Unread)]
        if not own:
            told = "; ".join(f"{one.name}: {one.why}" for one in unread)
            raise all_failed(f"no agent's memory could be read: {told}", fix=Command("clawgit status --all-agents"))
        for _, workspace in own:
            self._shared(workspace)
        parts = [*(part for part, _ in own), *self._parts]
        return Found(joined(parts, self._wanted), (*unread, *self._unread))

    def _of(self, home: Home, workspace: Workspace) -> Part:
        self._asked.add(os.path.realpath(workspace.root))
        self._wanted = max(self._wanted, self._most or int(workspace.config.value("max_results")))
        return Part(self._ask(workspace), home.agents)

    def _shared(self, own: Workspace) -> None:
        """Ask the shared memory that a workspace reads, unless it has been asked: as one of an agent, or as this."""
        root = own.root
        try:
            place = shared_memory.place(own)
            if place is None or os.path.realpath(place) in self._asked:
                return
            self._asked.add(os.path.realpath(place))
            root = place
            shared = shared_memory.opened(own)
            if shared is not None:
                self._parts.append(Part(relabel_shared(self._ask(shared)), (SHARED,)))
        except (ClawgitError, OSError) as exc:
            why, fix = (exc.message, exc.fix) if isinstance(exc, ClawgitError) else (str(exc), NO_FIX)
            self._unread.append(Unread((SHARED,), root, why, fix))
