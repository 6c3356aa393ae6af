"""Tells why a line is no memory."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from clawgit.agents.validating import unclaimed
from clawgit.language import logic, pattern_tables
from clawgit.language.own_words import own_words

_pattern = partial(pattern_tables.pattern, Path(__file__).parent / "data/junk_lines.toml", "lines")
_LEAST = 2
"""Words below which a line without a label says nothing by itself."""
_BRIEF, _MOST = 20, 0.08
"""Characters up to which a line is short, and signs of programs for each of a longer one."""
_DENSE = "\u2e80"  # from here on come scripts that write no words apart
_WORD = re.compile(r"[^\W\d_]{2,}")
_HYPHENED = re.compile(r"\W*[^\W\d_]+-[^\W\d_]")
_NO_WORDS = re.compile(r"`[^`]*`|https?://\S+")


def reason(text: str) -> str:
    """Return why a line is no memory, "" where it may be one: a fragment, machine text, or of a moment that is over."""
    tests: tuple[tuple[Callable[[str], bool], str], ...] = (
        (_empty, "says nothing"),
        (_machine, "machine text"),
        (_fragment, "a fragment"),
        (lambda one: bool(_pattern("talk").search(one)), "talk, and no statement"),
        (unclaimed.is_question, "a question"),
    )
    found = next((why for test, why in tests if test(text)), "")
    if found:
        return found
    if (word := logic.dangles(text, logic.languages(text))) and not _HYPHENED.match(text):
        return f"not understood alone: what is '{word}'?"
    own = own_words(text)
    dated = _pattern("dated").search(text) is not None or unclaimed.is_lasting(text)
    over = not dated and (unclaimed.is_passing(own) or _pattern("moment").search(own) is not None)
    return "of a moment that is over" if over else ""


def _empty(text: str) -> bool:
    return bool(_pattern("empty").match(text)) or not any(map(str.isalpha, text))


def _machine(text: str) -> bool:
    if _pattern("machine", re.NOFLAG).search(text):
        return True
    plain = _NO_WORDS.sub(" ", text)
    return len(plain) > _BRIEF and len(_pattern("signs").findall(plain)) > _MOST * len(plain)


def _fragment(text: str) -> bool:
    """Tell whether a line breaks off, or has too few words."""
    if _pattern("broken").search(text):
        return True
    if any(letter >= _DENSE for letter in text):
        return False
    return len(_WORD.findall(text)) < _LEAST and not _pattern("labels").search(text)
