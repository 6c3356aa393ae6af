"""Breaks words into lines of a width."""

import unicodedata
from collections.abc import Iterator
from itertools import chain

COLUMNS = 80


def width(text: str) -> int:
    """Return how many columns a text takes; wide characters take two, those that combine none."""
    return sum(map(_columns, text))


def _columns(letter: str) -> int:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def wrapped(text: str, first: str = "", then: str = "") -> Iterator[str]:
    """Yield `text` in lines of at most 80 columns, `first` before the first of them and `then` before the others.

    A word that is longer than a line, such as one of a script without spaces, is cut.
    """
    line, empty = first, True
    most = COLUMNS - max(width(first), width(then))
    for word in chain.from_iterable(_pieces(whole, most) for whole in text.split()):
        if not empty and width(line) + 1 + width(word) > COLUMNS:
            yield line
            line, empty = then, True
        line, empty = f"{line}{'' if empty else ' '}{word}", False
    yield line


def _pieces(word: str, most: int) -> Iterator[str]:
    piece = ""
    for letter in word:
        if width(piece + letter) > most:
            yield piece
            piece = ""
        piece += letter
    yield piece
