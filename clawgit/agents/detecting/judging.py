"""Tells by rules, or asks a model, whether memories contradict."""

from collections.abc import Mapping
from typing import Protocol

from clawgit.agents.adviser import Advised
from clawgit.agents.detecting.contradiction import Judgement, judge
from clawgit.agents.detecting.sentence import Note


class Judge(Advised, Protocol):
    """Compares two memories."""

    def __call__(self, one: Note, other: Note) -> Judgement:
        """Return whether both cannot hold, and why."""


class ByRules:
    """Judges by rules alone."""

    notes: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.usage: Mapping[str, float] = {}

    def __call__(self, one: Note, other: Note) -> Judgement:
        """Compare two memories."""
        return judge(one, other)
