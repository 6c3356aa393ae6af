"""A batch: what an agent reads at once."""

import json
from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from typing import Any, Literal

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from clawgit.language import logic, sentences
from clawgit.text.tokens import count
from clawgit.workspace.commit_message import one_line

SCHEMA = 1

Speaker = Literal["operator", "agent", "tool", "other"]


class Turn(Struct, frozen=True):
    """One turn of a conversation.

    `n` is its number in the batch, from 1; `time` is ISO 8601 with the offset of the workspace, "" where nothing told.
    `may_cite` tells whether it is evidence: the operator's own talk. `priority` marks what triage flagged. `event` and
    `session` are those of the chat store. `text` is redacted; of an operator's turn it is whole, of others it may be
    cut.
    """

    n: int
    session: str
    time: str
    by: Speaker
    may_cite: bool
    priority: bool
    text: str
    event: str = ""

    @property
    def day(self) -> date | None:
        """The day on which it was said, None where nothing told it."""
        try:
            return date.fromisoformat(self.time[:10])
        except ValueError:
            return None


class Known(Struct, frozen=True):
    """A memory that stands: `first` is the day on which it was first said, in ISO 8601."""

    id: str
    file: str
    section: str
    text: str
    first: str = ""
    mentions: int = 0


class Pair(Struct, frozen=True):
    """Two entries that are alike, by their ids; `n` counts from 1. One that `must` be answered is what rules found."""

    n: int
    one: str
    other: str
    must: bool = False


class Rule(Struct, frozen=True):
    """A correction that stands: of what it is `about`, a whole sentence, `wrong` is not so and `right` is."""

    id: str
    about: str
    wrong: str
    right: str
    quote: str = ""


class Observation(Struct, frozen=True):
    """An earlier complaint, praise or breach: repetition takes days, and a batch has hours."""

    date: str
    quote: str
    line: str = ""


class Line(Struct, frozen=True):
    """A line of the identity."""

    file: str
    section: str
    line: int
    text: str


class Room(Struct, frozen=True):
    """What a file may hold, and what is free: lines and characters."""

    lines: int
    chars: int
    free: int


