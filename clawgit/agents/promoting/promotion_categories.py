"""How sure it is that a journal line should stay."""

import re
import tomllib
from collections.abc import Iterator, Mapping
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
SUREST = 0.9
"""The most that rules are sure of."""
_LASTS, _ALSO, _KINDS = 0.45, 0.15, 3
_AGAIN, _OPEN = 0.2, -0.2
SIGNS: Mapping[str, str] = {
    "on": "from now on",
    "rule": "a rule",
    "bounds": "in bounds",
    "term": "has a term",
    "done": "done with",
}
_DATED = frozenset(("day", "month", "year", "habit"))


class Kind(Struct, frozen=True):
    """A category: the file of its own (empty: the memory file), the tag of its entries, its score, its triggers."""

    file: str
    tag: str
    score: float
    triggers: tuple[str, ...]


class Weight(Struct, frozen=True):
    """A confidence from 0 to 1, the category whose trigger the line has, and the parts that make it up, in order.

    `again` tells that it stands on several days, or was found in several sessions.
    """

    confidence: float
    category: Category | None = None
    parts: tuple[tuple[str, float], ...] = ()
    again: bool = False


class Said(Struct, frozen=True):
    """A line with what is known of it: whether a task is open, sessions it was shown in, days it stands on."""

    text: str
    checked: bool | None = None
    sessions: int = 0
    days: int = 1


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
    """Return how sure it is: the score of a trigger, and what says that the line holds beyond its day.

    A line that has nothing for it has no parts.
    """
    category, word = called(said.text)
    parts = list(_for(said, category, word))
    if not parts:
        return Weight(0.0)
    if said.checked is False and category != "explicit":
        parts.append(("an open task", _OPEN))
    total = sum(value for _, value in parts)
    return Weight(
        round(min(max(total, 0.0), SUREST), 2), category, tuple(parts), said.days > 1 or said.sessions >= OFTEN
    )


def _for(said: Said, category: Category | None, word: str) -> Iterator[tuple[str, float]]:
    if category:
        yield f"“{word}” ({category})", kinds()[category].score
    for at, what in enumerate(lasting(said.text, logic.languages(said.text))[:_KINDS]):
        yield what, _ALSO if at else _LASTS
    if said.days > 1:
        yield f"stands on {said.days} days", _AGAIN
    if said.sessions >= OFTEN:
        yield f"shown in {said.sessions} sessions", min(_FIRST + _MORE * (said.sessions - OFTEN), SUREST)


def called(text: str) -> tuple[Category | None, str]:
    """Return the first category of which a line has a trigger, with the word."""
    for name in CATEGORIES:
        if found := _finder(name).search(text):
            return name, found[0]
    return None, ""


def asks(text: str) -> bool:
    """Tell whether a line begins with a trigger of what was asked to be kept: elsewhere it is a word like others."""
    found = _finder("explicit").search(text)
    return found is not None and not any(map(str.isalnum, text[: found.start()]))


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
    """Return what says that a line holds beyond its day, with the words; each kind of sign once.

    They are the phrases of the tables `lasting` of the languages; and a day, month or year that it is said of.
    """
    found = []
    for kind, name in SIGNS.items():
        said = tuple(one for iso in isos for one in lexicon.phrases(iso, "lasting", kind))
        match = logic.finder(said).search(text) if said else None
        words = match[0].strip() if match else _dated(text, isos) if kind == "term" else ""
        if words:
            found.append(f"{name}: “{words}”")
    return found


def _dated(text: str, isos: tuple[str, ...]) -> str:
    """Return the day, month or year for which a line says something."""
    for one in date_mentions.find(text, isos):
        if one.sure and one.form in _DATED and (one.year or one.lead in ("until", "since", "from", "next")):
            return text[one.start : one.end]
    return ""
