"""The eight categories of promotion, with their triggers."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

from clawgit.language import detect

Category = Literal["explicit", "decision", "legal", "financial", "architecture", "people", "milestone", "strategy"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
_DATA = Path(__file__).parent / "data" / "categories.toml"
MIN_SESSIONS = 3
"""Shown in so many sessions, a line is a candidate whatever it says (memory tiers: access-frequency promotion)."""
_FIRST, _MORE, MAX_CONFIDENCE = 0.5, 0.1, 0.9


class Kind(Struct, frozen=True):
    """A category: its file ("" for the memory file), the tag of its entries, its score, its triggers."""

    file: str
    tag: str
    score: float
    triggers: tuple[str, ...]


class Weight(Struct, frozen=True):
    """A confidence from 0 to 1, the category whose trigger the line has, and the parts that make it up."""

    confidence: float
    category: Category | None = None
    parts: tuple[tuple[str, float], ...] = ()


@cache
def read_kinds() -> Mapping[Category, Kind]:
    """Return the categories, in the order in which a line with triggers of several goes."""
    data = tomllib.loads(_DATA.read_text("utf-8"))
    rows = ((name, data[name]) for name in CATEGORIES)
    return {
        name: Kind(str(row["file"]), str(row["tag"]), float(row["score"]), tuple(row["triggers"])) for name, row in rows
    }


@lru_cache(maxsize=1024)  # journals repeat themselves
def weigh(text: str, sessions: int = 0) -> Weight:
    """Return the confidence in a line: the score of its trigger, and the sessions that were shown it."""
    category, word = find_category(text)
    parts = [(f"“{word}” ({category})", read_kinds()[category].score)] if category else []
    if sessions >= MIN_SESSIONS:
        parts.append((f"shown in {sessions} sessions", min(_FIRST + _MORE * (sessions - MIN_SESSIONS), MAX_CONFIDENCE)))
    return Weight(round(min(sum(value for _, value in parts), MAX_CONFIDENCE), 2), category, tuple(parts))


def find_category(text: str) -> tuple[Category | None, str]:
    """Return the first category of which a line has a trigger, with the word."""
    for name in CATEGORIES:
        if match := _compile_triggers(name).search(text):
            return name, match[0]
    return None, ""


@cache
def _compile_triggers(name: Category) -> "re.Pattern[str]":
    return re.compile("|".join(map(_write_pattern, read_kinds()[name].triggers)))


def _write_pattern(trigger: str) -> str:
    """Return the pattern of a trigger: a word of letters with spaces between its edges, or in the plural."""
    if detect.eastern(trigger) or not trigger[0].isalpha():
        return re.escape(trigger)
    if trigger.endswith(" N"):
        return rf"(?i:(?<!\w){re.escape(trigger[:-2])} (?:\d+|[ivx]+)(?!\w))"
    return rf"(?<!\w){trigger}(?!\w)" if trigger != trigger.lower() else rf"(?i:(?<!\w){trigger}s?(?!\w))"
