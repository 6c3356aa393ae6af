"""Which edit had seen which, as bits of numbers."""

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

BASE = 0
"""The event that all others have seen: what the file held before them."""


class EventGraph(Struct):
    """Events in an order in which parents come first; 0 is what all of them start from.

    `names` decide between concurrent events and are the same on every machine: ids of commits, or hashes of texts.
    `seen` has for each event a bit for itself and for all before it; `depth` is the longest way from the start.
    """

    names: list[str] = field(default_factory=lambda: [""])
    seen: list[int] = field(default_factory=lambda: [1])
    depth: list[int] = field(default_factory=lambda: [0])

    def add(self, name: str, parents: Iterable[int]) -> int:
        """Add an event that has seen its parents and what they had seen; return its number."""
        known = tuple(parents) or (BASE,)
        number = len(self.names)
        self.names.append(name)
        self.seen.append(self.seen_by(known) | 1 << number)
        self.depth.append(1 + max(self.depth[parent] for parent in known))
        return number

    def seen_by(self, events: Iterable[int]) -> int:
        """Return the bits of all that several events have seen together."""
        bits = 1
        for event in events:
            bits |= self.seen[event]
        return bits

    def concurrent(self, one: int, other: int) -> bool:
        """Return whether neither of two events had seen the other."""
        return not (self.seen[one] >> other & 1 or self.seen[other] >> one & 1)

    def rank(self, event: int) -> tuple[int, str]:
        """Return what a later event has more of; of concurrent ones, always the same has more."""
        return self.depth[event], self.names[event]


Values = dict[int, str | None]
"""The standing values of a register by the event that wrote them; None where the event took it out."""


def standing(sides: Sequence[tuple[Values, int]]) -> Values:
    """Return the values that stand once several sides are joined; each has its values, and the bits of what it saw.

    A value goes where another side has seen and replaced it: what remains is concurrent.
    """
    found: Values = {}
    for values, _ in sides:
        for event, value in values.items():
            if all(event in others or not seen >> event & 1 for others, seen in sides):
                found[event] = value
    return found
