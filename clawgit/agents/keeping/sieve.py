"""Sifts out at once what cannot match."""

import re
from collections.abc import Sequence
from typing import Any

_LOOK = re.compile(r"\(\?(?:=|!|<=|<!)")
_GAP = re.compile(r"\.(?:\{\d*,\d*\}|[*+])")
_LETTERS = re.compile(r"\[[^\]]*\\w[^\]]*\]|\\w")
_EDGES = re.compile(r"(?<![\\\[])[$^]|\\b")
_NAMED = re.compile(r"\(\?P<\w+>")


class Sieve:
    """Patterns of `re`, looked for together and loosely, so that most texts are passed over at once."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._sources = sources
        self._set: Any = None

    def may(self, text: str) -> frozenset[int]:
        """Return the numbers of the patterns that may match `text`; those of all others do not."""
        if self._set is None:
            self._set = _compiled(self._sources)
        return frozenset(self._set.Match(text.casefold().encode("utf-8", "replace")) or ())


def _compiled(sources: Sequence[str]) -> Any:
    import re2  # noqa: PLC0415 - costs milliseconds that most commands need not pay

    options = re2.Options()
    options.max_mem, options.log_errors, options.case_sensitive = 64 << 20, False, False
    found = re2.Set.SearchSet(options)
    for source in sources:
        found.Add(loosened(source))
    found.Compile()
    return found


def loosened(source: str) -> str:
    """Return a pattern of re2 that matches wherever `source` does.

    Without edges of words and looks ahead, and each of its ways only up to its first gap.
    """
    plain = _NAMED.sub("(?:", _LETTERS.sub(".", _EDGES.sub("", _without_looks(source))))
    return "(?s)" + _begun(plain)


def _begun(source: str) -> str:
    return "|".join(dict.fromkeys(_way(way) for way in _ways(source)))


def _way(way: str) -> str:
    """Return one alternative up to its first gap, also where that lies within a group."""
    at = 0
    while at < len(way):
        if _GAP.match(way, at):
            return way[:at]
        if way[at] == "(" and way[at - 1 : at] != "\\":
            end = _closing(way, at)
            inner = way[at + 1 : end].removeprefix("?:")
            if _GAP.search(inner):
                return way[:at] or f"(?:{_begun(inner)})"
            at = end
        at += 1
    return way


def _ways(source: str) -> list[str]:
    """Return the alternatives of a pattern."""
    found, at, start = list[str](), 0, 0
    while at < len(source):
        if source[at] == "(" and source[at - 1 : at] != "\\":
            at = _closing(source, at)
        elif source[at] == "|":
            found.append(source[start:at])
            start = at + 1
        at += 1
    return [*found, source[start:]]


def _closing(source: str, start: int) -> int:
    """Return where the group that opens at `start` ends."""
    depth, at = 0, start
    while True:
        if source[at - 1 : at] != "\\":
            depth += {"(": 1, ")": -1}.get(source[at], 0)
        if depth == 0:
            return at
        at += 1


def _without_looks(source: str) -> str:
    while look := _LOOK.search(source):
        source = source[: look.start()] + source[_closing(source, look.start()) + 1 :]
    return source
