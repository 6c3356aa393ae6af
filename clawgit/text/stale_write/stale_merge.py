"""Merges a stale text into what came since."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.text.edit import append_block, append_under
from clawgit.text.entry import entries, normalise
from clawgit.text.stale_write.base_version import base_version
from clawgit.text.stale_write.item import Item, Sheet, heading_title, sheet
from clawgit.text.stale_write.item_insertion import insert_items, paragraph
from clawgit.text.stale_write.item_merge import ItemCounts, ItemMerge, count_items, is_markdown, is_sound, merge_items
from clawgit.text.three_way_merge import merge

_PROSE = frozenset({"bullet", "text", "row"})
_BLOCKS = _PROSE | {"heading", "fence", "comment"}


class Doubt(Struct, frozen=True):
    """Words of an entry that stands in a healed text, though its writer may have taken them out or reworded them.

    `theirs` is what the writer has instead, "" where that is nothing. With `ours_gone` it is the other way round: the
    words are the writer's edit of what others took out.
    """

    ours: str
    theirs: str = ""
    ours_gone: bool = False


class StaleMerge(Struct, frozen=True):
    """The text, what was put back or corrected in it, and what was not: lines as they stand, without their end.

    `base` numbers the version that it started from; 0 is the committed one. `doubts` are for somebody to decide.
    """

    text: str
    base: int = 0
    back: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()


Pairs = list[tuple[str, str, bool]]
"""Keys of what stands beside each other until somebody decides: ours, the writer's, and whether ours are gone."""


class _Sides(Struct, frozen=True):
    """What a writer started from, what is committed, and what it wrote; each with its items. `base` is a number."""

    base: int
    texts: tuple[str, str, str]
    sheets: tuple[Sheet, Sheet, Sheet]
    undecided: Mapping[str, str]

    @property
    def now(self) -> Sheet:
        """What is committed."""
        return self.sheets[1]

    @property
    def here(self) -> Sheet:
        """What the writer wrote."""
        return self.sheets[2]


def merge_stale(disk: str, versions: Sequence[str], counted: Sequence[ItemCounts]) -> StaleMerge:
    """Return a writer's text with what is younger than the version that it started from.

    The first version is the committed one, then come older ones. Where nobody can tell what the writer had seen, both
    texts stand, and the doubt is told. Where a text could not be proved whole, or would be merged once more, what
    is missing is added at the end of its section; what does not even fit there is told.
    """
    sides, merged_items, pairs, text = _merged(disk, versions, counted)
    missing, written, here = merged_items.missing, disk, sides.here
    while text is None:
        pairs += [(sides.now.items[to].key, here.items[at].key, False) for at, to in merged_items.replaced.items()]
        pairs += [(here.items[at].key, "", True) for at in sorted(merged_items.dropped)]
        appended = _with_appended(written, sides.now, (*merged_items.added, *merged_items.replaced.values()))
        if appended == written:  # to heal it once more would end here, too
            text = written
        else:
            written = appended
            later, merged_items, again, text = _merged(written, versions, counted)
            here = later.here
            missing, pairs = missing | merged_items.missing, [*pairs, *again]
    whole = sheet(text)
    doubts = tuple(_doubts(text, whole, dict.fromkeys(pairs)))
    return StaleMerge(
        text, sides.base if text != disk else 0, _new(whole, sides.here), _lacking(whole, sides.now, missing), doubts
    )


def _merged(
    disk: str, versions: Sequence[str], counted: Sequence[ItemCounts]
) -> tuple[_Sides, ItemMerge, Pairs, str | None]:
    """Return the merged text and what it is made of; None where it would not be whole, or be merged once more."""
    found = base_version(count_items(disk), counted)
    now, here = sheet(versions[0]), sheet(disk)
    base = now if not found.number else sheet(versions[found.number])
    sides = _Sides(found.number, (versions[found.number], versions[0], disk), (base, now, here), found.undecided)
    merged_items = merge_items(base, now, here)
    if not found.number and not found.undecided:
        return sides, ItemMerge(), [], disk
    pairs = _both_stand(merged_items, now, here, found.undecided)
    if not merged_items.to_do:
        return sides, merged_items, [], disk
    text = _whole(sides, merged_items, plain=not pairs)
    return sides, merged_items, pairs, text if text is not None and _is_settled(text, versions, counted) else None


def _is_settled(text: str, versions: Sequence[str], counted: Sequence[ItemCounts]) -> bool:
    """Tell whether a healed text would stay as it is if it were healed once more."""
    found = base_version(count_items(text), counted)
    if not found.number and not found.undecided:
        return True
    now, here = sheet(versions[0]), sheet(text)
    merged_items = merge_items(sheet(versions[found.number]), now, here)
    _both_stand(merged_items, now, here, found.undecided)
    return not merged_items.to_do


