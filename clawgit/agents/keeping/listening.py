"""Who hears what a message says of conduct."""

from collections.abc import Mapping
from typing import Protocol

from clawgit.agents.adviser import Advised
from clawgit.agents.heard import Heard
from clawgit.agents.keeping.hearing import Remarks, hear


class Listener(Advised, Protocol):
    """Tells what a message of the operator says of conduct."""

    def __call__(self, heard: Heard) -> Remarks:
        """Return the remarks, and why the rest is none. Raises BudgetError when no more may be asked."""


class ByRules:
    """Hears by rules alone."""

    notes: tuple[str, ...] = ()
    usage: Mapping[str, float] = {}

    def __call__(self, heard: Heard) -> Remarks:
        """Return what a message says of conduct."""
        return hear(heard)
