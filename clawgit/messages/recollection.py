"""Tells the wish to remember from talk about remembering."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from clawgit.language import lexicon
from clawgit.messages.patterns import LANGUAGES

_LONGEST = 60
_NOWHERE = r"\z."


def rules() -> Iterator[tuple[str, ...]]:
    """Yield a sign, the words of a match that it stands in, and three patterns, for each rule of each language.

    It is a wish where the first is not found before the words, the second stands behind them, and the third does not.
    """
    for iso in LANGUAGES:
        for row in lexicon.patterns(iso)["wishes"]:
            before, never = row.get("never_before", _NOWHERE), row.get("never_behind", _NOWHERE)
            yield row["sign"], row["words"], before, row.get("behind", ""), never


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
