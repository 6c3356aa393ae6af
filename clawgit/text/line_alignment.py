"""Matches the lines of two texts."""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import Match, SequenceMatcher

from clawgit.text.unit import read_setting

_MAX_CELLS = 200_000_000  # pairs of lines that are compared exactly, with a bit for each
_WORD = re.compile(r"\w+")


def find_blocks(old: Sequence[str], new: Sequence[str]) -> list[Match]:
    """Return the runs of equal lines, the last one empty and behind both texts.

    They are a longest common subsequence; of very many lines an approximation.
    """
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - many commands compare no texts

    if len(old) * len(new) > _MAX_CELLS:
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
    words = [Counter(_WORD.findall(line)) for line in (left_text, right_text)]
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
