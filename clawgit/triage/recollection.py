"""Tells the wish to remember from talk about remembering."""

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from clawgit.language import lexicon
from clawgit.triage.patterns import LANGUAGES

_LONGEST = 60
_NOWHERE = r"\z."


class Rule(NamedTuple):
    """Words of a match, and what must not stand before or behind them, or has to stand behind them, for a wish.

    `sign` is in all of these words.
    """

    sign: str
    words: str
    never_before: str = _NOWHERE
    behind: str = ""
    never_behind: str = _NOWHERE


def rules() -> Iterator[Rule]:
    """Yield the rules of each language."""
    return (Rule(**row) for iso in LANGUAGES for row in lexicon.patterns(iso)["wishes"])


def wishes(text: str, start: int, end: int) -> bool:
    """Tell whether words of remembering, at `start` to `end`, ask to remember: "do you remember this?" does not."""
    words = text[start:end]
    for sign, rule, before, behind, never in _compiled():
        if sign in words and rule.fullmatch(words):
            said, after = text[max(0, start - _LONGEST) : start].rpartition("\n")[2], text[end : end + _LONGEST]
            return not before.search(said) and not never.match(after) and bool(behind.match(after))
    return True


@cache
def _compiled() -> tuple[tuple[Any, ...], ...]:
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    return tuple((sign, *(re2.compile(source) for source in sources)) for sign, *sources in rules())
