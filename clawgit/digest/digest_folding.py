"""Folds what waits since an earlier digest."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from clawgit.digest.digest_text import Digest, Item


def folded(found: Digest, known: Mapping[str, str], things: Mapping[str, Sequence[str]]) -> Digest:
    """Return a digest in which what waits since an earlier one is one item, without commands of its own.

    Of several things that wait for one reason those that are new are told, and how many were told before. What waited
    then and does not any more is told, too. `known` says by key when each was told first, `things` the keys of each
    sentence of the last digest.
    """
    first, *others = found.parts
    found = replace(found, settled=tuple(_settled(first.items, things)))
    told = {one: [known[key] for key in one.hashes if key in known] for one in first.items}
    old = [one for one, days in told.items() if len(days) == len(one.hashes)]
    if not any(told.values()):
        return found
    new = tuple(_fresh(one, known) for one in first.items if one not in old)
    if not old:
        return replace(found, parts=(replace(first, items=new), *others))
    many = "1 thing waits" if len(old) == 1 else f"{len(old)} things wait"
    texts = tuple(f"{one.text} (since {min(told[one])[:10]})" for one in old)
    still = Item(f"{many} that earlier digests told", texts, first.look)
    return replace(found, parts=(replace(first, items=(*new, still), before=len(old)), *others))


def marks(item: Item) -> tuple[str, ...]:
    """Return what tells that a thing still waits, or something else of its file: its keys, and that of the file."""
    return (*item.hashes, *(Item(item.path).hashes if item.path else ()))


def _settled(items: Sequence[Item], before: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the sentences of earlier things of which none waits; not those of a file of which something else does."""
    waits = {mark for one in items for mark in marks(one)}
    yield from (words for words, keys in before.items() if waits.isdisjoint(keys))


def _fresh(one: Item, known: Mapping[str, str]) -> Item:
    """Return a thing that waits without what of it was told before."""
    keys = one.hashes
    if len(keys) < 2 or len(keys) > len(one.details):  # noqa: PLR2004 - it is known or it is not
        return one
    new = [each for each, key in zip(one.details, keys, strict=False) if key not in known]
    left, before = len(new) - one.shown, len(keys) - len(new)
    if not before:
        return one
    more = (f"and {left} more",) if left > 0 else ()
    details = (*new[: one.shown], *more, f"and {before} that earlier digests told", *one.details[len(keys) :])
    return replace(one, details=details, shown=len(details))
