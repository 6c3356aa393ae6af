"""Which line of one text stands for which."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

_MAX_CELLS = 200_000_000  # pairs of lines that are compared exactly, with a bit for each
_WORD = re.compile(r"\w+")


def align(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """Return for each line of `old` its index in `new`, or -1; indexes only grow.

    A longest common subsequence; of very many lines an approximation.
    """
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - many commands compare no texts

    places = [-1] * len(old)
    if len(old) * len(new) > _MAX_CELLS:
        matches = SequenceMatcher(None, old, new).get_matching_blocks()
        blocks = [(match.a, match.b, match.size) for match in matches]
    else:
        blocks = [(block.a, block.b, block.size) for block in LCSseq.opcodes(old, new).as_matching_blocks()]
    for start, there, size in blocks:
        places[start : start + size] = range(there, there + size)
    return places


ALIKE = 60.0  # percent; from here on a line in a deleted line's place is that line, changed
_FEW_WORDS = 3
_LOOKED_AT = 1_000  # characters of a line that are compared
_MAX_PAIRS = 2_500  # of larger blocks no line is paired


def measure_likeness(one: str, two: str) -> float:
    """Return how alike two lines are, 0 to 100: by letters and by words, of the first thousand characters.

    Of lines with a beginning and an end in common the one that shares more words is more alike.
    """
    from rapidfuzz import fuzz  # noqa: PLC0415 - most merges never need it

    here, there = one[:_LOOKED_AT].strip(), two[:_LOOKED_AT].strip()
    letters = fuzz.ratio(here, there)
    words = [Counter(_WORD.findall(line)) for line in (here, there)]
    if letters < ALIKE or min(map(len, words)) < _FEW_WORDS:
        return letters
    shared = (words[0] & words[1]).total() * 200 / (words[0].total() + words[1].total())
    return (letters + shared) / 2


def pairs(
    old: Sequence[str], new: Sequence[str], measure: Callable[[str, str], float] = measure_likeness
) -> list[tuple[int, int]]:
    """Pair lines of two unequal blocks that are alike, the most alike first, in order."""
    if not old or not new or len(old) * len(new) > _MAX_PAIRS:
        return []
    scores = ((measure(a, b), -i, -j) for i, a in enumerate(old) for j, b in enumerate(new))
    found: list[tuple[int, int]] = []
    for _, i, j in sorted((score for score in scores if score[0] >= ALIKE), reverse=True):
        if all((-i - a) * (-j - b) > 0 for a, b in found):
            found.append((-i, -j))
    return sorted(found)
