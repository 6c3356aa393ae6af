"""Merges two texts that grew from one, entry by entry.

| one side | the other | merged |
|---|---|---|
| deleted | unchanged, or back to the base's text | gone |
| deleted | reformatted | gone |
| deleted | reworded | the reworded line, and a conflict |
| reworded | reformatted | the new words |
| reworded | reworded | the newer; the other one in the conflict |
| corrected | anything | the correction |
| moved | edited | moved and edited |
| added | the same added | once |

Reformatted are another bullet, emphasis, white space or line ends. Which line is newer, or a correction, three texts do
not say: `rank` does. Without it nobody decides, and both lines stand, one below the other.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct, field

from clawgit.text import document
from clawgit.text.inserts import join_inserts
from clawgit.text.line_alignment import align, measure_likeness, pairs
from clawgit.text.unit import (
    Unit,
    choose_fuller,
    closes_fence,
    fence,
    heading_level,
    indent,
    is_listed,
    join_units,
    keys,
    read_units,
)

Name = Literal["ours", "theirs"]
Rank = Callable[[Name, str], tuple[bool, float, str]]
"""Returns of a line of a side whether it is a correction, when it was written (seconds since 1970), and an id."""

_SETTING = re.compile(r"([A-Za-z_]\w*)[ \t]*:")
_NUMBER = re.compile(r"\d+")
_START = -1
_SURELY_ALIKE, _MARGIN = 65.0, 8.0  # percent: from here on a line elsewhere is one that is gone, moved and reworded
_MAX_PAIRS = 400
_MAX_REPLACED_LINES = 5


class Conflict(Struct, frozen=True):
    """Lines on which the sides disagree, "" for none; `kept` says which of them stand in the merge."""

    base: str
    ours: str
    theirs: str
    kept: Literal["ours", "theirs", "both"] = "both"


class Merged(Struct, frozen=True):
    """The merged text, whole in any case, and what the sides disagree on."""

    text: str
    conflicts: tuple[Conflict, ...] = ()


def merge(base: str | None, ours: str, theirs: str, rank: Rank | None = None) -> Merged:
    """Merge two texts that grew from `base` (None: born on both sides) by the table above.

    The sides exchanged give the same bytes.
    """
    root = base or ""
    if theirs in {ours, root}:
        return Merged(ours)
    if ours == root:
        return Merged(theirs)
    names: tuple[Name, Name] = ("ours", "theirs") if ours < theirs else ("theirs", "ours")
    one, two = sorted((ours, theirs))
    ending = _choose_line_ending(root, one, two)
    if ending:
        root, one, two = (document.convert(text, ending) for text in (root, one, two))
    merging = _Merging(root, one, two, ending or document.eol(root), names, rank)
    rows = document.split(join_units(merging.units()))
    final = _choose_end(*(document.ends_with_newline(text) for text in (root, one, two)))
    return Merged(document.closed(rows, merging.ending, final=final), tuple(merging.conflicts))


class _Side(Struct):
    """A side's lines against those of the base.

    `places` has for each base line its index here, or -1; `base_of` the reverse. `moved` are base lines that stand
    elsewhere in the order, `replaced` deleted ones with the lines that came instead.
    """

    units: list[Unit]
    places: list[int]
    moved: set[int] = field(default_factory=set)
    replaced: dict[int, tuple[int, ...]] = field(default_factory=dict)
    base_of: dict[int, int] = field(default_factory=dict)


def _compare(base: list[Unit], units: list[Unit]) -> _Side:
    side = _Side(units, align(keys(base), keys(units)))
    side.moved = _find_moved(base, side)
    replaced = _place_reworded(base, side)
    _place_moved_reworded(base, side)
    placed = set(side.places)
    side.replaced = {
        at: rest
        for at, new in replaced.items()
        if side.places[at] < 0 and (rest := tuple(number for number in new if number not in placed))
    }
    side.base_of = {place: at for at, place in enumerate(side.places) if place >= 0}
    return side


def _place_reworded(base: list[Unit], side: _Side) -> dict[int, list[int]]:
    """Place the lines that others stand for in the same gap; return the new lines of the gap of each missing one."""
    placed, units = set(side.places), side.units
    low = start = 0
    gaps: dict[int, list[int]] = {}
    steady = [(at, place) for at, place in enumerate(side.places) if place >= 0 and at not in side.moved]
    for at, place in [*steady, (len(base), len(units))]:
        if at == low and place == start:
            low, start = at + 1, place + 1
            continue
        gone = [number for number in range(low, at) if side.places[number] < 0]
        new = [number for number in range(start, place) if number not in placed]
        for old, fresh in _pair_reworded([base[number].key for number in gone], [units[number].key for number in new]):
            side.places[gone[old]] = new[fresh]
        gaps |= dict.fromkeys(gone, new)
        low, start = at + 1, place + 1
    return gaps


def _find_moved(base: list[Unit], side: _Side) -> set[int]:
    """Place the lines that are gone once from their place and stand once elsewhere; return them."""
    placed = set(side.places)
    gone = [at for at, place in enumerate(side.places) if place < 0 and any(map(str.isalnum, base[at].key))]
    new = [number for number in range(len(side.units)) if number not in placed]
    here = Counter(base[at].key for at in gone)
    there = Counter(side.units[number].key for number in new)
    places = {side.units[number].key: number for number in new}
    moved = {at for at in gone if here[base[at].key] == there[base[at].key] == 1}
    for at in moved:
        side.places[at] = places[base[at].key]
    return moved


def _place_moved_reworded(base: list[Unit], side: _Side) -> None:
    """Place lines that were moved and reworded: alike, and no other new line, or missing one, is nearly as alike."""
    placed = set(side.places)
    gone = [at for at, place in enumerate(side.places) if place < 0 and is_listed(base[at].key)]
    new = [number for number, unit in enumerate(side.units) if number not in placed and is_listed(unit.key)]
    if not gone or not new or len(gone) * len(new) > _MAX_PAIRS:
        return
    scores = {
        (at, number): measure_likeness(_words(base[at].key), _words(side.units[number].key))
        for at in gone
        for number in new
    }
    for (at, number), score in scores.items():
        rivals = [
            other for pair, other in scores.items() if pair != (at, number) and (pair[0] == at or pair[1] == number)
        ]
        if _is_another(base[at].key, side.units[number].key):
            continue
        if score >= _SURELY_ALIKE and score >= max(rivals, default=0.0) + _MARGIN:
            side.places[at] = number
            side.moved.add(at)


def _is_another(old: str, new: str) -> bool:
    """Return whether a line may be another one and no new wording: numbers are gone, or it is little alike."""
    lost = set(_NUMBER.findall(old)) - set(_NUMBER.findall(new))
    return bool(lost) or measure_likeness(_words(old), _words(new)) < _SURELY_ALIKE


def _pair_reworded(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pair lines that are alike; a setting is the same one whatever its value."""
    if not old or not new:
        return
    settings = {_setting(key): at for at, key in enumerate(new) if _setting(key)}
    named = {at: settings[_setting(key)] for at, key in enumerate(old) if _setting(key) in settings}
    if named and len(set(named.values())) == len(named):
        yield from named.items()
        return
    yield from pairs([_words(key) for key in old], [_words(key) for key in new])


