"""Keeps rows of the sidecar with their entries."""

import os
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from clawgit.git import history
from clawgit.store import entry_links
from clawgit.text.entry import entry_id
from clawgit.text.entry_versions import EntryReader, PlacedStatement
from clawgit.workspace.entries import Row
from clawgit.workspace.workspace_base import WorkspaceBase

Files = Mapping[str, str | None]


class _Spot(Struct, frozen=True):
    """A bullet: its file, its number among the bullets of the file, from 0, and its number among equals, from 1."""

    path: str
    place: int
    row: PlacedStatement
    ordinal: int

    @property
    def text(self) -> str:
        """Its words."""
        return self.row.statement.text

    @property
    def hash(self) -> str:
        """The hash of its words."""
        return self.row.statement.key


def associate(rows: Mapping[str, Row], before: Files, after: Files) -> dict[str, Row]:
    """Return the rows that change because these files went from `before` to `after` (path to text, None: no file).

    The row of an entry that was moved, restyled or reworded follows it. An entry without one gets one when its words
    change, so that its id stays. A row without its entry stays as it is, and so does a tombstone.
    """
    old_spots, new_spots = list(_spots(before)), list(_spots(after))
    removed_spots, added_spots = _list_surplus(old_spots, new_spots), _list_surplus(new_spots, old_spots)
    rows_by_words, ids = by_words(rows), {*rows}
    current = {(spot.path, spot.hash) for spot in new_spots}
    added_spots = [spot for spot in added_spots if (spot.path, spot.hash) not in rows_by_words]
    changed: dict[str, Row] = {}
    for old, new in _pairs(removed_spots, added_spots, (old_spots, new_spots)):
        if (new.path, new.hash) in rows_by_words:  # of equal entries in one file the first has the row
            continue
        row = rows_by_words.get((old.path, old.hash))
        if row and (row.status == "tombstone" or (old.path, old.hash) in current or row.id in changed):
            row = None
        key = row.id if row else free_id(ids, old.path, old.text, old.ordinal)
        if row and row.status == "superseded" and old.row.statement.form != new.row.statement.form:
            row = replace(row, status="live")  # whoever words one anew, as a corrected note, says it again
        changed[key] = replace(row or Row(key, old.path, old.hash), file=new.path, hash=new.hash)
        ids.add(key)
        rows_by_words[new.path, new.hash] = changed[key]
    for new in added_spots:  # an id that went on with other words is not given twice
        if (new.path, new.hash) not in rows_by_words and entry_id(new.path, new.text, new.ordinal) in ids:
            key = free_id(ids, new.path, new.text, new.ordinal)
            changed[key] = rows_by_words[new.path, new.hash] = Row(key, new.path, new.hash)
            ids.add(key)
    return changed


def by_words(rows: Mapping[str, Row]) -> dict[tuple[str, str], Row]:
    """Return rows by their file and the hash of their words."""
    return {(row.file, row.hash): row for row in sorted(rows.values(), reverse=True)}


def bare(path: str, text: str) -> dict[str, Row]:
    """Return the rows that entries of a file have while the sidecar knows nothing of them, by their ids."""
    spots = ((spot, entry_id(path, spot.text, spot.ordinal)) for spot in _spots({path: text}))
    return {name: Row(name, path, spot.hash) for spot, name in spots}


def _spots(files: Files) -> Iterator[_Spot]:
    for path, text in files.items():
        orders, numbers = Counter[str](), count()
        for row in EntryReader().read(text or ""):
            orders[row.statement.key] += 1
            if row.statement.kind == "bullet":
                yield _Spot(path, next(numbers), row, orders[row.statement.key])


def _list_surplus(spots: list[_Spot], other_spots: list[_Spot]) -> list[_Spot]:
    """Return which of `these` are more than `those` have, file by file."""
    left = Counter((spot.path, spot.hash) for spot in other_spots)
    extra_spots = []
    for spot in spots:
        left[spot.path, spot.hash] -= 1
        if left[spot.path, spot.hash] < 0:
            extra_spots.append(spot)
    return extra_spots


def _pairs(
    gone: list[_Spot], added_spots: list[_Spot], sides: tuple[list[_Spot], list[_Spot]]
) -> Iterator[tuple[_Spot, _Spot]]:
    """Pair removed entries with added ones: the same words elsewhere, then other words in the same file."""
    old, new = dict(enumerate(gone)), dict(enumerate(added_spots))
    before, after = ({place: spot.row for place, spot in side.items()} for side in (old, new))
    for place, older in entry_links.find_moves(before, after).items():
        yield old.pop(older), new.pop(place)
    for path in {spot.path for spot in old.values()} & {spot.path for spot in new.values()}:
        anchors = entry_links.align_version(*([spot.row for spot in side if spot.path == path] for side in sides))
        olds, news = ({spot.place: spot for spot in side.values() if spot.path == path} for side in (old, new))
        before, after = ({place: spot.row for place, spot in side.items()} for side in (olds, news))
        for place, (older, _) in entry_links.find_rewordings(before, after, anchors).items():
            yield olds[older], news[place]


def free_id(used_ids: Container[str], path: str, text: str, ordinal: int) -> str:
    """Return the id of an entry's text, in the first turn from its own that no other entry has."""
    ids = (entry_id(path, text, turn) for turn in count(ordinal))
    return next(key for key in ids if key not in used_ids)


_MAX_RENAMES = 20


def find_present_name(workspace: WorkspaceBase, path: str) -> str:
    """Return the name that a file has now: another than `path` when it was renamed and nothing took its place."""
    for _ in range(_MAX_RENAMES):
        is_present = os.path.lexists(workspace.root / path)
        commit = None if is_present else next(history.log(workspace.repo, path, limit=1, named=False), None)
        renames = history.renames(workspace.repo, commit.id) if commit else {}
        after = next((new for new, old in renames.items() if old == path), None)
        if after is None:
            break
        path = after
    return path
