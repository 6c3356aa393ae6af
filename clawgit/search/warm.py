"""Keeps slow resources open."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")


class _Kept(Struct, frozen=True):
    """A resource, its inputs (others would make another one), and the function that ends it."""

    thing: Any
    made_of: object
    end: Callable[[Any], object]


Things = dict[Hashable, _Kept]
_THINGS: ContextVar[Things | None] = ContextVar("kept", default=None)


def begin() -> None:
    """From now on keep this thread's resources open, until the process ends; a short command does without."""
    _THINGS.set({})


@contextmanager
def keep_among(things: Things) -> Iterator[None]:
    """Keep resources opened here among `things`, which one thread at a time may use."""
    before = _THINGS.set(things)
    try:
        yield
    finally:
        _THINGS.reset(before)


def end(things: Things) -> None:
    """End the kept resources."""
    while things:
        _, entry = things.popitem()
        entry.end(entry.thing)


def is_lasting() -> bool:
    """Return whether this thread answers more than once."""
    return _THINGS.get() is not None


def keep_warm(key: Hashable, made_of: object, make: Callable[[], T], end: Callable[[T], object] = id) -> T:
    """Return the result of `make`, kept under `key`; the last one if its inputs were the same.

    `end` is called with a replaced one.
    """
    things = _THINGS.get()
    if things is None:
        return make()
    old = things.get(key)
    if old is not None and old.made_of == made_of:
        previous: T = old.thing
        return previous
    if old is not None:
        del things[key]
        old.end(old.thing)
    thing = make()
    things[key] = _Kept(thing, made_of, end)
    return thing


def is_kept(thing: object) -> bool:
    """Return whether a thing is kept, so that it must not be closed."""
    return any(entry.thing is thing for entry in (_THINGS.get() or {}).values())


def stop_keeping(thing: object) -> None:
    """Keep a thing no longer: something is wrong with it."""
    things = _THINGS.get() or {}
    for key in [key for key, entry in things.items() if entry.thing is thing]:
        del things[key]
