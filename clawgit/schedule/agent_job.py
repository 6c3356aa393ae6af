"""The job that is an agent."""

import contextlib
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from clawgit.agents import building, roster, running
from clawgit.agents.protocol import readers
from clawgit.errors import ClawgitError
from clawgit.git import history
from clawgit.llm import voices
from clawgit.llm.budget import Budget
from clawgit.messages.pattern import MINER, VALIDATOR
from clawgit.schedule.bounded import Bounded, CappedError, StoppedError
from clawgit.schedule.order import Did, Order
from clawgit.sessions import cited, stores
from clawgit.sessions.chat_store import ChatStore
from clawgit.workspace import message
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.llm.asking import Voice

Stop = Callable[[], bool]


def run(workspace: Workspace, order: Order, stop: Stop, did: Did) -> None:
    """Have an agent do its work, with a voice where one is set up for it. Raises ClawgitError."""
    name = roster.find(order.job)
    with stores.opened(workspace.state, os.environ, reading=True) as store:
        workspace.conversations = partial(cited.turn, store)
        found = voices.find(workspace.config.value, os.environ, workspace.state) if name in readers.AGENTS else None
        if found:
            _with_voice(workspace, store, order, found, stop, did)
        else:
            _by_rules(workspace, store, order, stop, did)


def _by_rules(workspace: Workspace, store: ChatStore, order: Order, stop: Stop, did: Did) -> None:
    agent = building.agent(workspace, store, order.job, budget=_budget(order))
    before, did.noted = workspace.head, True
    try:
        result = running.apply(Bounded(agent, stop, order.commits), workspace)
    finally:
        did.cost = dict(agent.usage)
        did.commits += _since(workspace, before, order.job)
    did.waiting = sum(one.proposal is not None for _, one in result.applied)
    did.notes += [*result.notes, *building.settle(workspace, agent, result)]


def _with_voice(workspace: Workspace, store: ChatStore, order: Order, voice: "Voice", stop: Stop, did: Did) -> None:
    """Read batch by batch; what was decided and did not land lands in the next run, and nobody is asked for it."""
    left = [order.commits]

    def landing() -> None:
        _look(order, stop)
        if not left[0]:
            raise CappedError(f"it made {order.commits} commits and no more", fix=f"clawgit run {order.job} --apply")
        left[0] -= 1

    _look(order, stop)
    reading = readers.reading(workspace, store, order.job, voice, budget=_budget(order), landing=landing)
    before, did.noted = workspace.head, True
    try:
        found = reading.run()
        readers.look_again(reading, found)
    finally:
        did.cost = reading.talking.usage if reading.talking else {}
        did.commits += _since(workspace, before, order.job, MINER, VALIDATOR)
    did.waiting = sum(one.proposal is not None for _, one in found.applied)
    readers.settle(workspace, found)
    did.notes += found.notes


def _look(order: Order, stop: Stop) -> None:
    if stop():
        raise StoppedError("it was asked to end", fix=f"clawgit run {order.job} --apply")


def _budget(order: Order) -> Budget:
    return Budget(order.tokens, order.seconds / 2)


def _since(workspace: Workspace, before: str | None, *names: str) -> list[str]:
    """Return the commits of these agents since a commit, oldest first: also those of a run that failed in the end."""
    with contextlib.suppress(ClawgitError):
        found = history.log(workspace.repo, start=f"{before}..HEAD" if before else "HEAD")
        ours = [one.id for one in found if message.parse(one.message).get("Clawgit-Agent") in names]
        return ours[::-1]
    return []
