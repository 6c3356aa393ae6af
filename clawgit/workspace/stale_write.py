"""Gives a stale text what its writer never saw."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.text.three_way_merge import merge

if TYPE_CHECKING:
    from clawgit.text.stale_write.stale_merge import Doubt


ALIKE = 75.0
"""From this share of equal letters on (per cent), a line that came is a line that went, edited."""
_MOST_PAIRS = 20_000
_MOST_LETTERS = 4_000_000  # of older versions that are looked at, the newest first


class Healed(Struct, frozen=True):
    """What a file becomes.

    `text` is what stands on disk where nothing is to be healed, or healing is not safe. `base` numbers the older
    version that the writer started from (0 is the newest); None is the committed one, or an empty file. `back` holds
    what was put back or corrected again, as it stands in `text`; `missing` what is younger and was not. `went_back`
    tells that an older version stands there again: a decision, which stays.
    """

    text: str
    base: int | None = None
    back: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    went_back: bool = False
    doubts: tuple["Doubt", ...] = ()


def heal(committed: str, disk: str, older: Iterable[str], *, grows: bool) -> Healed:
    """Return what stands on disk with what its writer never saw: entries added, reworded or deleted since.

    `older` are earlier versions, the newest first; none is drawn while nothing of the committed text is missing. With
    `grows` the file is a journal. Of other files stays as it is what somebody deleted from the committed text, edited
    in it, or brought back whole from an older one. Healing a healed text changes nothing.
    """
    if grows:
        return _grown(committed, disk, older)
    if not Counter(_rows(committed)) - Counter(_rows(disk)):
        return Healed(disk)
    from clawgit.text.stale_write.base_version import lacks  # noqa: PLC0415 - hardly ever needed
    from clawgit.text.stale_write.item_merge import count_items  # noqa: PLC0415
    from clawgit.text.stale_write.stale_merge import merge_stale  # noqa: PLC0415

    now, here = count_items(committed), count_items(disk)
    if not lacks(here, now):
        return Healed(disk)
    versions = tuple(_bounded(older))
    rows = _rows(disk)
    if any(_rows(version) == rows for version in versions):
        return Healed(disk, went_back=True)
    counted = [count_items(version) for version in versions]
    found = merge_stale(disk, (committed, *versions), (now, *counted))
    base = found.base - 1 if found.base else None
    return Healed(found.text, base, found.back, found.missing, doubts=found.doubts)


def _bounded(older: Iterable[str]) -> Iterator[str]:
    room = _MOST_LETTERS
    for version in older:
        room -= len(version)
        if room < 0:
            return
        yield version


def _rows(text: str) -> list[str]:
    """Return the lines that hold something, without white space at their ends."""
    return [plain for row in text.removeprefix("\ufeff").split("\n") if (plain := row.rstrip())]


def _grown(committed: str, disk: str, older: Iterable[str]) -> Healed:
    """Return a journal with the committed lines that its writer never saw.

    A journal only grows, so one that lacks lines was written from an `older` version (newest first), or from an empty
    file: `git stash` and `git reset` take lines away beside whoever appends. Lines that somebody deleted or edited
    stay as they are now: whoever did that started from the newest version.
    """
    versions = tuple(older) if _lacks(disk, committed) else ()
    base = _grew_from(committed, disk, versions)
    if base is None:
        return Healed(disk)
    at = versions.index(base) if base in versions else None
    text = merge(base, committed, disk).text
    if text is None:
        return Healed(disk, at, missing=tuple((_lines(committed) - _lines(base) - _lines(disk)).elements()))
    return Healed(text, at, tuple((_lines(text) - _lines(disk)).elements()))


def _grew_from(committed: str, disk: str, older: Iterable[str]) -> str | None:
    """Return what a journal that lacks lines was written from, None for the committed text."""
    if not _lacks(disk, committed):
        return None
    base = started_from(disk, (committed, *older, ""))
    return None if base == committed or (not base and _edited(committed, disk)) else base


def _edited(before: str, after: str) -> bool:
    """Tell whether somebody edited the text: some of it stands, and half of what went is much like what came.

    Of a journal that was emptied nothing stands, and what is appended to it then may well be like what it held.
    """
    from rapidfuzz.fuzz import ratio  # noqa: PLC0415 - hardly ever needed

    gone, come = list(_lines(before) - _lines(after)), list(_lines(after) - _lines(before))
    stands = bool(_lines(before) & _lines(after)) or len(gone) == len(come) == 1
    if not stands or 2 * len(come) < len(gone) or len(gone) * len(come) > _MOST_PAIRS:
        return False
    paired = 0
    for old in gone:
        near = next((new for new in come if ratio(old, new, score_cutoff=ALIKE)), None)
        if near is not None:
            come.remove(near)
            paired += 1
    return 2 * paired >= len(gone)


def started_from(disk: str, versions: Iterable[str]) -> str:
    """Return the version with the smallest difference from `disk`, counted in lines; the first of equals."""
    return min(versions, key=lambda version: _distance(version, disk))


def _distance(before: str, after: str) -> int:
    old, new = _lines(before), _lines(after)
    return (old - new).total() + (new - old).total()


def _lacks(text: str, lines: str) -> bool:
    return bool(_lines(lines) - _lines(text))


def _lines(text: str) -> Counter[str]:
    return Counter(_rows(text))