def _words(key: str) -> str:
    return key.lstrip("-#| ")


def _setting(key: str) -> str:
    match = _SETTING.match(key)
    return match[1] if match else ""


class _Merging:
    """One merge of two sides in an order that their texts decide."""

    def __init__(self, base: str, one: str, two: str, ending: str, names: tuple[Name, Name], rank: Rank | None) -> None:
        self.ending, self._names, self._rank = ending, names, rank
        self.conflicts: list[Conflict] = []
        lists = [read_units(text, ending, number) for number, text in enumerate((base, one, two))]
        self._ends = [units.pop() for units in lists]
        self._base = lists[0]
        self._sides = _compare(self._base, lists[1]), _compare(self._base, lists[2])
        self._movers: dict[int, int] = {}
        self._gaps: tuple[dict[int, list[int]], ...] = ()
        self._visited: set[int] = set()

    def units(self) -> list[Unit]:
        """Return the lines of the merge, the last unit being its end."""
        while True:
            self.conflicts.clear()
            self._visited.clear()
            self._movers = {at: self._choose_mover(at) for at in sorted(self._sides[0].moved | self._sides[1].moved)}
            self._gaps = tuple(self._read_gaps(number) for number in (0, 1))
            order = self._insert(_START)
            for at in range(len(self._base)):
                if at not in self._movers:
                    order += self._settle(at)
                    order += self._insert(at)
            lost = self._movers.keys() - self._visited
            if not lost:
                break
            for side in self._sides:  # each moved behind the other: this one stays where it was
                side.moved.discard(min(lost))
        return [*self._space(self._drop_twins(order)), _choose_format(*self._ends)]

    def _space(self, units: list[Unit]) -> list[Unit]:
        """Set blank lines where lines meet that had some between them, or a file's first line follows other text."""
        texts = self._base, *(side.units for side in self._sides)
        meeting = {(before.key, unit.key) for lines in texts for before, unit in pairwise(lines)}
        spaced = units[:1]
        for before, unit in pairwise(units):
            blank, in_list = unit.blank, is_listed(before.key) and is_listed(unit.key)
            if not blank and not in_list and (before.key, unit.key) not in meeting:
                blank = next(filter(None, (_find_blank(lines, before.key, unit.key) for lines in texts)), ())
                blank = blank or ((self.ending,) if unit.first else ())
            spaced.append(unit if blank is unit.blank else unit._replace(blank=blank))
        return spaced

    def _choose_mover(self, at: int) -> int:
        """Return the side that says where a moved line stands: of two the newer."""
        movers = [number for number, side in enumerate(self._sides) if at in side.moved]
        if len(movers) == 1:
            return movers[0]
        return max(movers, key=lambda number: (self._read_rank(number, self._unit(number, at)), -number))

    def _unit(self, number: int, at: int) -> Unit:
        return self._sides[number].units[self._sides[number].places[at]]

    def _read_rank(self, number: int, unit: Unit) -> tuple[bool, float, str]:
        return self._rank(self._names[number], unit.text) if self._rank else (False, 0.0, "")

    def _read_gaps(self, number: int) -> dict[int, list[int]]:
        """Return for each base line, or the start, the new and moved lines that a side has behind it."""
        gaps: dict[int, list[int]] = defaultdict(list)
        side = self._sides[number]
        anchor = _START
        for place in range(len(side.units)):
            at = side.base_of.get(place, _START)
            if at < 0 or at in side.moved:
                gaps[anchor].append(place)
            elif at not in self._movers or heading_level(self._base[at].key):
                anchor = at
        return gaps

    def _insert(self, anchor: int) -> list[Unit]:
        """Return what both sides have behind a base line."""
        if not any(anchor in gaps for gaps in self._gaps):
            return []
        return join_inserts(*(list(self._expand(number, anchor)) for number in (0, 1)))

    def _expand(self, number: int, anchor: int) -> Iterator[Unit]:
        side = self._sides[number]
        for place in self._gaps[number].get(anchor, ()):
            at = side.base_of.get(place, _START)
            if at < 0:
                yield side.units[place]
            elif self._movers.get(at) == number and at not in self._visited:
                yield from self._settle(at)
                yield from self._insert(at)

    def _settle(self, at: int) -> list[Unit]:
        """Return what becomes of a base line, by the table."""
        self._visited.add(at)
        base = self._base[at]
        one, two = (self._unit(number, at) if self._sides[number].places[at] >= 0 else None for number in (0, 1))
        if one and two:
            return self._settle_both(base, one, two)
        number, rest = (0, one) if one else (1, two)
        if rest is None:
            self._settle_replaced(at)
            return []
        if rest.key == base.key:
            return []
        if instead := _joined(self._replacements(1 - number, at)):
            texts = (rest.text, instead) if number == 0 else (instead, rest.text)
            self.conflicts.append(self._conflict(base.text, *texts, None))
        elif not self._read_rank(number, rest)[0]:
            self._disagree(base, one, two, number)
        return [rest._replace(side=0)]

    def _replacements(self, number: int, at: int) -> list[Unit]:
        """Return the lines that a side put in the place of one that it deleted, none for a whole block of them."""
        places = self._sides[number].replaced.get(at, ())
        return [self._sides[number].units[place] for place in places] if len(places) <= _MAX_REPLACED_LINES else []

    def _settle_both(self, base: Unit, one: Unit, two: Unit) -> list[Unit]:
        if one[:4] == two[:4]:
            return [base] if one[:4] == base[:4] and not base.first else [Unit(*one[:4])]
        if one.key == two.key:
            return [_choose_format(base._replace(key=one.key), one, two)]
        if base.key in (one.key, two.key):
            return [_space_as(base, one, two) if two.key == base.key else _space_as(base, two, one)]
        ranks = [self._read_rank(number, unit) for number, unit in enumerate((one, two))]
        winner = 0 if (*ranks[0], one.text) > (*ranks[1], two.text) else 1
        first, second = (one, two) if winner == 0 else (two, one)
        if self._rank is None:
            self._disagree(base, one, two, None)
            return [_space_as(base, one, two), two._replace(blank=() if is_listed(two.key) else two.blank, side=0)]
        is_corrected = ranks[winner][0] and not ranks[1 - winner][0]
        if not is_corrected or _is_another(base.key, second.key):
            self._disagree(base, one, two, winner)
        return [_space_as(base, first, second)]

    def _settle_replaced(self, at: int) -> None:
        """Note that both sides put other lines in the place of one: all of them stand."""
        one, two = self._replacements(0, at), self._replacements(1, at)
        if one and two and keys(one) != keys(two) and not set(keys(one)) & set(keys(two)):
            conflict = self._conflict(self._base[at].text, _joined(one), _joined(two), None)
            if not any((other.ours, other.theirs) == (conflict.ours, conflict.theirs) for other in self.conflicts):
                self.conflicts.append(conflict)

    def _disagree(self, base: Unit | None, one: Unit | None, two: Unit | None, winner: int | None) -> None:
        was, here, there = (unit.text if unit else "" for unit in (base, one, two))
        self.conflicts.append(self._conflict(was, here, there, winner))

    def _conflict(self, base: str, one: str, two: str, winner: int | None) -> Conflict:
        sides = dict(zip(self._names, (one, two), strict=True))
        return Conflict(base, sides["ours"], sides["theirs"], "both" if winner is None else self._names[winner])

    def _drop_twins(self, order: list[Unit]) -> list[Unit]:
        """Return the lines without those that both sides added in one section, and settings that both made."""
        if not {1, 2} <= {unit.side for unit in order}:
            return order
        kept: list[Unit] = []
        known: dict[tuple[int, str], list[int]] = defaultdict(list)
        scopes: list[tuple[int, int]] = []
        code = ""
        for number, unit in enumerate(order):
            mark = fence(unit.key)
            inside = bool(code) and not (mark and closes_fence(unit.key, code))
            if mark and not inside:
                code = "" if code else mark
            level = 0 if inside or mark else _level(unit)
            if level:
                scopes = [scope for scope in scopes if scope[0] < level]
            parent = scopes[-1][1] if scopes else 0
            name = _setting(unit.text) if inside else unit.key if unit.key.startswith("- ") and not mark else ""
            twin = next((at for at in known[parent, name] if kept[at].side + unit.side == 3), None)  # noqa: PLR2004 - 1, 2
            if unit.side and name and twin is not None and not _has_more(order, number):
                kept[twin] = self._join_twins(kept[twin], unit)
                continue
            if level:
                scopes.append((level, number + 1))
            if unit.side and name:
                known[parent, name].append(len(kept))
            kept.append(unit)
        return kept

    def _join_twins(self, one: Unit, two: Unit) -> Unit:
        if one.key == two.key:
            return choose_fuller(one, two)
        first, second = sorted((one, two), key=lambda unit: unit.side)
        ranks = [self._read_rank(number, unit) for number, unit in enumerate((first, second))]
        winner = 0 if (*ranks[0], first.text) > (*ranks[1], second.text) else 1
        self._disagree(None, first, second, winner)
        return _space_as(one, (first, second)[winner], one)._replace(side=0)


