"""Weaves two descendants of one list of lines."""

from collections import Counter

from msgspec import Struct

from clawgit.text.line_alignment import Side, align, side
from clawgit.text.merge_union import join
from clawgit.text.unit import Unit, contains, fuller, keys


class Clash(Struct, frozen=True):
    """A stretch that both sides changed, each in its way."""

    base: tuple[Unit, ...]
    ours: tuple[Unit, ...]
    theirs: tuple[Unit, ...]


def weave(base: list[Unit], ours: list[Unit], theirs: list[Unit]) -> tuple[list[Unit], list[Clash]]:
    """Return the woven units and what could not be woven.

    Lines that stand in all three are fixed; between two of them each stretch is decided on its own. The
    last unit of each list is the end of the text.
    """
    mine, yours = align(keys(base[:-1]), keys(ours[:-1])), align(keys(base[:-1]), keys(theirs[:-1]))
    mine.append(len(ours) - 1)
    yours.append(len(theirs) - 1)
    out: list[Unit] = []
    clashes: list[Clash] = []
    low = left = right = 0
    for at, (i, j) in enumerate(zip(mine, yours, strict=True)):
        if i < 0 or j < 0:
            continue
        if at > low or i > left or j > right:
            one = side(base[low:at], ours[left:i], [i - left for i in mine[low:at]])
            two = side(base[low:at], theirs[right:j], [j - right for j in yours[low:at]])
            clash = _clash(base[low:at], one, two)
            out += [] if clash else _stretch(base[low:at], one, two)
            clashes += [clash] if clash else []
        out.append(_kept(base[at], ours[i], theirs[j]))
        low, left, right = at + 1, i + 1, j + 1
    return out, clashes


def _kept(base: Unit, ours: Unit, theirs: Unit) -> Unit:
    """Decide spacing and line end of a line that both keep: who changed it wins, then the larger."""
    if theirs in (ours, base):
        return ours._replace(first=False)
    if ours == base:
        return theirs._replace(first=False)
    larger = fuller(ours, theirs)
    blank = theirs.blank if ours.blank == base.blank else ours.blank if theirs.blank == base.blank else larger.blank
    eol = theirs.eol if ours.eol == base.eol else ours.eol if theirs.eol == base.eol else larger.eol
    return Unit(ours.key, blank, eol)


def _stretch(base: list[Unit], one: Side, two: Side) -> list[Unit]:
    """Return what stands between two fixed lines, the sides being compatible."""
    if one.fresh and two.fresh:
        if contains(one.fresh, two.fresh) and contains(two.fresh, one.fresh):
            return [fuller(a, b) for a, b in zip(one.fresh, two.fresh, strict=True)]
        if base and contains(one.fresh, two.fresh):
            return list(one.fresh)
        if base and contains(two.fresh, one.fresh):
            return list(two.fresh)
    out: list[Unit] = []
    for at in range(len(base) + 1):
        out += join(one.inserts.get(at, []), two.inserts.get(at, []))
        here, there = one.values.get(at), two.values.get(at)
        if here and there:
            out.append(fuller(here, there) if here.key == there.key else here)
        elif here:
            out += _changed(base[at], here, two, at)
        elif there:
            out += _changed(base[at], there, one, at)
    return out


def _changed(base: Unit, value: Unit, other: Side, at: int) -> list[Unit]:
    """Return a changed line, unless the other side wrote the very line elsewhere in the stretch."""
    still = other.still.get(at)
    if still is None:
        return []
    same = _kept(base._replace(key=value.key), value, still._replace(key=value.key))
    return [same]


def _clash(base: list[Unit], one: Side, two: Side) -> Clash | None:
    mine, yours = set(keys(one.fresh)), set(keys(two.fresh))
    for at in range(len(base)):
        if not (_agree(one, two, at, yours) and _agree(two, one, at, mine)):
            return Clash(tuple(base), one.units, two.units)
        here, there = one.rewrites.get(at), two.rewrites.get(at)
        if here and there and not (_within(here, two) or _within(there, one)):
            return Clash(tuple(base), one.units, two.units)
    return None


def _within(rewrite: tuple[str, ...], other: Side) -> bool:
    return not Counter(rewrite) - Counter(keys(other.fresh))


def _agree(one: Side, two: Side, at: int, yours: set[str]) -> bool:
    """Tell whether the line that `one` made of line `at` can stand beside what `two` did."""
    value = one.values.get(at)
    if value is None or at in two.still or value.key in yours:
        return True
    rival = two.values.get(at)
    if rival is not None:
        return rival.key == value.key
    return at in two.rewrites and _within(two.rewrites[at], one)
