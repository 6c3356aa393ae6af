"""Lines that merge as one, each knowing its blank lines."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from clawgit.text import document

_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_ROW = re.compile(r"[ \t]*\|")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(`{3,}(?![^`]*`)|~{3,})")
_SIMPLE = re.compile(r"[-*+] [A-Za-z][^*_`~\\<\t\r\n]*\n")  # in ASCII without "--": its words are its key
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_CLOSING = re.compile(r"[ \t]+#+[ \t]*$")
_EMPHASIS = re.compile(r"(?<!\w)[*_`~]+|[*_`~]+(?!\w)")
_ESCAPE, _BREAK = re.compile(r"\\(?=[!-/:-@\[-`{-~])"), re.compile(r"(?:\\|<br ?/?>)[ \t]*$")
_STYLED = re.compile(r"[^ -~]|[*_`~\\<]|--")
_TYPOGRAPHIC = str.maketrans("\u2018\u2019\u201c\u201d\u2013\u2014", "''\"\"--")  # for typed ones
_DASHES, _LONG_DASH = re.compile(r":?-+:?"), re.compile(r"--+")
_NOTE = re.compile(r"#{2,6} \d{1,2}:\d\d")  # the heading of a note of a journal: two of one minute are two notes
_DEEPEST = 40
_HEADING_WEIGHT = 4  # lines
_REMEMBERED = 50_000
_TASK = re.compile(r"- \[([ xX])\](?: |$)")
_SETTING = re.compile(r"([A-Za-z_]\w*)[ \t]*:")
PLAIN, LISTED = 9, 10


class Unit(NamedTuple):
    """A line with content, and the blank lines before it.

    `key` are its words, the same for every formatting; `text` the line without its end. `level` is a heading's 1 to 6,
    `PLAIN` or, from `LISTED` on, the depth of a bullet; 0 for a line that belongs to the block above it. The end of a
    text is a unit without text.
    """

    key: str
    text: str
    blank: tuple[str, ...]
    eol: str
    level: int = 0


def read_units(text: str, ending: str) -> list[Unit]:
    """Group the lines of a text with the blank lines before them; the last unit is the end.

    In code every letter counts; elsewhere bullets, emphasis and white space are folded away in `key`.
    """
    units: list[Unit] = []
    blank: list[str] = []
    head: Unit | None = None
    code = ""
    for row in document.split(text):
        unit, mark = _divide_row(row)
        key, content, _, end, level = unit
        if not key:
            blank.append(row)
            continue
        is_code = bool(code)
        if is_code:
            key, level = content.rstrip() or content, 0
            code = "" if closes_fence(content, code) else code
        else:
            level = 0 if level == PLAIN and head and _continues(head, key, content, is_apart=bool(blank)) else level
            code = mark
        if blank or not end or (key, level) != (unit.key, unit.level):
            unit = Unit(key, content, tuple(blank), end or document.fill(row, ending), level)
            blank = []
        units.append(unit)
        head = None if is_code and not code else unit if level else head
    units.append(Unit("", "", tuple(blank), ""))
    return units


def divide_blocks(units: list[Unit]) -> Iterator[tuple[str, list[Unit]]]:
    """Yield the blocks of lines, each behind its words, which are "" for one that has code or a blank line in it."""
    starts = [number for number, unit in enumerate(units) if unit.level or not number]
    for start, stop in pairwise((*starts, len(units))):
        block = units[start:stop]
        is_text = not any(unit.blank for unit in block[1:]) and not any(fence(unit.text) for unit in block)
        yield " ".join(keys(block)) if is_text else "", block


def unwrap(units: list[Unit], blocks: Mapping[str, list[Unit]]) -> Iterator[Unit]:
    """Yield units, those of a block that has the words of one of `blocks` wrapped as that is."""
    for words, block in divide_blocks(units):
        lines = blocks.get(words, block)
        yield from [lines[0]._replace(blank=block[0].blank), *lines[1:]] if keys(lines) != keys(block) else block


@lru_cache(_REMEMBERED)
def _divide_row(row: str) -> tuple[Unit, str]:
    """Return a line as a unit, without a key if it is blank, and the mark of the fence that it opens."""
    # A plain bullet is its own key, and needs no folding.
    if _SIMPLE.fullmatch(row) and row.isascii() and "--" not in row:
        return Unit(f"- {' '.join(row[2:].split())}", row[:-1], (), "\n", LISTED), ""
    end = document.end_of(row)
    content = row[: -len(end)] if end else row
    if document.is_blank(row):
        return Unit("", content, (), end), ""
    mark = fence(content)
    key = (content.rstrip() if mark else fold_line(content)) or content
    level = heading_level(key) or (LISTED + indent(content) if is_bullet(key) else PLAIN)
    return Unit(key, content, (), end, level), mark


def _continues(head: Unit, key: str, content: str, *, is_apart: bool) -> bool:
    """Return whether a line that begins no heading or bullet belongs to the block that begins with `head`."""
    if head.level < PLAIN:
        return False
    if LISTED <= head.level < LISTED + indent(content):
        return True
    if is_row(key):
        return is_row(head.key) and not key.strip("|-:")  # what parts the head of a table from its rows
    return not is_apart and not fence(content)


Name = tuple[object, ...]
"""What a line is the same by: its own words, and the lines of its block with the blocks above it."""


def name_units(units: list[Unit], base_of: Mapping[int, int]) -> dict[int, Name]:
    """Return the names of the lines that the base has not; `base_of` are those that it has, with their places in it.

    A new bullet goes by its words, wherever it is in its section; any other new block also by the line of the base
    above it, and a note of a journal by all that is below its heading.
    """
    names: dict[int, Name] = {}
    parents: list[tuple[int, Name]] = [(0, ())]
    anchor = -1
    heads = [number for number, unit in enumerate(units) if unit.level]
    for order, (start, stop) in enumerate(pairwise((*heads, len(units))), 1):
        level = units[start].level
        while parents[-1][0] >= level:
            parents.pop()
        name: Name = (base_of.get(start),)
        if start not in base_of:
            end = stop
            if level < PLAIN and _NOTE.match(units[start].key):
                end = next((number for number in heads[order:] if units[number].level <= level), len(units))
            name = (parents[-1][1], keys(units[start:end]), anchor if level < LISTED else -1)
        if level != PLAIN:
            parents.append((level, name))
        for number in range(start, stop):
            if number in base_of:
                anchor = base_of[number]
            elif units[number].key != "---":  # two lines across the page are two
                names[number] = (name, read_setting(units[number].key) or units[number].key)
    return names


def read_setting(key: str) -> str:
    """Return the name that a line sets to a value, "" for none."""
    match = _SETTING.match(key)
    return match[1] if match else ""


def read_box(key: str) -> str:
    """Return the letter in the box of a task, a space or an x; "" if the line is no task."""
    match = _TASK.match(key)
    return match[1] if match else ""


def tick(unit: Unit, box: str) -> Unit:
    """Return a task with this in its box."""
    old, new = f"[{read_box(unit.key)}]", f"[{box}]"
    return unit if old == new else unit._replace(key=unit.key.replace(old, new, 1), text=unit.text.replace(old, new, 1))


def fold_line(line: str) -> str:
    """Return the words of a line: one kind of bullet, no emphasis or escapes, aligned cells; case and tags stay."""
    line = unicodedata.normalize("NFC", line).removeprefix("\ufeff")
    plain = line.strip()
    if level := heading_level(line):
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
    if _STYLED.search(text):
        text = _EMPHASIS.sub("", _ESCAPE.sub("", _BREAK.sub("", text)).translate(_TYPOGRAPHIC)).strip() or text
        text = _LONG_DASH.sub("-", text)
    return " ".join(text.split())


def keys(units: Iterable[Unit]) -> tuple[str, ...]:
    """Return the keys by which units are compared."""
    return tuple(map(itemgetter(0), units))


Anchors = tuple[list[int], list[str]]  # the lines of a text by their indexes, and what they are aligned by


def list_anchors(*texts: list[Unit]) -> list[Anchors]:
    """Return the anchors of texts; of several notes of one minute they have what is first below the heading, too.

    A heading stands there several times: rather a few lines moved to another section than the heading.
    """
    heads = [[index for index, unit in enumerate(units) if 0 < unit.level < PLAIN] for units in texts]
    counts = [Counter(units[index].key for index in places) for units, places in zip(texts, heads, strict=True)]
    repeats = {key for count in counts for key in count if count[key] > 1 and _NOTE.match(key)}
    anchors = [(list(range(len(units))), [unit.key for unit in units]) for units in texts]
    for places, (indexes, names) in zip(heads, anchors, strict=True):
        for index in reversed(places):
            key = "\n".join(names[index : index + 2]) if names[index] in repeats else names[index]
            indexes[index : index + 1], names[index : index + 1] = [index] * _HEADING_WEIGHT, [key] * _HEADING_WEIGHT
    return anchors


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
