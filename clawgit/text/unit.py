"""Lines that merge as one, each knowing its blank lines."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clawgit.text import document

_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_ROW = re.compile(r"[ \t]*\|")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(`{3,}(?![^`]*`)|~{3,})")
_DEEPEST = 40
PLAIN, LISTED = 9, 10


class Unit(NamedTuple):
    """A line with content, and the blank lines before it.

    `key` is the content without its line end; `first` marks the first line of its file. The end of a text
    is a unit with an empty key.
    """

    key: str
    blank: tuple[str, ...]
    eol: str
    first: bool = False


def units(rows: Iterable[str], ending: str, *, top: bool = True) -> list[Unit]:
    """Group lines with the blank lines before them; the last unit is the end."""
    found: list[Unit] = []
    blank: list[str] = []
    for row in rows:
        if document.is_blank(row):
            blank.append(row)
            continue
        end = document.end_of(row)
        key = row[: -len(end)] if end else row
        found.append(Unit(key, tuple(blank), end or document.fill(row, ending), top and not found))
        blank.clear()
    found.append(Unit("", tuple(blank), ""))
    return found


def raw(found: Iterable[Unit]) -> str:
    """Return the text of the units."""
    return "".join("".join(unit.blank) + unit.key + unit.eol for unit in found)


def keys(found: Iterable[Unit]) -> tuple[str, ...]:
    """Return what the units are compared by."""
    return tuple(unit.key for unit in found)


def heading_level(key: str) -> int:
    """Return 1 to 6 for an ATX heading, else 0."""
    match = _HEADING.match(key)
    return len(match[1]) if match else 0


def is_listed(key: str) -> bool:
    """Return whether a line is a bullet or a table row, which need no blank line between them."""
    return bool(_BULLET.match(key) or _ROW.match(key))


def indent(key: str) -> int:
    """Return how deep the line begins, a tab counting four, bounded."""
    space = key[: len(key) - len(key.lstrip(" \t"))]
    return min(len(space.expandtabs(4)), _DEEPEST)


def fence(key: str) -> str:
    """Return the run of marks that opens a fence here, or ""."""
    match = _FENCE.match(key)
    return match[1] if match else ""


def closes_fence(key: str, mark: str) -> bool:
    """Return whether the line closes the fence that `mark` opened."""
    return key.strip().startswith(mark) and not key.strip().strip(mark[0])


def is_bullet(key: str) -> bool:
    """Return whether the line opens a bullet."""
    return bool(_BULLET.match(key))


def is_row(key: str) -> bool:
    """Return whether the line looks like a table row."""
    return bool(_ROW.match(key))


def fuller(one: Unit, two: Unit) -> Unit:
    """Of two equal lines, keep the larger spacing: a choice that no side's turn can sway."""
    blank = max(one.blank, two.blank, key=lambda rows: (len(rows), rows))
    return Unit(one.key, blank, max(one.eol, two.eol), one.first and two.first)


def contains(large: Sequence[Unit], small: Sequence[Unit]) -> bool:
    """Return whether the lines of `small` stand in `large`, in order."""
    rest = iter(keys(large))
    return all(key in rest for key in keys(small))
