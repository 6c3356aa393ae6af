"""Merges two texts that grew from one, entry by entry.

| one side | the other | merged |
|---|---|---|
| deleted | unchanged, or back to the base's text | gone; between machines a heading with new lines below it stays |
| deleted | reformatted | gone |
| deleted | reworded | the reworded line, and a conflict |
| reworded | reformatted | the new words |
| reworded | reworded | the newer; the other one in the conflict |
| corrected | anything | the correction; a rewording in the conflict |
| ticked | reworded | reworded and ticked |
| moved | edited | moved and edited |
| added | the same added | once |

Reformatted are another bullet, emphasis, white space or line ends. Which line is newer, or a correction, three texts do
not say: `rank` does. Without it nobody decides, and both lines stand, one below the other.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, takewhile
from typing import Literal, TypeVar

from msgspec import Struct, field

from clawgit.text import document
from clawgit.text.diff import find_blocks, pairs
from clawgit.text.unit import (
    LISTED,
    PLAIN,
    Anchors,
    Unit,
    divide_blocks,
    heading_level,
    is_listed,
    keys,
    list_anchors,
    name_units,
    read_box,
    read_setting,
    read_units,
    tick,
    unwrap,
)

Name = Literal["ours", "theirs"]
Rank = Callable[[Name, str], tuple[bool, float, str]]
"""Returns of a line of a side whether it is a correction, when it was written (seconds since 1970), and an id."""

_MAX_REPLACED_LINES = 5


class Conflict(Struct, frozen=True):
    """Lines on which the sides disagree, "" for none; `kept` are those in the merge."""

    base: str
    ours: str
    theirs: str
    kept: Literal["ours", "theirs", "both"] = "both"


class Merged(Struct, frozen=True):
    """The merged text, whole in any case, and the disagreements of the sides."""

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
    # The order of the sides is that of their bytes, so that both machines get the same text.
    names: tuple[Name, Name] = ("ours", "theirs") if ours < theirs else ("theirs", "ours")
    left, right = sorted((ours, theirs))
    ending = _choose_line_ending(root, left, right)
    if ending:
        root, left, right = (document.convert(text, ending) for text in (root, left, right))
    merging = _Merging(root, left, right, ending or document.eol(root), names, rank)
    text = "".join("".join(unit.blank) + unit.text + unit.eol for unit in merging.units())
    was, *ended = (document.ends_with_newline(text) for text in (root, left, right))
    # Of two different final line ends one is a change, and that counts.
    final = ended[0] if ended[0] == ended[1] else not was
    return Merged(document.join_lines(document.split(text), merging.ending, final=final), tuple(merging.conflicts))


def revert(before: str, after: str, now: str) -> Merged:
    """Undo the change from `before` to `after` in `now`, or return the conflicts with later changes.

    With nothing left to undo the text is `now`; with nothing changed since, it is `before`.
    """
    return merge(after, now, before)


class _Side(Struct):
    """A side's lines against those of the base.

    `places` has for each base line its index here, or -1; `base_of` the reverse. `moved` are base lines that are
    elsewhere in the order, `replaced` deleted ones with the lines that came instead.
    """

    units: list[Unit]
    places: list[int]
    moved: set[int] = field(default_factory=set)
    replaced: dict[int, tuple[Unit, ...]] = field(default_factory=dict)
    base_of: dict[int, int] = field(default_factory=dict)


def _align_side(base: list[Unit], units: list[Unit], base_anchors: Anchors, anchors: Anchors) -> _Side:
    side = _Side(units, [-1] * len(base))
    for start, other, size in find_blocks(base_anchors[1], anchors[1]):
        for index, place in zip(base_anchors[0][start : start + size], anchors[0][other : other + size], strict=True):
            side.places[index] = place
    side.moved = _find_moved(base, side)
    for old_indexes, new in list(_read_gaps(side)):
        before, after = [base[index].key for index in old_indexes], [units[place].key for place in new]
        reworded = {old_indexes[old]: new[fresh] for old, fresh in pairs(before, after)}
        for index, place in reworded.items():
            side.places[index] = place
        rest = tuple(units[place] for place in new if place not in reworded.values())
        side.replaced |= dict.fromkeys((index for index in old_indexes if index not in reworded), rest)
    side.base_of = {place: index for index, place in enumerate(side.places) if place >= 0}
    return side


def _find_moved(base: list[Unit], side: _Side) -> set[int]:
    """Match the lines that are gone once from their place and are once elsewhere; return them."""
    new_places = set(side.places)
    missing = [index for index, place in enumerate(side.places) if place < 0 and any(map(str.isalnum, base[index].key))]
    new = [place for place in range(len(side.units)) if place not in new_places]
    old_counts = Counter(base[index].key for index in missing)
    new_counts = Counter(side.units[place].key for place in new)
    places = {side.units[place].key: place for place in new}
    # Among several equal lines it is unknown which of them moved.
    moves = {index for index in missing if old_counts[base[index].key] == new_counts[base[index].key] == 1}
    for index in moves:
        side.places[index] = places[base[index].key]
    return moves


def _read_gaps(side: _Side) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the base lines that are missing between two that stay, with the lines that are new there."""
    places, new_places = side.places, set(side.places)
    bounds = [-1, *places, len(side.units)]
    loose_indexes = side.moved.union(index for index, place in enumerate(places) if place < 0)
    for _, pairs_of_block in groupby(enumerate(sorted(loose_indexes)), lambda pair: pair[1] - pair[0]):
        indexes = [index for _, index in pairs_of_block]
        missing = [index for index in indexes if places[index] < 0]
        if missing:
            new = range(bounds[indexes[0]] + 1, bounds[indexes[-1] + 2])
            yield missing, [number for number in new if number not in new_places]


