"""The slots of a context, sharing a budget of tokens."""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from msgspec import Struct

from clawgit.workspace.config import Config

Name = Literal["identity", "profile", "corrections", "due", "recent", "recall", "crm", "longterm", "external"]
NAMES: tuple[Name, ...] = get_args(Name)
"""In the order of their priority (spec §6)."""

SHOWN: tuple[Name, ...] = (
    "identity",
    "profile",
    "longterm",
    "external",
    "due",
    "corrections",
    "recent",
    "crm",
    "recall",
)
"""In the order of the text: what stays from one question to the next comes first, so that caches of prompts hold."""


class Kind(Struct, frozen=True):
    """A slot: its title in the text, and the key of CONFIG.md for its tokens, "" if others give them."""

    title: str
    key: str


KINDS: Mapping[Name, Kind] = {
    "identity": Kind("Identity", "identity_tokens"),
    "profile": Kind("Operator profile", "user_profile_tokens"),
    "corrections": Kind("Corrections: these hold", "corrections_tokens"),
    "due": Kind("Due today and this week", ""),
    "recent": Kind("Recent memory", "recent_memory_tokens"),
    "recall": Kind("Relevant memory", "semantic_recall_tokens"),
    "crm": Kind("People", "crm_tokens"),
    "longterm": Kind("Long-term memory", "longterm_memory_tokens"),
    "external": Kind("External context", "external_context_budget"),
}


def sizes(config: Config, budget: int | None) -> tuple[int, dict[Name, int]]:
    """Return the whole budget and the size of each slot, in tokens.

    Another budget than that of CONFIG.md scales every slot. If slots come to more than the whole, the lowest are cut
    down first, except the external one: it is set to nothing unless somebody wants it, and then has its size.
    """
    usual = int(config.value("context_budget_tokens"))
    total = usual if budget is None else budget
    left, result = total, {}
    for name in NAMES:
        size = int(config.value(KINDS[name].key)) if KINDS[name].key else 0
        scaled = size * total // usual if usual else 0
        result[name] = min(scaled, total if name == "external" else left)
        left -= result[name]
    return total, result


class Want(Struct, frozen=True):
    """The claims of a slot, in tokens: `size` is its own, `needed` the part of `asked` that it must have."""

    size: int
    asked: int
    needed: int = 0
    whole: bool = False
    """Whether lower slots may lose all they would fill to it; to others they lose half at most."""
    floor: int = 0
    """What nobody takes of its own; only one that goes `whole` does where everybody else has nothing left."""
    guest: bool = False
    """Whether its size is no part of the whole, but comes from what others leave and would fill."""


class _Room(Struct):
    want: Want
    given: int
    idle: int


def share(total: int, wants: Mapping[Name, Want], order: Sequence[Name]) -> dict[Name, int]:
    """Return the room of each slot, by name; `wants` come in the order of their priority. The sum is at most `total`.

    First no slot gets more than its own. Then the needed room is taken from the lowest slot first (spec §6): its empty
    part, then its filled one. At last unused room goes to slots that would take more, in `order`. A guest needs its
    size, and has it from unused room, then from the others of `order`, the last one first.
    """
    own = {name: 0 if want.guest else want.size for name, want in wants.items()}
    rooms = {
        name: _Room(want, min(own[name], want.asked), max(own[name] - want.asked, 0)) for name, want in wants.items()
    }
    # The part of the budget without a slot comes last, so it is given away first.
    spare = _Room(Want(0, 0), 0, max(total - sum(own.values()), 0))
    everybody = [*rooms.values(), spare]
    for number, room in enumerate(rooms.values()):
        needed_size = min(room.want.needed, room.want.asked)
        room.given += _idle(everybody, needed_size - room.given)
        others = [rooms[name] for name in order] if room.want.guest else list(rooms.values())[number + 1 :]
        room.given += _take_from(others, needed_size - room.given, whole=room.want.whole)
        if room.want.whole:
            room.given += _take_from(others, needed_size - room.given, whole=True, floors=False)
    for name in order:
        rooms[name].given += _idle(everybody, rooms[name].want.asked - rooms[name].given)
    return {name: room.given for name, room in rooms.items()}


def _idle(rooms: Sequence[_Room], missing: int) -> int:
    """Take so much unused room, from the lowest slot first; return the amount."""
    got = 0
    for room in reversed(rooms):
        part = max(min(room.idle, missing - got), 0)
        room.idle -= part
        got += part
    return got


def _take_from(lower: Sequence[_Room], missing: int, *, whole: bool, floors: bool = True) -> int:
    """Take so much of the room that lower slots would fill, from the lowest first; return the amount."""
    got = 0
    for room in reversed(lower):
        own = min(room.want.size, room.want.asked)
        minimum = max(0 if whole else (own + 1) // 2, min(room.want.floor, own) if floors else 0)
        part = max(min(room.given - minimum, missing - got), 0)
        room.given -= part
        got += part
    return got
