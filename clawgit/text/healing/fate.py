"""What others did to what a writer started from."""

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from clawgit.text.healing.item import Item, Sheet
from clawgit.text.healing.resemble import resembling

_PROSE = {"bullet": "prose", "text": "prose"}


@dataclass(frozen=True, slots=True)
class Fate:
    """What is to become of the writer's text (`here`), by numbers of items; `now` is the committed text.

    `stands` says for items of `now` where they stand in `here`, in whatever words. `replaced` and `boxed` go from
    `here` to `now`. `rivals` were changed by others and by the writer, each in its way.
    """

    stands: dict[int, int] = field(default_factory=dict)
    added: list[int] = field(default_factory=list)
    replaced: dict[int, int] = field(default_factory=dict)
    boxed: dict[int, int] = field(default_factory=dict)
    dropped: set[int] = field(default_factory=set)
    rivals: list[int] = field(default_factory=list)


def fate(base: Sheet, now: Sheet, here: Sheet) -> Fate:
    """Decide it item by item: what only one side did, holds."""
    there, mine = matched(base, now), matched(base, here)
    changed = _in_place(_edits(base, now, there), there, base, now)
    edited = _edits(base, here, mine)
    own = _by_key(here, set(range(len(here.items))).difference(mine.values()))
    found = Fate()
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
    found: Fate,
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
        if kept is not None:
            found.dropped.add(kept)
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
        found.rivals.append(to)
    else:
        found.added.append(to)


def _ticked(base: Item, now: Item, here: Item) -> bool:
    states = (base.checked, now.checked, here.checked)
    return None not in states and here.checked == base.checked != now.checked


def _arrive(found: Fate, at: int, item: Item, own: dict[str, deque[int]]) -> None:
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
        titles = [_title(old, at) for at in before], [_title(new, at) for at in after]
        pairs = resembling([old.items[at].key for at in before], [new.items[at].key for at in after], titles)
        found |= {before[at]: after[to] for at, to in pairs.items()}
    return found


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
