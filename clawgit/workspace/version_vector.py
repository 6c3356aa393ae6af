"""Which write made a row, and what was read before."""

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

Dot = tuple[str, int]
"""The `n`-th row that a machine wrote, counted from 1."""

Vector = Mapping[str, int]
"""The highest `n` of each machine."""

LAST = 10**15 - 1
"""No dot has a higher number: what is higher is no dot."""

_DOT = re.compile(r"([k-z]{8}):([1-9][0-9]{0,14})")


class Reading(Struct, frozen=True, order=True):
    """From its `n`-th row on, `machine` had read a file with these dots of others.

    Each dot stands for all that its own writer had read, so a reading names only what no other of its dots covers.
    """

    machine: str
    n: int
    dots: tuple[Dot, ...] = ()


class Readings:
    """Who had read what; `seen` answers for any dot."""

    def __init__(self, some: Iterable[Reading] = ()) -> None:
        self.known = joined(some)
        self._by_machine: dict[str, list[Reading]] = {}
        for one in self.known:
            self._by_machine.setdefault(one.machine, []).append(one)
        self._seen: dict[Dot, dict[str, int]] = {}

    def seen(self, dots: Iterable[Dot]) -> dict[str, int]:
        """Return what the writers of `dots` had seen, of each machine the highest: a machine has seen its own rows."""
        found: dict[str, int] = {}
        for dot in dots:
            _raise(found, self._of(dot))
        return found

    def covers(self, dots: Iterable[Dot], one: Dot) -> bool:
        """Return whether a writer of `dots` had seen `one`."""
        return self.seen(dots).get(one[0], 0) >= one[1]

    def standing(self, dots: Iterable[Dot]) -> tuple[Dot, ...]:
        """Return those of `dots` that the writer of no other one had seen, sorted."""
        every = set(dots)
        return tuple(sorted(dot for dot in every if not self.covers(every - {dot}, dot)))

    def _of(self, dot: Dot) -> dict[str, int]:
        """Follow the readings from `dot`; a circle, as only a forged file has it, is walked once."""
        if dot not in self._seen:
            found: dict[str, int] = {dot[0]: dot[1] - 1} if dot[1] > 1 else {}
            waiting, done = self._heads(dot), set[Dot]()
            while waiting:
                head = waiting.pop()
                if head in done:
                    continue
                done.add(head)
                if head in self._seen:
                    _raise(found, self._seen[head])
                else:
                    waiting += self._heads(head)
                _raise(found, dict([head]))
            self._seen[dot] = found
        return self._seen[dot]

    def _heads(self, dot: Dot) -> list[Dot]:
        return [head for one in self._by_machine.get(dot[0], ()) if one.n <= dot[1] for head in one.dots]


def joined(*some: Iterable[Reading]) -> tuple[Reading, ...]:
    """Return all readings, sorted, those that begin at one row as one."""
    found: dict[Dot, set[Dot]] = {}
    for one in (reading for group in some for reading in group):
        found.setdefault((one.machine, one.n), set()).update(one.dots)
    return tuple(Reading(*key, tuple(sorted(dots))) for key, dots in sorted(found.items()))


def highest(dots: Iterable[Dot], readings: Iterable[Reading]) -> dict[str, int]:
    """Return the highest number of each machine that a file tells of."""
    found: dict[str, int] = {}
    told = (dot for reading in readings for dot in ((reading.machine, reading.n), *reading.dots))
    for machine, n in (*dots, *told):
        found[machine] = max(found.get(machine, 0), n)
    return found


def read_now(dot: Dot, there: Vector, readings: Readings) -> Reading | None:
    """Return the reading that says that the writer of `dot` had read a file with `there`; None where it is known."""
    known = readings.seen([dot])
    news = {item for item in there.items() if item[0] != dot[0] and item[1] > known.get(item[0], 0)}
    return Reading(*dot, readings.standing(news)) if news else None


def cell(dots: Iterable[Dot]) -> str:
    """Return dots as a file has them: `kqvwxyzm:12`, several with commas, sorted."""
    return ",".join(f"{machine}:{n}" for machine, n in sorted(set(dots)))


def dots(text: str) -> tuple[Dot, ...]:
    """Return the dots of a cell, sorted; what is none is passed over."""
    found = (_DOT.fullmatch(part) for part in text.split(",")) if text else ()
    return tuple(sorted({(match[1], int(match[2])) for match in found if match}))


def _raise(found: dict[str, int], more: Vector) -> None:
    for machine, n in more.items():
        if n > found.get(machine, 0):
            found[machine] = n
