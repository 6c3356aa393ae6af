"""Asks a model about memories that the rules find alike."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec.structs import replace

from clawgit.agents.adviser import Adviser
from clawgit.agents.detecting.contradiction import Judgement, judge
from clawgit.agents.detecting.sentence import Note
from clawgit.llm import fencing
from clawgit.llm.budget import BudgetError

_ASKED = """\
Material: two memories, A and B, with their days where they are known. Say only whether they contradict each other:
`contradicts` is true where both cannot hold at once, else false."""


class ByModel:
    """Asks about what is alike; where no answer comes the rules say it."""

    def __init__(self, adviser: Adviser) -> None:
        self._adviser = adviser

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence where the model did not answer."""
        return self._adviser.notes

    @property
    def usage(self) -> Mapping[str, float]:
        """What the model was asked."""
        return self._adviser.usage

    def __call__(self, one: Note, other: Note) -> Judgement:
        """Return what the model says of a pair that is alike; of every other pair, what the rules say."""
        by_rules = judge(one, other)
        if not by_rules.alike:
            return by_rules
        first, second = sorted((one, other), key=lambda note: (note.day, note.text))
        told = f"{first.day}\0{first.text}\0{second.day}\0{second.text}"
        try:
            said = self._adviser.ask(_ASKED, f"A{_day(first)}\n\nB{_day(second)}", told, _shape())
        except BudgetError:
            return by_rules
        return by_rules if said is None else replace(by_rules, contradicts=bool(said.contradicts))


def _day(note: Note) -> str:
    return f"{f' ({note.day})' if note.day else ''}:\n{fencing.fenced(note.text)}"


@cache
def _shape() -> "type[Any]":
    from pydantic import BaseModel  # noqa: PLC0415 - an extra, and slow to load

    class Contradiction(BaseModel):
        contradicts: bool

    return Contradiction
