"""What changed between two texts, word by word."""

import re
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import Literal

from msgspec import Struct

from clawgit.text import document
from clawgit.text.document import section_titles
from clawgit.text.line_alignment import align, pairs

Op = Literal["+", "-", " "]

_WORD = re.compile(r"\s+|[^\W\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+|.", re.DOTALL)
_MAX_CELLS = 160_000
"""Pairs of words of two lines."""


class Word(Struct, frozen=True):
    """A piece of a line that stayed, came or went; white space counts."""

    op: Op
    text: str


class Line(Struct, frozen=True):
    """A line without its end; `words` are set where it is the changed form of another."""

    op: Op
    text: str
    words: tuple[Word, ...] = ()


class Hunk(Struct, frozen=True):
    """Changed lines with context, and the title they stand under ("" above the first heading)."""

    section: str
    old_start: int
    new_start: int
    lines: tuple[Line, ...]


class _Change(Struct, frozen=True):
    low: int
    high: int
    start: int
    stop: int


def hunks(old: str, new: str, context: int = 2) -> tuple[Hunk, ...]:
    """Return the changes with `context` lines around; line numbers count from 1."""
    before, after = (document.split(document.clip_lines(text)) for text in (old, new))
    groups = _group_changes(before, after, context)
    old_titles, new_titles = section_titles(old), section_titles(new)
    found: list[Hunk] = []
    for group in groups:
        first = group[0]
        titles, at = (new_titles, first.start) if first.stop > first.start else (old_titles, first.low)
        section = titles[at] if at < len(titles) else ""
        lead = min(context, first.low)
        body = tuple(_lines(group, before, after, context))
        found.append(Hunk(section, first.low - lead + 1, first.start - lead + 1, body))
    return tuple(found)


def select_hunks(old: str, new: str, numbers: Collection[int], context: int = 2) -> str:
    """Return `old` with those of its hunks, counted from 1, that `numbers` name."""
    before, after = document.split(old), document.split(new)
    rows, start = list[str](), 0
    for number, group in enumerate(_group_changes(before, after, context), 1):
        for change in group if number in numbers else ():
            rows += [*before[start : change.low], *after[change.start : change.stop]]
            start = change.high
    return "".join((*rows, *before[start:]))


def _group_changes(before: list[str], after: list[str], context: int) -> list[list[_Change]]:
    """Return the changes, those together that are so near each other that their contexts meet."""
    groups: list[list[_Change]] = []
    for change in _changes(before, after):
        if groups and change.low - groups[-1][-1].high <= 2 * context:
            groups[-1].append(change)
        else:
            groups.append([change])
    return groups


def _changes(before: list[str], after: list[str]) -> Iterator[_Change]:
    low = start = 0
    for at, there in enumerate([*align(before, after), len(after)]):
        if there < 0:
            continue
        if at > low or there > start:
            yield _Change(low, at, start, there)
        low, start = at + 1, there + 1


def _lines(group: list[_Change], before: list[str], after: list[str], context: int) -> Iterator[Line]:
    at = max(group[0].low - context, 0)
    for change in group:
        yield from (Line(" ", document.content(row)) for row in before[at : change.low])
        yield from _changed(before[change.low : change.high], after[change.start : change.stop])
        at = change.high
    yield from (Line(" ", document.content(row)) for row in before[at : at + context])


def _changed(before: list[str], after: list[str]) -> list[Line]:
    old, new = [document.content(row) for row in before], [document.content(row) for row in after]
    gone: list[Line] = [Line("-", row) for row in old]
    come: list[Line] = [Line("+", row) for row in new]
    for i, j in pairs(old, new):
        left, right = words(old[i], new[j])
        gone[i], come[j] = Line("-", old[i], left), Line("+", new[j], right)
    return gone + come


def words(old: str, new: str) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return both lines in pieces; joined, the pieces of each are the line."""
    one, two = _WORD.findall(old), _WORD.findall(new)
    stays, stayed = [False] * len(one), [False] * len(two)
    if len(one) * len(two) <= _MAX_CELLS:  # by the longest runs of words: a reader sees fewer, longer pieces
        for first, second, size in SequenceMatcher(None, one, two, autojunk=False).get_matching_blocks():
            stays[first : first + size] = stayed[second : second + size] = [True] * size
    return _join_pieces("-", one, stays), _join_pieces("+", two, stayed)


def _join_pieces(op: Op, tokens: list[str], kept: list[bool]) -> tuple[Word, ...]:
    runs = groupby(zip(kept, tokens, strict=True), key=itemgetter(0))
    return tuple(Word(" " if stays else op, "".join(token for _, token in run)) for stays, run in runs)
