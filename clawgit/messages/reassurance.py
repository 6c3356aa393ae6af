"""Tells a kind "no" from one that contradicts."""

from functools import cache
from typing import Any

from clawgit.language import lexicon
from clawgit.messages.patterns import LANGUAGES

_LONGEST = 80
_MARKS = r"[.!?,;:)…—–\-。！？，、\n]"  # noqa: RUF001 - marks of several scripts


def reassures(text: str, start: int) -> bool:
    """Tell whether the words at `start` only wave something off: "no, it's fine" corrects nothing."""
    return _compiled().match(text[start : start + _LONGEST]) is not None


def kind() -> str:
    """Return the pattern of kind words, with what may stand right behind them."""
    said = "|".join(lexicon.patterns(iso)["kind"] for iso in LANGUAGES)
    return rf"(?i)(?:{said}) *(?:$|{_MARKS}|(?:{lexicon.patterns('en')['kind_behind']})\b)"


@cache
def _compiled() -> Any:
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    return re2.compile(kind())
