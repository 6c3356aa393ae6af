"""Lines that merge as one, each knowing its blank lines."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from clawgit.text import document

_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_ROW = re.compile(r"[ \t]*\|")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(`{3,}(?![^`]*`)|~{3,})")
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_CLOSING = re.compile(r"[ \t]+#+[ \t]*$")
_EMPHASIS = re.compile(r"(?<!\w)[*_`~]+|[*_`~]+(?!\w)")
_DASHES = re.compile(r":?-+:?")
_DEEPEST = 40
_REMEMBERED = 50_000
PLAIN, LISTED = 9, 10


class Unit(NamedTuple):
    """A line with content, and the blank lines before it.

    `key` is what it says, the same however it is formatted; `text` the line without its end; `first` marks the first
    line of its file, `side` says which text wrote it (0: both, or the base). The end of a text is a unit without text.
    """

    key: str
    text: str
    blank: tuple[str, ...]
    eol: str
    first: bool = False
    side: int = 0


def read_units(text: str, ending: str, side: int = 0) -> list[Unit]:
    """Group the lines of a text with the blank lines before them; the last unit is the end.

    In code every letter counts; elsewhere bullets, emphasis and white space are folded away in `key`.
    """
    found: list[Unit] = []
    blank: list[str] = []
    code = ""
    for row in document.split(text):
        key, content, end, mark = _divide_row(row)
        if not key:
            blank.append(row)
            continue
        if code:
            key = content.rstrip() or content
        if mark and (not code or closes_fence(content, code)):
            code = "" if code else mark
        found.append(Unit(key, content, tuple(blank), end or document.fill(row, ending), not found, side))
        blank = []
    found.append(Unit("", "", tuple(blank), ""))
    return found


@lru_cache(_REMEMBERED)
def _divide_row(row: str) -> tuple[str, str, str, str]:
    """Return the key of a line ("" for a blank one), its content and end, and the mark of a fence that it has."""
    if document.is_blank(row):
        return "", "", "", ""
    end = document.end_of(row)
    content = row[: -len(end)] if end else row
    mark = fence(content)
    return (content.rstrip() if mark else fold_line(content)) or content, content, end, mark


def fold_line(line: str) -> str:
    """Return what a line says: one kind of bullet, no emphasis, single spaces, aligned cells; case and tags stay."""
    plain = unicodedata.normalize("NFC", line).removeprefix("\ufeff").strip()
    if level := heading_level(line.removeprefix("\ufeff")):
        return f"{'#' * level} {_fold_words(_CLOSING.sub('', plain.lstrip('#')))}"
    if _RULE.match(line):
        return "---"
    if is_row(line):
        cells = (_DASHES.sub("-", cell.strip()) for cell in plain.strip("|").split("|"))
        return f"|{'|'.join(map(_fold_words, cells))}|"
    if marker := _BULLET.match(line):
        return f"- {_fold_words(line[marker.end() :])}"
    return _fold_words(plain)


def _fold_words(text: str) -> str:
    return " ".join(_EMPHASIS.sub("", text).split()) or text.strip()


def join_units(found: Iterable[Unit]) -> str:
    """Return the text of the units."""
    return "".join("".join(unit.blank) + unit.text + unit.eol for unit in found)


def keys(found: Iterable[Unit]) -> tuple[str, ...]:
    """Return what the units are compared by."""
    return tuple(unit.key for unit in found)


def heading_level(key: str) -> int:
    """Return 1 to 6 for an ATX heading, else 0."""
    match = _HEADING.match(key) if "#" in key[:4] else None
    return len(match[1]) if match else 0


def is_listed(key: str) -> bool:
    """Return whether a line is a bullet or a table row, which need no blank line between them."""
    return is_bullet(key) or is_row(key)


def indent(text: str) -> int:
    """Return how deep the line begins, a tab counting four, bounded."""
    if not text.startswith((" ", "\t")):
        return 0
    space = text[: len(text) - len(text.lstrip(" \t"))]
    return min(len(space.expandtabs(4)), _DEEPEST)


def fence(key: str) -> str:
    """Return the run of marks that opens a fence here, or ""."""
    match = _FENCE.match(key) if "```" in key or "~~~" in key else None
    return match[1] if match else ""


def closes_fence(key: str, mark: str) -> bool:
    """Return whether the line closes the fence that `mark` opened."""
    return key.strip().startswith(mark) and not key.strip().strip(mark[0])


def is_bullet(key: str) -> bool:
    """Return whether the line opens a bullet."""
    return bool(_BULLET.match(key)) and not _RULE.match(key)


def is_row(key: str) -> bool:
    """Return whether the line looks like a table row."""
    return bool(_ROW.match(key))


def is_table_head(key: str) -> bool:
    """Return whether a folded line parts the head of a table from its rows."""
    return is_row(key) and not key.strip("|-:")


def choose_fuller(one: Unit, two: Unit) -> Unit:
    """Of two equal lines, keep the larger spacing and one form: a choice that no side's turn can sway."""
    blank = max(one.blank, two.blank, key=lambda rows: (len(rows), rows))
    text = max(one.text, two.text, key=lambda row: (len(row), row))
    return Unit(one.key, text, blank, max(one.eol, two.eol), one.first and two.first)
