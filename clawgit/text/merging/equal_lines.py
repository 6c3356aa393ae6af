"""Shows once what two machines wrote alike."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clawgit.text.merging.event_graph import BASE, EventGraph
from clawgit.text.merging.text_pieces import TextPiece
from clawgit.text.unit import closes_fence, fence, heading_level, indent, is_bullet, is_row

_DEEP = 100


class Spot(NamedTuple):
    """Where a piece was written: by which event, and after which other spot (-1: at the start).

    `source` is the spot that it was moved from, -1 for none.
    """

    event: int
    after: int
    piece: TextPiece
    source: int = -1


def folded(
    graph: EventGraph, spots: Sequence[Spot], order: Sequence[int], *, journal: bool
) -> tuple[list[int], dict[int, tuple[int, ...]]]:
    """Return the places that are shown, and for each the others that say the same and are not.

    Only what concurrent events wrote is the same: a bullet under the same heading and bullet, a heading of one level
    that follows on its own, any other line in the same place, a named piece anywhere, a line that both moved. What one
    writer wrote twice stands twice. In a `journal` a note is the same only where all of it is.
    """
    folding = _Folding(graph, spots, journal=journal)
    same = _notes(graph, spots, order) if journal else {}
    shown = [place for place in order if folding.shown(place, same.get(place))]
    return shown, _twins(folding.stands)


class _Folding:
    """What was met on the way down: `stands` tells of each place as which one it is shown."""

    def __init__(self, graph: EventGraph, spots: Sequence[Spot], *, journal: bool) -> None:
        self._graph, self._spots, self._journal = graph, spots, journal
        self.stands: dict[int, int] = {}
        self._scopes: list[tuple[int, int]] = []  # the headings and bullets above, each with its depth
        self._known: dict[tuple[object, ...], list[int]] = {}
        self._moved: dict[int, int] = {}
        self._following: dict[int, int] = {}  # what one event wrote next
        self._rests: dict[int, int] = {}
        self._code = ""

    def shown(self, place: int, twin: int | None) -> bool:
        """Take the next place down; tell whether it is shown, or says what another one, maybe `twin`, says already."""
        piece = self._spots[place].piece
        mark = fence(piece.key)
        level = 0 if self._code or mark else _level(piece.key)
        above = [scope for scope in self._scopes if scope[0] < level] if level else []
        if mark and (not self._code or closes_fence(piece.key, self._code)):
            self._code = "" if self._code else mark
        if twin is None:
            twin = self._moved_too(place)
        if twin is None and self._spots[place].event != BASE:  # what all have seen is nobody's rival
            twin = self._rival(place, level, above, plain=not (mark or self._code))
        self.stands[place] = place if twin is None else self.stands[twin]
        if level:
            self._scopes = [*above, (level, self.stands[place])]
        return twin is None

    def _rest(self, place: int) -> int:
        """Return a number for all lines that one event wrote from here on: the same for the same lines."""
        if not self._following:
            self._following = {
                spot.after: at
                for at, spot in enumerate(self._spots)
                if spot.after >= 0 and self._spots[spot.after].event == spot.event
            }
        way = [place]
        while way[-1] not in self._rests and way[-1] in self._following:
            way.append(self._following[way[-1]])
        rest = self._rests.get(way[-1], 0)
        for at in reversed(way):
            rest = self._rests.setdefault(at, hash((self._spots[at].piece.key, rest)))
        return rest

    def _moved_too(self, place: int) -> int | None:
        source = self._spots[place].source
        if source < 0:
            return None
        first = self._moved.setdefault(source, place)
        return None if first == place else first

    def _rival(self, place: int, level: int, above: Sequence[tuple[int, int]], *, plain: bool) -> int | None:
        """Return the place that a concurrent event wrote in the same way, None where there is none."""
        spot = self._spots[place]
        name: tuple[object, ...]
        if level and level <= _DEEP and not spot.piece.named:
            last = next((one for depth, one in self._scopes if depth == level), None)
            rivals = [] if last is None or (self._journal and level > 1) else [last]
            rivals = [rival for rival in rivals if self._spots[rival].piece.key == spot.piece.key]
        else:
            if spot.piece.named:
                name = (spot.piece.key,)
            elif level:
                name = (spot.piece.key, "below", above[-1][1] if above else -1)
            elif plain and (is_row(spot.piece.key) or any(map(str.isalnum, spot.piece.key))):
                name = (spot.piece.key, "after", self.stands.get(spot.after, -1))
            else:  # what divides two parts, or stands in code, is the same where all that was written with it is
                name = (spot.piece.key, self._rest(place), self.stands.get(spot.after, -1))
            rivals = self._known.setdefault(name, [])
        found = next((rival for rival in rivals if self._graph.concurrent(self._spots[rival].event, spot.event)), None)
        if found is None:
            rivals.append(place)
        return found


def _level(key: str) -> int:
    """Return how deep a heading or a bullet lies: a bullet always deeper than any heading; 0 for other lines."""
    if is_bullet(key):
        return _DEEP + 1 + indent(key)
    return heading_level(key)


def _twins(stands: dict[int, int]) -> dict[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {}
    for place, one in stands.items():
        if place != one:
            found[one] = (*found.get(one, ()), place)
    return found


def _notes(graph: EventGraph, spots: Sequence[Spot], order: Sequence[int]) -> dict[int, int]:
    """Return for each line of a note that stands above already, word for word, the line that it is the same as."""
    found: dict[int, int] = {}
    known: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
    for note in _sections(spots, order):
        words = tuple(spots[place].piece.key for place in note)
        others = known.setdefault(words, [])
        twin = next((other for other in others if _apart(graph, spots, other, note)), None)
        if twin is None:
            others.append(note)
        else:
            found |= dict(zip(note, twin, strict=True))
    return found


def _apart(graph: EventGraph, spots: Sequence[Spot], one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    pairs = zip(one, other, strict=True)
    return all(graph.concurrent(spots[here].event, spots[there].event) for here, there in pairs)


def _sections(spots: Sequence[Spot], order: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the places of each section below a heading of the second level, or a deeper one."""
    note: list[int] = []
    for place in order:
        level = heading_level(spots[place].piece.key)
        if level and note:
            yield tuple(note)
            note = []
        if level > 1 or (note and not level):
            note.append(place)
    if note:
        yield tuple(note)
