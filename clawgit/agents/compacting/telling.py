"""Who tells what a journal states: rules, or a model."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Protocol

from clawgit.agents.adviser import Adviser
from clawgit.agents.compacting.faithful import faithful
from clawgit.agents.compacting.journals import Journal
from clawgit.agents.compacting.statements import DECISIONS, NOTES, Statement, statements
from clawgit.errors import ClawgitError
from clawgit.llm import fencing
from clawgit.llm.budget import BudgetError
from clawgit.safety import injection
from clawgit.text.bullet import bullet
from clawgit.workspace.guard import cleaned
from clawgit.workspace.message import one_line

_MOST, _LONGEST, _PAGE, _LEAST = 40, 400, 24_000, 400
_ASKED = """\
Material: the journal of one day. Tell the day in at most twelve sentences, in the language of the journal: what
happened and what was learnt. Keep each date, number and name exactly as it stands, and add none. Of each: `subject`,
the title that it belongs to in the journal, and `text`, one sentence. Decisions are kept word for word by others."""


class Teller(Protocol):
    """Tells what a journal states."""

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence where a model did not answer."""

    @property
    def usage(self) -> Mapping[str, float]:
        """What a model was asked, empty without one."""

    def __call__(self, journal: Journal) -> list[Statement]:
        """Return the statements of a journal, in its order."""


class ByRules:
    """Takes the journal's own sentences, without the small talk."""

    notes: tuple[str, ...] = ()
    usage: Mapping[str, float] = {}

    def __call__(self, journal: Journal) -> list[Statement]:
        """Return what the journal says."""
        return statements(journal.text)


class ByModel:
    """Has a model tell a day; the rules tell it where one word of that does not stand in the journal."""

    def __init__(self, adviser: Adviser) -> None:
        self._adviser = adviser
        self._doubted = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what the model could not be asked, or was not believed."""
        doubted = f"{self._doubted} days are told by rules: the model said what is not in them"
        return (*self._adviser.notes, *([doubted] if self._doubted else []))

    @property
    def usage(self) -> Mapping[str, float]:
        """What the model was asked."""
        return self._adviser.usage

    def __call__(self, journal: Journal) -> list[Statement]:
        """Return the decisions word for word, and the rest as the model tells it, if it is faithful."""
        by_rules = statements(journal.text)
        text = cleaned(journal.text)
        if not _LEAST <= len(text) <= _PAGE or injection.scan(text):
            return by_rules
        material = f"{journal.day:%A, %Y-%m-%d}\n\n{fencing.fenced(text)}"
        try:
            said = self._adviser.ask(_ASKED, material, f"{journal.day}\0{text}", _shape())
        except BudgetError:
            return by_rules
        if said is None:
            return by_rules
        subjects = {one.subject for one in by_rules}
        told = [_statement(one, subjects) for one in said.sentences]
        if not told or any(one is None or not faithful(one.said, f"{journal.day}\n{text}") for one in told):
            self._doubted += 1
            return by_rules
        return [*(one for one in by_rules if one.subject == DECISIONS), *(one for one in told if one)]


def _statement(one: Any, subjects: set[str]) -> Statement | None:
    words = cleaned(one_line(one.text))
    try:
        return Statement(one.subject if one.subject in subjects - {DECISIONS} else NOTES, words, bullet(words))
    except ClawgitError:
        return None


@cache
def _shape() -> "type[Any]":
    from pydantic import BaseModel, Field  # noqa: PLC0415 - an extra, and slow to load

    class Sentence(BaseModel):
        subject: str = Field(max_length=_LONGEST)
        text: str = Field(min_length=1, max_length=_LONGEST)

    class Day(BaseModel):
        sentences: list[Sentence] = Field(max_length=_MOST)

    return Day
