"""Named points of a write, for whoever measures."""

from collections.abc import Callable

Observer = Callable[[str], None]

_observers: list[Observer] = []


def reached(step: str) -> None:
    """Tell every observer that a write is about to do `step`."""
    for observer in _observers:
        observer(step)


def observe(observer: Observer) -> None:
    """Call `observer(step)` at each point; benchmarks time with it, tests interrupt."""
    _observers.append(observer)


def forget(observer: Observer) -> None:
    """Stop calling `observer`."""
    _observers.remove(observer)