def _find_twins(left: _Side, right: _Side) -> dict[int, int]:
    """Return the lines of the second side that the first one added as well, in the same section."""
    names = [name_units(side.units, side.base_of) for side in (left, right)]
    waiting = defaultdict(list)
    # From the end, so that `pop` takes the first of equal lines.
    for place, name in reversed(names[0].items()):
        waiting[name].append(place)
    return {place: waiting[name].pop() for place, name in names[1].items() if waiting[name]}


_Spot = int | tuple[int, int]
"""A line of the base, or one that a side has at a place where the base has it not: the side and its index there."""
_START = -1


class _Merging:
    """One merge of two sides in an order that their texts decide."""

    def __init__(
        self, base: str, left: str, right: str, ending: str, names: tuple[Name, Name], rank: Rank | None
    ) -> None:
        self.ending, self._names, self._rank = ending, names, rank
        self.conflicts: list[Conflict] = []
        lists = [read_units(text, ending) for text in (base, left, right)]
        self._ends = [units.pop() for units in lists]
        # A paragraph that one side wrapped anew has other lines everywhere: it is wrapped as on the other side first.
        is_wrapped = any(not unit.level for units in lists for unit in units)
        for side, other in ((1, 2), (2, 1)) if is_wrapped else ():  # a block that the other one changed
            stay = {"", *(words for words, _ in divide_blocks(lists[other]))}
            lists[side] = list(unwrap(lists[side], {w: block for w, block in divide_blocks(lists[0]) if w not in stay}))
        self._base = lists[0]
        anchors = list_anchors(*lists)
        one_side, two_side = (_align_side(lists[0], lists[n], anchors[0], anchors[n]) for n in (1, 2))
        self._sides = one_side, two_side
        for number in (0, 1):
            self._exchange_copies(number)
        self._places = list(zip(range(len(lists[0])), one_side.places, two_side.places, strict=True))
        self._texts = self._base, lists[1], lists[2]
        self._twins = _find_twins(*self._sides)
        self._twinned = {(0, place): place_of_twin for place_of_twin, place in self._twins.items()}
        self._moved: dict[int, _Spot] = {}
        # The merge is a linked list of lines, begun with those of the base; both sides are woven into it.
        self._next: dict[_Spot, _Spot] = {index - 1: index for index in range(len(self._base))}

    def units(self) -> list[Unit]:
        """Return the lines of the merge, the last unit being its end."""
        # Moved lines first: an added line follows the line before it to its new place.
        for moves in (True, False):
            for number in (0, 1):
                self._weave(number, moves=moves)
        result: list[tuple[Unit, _Spot]] = []
        spot: _Spot = _START
        while (spot := self._next.get(spot, _START)) != _START:
            result += ((unit, spot) for unit in self._settle(spot))
        return [*self._space(result), _choose_format(*self._ends)]

    def _exchange_copies(self, number: int) -> None:
        """Let a side have deleted the copies before or behind reworded lines that it lacks, if its text allows it."""
        side, base, other = self._sides[number], self._base, 1 - number
        for missing in [missing for missing, new in _read_gaps(side) if not new]:
            reworded = {index: units for index in missing if (units := self._read_new_words(other, index))}
            for step in (-1, 1) if reworded else ():
                places, lines, count = list(side.places), range(missing[0], missing[-1] + 1), len(reworded)
                while count:
                    new, old = (lines[0] - 1, lines[-1]) if step < 0 else (lines[-1] + 1, lines[0])
                    is_copy = 0 <= new < len(base) and base[new].key == base[old].key and new not in side.moved
                    if not is_copy or places[new] < 0 or places[old] >= 0:
                        break
                    places[old], places[new] = places[new], -1
                    count += bool(self._read_new_words(other, new)) - bool(self._read_new_words(other, old))
                    lines = range(lines[0] + step, lines[-1] + 1 + step)
                else:
                    side.places, side.replaced = places, {**side.replaced, **dict.fromkeys(lines, ())}
                    side.base_of = {place: index for index, place in enumerate(places) if place >= 0}
                    for index, units in reworded.items():
                        if not any(self._read_rank(other, unit)[0] for unit in units):
                            self._disagree(base[index], units * number, units * other, other)
                    break

    def _read_new_words(self, number: int, index: int) -> tuple[Unit, ...]:
        """Return the lines of a side in the place of one of the base, none for an unchanged or deleted one."""
        side = self._sides[number]
        if (place := side.places[index]) < 0:
            return self._read_replacements(number, index)
        return () if side.units[place].key == self._base[index].key else (side.units[place],)

    def _weave(self, number: int, *, moves: bool) -> None:
        """Put the moved lines of a side, or the added ones, behind the lines that it has before them.

        A line added to a section that the other side moved goes with it.
        """
        side, other = self._sides[number], self._sides[1 - number]
        spot: _Spot = _START
        is_elsewhere = False
        for place, unit in enumerate(side.units):
            index = side.base_of.get(place)
            if heading_level(unit.key):
                is_elsewhere = index in other.moved
            if index is None and moves:
                continue
            if index is None and number and place in self._twins:
                spot = 0, self._twins[place]
            elif index is None:
                spot = self._insert(spot, (number, place))
            elif index not in side.moved:
                spot = self._moved.get(index, index) if is_elsewhere else index
            elif index not in self._moved:
                spot = self._moved[index] = self._insert(spot, (number, place))
            elif self._moved[index] == (number, place):
                spot = number, place

    def _insert(self, spot: _Spot, new: tuple[int, int]) -> _Spot:
        """Put a line behind a spot and behind the other side's lines there that do not end the block above both."""
        unit, is_first = self._unit(new), True
        level = unit.level
        is_heading = 0 < level < PLAIN
        is_joined = isinstance(spot, tuple) and spot[0] == new[0] and not is_heading  # to the line before it
        while isinstance(after := self._next.get(spot), tuple) and after[0] != new[0] and after not in self._twinned:
            other = self._unit(after)
            is_between = isinstance(spot, tuple) and spot[0] == after[0] and after[1] in self._sides[after[0]].base_of
            if is_joined or is_between or (other.level and (not level or other.level < level)):
                break
            if other.level == level and (is_first or is_heading) and self._words(new) < self._words(after):
                break
            spot, is_first = after, False
        self._next[new], self._next[spot] = self._next.get(spot, _START), new
        return new

    def _unit(self, spot: tuple[int, int]) -> Unit:
        return self._sides[spot[0]].units[spot[1]]

    def _words(self, spot: tuple[int, int]) -> tuple[str, ...]:
        """Return the keys of a line and of the one behind it: two notes of one minute differ in the second."""
        return keys(self._sides[spot[0]].units[spot[1] : spot[1] + 2])

    def _settle(self, spot: _Spot) -> list[Unit]:
        """Return what becomes of a line, by the table."""
        if spot in self._moved:
            return []
        index, first, second = self._find_places(spot)
        left = self._texts[1][first] if first >= 0 else None
        right = self._texts[2][second] if second >= 0 else None
        base = self._base[index] if index >= 0 else None
        if left and right:
            return self._settle_both(base, left, right)
        number, rest = (0, left) if left else (1, right)
        # Both sides took the line out.
        if base and rest is None:  # where both put other lines in its place, all of them stand
            left_lines, right_lines = self._read_replacements(0, index), self._read_replacements(1, index)
            if left_lines and right_lines and not set(keys(left_lines)) & set(keys(right_lines)):
                self._disagree(base, left_lines, right_lines)
        change = self._find_change_below(number, index) if base and rest and rest.key == base.key else "reworded"
        if rest is None or not change:
            return []
        is_alone = base and rest.key == base.key and (change == "reworded" or base.level < LISTED)
        if base is None or is_alone or self._read_rank(number, rest)[0]:
            return [rest]
        instead = self._read_replacements(1 - number, index)
        mine, theirs = ((rest,), instead) if number == 0 else (instead, (rest,))
        self._disagree(base, mine, theirs, None if instead else number)
        return [rest]

    def _find_change_below(self, number: int, index: int) -> Literal["reworded", "new", ""]:
        """Return how a side changed the lines below a heading or a bullet, or a block, that the other deleted."""
        side, other, base = self._sides[number], self._sides[1 - number], self._base
        first = next((place for place in range(index, -1, -1) if base[place].level), index)
        if side.places[first] < 0:
            return ""
        level = base[first].level if base[first].level != PLAIN else 10 * PLAIN  # below a paragraph no line is deeper

        def list_lines(units: list[Unit], start: int) -> list[int]:
            return [start, *takewhile(lambda line: not 0 < units[line].level <= level, range(start + 1, len(units)))]

        old = list_lines(base, first)
        has_other_heading = any(0 < unit.level < PLAIN for unit in other.replaced.get(first, ()))
        if has_other_heading or any(other.places[place] >= 0 for place in old):
            return ""
        if any(self._read_new_words(number, line) for line in old):
            return "reworded"
        new = (place for place in list_lines(side.units, side.places[first]) if place not in side.base_of)
        return "new" if any(level < PLAIN or side.units[place].level > LISTED for place in new) else ""

    def _settle_both(self, base: Unit | None, left: Unit, right: Unit) -> list[Unit]:
        sides = left, right
        if left.key == right.key:
            return [left if left == right else _choose_format(base, left, right)]
        # A tick and a rewording of one task are two edits of different parts of the line.
        if base and (box := _pick_change(*(read_box(unit.key) for unit in (base, left, right)))):
            base, left, right = (tick(unit, box) for unit in (base, left, right))
        blank = _pick_change(base and base.blank, left.blank, right.blank)
        if base and base.key in (left.key, right.key):
            return [(right if base.key == left.key else left)._replace(blank=blank)]
        # Three texts alone do not say which line is newer: both stay, and the caller asks.
        if self._rank is None and not read_setting(left.key):
            self._disagree(base, (left,), (right,))
            return [left._replace(blank=blank), right._replace(blank=()) if is_listed(right.key) else right]
        ranks = [(*self._read_rank(number, unit), unit.text) for number, unit in enumerate(sides)]
        winner = 0 if ranks[0] > ranks[1] else 1
        self._disagree(base, (left,), (right,), winner)
        return [(left, right)[winner]._replace(blank=blank)]

    def _read_replacements(self, number: int, index: int) -> tuple[Unit, ...]:
        """Return the lines that a side put in the place of one that it deleted, none for a whole block of them."""
        units = self._sides[number].replaced.get(index, ())
        return units if len(units) <= _MAX_REPLACED_LINES else ()

    def _read_rank(self, number: int, unit: Unit) -> tuple[bool, float, str]:
        return self._rank(self._names[number], unit.text) if self._rank else (False, 0.0, "")

    def _disagree(
        self, base: Unit | None, left: Iterable[Unit], right: Iterable[Unit], winner: int | None = None
    ) -> None:
        texts = ("\n".join(unit.text for unit in side) for side in (left, right))
        sides = dict(zip(self._names, texts, strict=True))
        side_name = "both" if winner is None else self._names[winner]
        conflict = Conflict(base.text if base else "", sides["ours"], sides["theirs"], side_name)
        if not any((other.ours, other.theirs) == (conflict.ours, conflict.theirs) for other in self.conflicts):
            self.conflicts.append(conflict)

    def _space(self, lines: list[tuple[Unit, _Spot]]) -> Iterator[Unit]:
        """Yield the lines, each with the blank lines that it has below a block of that kind in one of the texts.

        Without such a text Markdown's one blank line divides blocks, and none divides bullets.
        """
        before: Unit | None = None
        head: Unit | None = None  # the first line of the block of the one above
        upper: _Spot = _START
        for unit, spot in lines:
            blank = unit.blank
            if before and head and unit.level and spot != upper:
                kinds = _find_kind(head), _find_kind(unit)
                places = zip(self._texts, self._find_places(spot), strict=True)
                blanks = [
                    text[place].blank for text, place in places if place > 0 and _find_kinds(text, place) == kinds
                ]
                if blank not in blanks:
                    blank = blanks[0] if blanks else () if kinds == ("list", "list") else (self.ending,)
            yield unit if blank is unit.blank else unit._replace(blank=blank)
            before, upper, head = unit, spot, unit if unit.level else head

    def _find_places(self, spot: _Spot) -> tuple[int, int, int]:
        """Return where a line is in the base and on both sides, -1 for nowhere."""
        index = spot if isinstance(spot, int) else self._sides[spot[0]].base_of.get(spot[1], -1)
        if index >= 0 or isinstance(spot, int):
            return self._places[index]
        return (-1, spot[1], self._twinned.get(spot, -1)) if spot[0] == 0 else (-1, -1, spot[1])


