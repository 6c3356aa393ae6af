"""The slots of a context, receipts, and the last turns."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct

if TYPE_CHECKING:
    from clawgit.store.database import StateStore

SessionKind = Literal["main", "group", "subagent", "cron", "heartbeat"]
KINDS: tuple[SessionKind, ...] = get_args(SessionKind)


Name = Literal["identity", "profile", "corrections", "due", "recent", "recall", "crm", "longterm", "external"]


class SlotRule(Struct, frozen=True):
    """A slot: its title in the text, the key of CONFIG.md for its tokens ("" if others give them).

    `withheld` are the sessions that do not get it (as OpenClaw has it). `ranked` pieces stay in the order of their
    offer, `foreign` ones are fenced as data.
    """

    title: str
    key: str
    withheld: tuple[SessionKind, ...] = ()
    ranked: bool = False
    foreign: bool = False


_GROUP: tuple[SessionKind, ...] = ("group",)
SLOTS: Mapping[Name, SlotRule] = {
    "identity": SlotRule("Identity", "identity_tokens"),
    "profile": SlotRule("Operator profile", "user_profile_tokens", KINDS[1:]),
    "corrections": SlotRule("Corrections: these hold", "corrections_tokens", _GROUP, ranked=True),
    "due": SlotRule("Due today and this week", "", KINDS[1:], ranked=True),
    "recent": SlotRule("Recent memory", "recent_memory_tokens", _GROUP),
    "recall": SlotRule("Relevant memory", "semantic_recall_tokens", _GROUP),
    "crm": SlotRule("People", "crm_tokens", _GROUP, foreign=True),
    "longterm": SlotRule("Long-term memory", "longterm_memory_tokens", KINDS[1:]),
    "external": SlotRule("External context", "external_context_budget", _GROUP, foreign=True),
}
"""In the order of their priority (spec §6)."""


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
    """A part left out of a slot, and the reason."""

    what: str
    why: str


class Slot(Struct, frozen=True):
    """One slot of the receipt; all numbers are tokens, the margin included.

    `asked` is the size of its sources, `given` the room it got, `stolen` the part of that room taken from lower slots,
    `kept` its size. `sources` are citations such as `SOUL.md#L1-L40`.
    """

    name: str
    asked: int = 0
    given: int = 0
    stolen: int = 0
    kept: int = 0
    cut: tuple[Cut, ...] = ()
    sources: tuple[str, ...] = ()


class Assembled(Struct, frozen=True):
    """A context: `text` costs `tokens`, never more than `budget`; `slots` come in the order of their priority.

    `warnings` are sentences for people. `cut_identity`: the identity did not fit whole, and a command that prints such
    a context exits with 3.
    """

    text: str
    tokens: int
    budget: int
    slots: tuple[Slot, ...] = ()
    warnings: tuple[str, ...] = ()
    cut_identity: bool = False


_NAME, MAX_TURNS = "turns", 500


class LoggedTurn(Struct, frozen=True):
    """A turn of a session with the digests of its added lines, their `places`, and the day of its due items.

    Before it `missed` turns got no answer in time. `time` is its moment in ISO 8601.
    """

    session: str
    given: tuple[str, ...] = ()
    due: str = ""
    missed: int = 0
    places: tuple[tuple[str, int], ...] = ()
    time: str = ""


def log_turn(store: "StateStore", turn: LoggedTurn) -> None:
    """Note a turn; of more than MAX_TURNS the oldest go. Raises ClawgitError."""
    store.append_rows(_NAME, [turn], MAX_TURNS)


def read_turns(store: "StateStore", session: str, missed: int = 0) -> dict[str, list[LoggedTurn]]:
    """Return the turns of each session that are noted, of `session` at least none.

    Its last `missed` ones are left out: the agent never saw their lines.
    """
    log: dict[str, list[LoggedTurn]] = {session: []}
    for turn in store.read_rows(_NAME, LoggedTurn):
        log.setdefault(turn.session, []).append(turn)
    log[session] = log[session][: len(log[session]) - missed] if missed < len(log[session]) else []
    return log


def find_last(store: "StateStore") -> LoggedTurn | None:
    """Return the last turn of the owner's that is noted, None without one."""
    turns = reversed(store.read_rows(_NAME, LoggedTurn))
    return next((turn for turn in turns if not turn.session.endswith(" shared")), None)


def count_turns(store: "StateStore") -> tuple[int, int]:
    """Return the number of turns among the last that got no answer in time, and of all of them."""
    turns = store.read_rows(_NAME, LoggedTurn)
    missed = sum(turn.missed for turn in turns)
    return missed, missed + len(turns)
