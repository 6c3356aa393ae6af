"""What one run may take away, change and add."""

from msgspec.structs import replace

from clawgit.agents.protocol import destructive
from clawgit.agents.protocol.checked import Checked, Ground
from clawgit.text.sameness.relation import compare


def budgeted(found: tuple[Checked, ...], ground: Ground) -> tuple[Checked, ...]:
    """Return what the checks say with what goes beyond the budget waiting, or aside; the first ones have the room.

    What an earlier operation of the same answer says is refused.
    """
    spent = _Spent(ground)
    return tuple(spent.take(one) if one.state == "fits" else one for one in found)


class _Spent:
    """Counts what the operations of an answer use up."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._left = destructive.limit(ground.total or len(ground.held)) - ground.removed
        self._free = ground.room.free if ground.room else None
        self._steps = ground.step
        self._grown = dict(ground.identity)
        self._said: list[str] = []

    def take(self, one: Checked) -> Checked:
        """Return an operation that fits, as the budget leaves it."""
        operation = one.operation
        if one.same:
            return one
        if any(compare(operation.text, said).relation == "same" for said in self._said if operation.text):
            return replace(one, state="refused", why="another operation of this answer says so", needs_support=False)
        if operation.text:
            self._said.append(operation.text)
        if operation.act == "soul":
            return self._identity(one)
        if count := destructive.taken(operation):
            if count > self._left:
                return replace(one, state="waits", why="a run takes at most 5 entries, or 5 % of them, away")
            self._left -= count
        if operation.act == "add" and self._free is not None:
            self._free -= len(operation.text) + 3
            return replace(one, aside=self._free < 0)
        return one

    def _identity(self, one: Checked) -> Checked:
        operation = one.operation
        grown = self._grown.get(operation.file, 0) - len(operation.text)
        if self._steps < 1 or grown < 0:
            return replace(
                one, state="waits", why="the identity changes by few lines at a time, and stays within its cap"
            )
        self._steps -= 1
        self._grown[operation.file] = grown
        return one
