"""Differences between two texts, by words and by sections."""

import re
from collections import Counter
from collections.abc import Collection, Container, Iterator, Sequence
from difflib import Match, SequenceMatcher
from itertools import groupby
from operator import itemgetter
from typing import Literal

from msgspec import Struct

from clawgit.text import document, entry
from clawgit.text.unit import read_setting

Op = Literal["+", "-", " "]

_WORD = re.compile(r"\s+|[^\W\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+|.", re.DOTALL)
_CONTEXT = 2
_MAX_CELLS = 160_000
"""Pairs of words of two lines."""


class Word(Struct, frozen=True):
    """A piece of a line that stayed, came or went; white space counts."""

    op: Op
    text: str


class Line(Struct, frozen=True):
    """A line without its end; `words` are set if it is the changed form of another."""

    op: Op
    text: str
    words: tuple[Word, ...] = ()


class Hunk(Struct, frozen=True):
    """Changed lines with context, and their title ("" above the first heading)."""

    section: str
    old_start: int
    new_start: int
    lines: tuple[Line, ...]


def hunks(old: str, new: str, context: int = _CONTEXT) -> tuple[Hunk, ...]:
    """Return the changes with `context` lines around; line numbers count from 1."""
    before, after = (document.split(document.clip_lines(text)) for text in (old, new))
    old_titles, new_titles = document.section_titles(old), document.section_titles(new)
    result: list[Hunk] = []
    for group in _Alignment(before, after).get_grouped_opcodes(context):
        low, start, stop = next((low, start, stop) for tag, low, _, start, stop in group if tag != "equal")
        # A hunk that only removes lines has a place in the old text alone.
        titles, index = (new_titles, start) if stop > start else (old_titles, low)
        section = titles[index] if index < len(titles) else ""
        lines: list[Line] = []
        for tag, low, high, start, stop in group:
            old_rows, new_rows = ([*map(document.content, rows)] for rows in (before[low:high], after[start:stop]))
            old_lines, new_lines = [Line("-", row) for row in old_rows], [Line("+", row) for row in new_rows]
            if tag == "equal":
                old_lines, new_lines = [Line(" ", row) for row in old_rows], []
            for i, j in pairs(old_rows, new_rows) if tag != "equal" else ():
                left, right = diff_words(old_rows[i], new_rows[j])
                old_lines[i], new_lines[j] = Line("-", old_rows[i], left), Line("+", new_rows[j], right)
            lines += old_lines + new_lines
        result.append(Hunk(section, group[0][1] + 1, group[0][3] + 1, tuple(lines)))
    return tuple(result)


def select_hunks(old: str, new: str, numbers: Collection[int]) -> str:
    """Return `old` with those of its hunks, counted from 1, that `numbers` name."""
    before, after = document.split(old), document.split(new)
    rows, index = list[str](), 0
    for number, group in enumerate(_Alignment(before, after).get_grouped_opcodes(_CONTEXT), 1):
        for _, low, high, start, stop in group if number in numbers else ():
            rows += [*before[index:low], *after[start:stop]]
            index = high
    return "".join((*rows, *before[index:]))


class _Alignment(SequenceMatcher[str]):
    def __init__(self, before: list[str], after: list[str]) -> None:
        super().__init__(None, before, after)
        self._blocks = find_blocks(before, after)

    def get_matching_blocks(self) -> list[Match]:
        """Return the runs of lines that stay."""
        return self._blocks


