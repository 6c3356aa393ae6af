"""Lines of text in styles, as a terminal shows them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clawgit.errors import Fix

_WIDE = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\U0001f300-\U0003ffff"
_PIECE = rf"\s+|[{_WIDE}]|[^\s{_WIDE}]+"
"""White space, a wide letter, a word: compiled by the first line that is too long, for that is slow."""


class Span(NamedTuple):
    """Text in one style: the name of a colour, "bold", "dim" or "" for plain; one that is `whole` is never broken."""

    text: str
    style: str = ""
    whole: bool = False


Line = tuple[Span, ...]
HANG = Span("", "hang")
"""Marks the start of the last column of a line: its continuation is printed below that."""
_ROOM = 24
"""The least width of the last column for such a continuation."""


def line(*parts: str | Span) -> Line:
    """Return a line from spans and plain text."""
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts)


def width(text: str) -> int:
    """Return how many columns a terminal gives to `text`."""
    return len(text) if text.isascii() else sum(map(_count_columns, text))


def _count_columns(letter: str) -> int:
    import unicodedata  # noqa: PLC0415 - the help does without

    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def wrap(row: Line, columns: int) -> Iterator[Line]:
    """Yield a row in lines of at most `columns`, broken between words; a word that is longer is left whole."""
    text = "".join(span.text for span in row)
    if width(text) <= columns:
        yield row
        return
    indent, column, current = len(text) - len(text.lstrip()) + 2, 0, list[Span]()
    for span in row:
        if span is HANG and columns - column >= _ROOM:
            indent = column
        for piece in (span,) if span.whole else (Span(word, span.style) for word in re.findall(_PIECE, span.text)):
            size = width(piece.text)
            if column + size > columns and column > indent and not span.whole:
                while current and current[-1].text.isspace():
                    current.pop()
                yield tuple(current)
                current, column = [Span(" " * indent)], indent
                if piece.text.isspace():
                    continue
            current.append(piece)
            column += size
    yield tuple(current)


def fixed(indent: int, fix: Fix | str, label: str = "fix: ") -> Line:
    """Return the line with the fix for the message above, in a form to paste."""
    return line(" " * indent, Span(label, "cyan"), Span(str(fix), whole=True))


def count_noun(number: int, word: str) -> str:
    """Return "1 file", "2 files"."""
    return f"{number:,} {word if number == 1 else f'{word}s'}"


def minute(moment: str) -> str:
    """Return a moment in ISO 8601 as people read it, to the minute."""
    return moment[:16].replace("T", " ")
