"""Merges by items, and proves that nothing is lost."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain

from msgspec import Struct, field

from clawgit.text.document import parse
from clawgit.text.stale_write.item import Item, Sheet, sheet
from clawgit.text.stale_write.resemblance import resembling, same_letters

_HEADING = re.compile(r"^(?=#{1,6}[ \t])", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?(?:```|~~~)", re.MULTILINE)


class Section(Struct):
    """What stands under one heading, up to the next; `heading` is "" above the first."""

    heading: str = ""
    keys: list[str] = field(default_factory=list)


class ItemCounts(Struct, frozen=True):
    """A text by what its items say: how often, under which heading, and which boxes are checked."""

    sections: tuple[Section, ...]
    counts: Counter[str]
    boxes: Mapping[str, bool]


def count_items(text: str) -> ItemCounts:
    """Return what the items of a text say, counted. Versions of one file share most sections, which are read once."""
    parts = [_part(part) for part in _parts(text)]
    sections = tuple(chain.from_iterable(part.sections for part in parts))
    counts = Counter(key for section in sections for key in chain(section.keys, (section.heading,)) if key)
    return ItemCounts(sections, counts, {key: box for part in parts for key, box in part.boxes.items()})


def _parts(text: str) -> Iterator[str]:
    """Cut a text before its headings, but not in code or comments."""
    held = ""
    for part in _HEADING.split(text):
        held += part
        if len(_FENCE.findall(held)) % 2 == 0 and held.count("<!--") <= held.count("-->"):
            yield held
            held = ""
    if held:
        yield held


@lru_cache(maxsize=2_048)
def _part(text: str) -> ItemCounts:
    found = [Section()]
    boxes: dict[str, bool] = {}
    for item in sheet(text).items:
        if item.kind == "heading":
            found.append(Section(item.key))
        elif item.key:
            found[-1].keys.append(item.key)
        if item.checked is not None:
            boxes[item.key] = item.checked
    return ItemCounts(tuple(section for section in found if section.heading or section.keys), Counter(), boxes)


_LARGE = 400_000  # letters; above, the parser takes too long
_KINDS = {"bullet": "bullet", "row": "row", "head": "table_head", "fence": "fence", "front": "front_matter"}


def is_sound(sides: tuple[Sheet, Sheet, Sheet], healed: Sheet, excused: frozenset[str] = frozenset()) -> bool:
    """Tell whether `healed` has all that is new in either text, and nothing more often than both of them.

    `sides` are the base, the committed text and the writer's. `excused` may be missing, or stay though deleted.
    """
    was, now, here = (_counts(side) for side in sides)
    found = _counts(healed)
    kept = (here - was).items()
    young = [(key, min(number, now[key])) for key, number in (now - was).items()]
    return (
        all(found[key] >= number for key, number in [*kept, *young] if key not in excused)
        and all(number <= max(now[key], here[key]) for key, number in found.items())
        and all(found[key] <= max(now[key], here[key] - was[key]) for key in was - now if key not in excused)
    )


def _counts(sheet: Sheet) -> Counter[str]:
    return Counter(item.key for item in sheet.items if item.key)


def is_markdown(text: str, healed: Sheet, here: Sheet) -> bool:
    """Tell whether readers of Markdown see code, tables and front matter where they stand, and each new bullet as one.

    Texts too large to be parsed pass.
    """
    if len(text) > _LARGE:
        return True
    kinds = {block.start - 1: block.kind for block in parse(text).blocks}
    old = _counts(here)
    return all(
        kinds.get(item.start) == _KINDS[item.kind]
        for item in healed.items
        if item.kind in _KINDS and (item.kind != "bullet" or item.key not in old) and not _is_in_bullet(item, healed)
    )


def _is_in_bullet(item: Item, sheet: Sheet) -> bool:
    return item.kind != "bullet" and item.parent >= 0 and sheet.items[item.parent].kind == "bullet"


_PROSE = {"bullet": "prose", "text": "prose"}


class ItemMerge(Struct, frozen=True):
    """What is to become of the writer's text (`here`), by numbers of items; `now` is the committed text.

    `stands` says for items of `now` where they stand in `here`, in whatever words. `replaced` and `boxed` go from
    `here` to `now`. `rivals` were changed by others and by the writer, each in its way, and go from `now` to `here`.
    `reworded` are those of `added` that others changed and the writer took out, `revived` what the writer changed
    and others took out.
    """

    stands: dict[int, int] = field(default_factory=dict)
    added: list[int] = field(default_factory=list)
    replaced: dict[int, int] = field(default_factory=dict)
    boxed: dict[int, int] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    rivals: dict[int, int] = field(default_factory=dict)
    reworded: set[int] = field(default_factory=set)
    revived: list[int] = field(default_factory=list)

    @property
    def to_do(self) -> bool:
        """Whether the writer's text is to be changed."""
        return bool(self.added or self.replaced or self.boxed or self.dropped)

    @property
    def missing(self) -> frozenset[int]:
        """What of the committed text does not stand in the writer's as it is."""
        return frozenset((*self.added, *self.rivals, *self.replaced.values()))


