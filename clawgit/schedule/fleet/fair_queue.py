"""Whose turn it is among many."""

import heapq
from collections.abc import Hashable
from itertools import count
from typing import Generic, TypeVar

Name = TypeVar("Name", bound=Hashable)


class FairQueue(Generic[Name]):
    """Gives each of those that wait the same share of time, however often some of them come.

    Each has an account of the seconds that it was served; whoever was served least is next. Who comes back after a
    while owes what it owed, and has saved nothing up (start-time fair queueing, Goyal, Vin and Cheng 1996).
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, float, Name]] = []
        self._waiting: dict[Name, float] = {}
        self._owed: dict[Name, float] = {}
        self._now = 0.0
        self._order = count()

    def __len__(self) -> int:
        """Return how many wait."""
        return len(self._waiting)

    def put(self, name: Name, ahead: float = 0.0) -> None:
        """Let one wait; by so many seconds `ahead` it is preferred. Who waits already keeps the better place."""
        start = max(self._owed.get(name, 0.0), self._now)
        place = start - ahead
        if name in self._waiting and self._waiting[name] <= place:
            return
        self._waiting[name] = place
        heapq.heappush(self._heap, (place, next(self._order), start, name))

    def take(self) -> Name | None:
        """Return the next one, None where nobody waits."""
        while self._heap:
            place, _, start, name = heapq.heappop(self._heap)
            if self._waiting.get(name) == place:
                del self._waiting[name]
                self._now = max(self._now, start)
                return name
        return None

    def served(self, name: Name, seconds: float) -> None:
        """Note for how long one was served."""
        self._owed[name] = max(self._owed.get(name, 0.0), self._now) + seconds

    def forget(self, name: Name) -> None:
        """Leave one out that waits no more."""
        self._waiting.pop(name, None)
        self._owed.pop(name, None)
