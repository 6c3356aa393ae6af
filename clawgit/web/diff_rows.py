"""A difference, cut to what a page can show."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

ROWS, LETTERS = 400, 4000


class Row(Struct, frozen=True):
    """One line: "+", "-" or " ", and its words, each with what became of it."""

    op: str
    words: list[tuple[str, str]]


class Hunk(Struct, frozen=True):
    """Lines of one place: its heading, where it begins, its rows."""

    section: str
    start: int
    rows: list[Row]


class Cut(Struct, frozen=True):
    """What is shown of a difference, and how many lines are not; `come` and `gone` count the lines of all of it."""

    hunks: list[Hunk]
    left: int
    come: int
    gone: int


def cut(hunks: Iterable[Mapping[str, Any]], most: int = ROWS) -> Cut:
    """Return the first rows of some hunks, each no longer than four thousand letters."""
    shown, room, left, come, gone = [], most, 0, 0, 0
    for one in hunks:
        lines = one["lines"]
        come += sum(row["op"] == "+" for row in lines)
        gone += sum(row["op"] == "-" for row in lines)
        kept = [_row(row) for row in lines[:room]]
        left += len(lines) - len(kept)
        room -= len(kept)
        if kept:
            first = next((at for at, row in enumerate(lines) if row["op"] != " "), 0)
            shown.append(Hunk(str(one["section"] or ""), int(one["new_start"]) + first, kept))
    return Cut(shown, left, come, gone)


def _row(row: Mapping[str, Any]) -> Row:
    words = [(one["op"], one["text"]) for one in row["words"]] or [(" ", row["text"])]
    kept, room = [], LETTERS
    for op, text in words:
        if len(text) > room:
            kept.append((op, f"{text[:room]} … {len(text) - room:,} more letters"))
            break
        kept.append((op, text))
        room -= len(text)
    return Row(str(row["op"]), kept)