def merge_items(base: Sheet, now: Sheet, here: Sheet) -> ItemMerge:
    """Decide it item by item: what only one side did, holds."""
    there, mine = matched(base, now), matched(base, here)
    changed = _in_place(_edits(base, now, there), there, base, now)
    edited = _edits(base, here, mine)
    own = _by_key(here, set(range(len(here.items))).difference(mine.values()))
    found = ItemMerge()
    for at, item in enumerate(base.items):
        if item.key:
            to = there.get(at, changed.get(at))
            _decide(found, (at, to, mine.get(at), edited.get(at)), (base, now, here), own, same=at in there)
    known = {*there.values(), *changed.values()}
    for at, item in enumerate(now.items):
        if item.key and at not in known:
            _arrive(found, at, item, own)
    found.added.sort()
    return found


def _in_place(changed: dict[int, int], same: dict[int, int], base: Sheet, now: Sheet) -> dict[int, int]:
    """Keep the edits of items that still stand under what they stood under; others went, and new ones came."""
    parents = same | changed | {-1: -1}
    return {
        at: to
        for at, to in changed.items()
        if parents.get(base.items[at].parent) == now.items[to].parent or base.items[at].kind == "heading"
    }


def _decide(
    found: ItemMerge,
    numbers: tuple[int, int | None, int | None, int | None],
    sheets: tuple[Sheet, Sheet, Sheet],
    own: dict[str, deque[int]],
    *,
    same: bool,
) -> None:
    """Decide for one item of the base, given its number there, now, here as it was, and here with other words."""
    at, to, kept, edit = numbers
    base, now, here = sheets
    if to is None:
        _gone(found, kept, edit)
    elif same:
        if kept is not None:
            found.stands[to] = kept
            if _ticked(base.items[at], now.items[to], here.items[kept]):
                found.boxed[kept] = to
        elif edit is not None:
            found.stands[to] = edit
    elif own.get(now.items[to].key):
        found.stands[to] = own[now.items[to].key].popleft()
    elif kept is not None:
        found.stands[to] = kept
        found.replaced[kept] = to
    elif edit is not None:
        found.stands[to] = edit
        found.rivals[to] = edit
    else:
        found.added.append(to)
        found.reworded.add(to)


def _gone(found: ItemMerge, kept: int | None, edit: int | None) -> None:
    """Decide for an item that others took out: it goes, unless the writer changed it."""
    if kept is not None:
        found.dropped.add(kept)
    elif edit is not None:
        found.revived.append(edit)


def _ticked(base: Item, now: Item, here: Item) -> bool:
    states = (base.checked, now.checked, here.checked)
    return None not in states and here.checked == base.checked != now.checked


def _arrive(found: ItemMerge, at: int, item: Item, own: dict[str, deque[int]]) -> None:
    if own.get(item.key):
        found.stands[at] = own[item.key].popleft()
    else:
        found.added.append(at)


def matched(old: Sheet, new: Sheet) -> dict[int, int]:
    """Return where items of `old` stand in `new` in the same words, in order: in their own section first."""
    found: dict[int, int] = {}
    for place in (_placed, _anywhere):
        taken = set(found.values())
        waiting: defaultdict[tuple[str, ...], deque[int]] = defaultdict(deque)
        for at, item in enumerate(new.items):
            if item.key and at not in taken:
                waiting[place(new, item)].append(at)
        for at, item in enumerate(old.items):
            if item.key and at not in found and (spots := waiting.get(place(old, item))):
                found[at] = spots.popleft()
    return found


def _placed(sheet: Sheet, item: Item) -> tuple[str, ...]:
    parent, section = (sheet.items[at].key if at >= 0 else "" for at in (item.parent, item.section))
    return item.key, parent, section


def _anywhere(_: Sheet, item: Item) -> tuple[str, ...]:
    return (item.key,)


def _edits(old: Sheet, new: Sheet, same: dict[int, int]) -> dict[int, int]:
    """Return where items of `old` stand in `new` in other words, those of one section first."""
    gone, come = _by_kind(old, same), _by_kind(new, same.values())
    found: dict[int, int] = {}
    for kind, before in gone.items():
        after = come.get(kind, [])
        same_words = _restyled(old, before, new, after)
        found |= same_words
        left = [at for at in before if at not in same_words]
        right = [to for to in after if to not in same_words.values()]
        titles = [_title(old, at) for at in left], [_title(new, at) for at in right]
        pairs = resembling([old.items[at].key for at in left], [new.items[at].key for at in right], titles)
        found |= {left[at]: right[to] for at, to in pairs.items()}
    return found


def _restyled(old: Sheet, before: list[int], new: Sheet, after: list[int]) -> dict[int, int]:
    """Return where items of `old` stand in `new` with other case or punctuation."""
    gone, come = ({sheet.items[at].key: at for at in reversed(some)} for sheet, some in ((old, before), (new, after)))
    return {gone[was]: come[now] for now, was in same_letters(come, gone).items()}


def _title(sheet: Sheet, number: int) -> str:
    section = sheet.items[number].section
    return sheet.items[section].key if section >= 0 else ""


def _by_kind(sheet: Sheet, without: Iterable[int]) -> dict[str, list[int]]:
    known = set(without)
    found: defaultdict[str, list[int]] = defaultdict(list)
    for at, item in enumerate(sheet.items):
        if item.key and at not in known:
            found[_PROSE.get(item.kind, item.kind)].append(at)
    return found


def _by_key(sheet: Sheet, numbers: Iterable[int]) -> dict[str, deque[int]]:
    found: defaultdict[str, deque[int]] = defaultdict(deque)
    for at in sorted(numbers):
        found[sheet.items[at].key].append(at)
    return found