def diff_words(old: str, new: str) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return both lines in pieces; joined, the pieces of each are the line."""
    old_tokens, new_tokens = _WORD.findall(old), _WORD.findall(new)
    stays, stayed = [False] * len(old_tokens), [False] * len(new_tokens)
    if len(old_tokens) * len(new_tokens) <= _MAX_CELLS:
        # by the longest runs of words: a reader sees fewer, longer pieces
        for first, second, size in SequenceMatcher(None, old_tokens, new_tokens, autojunk=False).get_matching_blocks():
            stays[first : first + size] = stayed[second : second + size] = [True] * size
    return _join_pieces("-", old_tokens, stays), _join_pieces("+", new_tokens, stayed)


def _join_pieces(op: Op, tokens: list[str], flags: list[bool]) -> tuple[Word, ...]:
    runs = groupby(zip(flags, tokens, strict=True), key=itemgetter(0))
    return tuple(Word(" " if stays else op, "".join(token for _, token in run)) for stays, run in runs)


# ---- lines

_MAX_LINE_PAIRS = 200_000_000  # pairs of lines that are compared exactly, with a bit for each
_LINE_WORD = re.compile(r"\w+")


def find_blocks(old: Sequence[str], new: Sequence[str]) -> list[Match]:
    """Return the runs of equal lines, the last one empty and behind both texts.

    They are a longest common subsequence; of very many lines an approximation.
    """
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - many commands compare no texts

    if len(old) * len(new) > _MAX_LINE_PAIRS:
        return SequenceMatcher(None, old, new).get_matching_blocks()
    numbers: dict[str, int] = {}  # a letter for each line: texts are compared sooner than lists
    before, after = ("".join(chr(numbers.setdefault(line, len(numbers))) for line in lines) for lines in (old, new))
    return [Match(block.a, block.b, block.size) for block in LCSseq.opcodes(before, after).as_matching_blocks()]


ALIKE = 60.0  # percent; from here on a line in a deleted line's place is that line, changed
_MARKS = "-#| "
_FEW_WORDS = 3
_LOOKED_AT = 1_000  # characters of a line that are compared
_MAX_PAIRS = 2_500  # of larger blocks no line is paired


def measure_likeness(left: str, right: str) -> float:
    """Return the similarity of two lines, 0 to 100: by letters and by words, of the first thousand characters.

    Of lines with a common beginning and end the one with more common words is more similar. A setting is the same one
    whatever its value, and no other.
    """
    from rapidfuzz import fuzz  # noqa: PLC0415 - most merges never need it

    left_text, right_text = (line.lstrip(_MARKS)[:_LOOKED_AT].strip() for line in (left, right))
    likeness = fuzz.ratio(left_text, right_text)
    words = [Counter(_LINE_WORD.findall(line)) for line in (left_text, right_text)]
    if likeness >= ALIKE and min(map(len, words)) >= _FEW_WORDS:
        shared = (words[0] & words[1]).total() * 200 / (words[0].total() + words[1].total())
        likeness = (likeness + shared) / 2
    names = read_setting(left), read_setting(right)
    return (likeness + 100.0 * (names[0] == names[1])) / 2 if all(names) else likeness


def pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pair lines of two unequal blocks that are alike, the most alike first, in order."""
    if not old or not new or len(old) * len(new) > _MAX_PAIRS:
        return []
    scores = ((measure_likeness(line, b), -i, -j) for i, line in enumerate(old) for j, b in enumerate(new))
    result: list[tuple[int, int]] = []
    for _, i, j in sorted((score for score in scores if score[0] >= ALIKE), reverse=True):
        if all((-i - index) * (-j - b) > 0 for index, b in result):
            result.append((-i, -j))
    return sorted(result)


def list_gone_sections(old: str, new: str, present: Container[str]) -> Iterator[tuple[document.Section, int]]:
    """Yield the outermost sections that a text lost with all their entries, and the number of these.

    `present` are the digests of entries that are somewhere else: a section that moved is not gone.
    """
    titles, items = {section.path for section in document.sections(new)}, entry.entries(old)
    present_here, last = {entry.hash_entry(item.text) for item in entry.entries(new)}, 0
    for section in document.sections(old):
        lines = [entry.hash_entry(item.text) for item in items if section.body <= item.start <= section.end]
        is_here = any(line in present_here or line in present for line in lines)
        if section.line > last and section.path not in titles and lines and not is_here:
            last = section.end
            yield section, len(lines)
