"""Classes of facts, by words and signs."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Literal, get_args

from clawgit.language import detect, lexicon, pattern_tables

Category = Literal["personal", "tasks", "agents", "system"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
TERMS: Mapping[Category, int | None] = {"personal": None, "tasks": 7, "agents": 30, "system": None}
"""Days for which a fact of a class holds after it was last mentioned; None: for good (seed 3)."""
_TABLE = "facts"
_sign = partial(pattern_tables.pattern, Path(__file__).parent / "data/classes.toml", "signs")


def classify(text: str, *, is_event: bool = False) -> Category:
    """Return the class of a statement; an event is a task."""
    if is_event:
        return "tasks"
    languages = detect.candidates(text)
    for name in ("agents", "tasks", "system"):
        if _finder(languages, name).search(text):
            return name
    return "system" if _sign("system").search(text) else "personal"


def find_end(category: Category, last: date, due: date | None = None) -> date | None:
    """Return the last day of a fact that was last mentioned on a day, or is due on a later one; None for good."""
    days = TERMS[category]
    if days is None:
        return None
    end = last + timedelta(days=days)
    return max(end, due) if due else end


@cache
def _finder(languages: tuple[str, ...], name: str) -> "re.Pattern[str]":
    """Return a pattern of the phrases of a class; one that ends in `-` is the beginning of a word."""
    phrases = sorted({phrase for language in languages for phrase in lexicon.phrases(language, _TABLE, name)})
    ends = {phrase: "" if phrase.endswith("-") else r"\b" for phrase in phrases}
    words = {phrase: rf"\b{re.escape(phrase.removesuffix('-'))}{end}" for phrase, end in ends.items()}
    sources = (re.escape(phrase) if detect.eastern(phrase) else words[phrase] for phrase in phrases)
    return re.compile("|".join(sources) or "(?!)", re.IGNORECASE)
