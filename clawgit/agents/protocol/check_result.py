"""What the checks are given, and what they say."""

import re
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from clawgit.agents.protocol.batch import Room
from clawgit.agents.protocol.operations import Operation

Outcome = Literal["fits", "waits", "refused"]


class Held(Struct, frozen=True):
    """A memory as the checks see it.

    `explicit`: the operator asked for it in so many words. `boundary`: it states what must not be done. `first` is the
    day it was first said, in ISO 8601, "" unknown.
    """

    id: str
    text: str
    first: str = ""
    explicit: bool = False
    boundary: bool = False


class Ground(Struct, frozen=True):
    """What the checks need of a workspace, as plain values.

    `held` are the entries by id: all that an operation may name or repeat. `total` counts the entries of the
    workspace (0: those of `held`), `removed` those that this run has already retired, replaced or merged. `direct` are
    the sessions in which operator and agent are alone. `explicit` are the turns, by number, in which the operator
    asks outright. `speakers` are names of the operator. `protected` are the lines of the identity, as (file,
    line), that only the operator changes; `identity` says how many characters each file of it may still grow;
    `step` how many lines of the identity one run may change. `room` is what MEMORY.md holds and has free.
    """

    held: Mapping[str, Held] = field(default_factory=dict)
    total: int = 0
    removed: int = 0
    direct: frozenset[str] = frozenset()
    explicit: frozenset[int] = frozenset()
    speakers: frozenset[str] = frozenset()
    protected: frozenset[tuple[str, int]] = frozenset()
    identity: Mapping[str, int] = field(default_factory=dict)
    step: int = 3
    room: Room | None = None


class Quote(Struct, frozen=True):
    """Whole sentences of a turn, as they stand there: characters `start` to `end` of it.

    `day` is that of the turn in ISO 8601, "" unknown. `context` where it is not what the operator says there, but what
    that goes back to; `by` tells whose word it is, and `lends` whether the claim has a word of it that he does not say.
    """

    turn: int
    start: int
    end: int
    text: str
    day: str = ""
    session: str = ""
    event: str = ""
    context: bool = False
    by: Literal["operator", "agent", "tool", "other", "memory"] = "operator"
    lends: bool = True


class Checked(Struct, frozen=True):
    """What the checks by code say of an operation.

    `why` is a sentence that a reader can act on. `same` is the entry that the operation merely mentions again; then
    nothing new lands. `needs_support` until the call of support has judged it. `aside` where the line belongs in the
    file of its topic. `before` is the line of the identity that it replaces. `answers` is the sentence that a
    correction without an entry answers, `answered` the day on which it was said. `shown` is what the call of support
    sees, the quotes where it is empty.
    """

    operation: Operation
    state: Outcome
    why: str = ""
    quotes: tuple[Quote, ...] = ()
    confidence: float = 0.0
    same: str = ""
    needs_support: bool = False
    aside: bool = False
    before: str = ""
    answers: str = ""
    answered: str = ""
    shown: tuple[Quote, ...] = ()


class Fault(Struct, frozen=True):
    """Why an operation does not fit."""

    why: str
    state: Outcome = "refused"


LONGEST = 240
_TAG = re.compile(r"\s*(?:[-*+]\s+)?\[\w+\]|\s*#\w+\b")
_LIST = re.compile(r"\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+")
_ASKS = frozenset("?\uff1f")


def fault(operation: Operation, *, longest: int = LONGEST) -> Fault | None:
    """Return what is wrong with the form of an operation's text of at most so many characters, None for nothing."""
    text = operation.text
    if not any(map(str.isalnum, text)):
        return Fault("there is no text")
    if len(text) > longest or "\n" in text:
        return Fault(f"one line of at most {longest} characters, please: this has {len(text)}")
    if _LIST.match(text) or _TAG.match(text):
        return Fault("write the sentence alone, without a bullet or a tag: the tag has its own field")
    if text.rstrip("\"' )")[-1:] in _ASKS:
        return Fault("this is a question: write what is so")
    if operation.act == "add" and operation.tag is None:
        return Fault("give it exactly one tag")
    return None
