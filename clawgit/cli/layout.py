"""Fits styled text into columns."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

_WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\U0001f300-\U0003ffff"


class Span(NamedTuple):
    """Text in one style: the name of a colour, "bold", "dim" or "" for plain."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


def line(*parts: str | Span) -> Line:
    """Return a line from spans and plain text."""
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts)


def width(text: str) -> int:
    """Return how many columns a terminal gives to `text`."""
    return sum(_columns(letter) for letter in text)


def _columns(letter: str) -> int:
    import unicodedata  # noqa: PLC0415 - the help does without

    if letter.isascii():
        return 1
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def wrapped(row: Line, columns: int, indent: int) -> Iterator[Line]:
    """Yield `row` in lines of at most `columns`, broken between words, all but the first indented.

    A word that is longer than a line is left whole.
    """
    current: list[Span] = []
    used = 0
    for piece in _pieces(row):
        size = width(piece.text)
        if used + size > columns and used > indent:
            yield _trimmed(current)
            current, used = [Span(" " * indent)], indent
            if piece.text.isspace():
                continue
        current.append(piece)
        used += size
    yield tuple(current)


def _pieces(row: Line) -> Iterator[Span]:
    """Cut spans into words, the white space of the very beginning staying with the first one."""
    return (Span(text, span.style) for span in row for text in _piece().findall(span.text))


@cache
def _piece() -> re.Pattern[str]:
    """Return what finds white space, a wide character, a word; slow to compile."""
    return re.compile(rf"\s+|[{_WIDE}]|[^\s{_WIDE}]+")


def _trimmed(spans: list[Span]) -> Line:
    while spans and not spans[-1].text.strip():
        spans.pop()
    return tuple(spans)


def columns(rows: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield pairs with the first of each padded to the widest."""
    pairs = list(rows)
    widest = max((width(name) for name, _ in pairs), default=0)
    return ((name + " " * (widest - width(name)), text) for name, text in pairs)


def printed(name: str) -> str:
    """Return a name on one line, whatever stands in it."""
    return name if name.isprintable() else name.encode("unicode_escape").decode("ascii")
