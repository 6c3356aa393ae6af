"""Folds what waits since an earlier digest."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from clawgit.digest import digest_waiting
from clawgit.digest.digest_text import Digest, Item

_MANY = re.compile(r"(\d+) (\D+)")
_STEPS = 100
"""The most of one kind that are counted: from there on more are no news."""


def folded(found: Digest, known: Mapping[str, str], things: Mapping[str, Sequence[str]]) -> Digest:
    """Return a digest in which what waits since an earlier one is one item, without commands of its own.

    Of several things that wait for one reason those that are new are told, and how many were told before. What waited
    then and does not any more is told, too. `known` says by key when each was told first, `things` the keys of each
    sentence of the last digest.
    """
    first, *others = found.parts
    found = replace(found, settled=tuple(_settled(first.items, things)))
    told = {one: [known[key] for key in known_by(one) if key in known] for one in first.items}
    old = [one for one, days in told.items() if len(days) == len(known_by(one))]
    if not any(told.values()):
        return found
    new = tuple(_fresh(one, known) for one in first.items if one not in old)
    if not old:
        return replace(found, parts=(replace(first, items=new), *others))
    many = "1 thing waits" if len(old) == 1 else f"{len(old)} things wait"
    texts = tuple(f"{one.text} (since {min(told[one])[:10]})" for one in old)
    still = Item(f"{many} that earlier digests told", texts, first.look)
    return replace(found, parts=(replace(first, items=(*new, still), before=len(old)), *others))


def _settled(items: Sequence[Item], before: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the sentences of earlier things of which none waits; not those of a file of which something else does."""
    waits = {key for one in items for key in known_by(one)}
    files = {one.text.partition(" ")[0] for one in items}
    for words, keys in before.items():
        name = words.partition(" ")[0]
        if waits.isdisjoint(keys) and not (name.endswith(".md") and name in files):
            yield words


def _fresh(one: Item, known: Mapping[str, str]) -> Item:
    """Return a thing that waits without what of it was told before."""
    keys = known_by(one)
    if len(keys) < 2 or len(keys) > len(one.details):  # noqa: PLR2004 - it is known or it is not
        return one
    new = [each for each, key in zip(one.details, keys, strict=False) if key not in known]
    left, before = len(new) - one.shown, len(keys) - len(new)
    if not before:
        return one
    more = (f"and {left} more",) if left > 0 else ()
    details = (*new[: one.shown], *more, f"and {before} that earlier digests told", *one.details[len(keys) :])
    since = f": {len(new)} since the last digest" if _MANY.fullmatch(one.text) else ""
    return replace(one, text=f"{one.text}{since}", details=details, shown=len(details))


def waits_until_settled(one: Item) -> bool:
    """Tell whether a thing waits until it is settled, and may be without a word: a file or skill that is not approved.

    Other alarms come and go with a period, or under another name; a proposal the operator decides on, and knows.
    """
    return bool(one.keys)


def known_by(one: Item) -> tuple[str, ...]:
    """Return what a thing that waits is known by: several by each of them, a number by its steps, else by its words."""
    if one.keys:
        return tuple(map(_key, one.keys))
    many = _MANY.fullmatch(one.text)
    if many and one.details:
        return tuple(map(_key, one.details))
    if many:
        return tuple(_key(f"{many[2]}: {step}") for step in range(min(int(many[1]), _STEPS)))
    return (_key(one.text.replace(digest_waiting.HOSTILE, "", 1)),)


def _key(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()[:12]
