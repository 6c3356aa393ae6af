"""An agent that ends early."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime

from clawgit.agents.proposal import Agent, Proposal
from clawgit.agents.view import View
from clawgit.errors import ClawgitError


class EndedError(ClawgitError):
    """A run that ended before its end; what it did stays done, and the next one goes on from there."""


class StoppedError(EndedError):
    """It was asked to end."""


class CappedError(EndedError):
    """It made as many commits as it may."""


class Bounded:
    """Draws an agent's proposals until `stop` tells otherwise, or `most` changes were drawn.

    It ends with an error between two changes, so that the ledger says that the run was not a whole one.
    """

    def __init__(self, agent: Agent, stop: Callable[[], bool], most: int) -> None:
        self._agent, self._stop, self._most = agent, stop, most
        self._drawn = 0

    @property
    def name(self) -> str:
        """How it is called."""
        return self._agent.name

    @property
    def notes(self) -> Sequence[str]:
        """Sentences on what is worth telling."""
        return self._agent.notes

    @property
    def usage(self) -> Mapping[str, float]:
        """What a model was asked."""
        return self._agent.usage

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield the agent's proposals. Raises EndedError."""
        self._look()
        for proposal in self._agent.propose(view, now):
            if proposal.change and self._drawn >= self._most:
                raise CappedError(f"it made {self._most} commits and no more", fix=f"clawgit run {self.name} --apply")
            self._drawn += proposal.change is not None
            yield proposal
            self._look()

    def _look(self) -> None:
        if self._stop():
            raise StoppedError("it was asked to end", fix=f"clawgit run {self.name} --apply")
