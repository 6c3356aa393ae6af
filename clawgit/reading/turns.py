"""A batch: turns, and the entries shown beside them."""

import json
from datetime import date
from hashlib import sha256
from typing import Literal

from msgspec import Struct, to_builtins

from clawgit.memory.in_force import Rule
from clawgit.text.tokens import count
from clawgit.workspace.commit_message import fold_spaces

Speaker = Literal["operator", "agent", "tool", "other"]


class Turn(Struct, frozen=True):
    """One turn of a conversation.

    `n` is its number in the batch, from 1; `time` is ISO 8601 with the offset of the workspace, "" if unknown.
    `may_cite`: it is the operator's. `asked`: it is an explicit request, or sounds like a correction. `text` is
    redacted; an operator's turn is whole, others may be cut.
    """

    n: int
    session: str
    time: str
    by: Speaker
    may_cite: bool
    text: str
    event: str = ""
    asked: bool = False

    @property
    def day(self) -> date | None:
        """The day of the turn, None if unknown."""
        try:
            return date.fromisoformat(self.time[:10])
        except ValueError:
            return None


class KnownEntry(Struct, frozen=True):
    """A shown entry of memory: `first` is the day of its first mention, in ISO 8601.

    `front`: it is in the part of the prompt that is the same from reading to reading.
    """

    id: str
    file: str
    section: str
    text: str
    first: str = ""
    front: bool = False


class IdentityLine(Struct, frozen=True):
    """A line of the identity."""

    file: str
    section: str
    line: int
    text: str


class Batch(Struct, frozen=True):
    """The input of one reading.

    `agent` runs, `roles` are the agents whose operations are kept. `turns` are new. `entries` are the shown memories,
    `soul` the lines of the identity, `corrections` the newest ones, `free` the characters left in the memory file.
    """

    agent: str
    roles: tuple[str, ...]
    today: str
    timezone: str
    turns: tuple[Turn, ...]
    entries: tuple[KnownEntry, ...] = ()
    soul: tuple[IdentityLine, ...] = ()
    corrections: tuple[Rule, ...] = ()
    free: int | None = None

    @property
    def id(self) -> str:
        """A hash of its content."""
        # Sorted keys: the same batch has the same id on every machine.
        text = json.dumps(to_builtins(self), ensure_ascii=False, sort_keys=True)
        return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def asked(self) -> tuple[int, ...]:
        """The turns that need an operation or a reason."""
        return tuple(turn.n for turn in self.turns if turn.asked)

    def turn(self, n: int) -> Turn | None:
        """Return the turn of this number, None without one."""
        return self.turns[n - 1] if 0 < n <= len(self.turns) else None

    def entry(self, name: str) -> KnownEntry | None:
        """Return the entry of this id, None without one."""
        return next((entry for entry in self.entries if entry.id == name), None)


MAX_OTHER_TOKENS, MAX_TOOL_TOKENS = 60, 20
"""Tokens of a turn of the agent's or somebody else's, of a tool's result."""
CUT = "[…]"
_MAX_TOKEN_LETTERS = 12


def cut_line(text: str, max_tokens: int) -> str:
    """Return a turn of somebody else's on one line; of a long one the head, and the end with its question."""
    return cut_middle(fold_spaces(text), max_tokens, f" {CUT} ")


def cut_middle(text: str, max_tokens: int, gap: str = f"\n{CUT}\n") -> str:
    """Return a text whole, or its head and its end with a gap between if it has more than `max_tokens` tokens."""
    tokens = count(text[: max_tokens * _MAX_TOKEN_LETTERS])
    if len(text) <= max_tokens * _MAX_TOKEN_LETTERS and tokens <= max_tokens:
        return text
    letters = max_tokens * _MAX_TOKEN_LETTERS * max_tokens // max(tokens, max_tokens)
    letters = min(letters, len(text) * max_tokens // max(tokens, max_tokens))
    head, end = text[: letters - letters // 3], text[len(text) - letters // 3 :]
    return f"{head.rpartition(' ')[0] or head}{gap}{end.partition(' ')[2] or end}"
