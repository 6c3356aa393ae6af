"""Finds the clause that a value stands in."""
# ruff: noqa: E501, RUF001 -- a pattern is read whole, in its own script

import re

_EDGE = re.compile(
    r"[,;:，、；：—–(](?!\d)\s*|\s-\s|\s(?:and|but|so|because|since we|und|aber|weil|denn|y|pero|porque|et|mais|car)\s",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"\b(?:now|currently|nowadays|these days|from now on|going forward|any ?more|after all|btw|by the way|tho(?:ugh)?|instead|(?:as of|since|starting|from) (?:the )?(?:last |next |this )?\w+(?: on)?$|jetzt|inzwischen|mittlerweile|neuerdings|übrigens|ab (?:jetzt|sofort)|ahora|maintenant|désormais)\b",
    re.IGNORECASE,
)


def around(sentence: str, start: int, end: int) -> str:
    """Return the clause that characters `start` to `end` stand in; the whole sentence where that names nothing more."""
    edges = [match.span() for match in _EDGE.finditer(sentence)]
    first = max((stop for _, stop in edges if stop <= start), default=0)
    last = min((begin for begin, _ in edges if begin >= end), default=len(sentence))
    return sentence[first:last]


def parts(sentence: str) -> list[str]:
    """Return the clauses of a sentence."""
    edges = [match.span() for match in _EDGE.finditer(sentence)]
    starts, ends = [0, *(stop for _, stop in edges)], [*(begin for begin, _ in edges), len(sentence)]
    return [sentence[start:end].strip() for start, end in zip(starts, ends, strict=True) if sentence[start:end].strip()]


def plainly(sentence: str) -> str:
    """Return a sentence without the words that only tell since when it is so."""
    return " ".join(_ADVERB.sub(" ", sentence.rstrip(" .!。！")).split())
