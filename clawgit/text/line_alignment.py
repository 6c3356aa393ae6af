"""Which line of one text stands for which."""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from clawgit.text.unit import Unit, keys

_SMALL = 4_000  # cells of the exact table; above it, anchors by occurrence
_DEPTH = 24

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


_SURE = 32  # equal lines in a row that show where two texts go on together
_VARIED = 8  # of which so many must differ from each other
_AHEAD = 48  # how far to look for them
_TRIES = 64
_LARGE = 256  # lines; below, cutting costs more than it saves
_EDGE = 16  # agreeing lines left on each side of a change, as its context

_Rows = list[str]


class Run(NamedTuple):
    """`size` equal lines, from `old` in one text and from `new` in the other."""

    old: int
    new: int
    size: int


class Piece(NamedTuple):
    """Lines that agree, then lines that may not."""

    agreed: _Rows
    base: _Rows
    ours: _Rows
    theirs: _Rows


def pieces(base: _Rows, ours: _Rows, theirs: _Rows) -> list[Piece]:
    """Divide three texts so that each change stands with its surroundings in one piece.

    Joined, the pieces are the texts. Runs in C speed over what agrees: a few edits in 20,000 lines are cheap.
    """
    found: list[Piece] = []
    low = left = right = 0
    agreed: _Rows = []
    if max(len(base), len(ours), len(theirs)) < _LARGE:
        return [Piece([], base, ours, theirs)]
    for run in _common(runs(base, ours), runs(base, theirs)):
        skip = _EDGE if any(run[:3]) else 0
        ends = tuple(start + run[3] for start in run[:3])
        size = run[3] - skip - (_EDGE if ends != (len(base), len(ours), len(theirs)) else 0)
        if size > 0:
            b, i, j = (start + skip for start in run[:3])
            found.append(Piece(agreed, base[low:b], ours[left:i], theirs[right:j]))
            agreed = base[b : b + size]
            low, left, right = b + size, i + size, j + size
    return [*found, Piece(agreed, base[low:], ours[left:], theirs[right:])]


def _common(mine: list[Run], yours: list[Run]) -> Iterator[tuple[int, int, int, int]]:
    at = to = 0
    while at < len(mine) and to < len(yours):
        one, two = mine[at], yours[to]
        low, high = max(one.old, two.old), min(one.old + one.size, two.old + two.size)
        if high > low:
            yield low, one.new + low - one.old, two.new + low - two.old, high - low
        if one.old + one.size <= two.old + two.size:
            at += 1
        else:
            to += 1


def trimmed(base: _Rows, ours: _Rows, theirs: _Rows) -> tuple[_Rows, _Rows, _Rows]:
    """Cut off the lines that all three begin and end with."""
    room = min(len(base), len(ours), len(theirs))
    low = 0
    while low < room and base[low] == ours[low] == theirs[low]:
        low += 1
    tail = 0
    while tail < room - low and base[-1 - tail] == ours[-1 - tail] == theirs[-1 - tail]:
        tail += 1
    return base[low : len(base) - tail], ours[low : len(ours) - tail], theirs[low : len(theirs) - tail]


def runs(old: _Rows, new: _Rows) -> list[Run]:
    """Return stretches that surely stand for each other, in order; what lies between is left open."""
    found: list[Run] = []
    i = j = 0
    for _ in range(_TRIES):
        size = _same(old, new, i, j)
        if size:
            found.append(Run(i, j, size))
        i, j = i + size, j + size
        step = _resync(old, new, i, j)
        if step is None:
            break
        i, j = i + step[0], j + step[1]
    tail = _tail(old, new, i, j)
    return [*found, Run(len(old) - tail, len(new) - tail, tail)] if tail else found


def _same(old: _Rows, new: _Rows, i: int, j: int) -> int:
    """Return how many lines agree from here, by doubling and halving: slices compare fast."""
    low, high, reach = 0, min(len(old) - i, len(new) - j), _SURE
    while low + reach <= high and old[i + low : i + low + reach] == new[j + low : j + low + reach]:
        low, reach = low + reach, reach * 2
    while reach:
        if low + reach <= high and old[i + low : i + low + reach] == new[j + low : j + low + reach]:
            low += reach
        reach //= 2
    return low


def _resync(old: _Rows, new: _Rows, i: int, j: int) -> tuple[int, int] | None:
    if min(len(old) - i, len(new) - j) < _SURE:
        return None
    for far in range(1, _AHEAD):
        for near in range(far + 1):
            for a, b in ((near, far), (far, near)):
                block = old[i + a : i + a + _SURE]
                if (
                    len(block) == _SURE
                    and new[j + b : j + b + 1] == block[:1]
                    and new[j + b : j + b + _SURE] == block
                    and len(set(block)) >= _VARIED
                ):
                    return a, b
    return None


def _tail(old: _Rows, new: _Rows, i: int, j: int) -> int:
    size, room = 0, min(len(old) - i, len(new) - j)
    while size < room and old[-1 - size] == new[-1 - size]:
        size += 1
    return size


ALIKE = 60.0  # percent; from here on a line in a deleted line's place is that line, changed
_LOOKED_AT = 1_000  # characters of a line that are compared
_SMALL_SIDES = 900  # cells of the exact table
_NEAR = 8


class Side(Struct, frozen=True):
    """Deeds by base line: inserts before it, its changed value, the block that took its place.

    `still` holds the lines left as they were, `fresh` all lines that were not in the stretch before.
    """

    units: tuple[Unit, ...]
    fresh: list[Unit] = field(default_factory=list)
    inserts: dict[int, list[Unit]] = field(default_factory=dict)
    values: dict[int, Unit] = field(default_factory=dict)
    still: dict[int, Unit] = field(default_factory=dict)
    rewrites: dict[int, tuple[str, ...]] = field(default_factory=dict)


def side(base: list[Unit], units: list[Unit], where: list[int]) -> Side:
    """Sort a side's units into deeds; `where` gives for each base line its index in `units`, or below 0."""
    found = Side(tuple(units))
    low = start = 0
    for at in range(len(base) + 1):
        stop = len(units) if at == len(base) else where[at]
        if stop < start:
            continue
        _block(found, base[low:at], units[start:stop], low)
        if at < len(base):
            found.still[at] = units[stop]
        low, start = at + 1, stop + 1
    return found


def _block(found: Side, base: list[Unit], units: list[Unit], offset: int) -> None:
    found.fresh.extend(units)
    low = start = 0
    for i, j in [*pairs(keys(base), keys(units)), (len(base), len(units))]:
        rest = units[start:j]
        if rest:
            found.inserts.setdefault(offset + low, []).extend(rest)
            found.rewrites.update(dict.fromkeys(range(offset + low, offset + i), keys(rest)))
        if i < len(base):
            found.values[offset + i] = units[j]
        low, start = i + 1, j + 1


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
        best = max(near, key=lambda j: (alike(line, new[j]), -j), default=-1)
        if best >= 0 and alike(line, new[best]) >= ALIKE:
            found.append((i, best))
            start = best + 1
    return found


def alike(one: str, two: str) -> float:
    """Return how alike two lines are, 0 to 100, by their first thousand characters."""
    from rapidfuzz import fuzz  # noqa: PLC0415 - most merges never need it

    return fuzz.ratio(one[:_LOOKED_AT].strip(), two[:_LOOKED_AT].strip())


def _best(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    score = [[alike(a, b) for b in new] for a in old]
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
