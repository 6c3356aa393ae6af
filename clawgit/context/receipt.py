"""A context, and the receipt for it."""

from typing import Literal, get_args

from msgspec import Struct

SessionKind = Literal["main", "group", "subagent", "cron", "heartbeat"]
KINDS: tuple[SessionKind, ...] = get_args(SessionKind)


class Asked(Struct, frozen=True):
    """The conversation that a context is for.

    `text` is how it goes so far, its last turns at the end; `query` is asked of the memory instead of them; `session`
    is the id, or the beginning of one, of a conversation that the chat store keeps. `budget` are tokens, None leaves
    them to CONFIG.md. `as_of` names a commit or a day: the files count as they were then. Of the files in
    `shown` nothing is given: the prompt has them already.
    """

    text: str = ""
    query: str = ""
    session: str = ""
    budget: int | None = None
    session_kind: SessionKind = "main"
    as_of: str | None = None
    shown: tuple[str, ...] = ()


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
