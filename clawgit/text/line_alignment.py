"""Which line of one text stands for which."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

_SMALL = 4_000  # cells of the exact table; above it, anchors by occurrence
_DEPTH = 24
_WORD = re.compile(r"\w+")

_Span = tuple[int, int, int, int]


def align(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """Return for each line of `old` its index in `new`, or -1; indexes only grow.

    Patience diff (B. Cohen): equal ends first, then lines that are unique on both sides. Where none is
    left, a small rest gets an exact table and a large one pairs n-th occurrences: n log n at worst.
    """
    found = [-1] * len(old)
    stack = [(0, len(old), 0, len(new), 0)]
    while stack:
        low, high, start, stop, depth = stack.pop()
        while low < high and start < stop and old[low] == new[start]:
            found[low] = start
            low, start = low + 1, start + 1
        while low < high and start < stop and old[high - 1] == new[stop - 1]:
            high, stop = high - 1, stop - 1
            found[high] = stop
        if low == high or start == stop or depth > _DEPTH:
            continue
        anchors, exact = _anchors(old, new, (low, high, start, stop), last=depth == _DEPTH)
        for i, j in anchors:
            found[i] = j
        if not exact and anchors:
            stack.extend((*span, depth + 1) for span in _between(anchors, (low, high, start, stop)))
    return found


def _between(anchors: list[tuple[int, int]], span: _Span) -> Iterable[_Span]:
    low, high, start, stop = span
    for i, j in [*anchors, (high, stop)]:
        if i > low and j > start:
            yield (low, i, start, j)
        low, start = i + 1, j + 1


def _anchors(old: Sequence[str], new: Sequence[str], span: _Span, *, last: bool) -> tuple[list[tuple[int, int]], bool]:
    low, high, start, stop = span
    if not last:
        here, there = _unique(old, low, high), _unique(new, start, stop)
        pairs = [(i, there[line]) for line, i in here.items() if line in there]
        if pairs:
            return _increasing(pairs), False
    if (high - low) * (stop - start) <= _SMALL:
        return _table(old[low:high], new[start:stop], low, start), True
    mine, yours = _numbered(old, low, high), _numbered(new, start, stop)
    return _increasing([(i, yours[line]) for line, i in mine.items() if line in yours]), last


def _unique(lines: Sequence[str], low: int, high: int) -> dict[str, int]:
    seen: dict[str, int] = {}
    for i in range(low, high):
        seen[lines[i]] = -1 if lines[i] in seen else i
    return {line: i for line, i in seen.items() if i >= 0}


def _numbered(lines: Sequence[str], low: int, high: int) -> dict[Hashable, int]:
    count: dict[str, int] = {}
    named: dict[Hashable, int] = {}
    for i in range(low, high):
        count[lines[i]] = count.get(lines[i], 0) + 1
        named[lines[i], count[lines[i]]] = i
    return named


def _increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Keep the longest run of pairs (sorted by the first) in which the second grows too."""
    tops: list[int] = []
    heads: list[int] = []
    back: list[int] = []
    for at, (_, j) in enumerate(pairs):
        place = bisect_left(tops, j)
        tops[place : place + 1] = [j]
        heads[place : place + 1] = [at]
        back.append(heads[place - 1] if place else -1)
    chain: list[tuple[int, int]] = []
    at = heads[-1] if heads else -1
    while at >= 0:
        chain.append(pairs[at])
        at = back[at]
    return chain[::-1]


def _table(old: Sequence[str], new: Sequence[str], low: int, start: int) -> list[tuple[int, int]]:
    """Return a longest common subsequence, the earliest of equals."""
    rows = [[0] * (len(new) + 1)]
    for line in reversed(old):
        below, row = rows[-1], [0] * (len(new) + 1)
        for j in range(len(new) - 1, -1, -1):
            row[j] = below[j + 1] + 1 if line == new[j] else max(below[j], row[j + 1])
        rows.append(row)
    rows.reverse()
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        if old[i] == new[j]:
            pairs.append((low + i, start + j))
            i, j = i + 1, j + 1
        elif rows[i + 1][j] >= rows[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


ALIKE = 60.0  # percent; from here on a line in a deleted line's place is that line, changed
_FEW_WORDS = 3
_LOOKED_AT = 1_000  # characters of a line that are compared
_SMALL_SIDES = 900  # cells of the exact table
_NEAR = 8


def pairs(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Pair lines of two unequal blocks that are alike, in order."""
    if not old or not new:
        return []
    if len(old) * len(new) <= _SMALL_SIDES:
        return _best(old, new)
    found: list[tuple[int, int]] = []
    start = 0
    for i, line in enumerate(old):
        near = range(start, min(start + _NEAR, len(new)))
        best = max(near, key=lambda j: (measure_likeness(line, new[j]), -j), default=-1)
        if best >= 0 and measure_likeness(line, new[best]) >= ALIKE:
            found.append((i, best))
            start = best + 1
    return found


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


def _best(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    score = [[measure_likeness(a, b) for b in new] for a in old]
    rows = [[0.0] * (len(new) + 1)]
    for line in reversed(score):
        below, row = rows[-1], [0.0] * (len(new) + 1)
        for j in range(len(new) - 1, -1, -1):
            taken = below[j + 1] + line[j] if line[j] >= ALIKE else 0.0
            row[j] = max(taken, below[j], row[j + 1])
        rows.append(row)
    rows.reverse()
    found: list[tuple[int, int]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        if score[i][j] >= ALIKE and rows[i][j] == rows[i + 1][j + 1] + score[i][j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif rows[i][j] == rows[i + 1][j]:
            i += 1
        else:
            j += 1
    return found
