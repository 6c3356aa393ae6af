"""Follows the lines of a file through edits and merges."""

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.text import document
from clawgit.text.line_alignment import align
from clawgit.text.merging.equal_lines import Spot, folded
from clawgit.text.merging.event_graph import BASE, EventGraph, Values, standing
from clawgit.text.merging.text_pieces import TextPiece, line_pieces

Split = Callable[[str], list[TextPiece]]
Settle = Callable[[Sequence[str]], str]
"""Makes one text of the concurrent ones of a named piece, in the order of their rank; the last one ranks highest."""

_START = -1
_NOWHERE = -1


class Version(Struct, frozen=True):
    """A file after some events: the places that are shown, in order, and None for `places` where there is no file.

    `twins` are places that say the same as a shown one, `gone` those that were taken out, `left` those whose line was
    moved elsewhere, `values` what was written
    over what a place first said, `spaced` the headings that got an empty line above when they came below other text;
    `made` has a bit for each event that touched the file.
    """

    places: tuple[int, ...] | None
    twins: dict[int, tuple[int, ...]] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()
    left: frozenset[int] = frozenset()
    values: dict[int, Values] = field(default_factory=dict)
    spaced: frozenset[int] = frozenset()
    made: int = 0


class _Place(Struct, frozen=True):
    """Where a line was written; one that was moved there stood at `source` first."""

    event: int
    after: int
    piece: TextPiece
    source: int = _NOWHERE


