"""An agent ends between two changes."""

import pytest

from clawgit.agents.running import Proposal
from clawgit.schedule.job_process import Bounded, CappedError, StoppedError
from clawgit.workspace.change import Change


class Endless:
    """Proposes for ever; every other step changes nothing."""

    name, notes, usage = "endless", ("a note",), {"calls": 1}

    def __init__(self):
        self.drawn = 0

    def propose(self, view, now):
        while True:
            self.drawn += 1
            yield Proposal(Change("memory: more") if self.drawn % 2 else None)


def draw(agent, stop=lambda: False, most=3):
    proposals, taken = Bounded(agent, stop, most).propose(None, None), []
    with pytest.raises((StoppedError, CappedError)) as ended:
        taken.extend(one for one in proposals)
    return taken, type(ended.value)


def test_it_makes_no_more_changes_than_it_may():
    taken, ended = draw(Endless(), most=3)
    assert (sum(one.change is not None for one in taken), ended) == (3, CappedError)


def test_asked_to_end_it_draws_nothing_more():
    agent = Endless()
    taken, ended = draw(agent, stop=lambda: agent.drawn >= 2)
    assert (len(taken), agent.drawn, ended) == (2, 2, StoppedError)
    assert draw(Endless(), stop=lambda: True)[0] == []


def test_it_is_its_agent_otherwise():
    bounded = Bounded(Endless(), lambda: False, 1)
    assert (bounded.name, bounded.notes, bounded.usage) == ("endless", ("a note",), {"calls": 1})
