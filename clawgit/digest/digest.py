"""A digest as a value."""

import hashlib
import json
from datetime import datetime
from functools import cached_property

from msgspec import Struct

COST = "cost"
TITLES = {
    "waiting": "Waits for you",
    "due": "Due today and this week",
    "identity": "Identity",
    "memories": "New memories",
    "corrections": "Corrections",
    "conflicts": "Conflicts",
    "removals": "Removed",
    COST: "What the agents did",
}
"""The parts, in the order in which they are told."""

_DIGITS = 12


class Item(Struct, frozen=True):
    """One thing: a sentence, more lines about it, and the command that decides it or takes it back ("" for none)."""

    text: str
    details: tuple[str, ...] = ()
    command: str = ""


class Part(Struct, frozen=True):
    """One heading: its name in TITLES, its items, and how many more there are that are not quoted.

    `look` is the command that shows these.
    """

    name: str
    items: tuple[Item, ...] = ()
    unquoted: int = 0
    look: str = ""


class Digest(Struct, frozen=True, dict=True):
    """What happened to the workspace called `workspace` from `since` until `until`; `head` is the commit at its end."""

    workspace: str
    since: datetime
    until: datetime
    head: str | None
    parts: tuple[Part, ...]

    @property
    def empty(self) -> bool:
        """Whether there is nothing to tell; that agents ran and did nothing is nothing."""
        return not any(one.items or one.unquoted for one in self.parts if one.name != COST)

    @cached_property
    def id(self) -> str:
        """Twelve digits that stand for exactly what is told, but for the times and the cost."""
        told = [
            (part.name, part.unquoted, [(one.text, one.details, one.command) for one in part.items])
            for part in self.parts
            if part.name != COST
        ]
        return hashlib.sha256(json.dumps([self.workspace, told]).encode()).hexdigest()[:_DIGITS]