class LineHistory:
    """All lines that a file ever had, each in its place after the line that stood before it when it was written.

    Lines are never compared by their number, so that the outcome of a merge depends on what was written after what, and
    not on who merges first. `journal` keeps notes apart that have the same heading.
    """

    def __init__(
        self, graph: EventGraph, text: str | None, split: Split = line_pieces, settle: Settle = max, *, journal: bool
    ) -> None:
        self.graph, self._split, self._settle, self._journal = graph, split, settle, journal
        self._places: list[_Place] = []
        self._next: dict[int, list[tuple[tuple[int, str], int]]] = {}
        self.start = Version(None)
        if text is not None:
            self.start = replace(self.edited(replace(self.start, places=()), BASE, text), made=0)

    def text(self, version: Version) -> str | None:
        """Return what the file says, None where there is none."""
        return None if version.places is None else "".join(self._raws(version))

    def contested(self, version: Version) -> list[tuple[str, list[str]]]:
        """Return the named pieces that were written in several ways, with these, in the order of their rank."""
        found = []
        for place in version.places or ():
            said = self._said(version, (place, *version.twins.get(place, ())))
            if self._places[place].piece.named and len(said) > 1:
                found.append((self._places[place].piece.key, said))
        return found

    def edited(self, version: Version, event: int, text: str | None) -> Version:
        """Return the version in which `event` made `text` of the file (None: deleted it)."""
        made = version.made | 1 << event
        old = version.places or ()
        pieces = self._split(text) if text is not None else []
        found = align([self._places[place].piece.key for place in old], [piece.key for piece in pieces])
        raws = self._raws(version)
        values, gone, left = dict(version.values), set[int](), set[int]()
        kept: dict[int, int] = {}
        moved = self._moved(old, found, pieces)
        sources = {at: self._root(place) for place, at in moved.items()}
        for at, (place, stands) in enumerate(zip(old, found, strict=True)):
            every = (place, *version.twins.get(place, ()))
            if stands >= 0:
                kept[stands] = place
                if pieces[stands].raw != raws[at]:
                    values |= {one: {event: pieces[stands].raw} for one in every}
            elif self._places[place].piece.named:
                values |= {one: {event: None} for one in every}
            elif place in moved:
                left.update(every)
            else:
                gone.update(every, map(self._root, every))
        places: list[int] = []
        for at, piece in enumerate(pieces):
            last = places[-1] if places else _START
            fresh = _Place(event, last, piece, sources.get(at, _NOWHERE))
            places.append(kept[at] if at in kept else self._add(fresh))
        shown = set(places)
        twins = {place: others for place, others in version.twins.items() if place in shown}
        spaced = version.spaced & (shown - values.keys())
        there = None if text is None else tuple(places)
        return Version(there, twins, version.gone | gone, version.left | left, values, spaced, made)

    def _moved(self, old: Sequence[int], found: Sequence[int], pieces: Sequence[TextPiece]) -> dict[int, int]:
        """Return the places whose line stands somewhere else now, with where, where that is told by its words alone."""
        taken = [self._places[place].piece for place, stands in zip(old, found, strict=True) if stands < 0]
        standing_ = {*found}
        new = {at: piece for at, piece in enumerate(pieces) if at not in standing_}
        once = Counter(piece.key for piece in taken), Counter(piece.key for piece in new.values())
        spots = {piece.key: at for at, piece in new.items() if not piece.named and once[1][piece.key] == 1}
        gone = (place for place, stands in zip(old, found, strict=True) if stands < 0)
        keys = ((place, self._places[place].piece) for place in gone)
        return {
            place: spots[piece.key]
            for place, piece in keys
            if piece.key in spots and once[0][piece.key] == 1 and not piece.named and piece.key.strip()
        }

    def _root(self, place: int) -> int:
        """Return where a line stood first."""
        source = self._places[place].source
        return place if source == _NOWHERE else source

    def joined(self, sides: Iterable[tuple[Version, int]]) -> Version:
        """Return what several versions come to, each with the event after which it stood; the same in any order."""
        every = list(sides)
        made = 0
        for version, _ in every:
            made |= version.made
        whole = next((version for version, _ in every if version.made == made), None)
        if whole is not None:
            return whole
        seen = self.graph.seen_by(event for _, event in every)
        gone = frozenset[int]().union(*(version.gone for version, _ in every))
        left = frozenset[int]().union(*(version.left for version, _ in every))
        away = gone | left
        values = {
            place: standing([(self._values(version, place), self.graph.seen[event]) for version, event in every])
            for place in dict.fromkeys(place for version, _ in every for place in version.values)
        }
        order = [
            place
            for place in self._order(seen)
            if place not in away and self._root(place) not in gone and self._alive(values.get(place))
        ]
        spots = [Spot(one.event, one.after, one.piece, one.source) for one in self._places] if order else []
        places, twins = folded(self.graph, spots, order, journal=self._journal)
        empty = any(version.places == () for version, _ in every)
        spaced = frozenset(place for place in places[1:] if place not in values and self._opened(place))
        return Version(tuple(places) if places or empty else None, twins, gone, left, values, spaced, made)

    def _add(self, place: _Place) -> int:
        number = len(self._places)
        self._places.append(place)
        depth, name = self.graph.rank(place.event)
        insort(self._next.setdefault(place.after, []), ((-depth, name), number))
        return number

    def _order(self, seen: int) -> list[int]:
        """Return the places of all events that were seen: after each line what was written after it, the newest first.

        What was written behind a line stays behind it, wherever that goes.
        """
        order: list[int] = []
        waiting = [_START]
        while waiting:
            place = waiting.pop()
            if place >= 0:
                if not seen >> self._places[place].event & 1:
                    continue
                order.append(place)
            waiting += [number for _, number in reversed(self._next.get(place, ()))]
        return order

    def _opened(self, place: int) -> bool:
        """Return whether a heading was the first line of its file."""
        one = self._places[place]
        return one.after == _START and one.event != BASE and one.piece.raw.startswith("#")

    def _values(self, version: Version, place: int) -> Values:
        found = version.values.get(place)
        one = self._places[place]
        return {one.event: one.piece.raw} if found is None else found

    @staticmethod
    def _alive(values: Values | None) -> bool:
        return values is None or any(value is not None for value in values.values())

    def _said(self, version: Version, places: Iterable[int]) -> list[str]:
        """Return what places say that are shown as one, each text once, the highest rank last."""
        ranked = sorted(
            (self.graph.rank(event), value)
            for place in places
            for event, value in self._values(version, place).items()
            if value is not None
        )
        return list(dict.fromkeys(value for _, value in reversed(ranked)))[::-1]

    def _raws(self, version: Version) -> list[str]:
        """Return the text of each place; a line that has another one below it now ends, and a heading has room."""
        rows: list[str] = []
        last = len(version.places or ()) - 1
        for at, place in enumerate(version.places or ()):
            said = self._said(version, (place, *version.twins.get(place, ()))) if self._several(version, place) else ()
            one = self._places[place]
            if len(said) > 1:
                raw = self._settle(said) if one.piece.named else max(said, key=lambda text: (len(text), text))
            else:
                raw = said[0] if said else one.piece.raw
            if place in version.spaced:
                raw = "\n" + raw
            rows.append(raw if at == last or raw.endswith("\n") else raw + document.fill(raw, "\n"))
        return rows

    @staticmethod
    def _several(version: Version, place: int) -> bool:
        return place in version.values or place in version.twins
