"""Keeps open what is slow to open."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")


class _Kept(Struct, frozen=True):
    """A thing, what it was made of (of something else it would be another), and what ends it."""

    thing: Any
    made_of: object
    end: Callable[[Any], object]


Things = dict[Hashable, _Kept]
_KEPT: ContextVar[Things | None] = ContextVar("kept", default=None)


def begin() -> None:
    """From now on keep what this thread opens, until the process ends; a command that ends at once does without."""
    _KEPT.set({})


@contextmanager
def within(things: Things) -> Iterator[None]:
    """Keep what is opened here among `things`, which one thread at a time may use."""
    before = _KEPT.set(things)
    try:
        yield
    finally:
        _KEPT.reset(before)


def end(things: Things) -> None:
    """End what is kept."""
    while things:
        _, one = things.popitem()
        one.end(one.thing)


def lasting() -> bool:
    """Return whether this thread answers more than once."""
    return _KEPT.get() is not None


def kept(key: Hashable, made_of: object, make: Callable[[], T], end: Callable[[T], object] = id) -> T:
    """Return what `make` makes, kept under `key`; where it was made of the same the last time, that one.

    `end` is called with the one that it takes the place of.
    """
    there = _KEPT.get()
    if there is None:
        return make()
    old = there.get(key)
    if old is not None and old.made_of == made_of:
        same: T = old.thing
        return same
    if old is not None:
        del there[key]
        old.end(old.thing)
    thing = make()
    there[key] = _Kept(thing, made_of, end)
    return thing


def holds(thing: object) -> bool:
    """Return whether a thing is kept, so that it must not be closed."""
    return any(one.thing is thing for one in (_KEPT.get() or {}).values())


def drop(thing: object) -> None:
    """Keep a thing no longer: something is wrong with it."""
    there = _KEPT.get() or {}
    for key in [key for key, one in there.items() if one.thing is thing]:
        del there[key]
