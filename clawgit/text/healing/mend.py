"""Mends a stale text, and proves that it is whole."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from clawgit.text.healing.fate import Fate, fate
from clawgit.text.healing.gist import Gist, gist
from clawgit.text.healing.graft import graft
from clawgit.text.healing.item import Item, Sheet, sheet
from clawgit.text.healing.origin import origin
from clawgit.text.healing.sound import is_markdown, is_sound
from clawgit.text.merge import merge


@dataclass(frozen=True, slots=True)
class Mended:
    """The text, what was put back or corrected in it, and what was not: lines as they stand, without their end.

    `base` numbers the version that it started from; 0 is the committed one.
    """

    text: str
    base: int = 0
    back: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Sides:
    """What a writer started from, what is committed, and what it wrote; each with its items."""

    texts: tuple[str, str, str]
    sheets: tuple[Sheet, Sheet, Sheet]


def mend(disk: str, versions: Sequence[str], gists: Sequence[Gist]) -> Mended:
    """Return a writer's text with what is younger than the version that it started from.

    The first version is the committed one, then come older ones. A text that could not be proved whole, or would be
    mended once more, stays as it is, and what it lacks is told.
    """
    found = origin(gist(disk), gists)
    now, here = sheet(versions[0]), sheet(disk)
    if not found.version:
        return Mended(disk, missing=_lacking(here, now, found.unsure, ()))
    base = sheet(versions[found.version])
    fates = fate(base, now, here)
    sides = _Sides((versions[found.version], versions[0], disk), (base, now, here))
    text = _whole(sides, fates) if found.sure else None
    if text is None or origin(gist(text), gists).version:
        lost = (*fates.added, *fates.replaced.values(), *fates.rivals)
        return Mended(disk, found.version, (), _lacking(here, now, found.unsure, lost))
    whole = sheet(text)
    lost = (*fates.added, *fates.rivals)
    return Mended(text, found.version, _new(whole, here), _lacking(whole, now, found.unsure, lost))


def _whole(sides: _Sides, fates: Fate) -> str | None:
    """Return a 3-way merge line by line, or what is missing put in item by item; None where neither is sound."""
    base, now, disk = sides.texts
    merged = merge(base, now, disk).text if _are_dressed_alike(base, disk) else None
    if merged is not None and merged != disk and _is_whole(sides, merged, frozenset()):
        return merged
    grafted = graft(fates, *sides.sheets[1:], disk)
    if grafted is None:
        return None
    text, unfit = grafted
    return text if _is_whole(sides, text, _excused(fates, unfit, *sides.sheets[1:])) else None


def _is_whole(sides: _Sides, text: str, excused: frozenset[str]) -> bool:
    whole = sheet(text)
    return is_sound(sides.sheets, whole, excused) and is_markdown(text, whole, sides.sheets[2])


def _are_dressed_alike(base: str, disk: str) -> bool:
    """Tell whether merging by lines can lead anywhere: half of the writer's are those of its base."""
    rows = disk.split("\n")
    return 2 * len(set(rows).intersection(base.split("\n"))) >= len(set(rows))


def _excused(fates: Fate, unfit: Sequence[int], now: Sheet, here: Sheet) -> frozenset[str]:
    """Return what may be missing or stay: what fits nowhere, what both sides changed, deleted parents of what stays."""
    parents = {item.parent for item in here.items}
    kept = {here.items[at].key for at in fates.dropped if at in parents}
    return frozenset(kept | {now.items[at].key for at in (*fates.rivals, *unfit)})


def _new(whole: Sheet, here: Sheet) -> tuple[str, ...]:
    """Return what stands there now and did not, or has its box in another state."""
    known = Counter((item.key, item.checked) for item in here.items)
    come: list[Item] = []
    for item in whole.items:
        known[item.key, item.checked] -= 1
        if item.key and known[item.key, item.checked] < 0:
            come.append(item)
    return _lines(whole, come)


def _lacking(whole: Sheet, now: Sheet, unsure: Collection[str], numbers: Collection[int]) -> tuple[str, ...]:
    """Return those of the unsure and the numbered items of `now` that `whole` lacks."""
    there = {item.key for item in whole.items}
    wanted = {now.items[number].key for number in numbers}.union(unsure)
    return _lines(now, [item for item in now.items if item.key in wanted and item.key not in there])


def _lines(one: Sheet, items: Sequence[Item]) -> tuple[str, ...]:
    return tuple("".join(one.rows[item.start : item.end]).rstrip("\r\n") for item in items)
