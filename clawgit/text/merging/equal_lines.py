"""Shows once what two machines wrote alike."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clawgit.text.merging.event_graph import EventGraph
from clawgit.text.merging.text_pieces import TextPiece
from clawgit.text.unit import fence, heading_level, indent, is_bullet

_DEEP = 100


class Spot(NamedTuple):
    """Where a piece was written: by which event, and after which other spot (-1: at the start)."""

    event: int
    after: int
    piece: TextPiece


def folded(
    graph: EventGraph, spots: Sequence[Spot], order: Sequence[int], *, journal: bool
) -> tuple[list[int], dict[int, tuple[int, ...]]]:
    """Return the places that are shown, and for each the others that say the same and are not.

    Only what concurrent events wrote is the same: a bullet under the same heading and bullet, a heading of one level
    that follows on its own, any other line in the same place, a named piece anywhere. What one writer wrote twice
    stands twice. In a `journal` a note is the same only where all of it is.
    """
    shown: list[int] = []
    same = _notes(graph, spots, order) if journal else {}
    stands: dict[int, int] = {}  # by place, the one that it is shown as
    scopes: list[tuple[int, int]] = []  # the headings and bullets above, each with its depth
    known: dict[tuple[object, ...], list[int]] = {}
    code = ""
    for place in order:
        piece = spots[place].piece
        mark, level = fence(piece.key), _level(piece.key)
        outside = not code and not mark
        kept = list[tuple[int, int]]()
        if outside and level:
            kept = [scope for scope in scopes if scope[0] < level]
        if piece.named:
            names: tuple[object, ...] = (piece.key,)
        elif outside and level > _DEEP:
            names = (piece.key, kept[-1][1] if kept else -1)
        elif outside and level and not (journal and level > 1):
            above = next((scope[1] for scope in scopes if scope[0] == level), -1)
            names = (piece.key, above, "#") if above >= 0 and spots[above].piece.key == piece.key else ()
        else:
            names = (piece.key, stands.get(spots[place].after, -1), "line") if outside and not level else ()
        twin = same.get(place, -1)
        if twin < 0 and names:
            other = names[1] if names[-1] == "#" else None
            rivals = [other] if isinstance(other, int) else known.get(names, [])
            twin = next((one for one in rivals if graph.concurrent(spots[one].event, spots[place].event)), -1)
        stands[place] = place if twin < 0 else stands[twin]
        if twin < 0:
            shown.append(place)
            known.setdefault(names, []).append(place)
        if outside and level:
            scopes = [*kept, (level, stands[place])]
        if mark and (not code or piece.key.strip().startswith(code)):
            code = "" if code else mark
    return shown, _twins(stands)


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
        twin = next((one for one in others if _apart(graph, spots, one, note)), None)
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
