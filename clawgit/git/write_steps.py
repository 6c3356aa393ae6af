"""Named points of a write, for measurements."""

from collections.abc import Callable

Observer = Callable[[str], None]

_observers: list[Observer] = []


def announce_step(step: str) -> None:
    """Announce the next `step` of a write to every observer."""
    for observer in _observers:
        observer(step)


def observe(observer: Observer) -> None:
    """Call `observer(step)` at each point; benchmarks time with it, tests interrupt."""
    _observers.append(observer)


def stop_observing(observer: Observer) -> None:
    """Stop calling `observer`."""
    _observers.remove(observer)