def _with_appended(disk: str, now: Sheet, numbers: Iterable[int]) -> str:
    """Return the writer's text with bullets and paragraphs of `now` at the end of their sections, for want of better.

    What a parser would not read as what it was stays out.
    """
    text = disk
    for number in sorted(numbers):
        item = now.items[number]
        if item.kind not in {"bullet", "text"} or item.key in count_items(text).counts:
            continue
        title = heading_title(now.source(now.items[item.section])).strip() if item.section >= 0 else ""
        rows = paragraph(now.source(item), item, 0) if item.kind == "text" else now.source(item)
        block = "\n".join(row[item.indent :] if not row[: item.indent].strip() else row for row in rows)
        try:
            there = append_under(text, title or None, block, create=bool(title))
        except ClawgitError:
            there = append_block(text, block)
        if (item.key in count_items(there).counts and not count_items(text).counts - count_items(there).counts) or (
            item.key in count_items(there := append_block(text, block)).counts
            and not count_items(text).counts - count_items(there).counts
        ):
            text = there
    return text


def _both_stand(merged_items: ItemMerge, now: Sheet, here: Sheet, undecided: Mapping[str, str]) -> Pairs:
    """Let stand beside each other what both sides changed and what is undecided; return these as pairs of keys.

    What differs in its tags alone is one entry: the writer's stands.
    """
    pairs: Pairs = []
    for to, at in list(merged_items.rivals.items()):
        if now.items[to].kind in _PROSE and normalise(now.items[to].key) != normalise(here.items[at].key):
            del merged_items.rivals[to], merged_items.stands[to]
            merged_items.added.append(to)
            pairs.append((now.items[to].key, here.items[at].key, False))
    standing = {here.items[at].key for at in merged_items.stands.values()} - {
        here.items[at].key for at in merged_items.dropped
    }
    for at, item in enumerate(now.items):
        known = item.key in standing or normalise(undecided.get(item.key, "")) == normalise(item.key)
        if item.key in undecided and not known and item.kind in _BLOCKS:
            if at not in merged_items.added:
                merged_items.stands.pop(at, None)
                merged_items.added.append(at)
            pairs.append((item.key, undecided[item.key], False))
    pairs += [(now.items[at].key, "", False) for at in sorted(merged_items.reworded)]
    pairs += [(here.items[at].key, "", True) for at in merged_items.revived]
    merged_items.added.sort()
    return list(dict.fromkeys(pairs))


def _doubts(text: str, whole: Sheet, pairs: Iterable[tuple[str, str, bool]]) -> Iterator[Doubt]:
    """Yield the pairs of which an entry stands in the text, by what it says."""
    if not (pairs := tuple(pairs)):
        return
    at = {item.key: item.start + 1 for item in whole.items if item.kind in _PROSE}
    said = {one.start: one.text for one in entries(text)}
    words = {key: said[line] for key, line in at.items() if line in said}
    for ours, theirs, gone in pairs:
        if ours in words:
            yield Doubt(words[ours], words.get(theirs, ""), gone)


def _whole(sides: _Sides, merged_items: ItemMerge, *, plain: bool) -> str | None:
    """Return a 3-way merge line by line, or what is missing put in item by item; None where neither is sound."""
    base, now, disk = sides.texts
    merged = merge(base, now, disk).text if plain and _are_styled_alike(base, disk) else None
    if merged is not None and merged != disk and _is_whole(sides, merged, frozenset()):
        return merged
    inserted = insert_items(merged_items, *sides.sheets[1:], disk)
    if inserted is None:
        return None
    text, unfit = inserted
    return text if _is_whole(sides, text, _excused(merged_items, unfit, *sides.sheets[1:])) else None


def _is_whole(sides: _Sides, text: str, excused: frozenset[str]) -> bool:
    whole = sheet(text)
    return is_sound(sides.sheets, whole, excused) and is_markdown(text, whole, sides.sheets[2])


def _are_styled_alike(base: str, disk: str) -> bool:
    """Tell whether merging by lines can lead anywhere: half of the writer's are those of its base."""
    rows = disk.split("\n")
    return 2 * len(set(rows).intersection(base.split("\n"))) >= len(set(rows))


def _excused(merged_items: ItemMerge, unfit: Sequence[int], now: Sheet, here: Sheet) -> frozenset[str]:
    """Return what may be missing or stay: what fits nowhere, what both sides changed, deleted parents of what stays."""
    parents = {item.parent for item in here.items}
    kept = {here.items[at].key for at in merged_items.dropped if at in parents}
    return frozenset(kept | {now.items[at].key for at in (*merged_items.rivals, *unfit)})


def _new(whole: Sheet, here: Sheet) -> tuple[str, ...]:
    """Return what stands there now and did not, or has its box in another state."""
    known = Counter((item.key, item.checked) for item in here.items)
    come: list[Item] = []
    for item in whole.items:
        known[item.key, item.checked] -= 1
        if item.key and known[item.key, item.checked] < 0:
            come.append(item)
    return _lines(whole, come)


def _lacking(whole: Sheet, now: Sheet, numbers: Collection[int]) -> tuple[str, ...]:
    """Return those of the numbered items of `now` that `whole` lacks."""
    there = {item.key for item in whole.items}
    wanted = {now.items[number].key for number in numbers}
    return _lines(now, [item for item in now.items if item.key in wanted and item.key not in there])


def _lines(one: Sheet, items: Sequence[Item]) -> tuple[str, ...]:
    return tuple("".join(one.rows[item.start : item.end]).rstrip("\r\n") for item in items)