def _find_kind(unit: Unit) -> str:
    return "heading" if heading_level(unit.key) else "list" if is_listed(unit.key) else "text"


def _find_kinds(units: list[Unit], place: int) -> tuple[str, str]:
    """Return of which kinds the block above a line and the line are."""
    head = next((units[index] for index in range(place - 1, -1, -1) if units[index].level), units[0])
    return _find_kind(head), _find_kind(units[place])


_Value = TypeVar("_Value", str, tuple[str, ...])


def _pick_change(base: _Value | None, left: _Value, right: _Value) -> _Value:
    """Return the value as the side that changed it has it; of two changes the larger."""
    if left == base:
        return right
    if right in (base, left):
        return left
    return max(left, right, key=lambda value: (len(value), value))


def _choose_format(base: Unit | None, left: Unit, right: Unit) -> Unit:
    """Return a line that both have, its form, spacing and end as the side that changed them has it."""
    text, blank, eol = zip(*(unit[1:4] if unit else (None, None, None) for unit in (base, left, right)), strict=True)
    return left._replace(text=_pick_change(*text), blank=_pick_change(*blank), eol=_pick_change(*eol))


def _choose_line_ending(base: str, left: str, right: str) -> str:
    """Return the line ending that all texts take because a side was converted to it; "" for none."""
    was, left_ending, right_ending = (document.uniform(text) for text in (base, left, right))
    if left_ending and right_ending:
        return _pick_change(was, left_ending, right_ending)
    lone, other = (left_ending, right_ending) if left_ending else (right_ending, left_ending)
    return "" if not lone or was in {lone, ""} or (other is None and was == "") else lone