def _find_blank(lines: list[Unit], before: str, after: str) -> tuple[str, ...]:
    """Return the first blank lines between two lines of a text, or below the first if it is a heading; () for none."""
    blank: tuple[str, ...] | None = None
    for unit in lines:
        if blank is not None and (unit.key == after or heading_level(before)):
            return blank or unit.blank
        if unit.key == before:
            blank = ()
        elif blank is not None:
            blank = blank or unit.blank
    return ()


def _level(unit: Unit) -> int:
    return 10 + indent(unit.text) if unit.key.startswith("- ") else heading_level(unit.key)


def _has_more(order: list[Unit], number: int) -> bool:
    """Return whether what follows a line belongs to it."""
    following = order[number + 1] if number + 1 < len(order) else None
    return (
        bool(following)
        and following is not None
        and not following.blank
        and indent(following.text) > indent(order[number].text)
    )


def _joined(units: Iterable[Unit]) -> str:
    return "\n".join(unit.text for unit in units)


def _space_as(base: Unit, unit: Unit, other: Unit) -> Unit:
    """Return a line with the spacing that either side gave it."""
    return _choose_format(base._replace(key=unit.key, text=unit.text), unit, other._replace(text=unit.text))


def _choose_format(base: Unit, one: Unit, two: Unit) -> Unit:
    """Return a line that both keep, its form, spacing and end as the side that changed them has it."""
    larger = choose_fuller(one, two)

    def choose(was: object, here: object, there: object, else_: object) -> object:
        return here if there in (was, here) else there if here == was else else_

    text, blank, eol = (
        choose(*(getattr(unit, name) for unit in (base, one, two, larger))) for name in ("text", "blank", "eol")
    )
    return Unit(one.key, str(text), tuple(blank), str(eol))  # type: ignore[arg-type]


def _choose_line_ending(base: str, one: str, two: str) -> str:
    """Return the line ending that all texts take because a side was converted to it; "" for none."""
    was, here, there = (document.uniform(text) for text in (base, one, two))
    if here and there:
        return there if here == was else here if there == was else max(here, there)
    lone, other = (here, there) if here else (there, here)
    return "" if not lone or was in {lone, ""} or (other is None and was == "") else lone


def _choose_end(base: bool, one: bool, two: bool) -> bool:  # noqa: FBT001 - three alike
    return one if one == two else not base


def revert(before: str, after: str, now: str) -> Merged:
    """Undo the change from `before` to `after` in `now`, or tell the conflicts with what came later.

    With nothing left to undo the text is `now`; with nothing changed since, it is `before`.
    """
    return merge(after, now, before)
