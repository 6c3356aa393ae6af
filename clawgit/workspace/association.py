"""Keeps rows with their entries, whatever becomes of the words."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from clawgit.text.entry import entries
from clawgit.text.identity import digest, entry_id, normalise
from clawgit.text.stale_write.resemblance import resembling
from clawgit.text.stale_write.wording import wording
from clawgit.workspace.entries import Row

Files = Mapping[str, str | None]


class _Spot(Struct, frozen=True):
    """A bullet: its file, text, ordinal, section and hash."""

    path: str
    text: str
    ordinal: int
    section: tuple[str, ...]
    hash: str


def associate(rows: Mapping[str, Row], before: Files, after: Files) -> dict[str, Row]:
    """Return the rows that change because these files went from `before` to `after` (path to text, None: no file).

    The row of an entry that was moved, restyled or reworded follows it. An entry without one gets one when its words
    change, so that its id stays. A row whose entry is gone stays as it is, and so does a tombstone.
    """
    old_spots, new_spots = list(_spots(before)), list(_spots(after))
    gone, come = _beyond(old_spots, new_spots), _beyond(new_spots, old_spots)
    known = {(row.file, row.hash): row for row in sorted(rows.values(), reverse=True)}
    standing = {(spot.path, spot.hash) for spot in new_spots}
    come = [spot for spot in come if (spot.path, spot.hash) not in known]
    changed: dict[str, Row] = {}
    taken = set(rows)
    for old, new in _pairs(gone, come):
        if (new.path, new.hash) in known:  # of equal entries in one file the first has the row
            continue
        row = known.get((old.path, old.hash))
        if row and (row.status == "tombstone" or (old.path, old.hash) in standing or row.id in changed):
            row = None
        key = row.id if row else _free_id(taken, old)
        changed[key] = replace(row or Row(key, old.path, old.hash), file=new.path, hash=new.hash)
        taken.add(key)
        known[new.path, new.hash] = changed[key]
    for new in come:  # an id that went on with other words is not given twice
        if (new.path, new.hash) not in known and entry_id(new.path, new.text, new.ordinal) in taken:
            key = _free_id(taken, new)
            changed[key] = known[new.path, new.hash] = Row(key, new.path, new.hash)
            taken.add(key)
    return changed


def vanished(rows: Mapping[str, Row], before: Files, after: Files) -> list[tuple[str, str]]:
    """Return id and words of each entry that stood in these files, and stands no more, in whatever words."""
    old_spots, new_spots = list(_spots(before)), list(_spots(after))
    gone, come = _beyond(old_spots, new_spots), _beyond(new_spots, old_spots)
    stay = {id(old) for old, _ in _pairs(gone, come)}
    known = {(row.file, row.hash): row.id for row in sorted(rows.values(), reverse=True)}
    words = {spot.hash for spot in new_spots}
    return [
        (known.get((spot.path, spot.hash)) or entry_id(spot.path, spot.text, spot.ordinal), spot.text)
        for spot in gone
        if id(spot) not in stay and spot.hash not in words
    ]


def _spots(files: Files) -> Iterator[_Spot]:
    for path, text in files.items():
        for one in entries(text or ""):
            if one.kind == "bullet":
                yield _Spot(path, one.text, one.ordinal, one.section, digest(one.text))


def _beyond(these: list[_Spot], those: list[_Spot]) -> list[_Spot]:
    """Return which of `these` are more than `those` have, file by file."""
    left = Counter((spot.path, spot.hash) for spot in those)
    found = []
    for spot in these:
        left[spot.path, spot.hash] -= 1
        if left[spot.path, spot.hash] < 0:
            found.append(spot)
    return found


def _pairs(gone: list[_Spot], come: list[_Spot]) -> Iterator[tuple[_Spot, _Spot]]:
    """Pair what is gone with what came: the same words elsewhere, in another style, and then nearly the same."""
    old, new = gone, come
    for sameness in (lambda spot: spot.hash, lambda spot: normalise(wording(spot.text))):
        pairs, old, new = _equal(old, new, sameness)
        yield from pairs
    groups = [_group(spot) for spot in old], [_group(spot) for spot in new]
    near = resembling([normalise(spot.text) for spot in old], [normalise(spot.text) for spot in new], groups)
    yield from ((old[at], new[to]) for at, to in near.items())


def _equal(
    old: list[_Spot], new: list[_Spot], sameness: Callable[[_Spot], Hashable]
) -> tuple[list[tuple[_Spot, _Spot]], list[_Spot], list[_Spot]]:
    waiting: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for at, spot in enumerate(new):
        waiting[sameness(spot)].append(at)
    pairs: list[tuple[_Spot, _Spot]] = []
    rest: list[_Spot] = []
    taken: set[int] = set()
    for spot in old:
        spots = waiting.get(sameness(spot))
        if spots:
            at = spots.popleft()
            taken.add(at)
            pairs.append((spot, new[at]))
        else:
            rest.append(spot)
    return pairs, rest, [spot for at, spot in enumerate(new) if at not in taken]


def _group(spot: _Spot) -> str:
    return "\n".join((spot.path, *spot.section))


def _free_id(taken: set[str], spot: _Spot) -> str:
    """Return the id of an entry's text, in the first turn from its own that no other entry has."""
    ids = (entry_id(spot.path, spot.text, ordinal) for ordinal in count(spot.ordinal))
    return next(key for key in ids if key not in taken)
