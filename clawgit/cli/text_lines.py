"""Lines of text in styles, as a terminal shows them."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from clawgit.errors import Fix

_WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\U0001f300-\U0003ffff"


class Span(NamedTuple):
    """Text in one style: the name of a colour, "bold", "dim" or "" for plain; one that is `whole` is never broken."""

    text: str
    style: str = ""
    whole: bool = False


Line = tuple[Span, ...]
HANG = Span("", "hang")
"""Stands in a line where the last of its columns begins: what is broken goes on below that."""
_ROOM = 24
"""So many columns a last one needs; with less of them it is broken as any other line."""


def line(*parts: str | Span) -> Line:
    """Return a line from spans and plain text."""
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts)


def width(text: str) -> int:
    """Return how many columns a terminal gives to `text`."""
    return len(text) if text.isascii() else sum(_columns(letter) for letter in text)


def _columns(letter: str) -> int:
    import unicodedata  # noqa: PLC0415 - the help does without

    if letter.isascii():
        return 1
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def wrap_row(row: Line, columns: int, indent: int) -> Iterator[Line]:
    """Yield `row` in lines of at most `columns`, broken between words, all but the first indented.

    A word that is longer than a line is left whole. From HANG on, lines are indented to its position.
    """
    current: list[Span] = []
    column = 0
    for piece in _pieces(row):
        if piece is HANG:
            indent = column if columns - column >= _ROOM else indent
            continue
        size = width(piece.text)
        if column + size > columns and column > indent:
            while current and not current[-1].text.strip():
                current.pop()
            yield tuple(current)
            current, column = [Span(" " * indent)], indent
            if piece.text.isspace():
                continue
        current.append(piece)
        column += size
    yield tuple(current)


def _pieces(row: Line) -> Iterator[Span]:
    """Cut spans into words, those that are whole aside."""
    for span in row:
        if span.whole or span is HANG:
            yield span
        else:
            yield from (Span(text, span.style) for text in _piece().findall(span.text))


@cache
def _piece() -> re.Pattern[str]:
    """Return a pattern for white space, a wide character, a word; slow to compile."""
    return re.compile(rf"\s+|[{_WIDE}]|[^\s{_WIDE}]+")


def labelled(label: str, size: int, *rest: str | Span, style: str = "dim") -> Line:
    """Return a line that begins with its label, in a column of this size."""
    return line(Span(f"{label:<{size}}", style), *rest)


def fixed(indent: int, fix: Fix | str, label: str = "fix: ") -> Line:
    """Return the line with the fix for the message above, in a form to paste."""
    return line(" " * indent, Span(label, "cyan"), Span(str(fix), whole=True))


def count_noun(number: int, word: str) -> str:
    """Return "1 file", "2 files"."""
    return f"{number:,} {word if number == 1 else f'{word}s'}"


def minute(moment: str) -> str:
    """Return a moment in ISO 8601 as people read it, to the minute."""
    return moment[:16].replace("T", " ")
