"""What others did to what a writer started from."""

from collections import defaultdict, deque
from collections.abc import Iterable

from msgspec import Struct, field

from clawgit.text.stale_write.item import Item, Sheet
from clawgit.text.stale_write.resemblance import resembling, same_letters

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
