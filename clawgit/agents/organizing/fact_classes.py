"""Tells of which class a fact is."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache, partial
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from clawgit.language import detect, lexicon, logic, pattern_tables
from clawgit.llm.model import ModelError
from clawgit.workspace.fact_register import CATEGORIES, Category

_TABLE = "facts"
_sign = partial(pattern_tables.pattern, Path(__file__).parent / "data/classes.toml", "signs")
_ANSWER = re.compile(rf"(?<![\d.])(\d{{1,4}})\W{{1,4}}({'|'.join(CATEGORIES)})\b", re.IGNORECASE)
_TOKENS, _BATCH = 6, 200


class Statement(Struct, frozen=True):
    """What is to be told: the words, the tag of the entry, and the day on which it is due, if there is one."""

    text: str
    tag: str = ""
    due: date | None = None


class Classify(Protocol):
    """Tells the classes of statements, in their order."""

    def __call__(self, some: Sequence[Statement]) -> Sequence[Category]:
        """Return a class for each."""


class Voice(Protocol):
    """What is asked."""

    def __call__(self, rules: str, material: str, tokens: int) -> str:
        """Return what is said to material. Raises ModelError where the voice fails."""


def by_rules(some: Sequence[Statement]) -> Sequence[Category]:
    """Return the classes that words and signs tell."""
    return [_class(one) for one in some]


class ByVoice:
    """Has a voice tell the classes, which is `told` what they are; where it says none, or fails, rules do."""

    def __init__(self, say: Voice, told: str) -> None:
        self._say, self._told_to = say, told
        self.notes: list[str] = []

    def __call__(self, some: Sequence[Statement]) -> Sequence[Category]:
        """Return a class for each."""
        found: list[Category] = []
        for at in range(0, len(some), _BATCH):
            part = some[at : at + _BATCH]
            told = self._told(part)
            found += [told.get(number) or _class(one) for number, one in enumerate(part, 1)]
        return found

    def _told(self, part: Sequence[Statement]) -> Mapping[int, Category]:
        material = "\n".join(f"{number} {' '.join(one.text.split())}" for number, one in enumerate(part, 1))
        try:
            said = self._say(self._told_to, material, _TOKENS * len(part))
        except ModelError as exc:
            self.notes.append(f"the voice gave no answer, and rules told the classes: {exc.message}")
            return {}
        known: dict[str, Category] = {name: name for name in CATEGORIES}
        return {int(number): known[name.lower()] for number, name in _ANSWER.findall(said)}


def _class(one: Statement) -> Category:
    isos = logic.languages(one.text)
    if one.due or one.tag == "event":
        return "tasks"
    for name in ("agents", "tasks", "system"):
        if _finder(isos, name).search(one.text):
            return name
    return "system" if _sign("system").search(one.text) else "personal"


@cache
def _finder(isos: tuple[str, ...], name: str) -> "re.Pattern[str]":
    """Return what finds a phrase of a class; one that ends in `-` is the beginning of a word."""
    phrases = sorted({phrase for iso in isos for phrase in lexicon.phrases(iso, _TABLE, name)})
    sources = (re.escape(phrase) if detect.eastern(phrase) else _word(phrase) for phrase in phrases)
    return re.compile("|".join(sources) or "(?!)", re.IGNORECASE)


def _word(phrase: str) -> str:
    return rf"\b{re.escape(phrase[:-1])}" if phrase.endswith("-") else rf"\b{re.escape(phrase)}\b"