class Batch(Struct, frozen=True):
    """What one agent should read now (designed as one JSON document).

    `must` names the turns that need an operation or a reason. `waiting` are the texts of proposals that wait for the
    operator. `sections` counts the entries of MEMORY.md by section.
    """

    agent: str
    instructions: str
    today: str
    timezone: str
    turns: tuple[Turn, ...]
    must: tuple[int, ...] = ()
    entries: tuple[Known, ...] = ()
    sections: Mapping[str, int] = field(default_factory=dict)
    corrections: tuple[Rule, ...] = ()
    waiting: tuple[str, ...] = ()
    observations: tuple[Observation, ...] = ()
    soul: tuple[Line, ...] = ()
    budget: Room | None = None
    schema: int = SCHEMA
    pairs: tuple[Pair, ...] = ()

    @property
    def id(self) -> str:
        """What names the batch: a hash of all that it holds."""
        return _digest(self)

    @property
    def material(self) -> str:
        """A hash of what is to be read, whatever the instructions say: what a recorded answer is kept under."""
        return _digest(replace(self, instructions=""))

    def turn(self, n: int) -> Turn | None:
        """Return the turn of this number, None where there is none."""
        return self.turns[n - 1] if 0 < n <= len(self.turns) and self.turns[n - 1].n == n else None

    def document(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the batch as JSON has it, with the schema of its `answer`."""
        return {"id": self.id, **to_builtins(self), "answer": dict(answer)}


def _digest(batch: Batch) -> str:
    found = to_builtins(batch)
    if not batch.pairs:
        del found["pairs"]  # what has none is known by the name that it had before there were any
    said = json.dumps(found, ensure_ascii=False, sort_keys=True)
    return sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def load(document: Mapping[str, Any]) -> Batch:
    """Return the batch that `document` wrote. Raises KeyError, TypeError or ValueError for another document."""
    if document["schema"] != SCHEMA:
        raise ValueError(f"schema {document['schema']}")
    room = document["budget"]
    return Batch(
        agent=str(document["agent"]),
        instructions=str(document["instructions"]),
        today=str(document["today"]),
        timezone=str(document["timezone"]),
        turns=tuple(Turn(**one) for one in document["turns"]),
        must=tuple(document["must"]),
        entries=tuple(Known(**one) for one in document["entries"]),
        sections=dict(document["sections"]),
        corrections=tuple(Rule(**one) for one in document["corrections"]),
        waiting=tuple(document["waiting"]),
        observations=tuple(Observation(**one) for one in document["observations"]),
        soul=tuple(Line(**one) for one in document["soul"]),
        budget=Room(**room) if room else None,
        pairs=tuple(Pair(**one) for one in document.get("pairs", ())),
    )


AGENT, TOOL, OTHER = 60, 20, 60
"""Tokens of a turn of the agent, of what a tool returned, and of somebody else's turn."""
CUT = "[…]"
"""What stands where a text was cut."""
_GAP = f" {CUT} "
_LETTERS = 12  # of one token, at the most
_LOOKED_AT = 8_000  # letters at the end that a question is looked for in
_HEARD = 600  # letters of a reply
_SHARED = 2
"""Words, numbers among them, that a reply has from the sentence that it takes up."""


def agent_turn(text: str, most: int = AGENT, reply: str = "") -> str:
    """Return the head and the tail of what the agent said, with its last question; on one line.

    Instead of the tail comes the sentence that the operator's reply takes up: without it "it's 575" makes no sense.
    """
    plain = one_line(text)
    if count(plain[: most * _LETTERS]) <= most and len(plain) <= most * _LETTERS:
        return plain
    if taken := _taken_up(plain, reply, most // 2):
        begins = head(plain, most - count(taken))
        return begins if taken in begins else f"{begins}{_GAP}{taken}{'' if plain.endswith(taken) else _GAP.rstrip()}"
    asked = _question(plain, most // 2)
    room = most - count(asked)
    if asked and plain.endswith(asked):
        return f"{head(plain, room)}{_GAP}{asked}"
    last = tail(plain, room // 3)
    return _GAP.join(part for part in (head(plain, room - room // 3), asked, last) if part)


def whole(text: str, most: int) -> str:
    """Return a text as it is, or without its middle where it would take more than `most` tokens."""
    if len(text) <= most or count(text) <= most:
        return text
    return f"{head(text, most * 2 // 3)}\n{_GAP.strip()}\n{tail(text, most // 3)}"


def head(text: str, most: int) -> str:
    """Return the beginning of a text, as many whole words as `most` tokens hold."""
    return _most(text, most, text[: most * _LETTERS], from_end=False)


def tail(text: str, most: int) -> str:
    """Return the end of a text, as many whole words as `most` tokens hold."""
    return _most(text, most, text[-most * _LETTERS :] if most else "", from_end=True)


def _most(text: str, most: int, part: str, *, from_end: bool) -> str:
    low, high = 0, len(part)
    while low < high:
        middle = (low + high + 1) // 2
        if count(part[-middle:] if from_end else part[:middle]) <= most:
            low = middle
        else:
            high = middle - 1
    if low >= len(text):
        return text
    if from_end:
        cut = part[len(part) - low :]
        return (cut.partition(" ")[2] or cut).lstrip() if low else ""
    cut = part[:low]
    return (cut.rpartition(" ")[0] or cut).rstrip()


def _taken_up(plain: str, reply: str, most: int) -> str:
    """Return the sentence that has most in common with a reply; "" where none has much, or it is too long."""
    isos = logic.languages(reply) if reply else ()
    wanted = logic.content(reply[:_HEARD], isos) if reply else frozenset()
    if len(wanted) < _SHARED:
        return ""
    found = [(len(wanted & logic.content(text, isos)), text) for text in sentences.texts(plain[:_LOOKED_AT])]
    shared, said = max(found, key=lambda one: one[0], default=(0, ""))
    return said if shared >= _SHARED and count(said) <= most else ""


def _question(plain: str, most: int) -> str:
    """Return the last question of a text; "" where none is short enough."""
    end = plain[-_LOOKED_AT:]
    asked = [text for text in sentences.texts(end) if text.rstrip("\"')*_ ").endswith(("?", "\uff1f"))]
    return asked[-1] if asked and count(asked[-1]) <= most else ""
