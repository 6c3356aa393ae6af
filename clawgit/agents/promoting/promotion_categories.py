"""How sure it is that a journal line should stay."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

from clawgit.language import date_mentions, detect, lexicon, logic

Category = Literal["explicit", "decision", "legal", "financial", "architecture", "people", "milestone", "strategy"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
DATA = Path(__file__).parent / "data" / "categories.toml"

OFTEN = 3
"""Shown in so many sessions, a line is flagged whatever it says (memory tiers: access-frequency promotion)."""
_FIRST, _MORE = 0.5, 0.1
_LASTS, _ALSO, _KINDS = 0.45, 0.15, 3
SIGNS: Mapping[str, str] = {
    "on": "from now on",
    "rule": "a rule",
    "bounds": "in bounds",
    "term": "has a term",
    "done": "done with",
}
"""Kinds of signs that a line holds beyond its day: the tables `lasting` of the languages."""
_DATED = frozenset(("day", "month", "year", "habit"))
SUREST = 0.9
"""The most that rules are sure of."""


class Kind(Struct, frozen=True):
    """A category: the file of its own (empty: the memory file), the tag of its entries, its score, its triggers."""

    file: str
    tag: str
    score: float
    triggers: tuple[str, ...]


class Weight(Struct, frozen=True):
    """A confidence from 0 to 1, the category whose trigger the line has, and the parts that make it up, in order."""

    confidence: float
    category: Category | None = None
    parts: tuple[tuple[str, float], ...] = ()


class Said(Struct, frozen=True):
    """A line, and the number of sessions that were shown it."""

    text: str
    sessions: int = 0


@cache
def kinds() -> Mapping[Category, Kind]:
    """Return the categories, in the order in which a line with triggers of several goes."""
    data = tomllib.loads(DATA.read_text("utf-8"))
    rows = ((name, data[name]) for name in CATEGORIES)
    return {
        name: Kind(str(row["file"]), str(row["tag"]), float(row["score"]), tuple(row["triggers"])) for name, row in rows
    }


@lru_cache(maxsize=1024)  # what says again and again that all is well
def weigh(said: Said) -> Weight:
    """Return how sure it is: the score of a trigger, signs that the line lasts, and the sessions that were shown it.

    A line that has nothing for it has no parts.
    """
    category, word = called(said.text)
    parts = [(f"“{word}” ({category})", kinds()[category].score)] if category else []
    signs = lasting(said.text, logic.languages(said.text))[:_KINDS]
    parts += [(sign, _ALSO if at else _LASTS) for at, sign in enumerate(signs)]
    if said.sessions >= OFTEN:
        parts.append((f"shown in {said.sessions} sessions", min(_FIRST + _MORE * (said.sessions - OFTEN), SUREST)))
    return Weight(round(min(sum(value for _, value in parts), SUREST), 2), category, tuple(parts))


def called(text: str) -> tuple[Category | None, str]:
    """Return the first category of which a line has a trigger, with the word."""
    for name in CATEGORIES:
        if found := _finder(name).search(text):
            return name, found[0]
    return None, ""


@cache
def _finder(name: Category) -> "re.Pattern[str]":
    return re.compile("|".join(map(_pattern, kinds()[name].triggers)))


def _pattern(trigger: str) -> str:
    """Return what finds a trigger: a word of letters with spaces between its edges, or in the plural."""
    if detect.eastern(trigger) or not trigger[0].isalpha():
        return re.escape(trigger)
    if trigger.endswith(" N"):
        return rf"(?i:(?<!\w){re.escape(trigger[:-2])} (?:\d+|[ivx]+)(?!\w))"
    return rf"(?<!\w){trigger}(?!\w)" if trigger != trigger.lower() else rf"(?i:(?<!\w){trigger}s?(?!\w))"


def lasting(text: str, isos: tuple[str, ...]) -> list[str]:
    """Return the signs that a line holds beyond its day, with their words, each kind once.

    Beside the phrases of the languages it is a day, month or year that the line is about.
    """
    signs = []
    for kind, name in SIGNS.items():
        phrases = tuple(phrase for iso in isos for phrase in lexicon.phrases(iso, "lasting", kind))
        match = logic.finder(phrases).search(text) if phrases else None
        words = match[0].strip() if match else _dated(text, isos) if kind == "term" else ""
        if words:
            signs.append(f"{name}: “{words}”")
    return signs


def _dated(text: str, isos: tuple[str, ...]) -> str:
    """Return the day, month or year for which a line states something."""
    for mention in date_mentions.find(text, isos):
        if (
            mention.sure
            and mention.form in _DATED
            and (mention.year or mention.lead in ("until", "since", "from", "next"))
        ):
            return text[mention.start : mention.end]
    return ""
