"""What one side did to a stretch of lines."""

from collections.abc import Sequence

from msgspec import Struct, field

from clawgit.text.unit import Unit, keys

ALIKE = 60.0  # percent; from here on a line in a deleted line's place is that line, changed
_LOOKED_AT = 1_000  # characters of a line that are compared
_SMALL = 900  # cells of the exact table
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
    if len(old) * len(new) <= _SMALL:
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
