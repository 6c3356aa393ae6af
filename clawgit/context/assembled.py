"""A context, and the receipt for it."""

from msgspec import Struct


class Cut(Struct, frozen=True):
    """What was left out of a slot, and why."""

    what: str
    why: str


class Slot(Struct, frozen=True):
    """One slot of the receipt; all numbers are tokens, the margin included.

    `asked` is what its sources would take, `given` the room it got, `stolen` what of that room lower slots lost to it,
    `kept` what it fills. `sources` are citations such as `SOUL.md#L1-L40`.
    """

    name: str
    asked: int = 0
    given: int = 0
    stolen: int = 0
    kept: int = 0
    cut: tuple[Cut, ...] = ()
    sources: tuple[str, ...] = ()


class Part(Struct, frozen=True):
    """What a slot holds of one source, as it stands in the text: below its title, `cited` above it."""

    slot: str
    title: str
    path: str
    cited: str
    text: str


class Assembled(Struct, frozen=True):
    """A context: `text` costs `tokens`, never more than `budget`; `slots` come in the order of their priority.

    `warnings` are sentences for people. `cut_identity` tells that the identity did not fit whole: a command that prints
    such a context exits with 3.
    """

    text: str
    tokens: int
    budget: int
    slots: tuple[Slot, ...] = ()
    warnings: tuple[str, ...] = ()
    cut_identity: bool = False
