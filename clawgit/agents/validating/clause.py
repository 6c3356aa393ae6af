"""Finds the clause that a value stands in."""
# ruff: noqa: RUF001 -- a pattern is read whole, in its own script

import re

_EDGE = re.compile(
    r"[,;:，、；：—–(](?!\d)\s*|\s-\s|\s(?:and|but|so|because|since we|und|aber|weil|denn|y|pero|porque|et|mais|car)\s",
    re.IGNORECASE,
)


def around(sentence: str, start: int, end: int) -> str:
    """Return the clause that characters `start` to `end` stand in; the whole sentence where that names nothing more."""
    edges = [match.span() for match in _EDGE.finditer(sentence)]
    first = max((stop for _, stop in edges if stop <= start), default=0)
    last = min((begin for begin, _ in edges if begin >= end), default=len(sentence))
    return sentence[first:last]
