"""What the checks are given, and what they say."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents.protocol import facts, unbacked_values
from clawgit.agents.protocol.batch import Batch, Room
from clawgit.agents.protocol.operations import Operation
from clawgit.agents.protocol.unbacked_values import Evidence, Source
from clawgit.language import detect, lexicon, logic
from clawgit.language import values as units
from clawgit.language.own_words import unquoted

Outcome = Literal["fits", "waits", "refused"]


class Held(Struct, frozen=True):
    """A memory as the checks see it.

    `explicit`: the operator asked for it in so many words. `corrected`: the operator corrected it. `boundary`: it
    states what must not be done. `first` is the day it was first said, in ISO 8601, "" unknown.
    """

    id: str
    text: str
    first: str = ""
    explicit: bool = False
    corrected: bool = False
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

    @property
    def operator_names(self) -> frozenset[str]:
        """The operator's names, and of each its first word, as git knows a whole name; in small letters."""
        return frozenset(name for one in self.speakers for name in (one.lower(), one.lower().partition(" ")[0]))


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
    nothing new lands. `needs_support` until the call of support has judged it. `aside` where
    the line belongs in the file of its topic. `before` is the line of the identity that it replaces. `doubt` is what
    code could not find borne out: the call of support decides, and without one it waits. `answers` is the sentence
    that a correction without an entry answers, `answered` the day on which it was said. `shown` is what the call of
    support sees, the quotes where it is empty.
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
    doubt: "Fault | None" = None
    answers: str = ""
    answered: str = ""
    shown: tuple[Quote, ...] = ()


class Fault(Struct, frozen=True):
    """Why an operation does not fit, or would not if an `open` question were decided against it by the support call."""

    why: str
    state: Outcome = "refused"
    open: bool = False


LONGEST = 240
_TAG = re.compile(r"\s*(?:[-*+]\s+)?\[\w+\]|\s*#\w+\b")
_YEAR = re.compile(r"\s*\((?:in |by )?(?:19|20)\d\d\)")
_LIST = re.compile(r"\s*(?:[-*+\u2022]|\d{1,2}[.)])\s+")
_ASKS = frozenset("?\uff1f")
_FAR = frozenset(("period", "shift", "end", "weekday of week"))
_TAGGED = frozenset(("add",))
_DIGITS = re.compile(r"\d{1,9}")
_SURE = 3
"""Words of Latin letters from which on the language of a claim is told."""


def fault(
    operation: Operation, quoted: str, isos: tuple[str, ...], kept: Iterable[str] = (), *, longest: int = LONGEST
) -> Fault | None:
    """Return what is wrong with the form of an operation's text of at most so many characters, None for nothing.

    `quoted` is what it goes back to; a text may begin as one of those that it takes the place of, `kept`, does.
    """
    text = operation.text
    if not any(map(str.isalnum, text)):
        return Fault("there is no text")
    if len(text) > longest or "\n" in text:
        return Fault(f"one line of at most {longest} characters, please: this has {len(text)}")
    if _LIST.match(text) or _TAG.match(text):
        return Fault("write the sentence alone, without a bullet or a tag: the tag has its own field")
    if text.rstrip("\"' )")[-1:] in _ASKS:
        return Fault("this is a question: write what is so")
    return _alone(text, isos, kept) or _tongue(text, quoted) or _tag(operation)


def _alone(text: str, isos: tuple[str, ...], kept: Iterable[str]) -> Fault | None:
    word = logic.dangles(text, isos)
    if word and word not in {logic.dangles(one, isos) for one in kept}:
        return Fault(f"'{word}' at the start means something that only the talk tells: name it")
    own = unquoted(text)  # a rule may be about the word "tonight"
    mentions = [one for one in facts.read(text, isos).mentions if one.sure and "\0" not in own[one.start : one.end]]
    far = [one for one in mentions if one.form in _FAR]
    if far and not _YEAR.match(text, far[0].end) and not any(one.year for one in mentions):
        return Fault(f"'{text[far[0].start : far[0].end]}' is not understood later: write the date")
    return None


def _tongue(text: str, quoted: str) -> Fault | None:
    if not quoted:
        return None
    theirs, ours = detect.detect(quoted), detect.detect(text)
    if not theirs or not ours or theirs == ours:
        return None
    if detect.eastern(text) != detect.eastern(quoted):
        return Fault(f"the operator says this in another language ({theirs}): write it in that")
    if detect.eastern(text) or len(text.split()) < _SURE or theirs in detect.near(text) or ours in detect.near(quoted):
        return None
    return Fault(f"the operator says this in another language ({theirs}): write it in that")


def _tag(operation: Operation) -> Fault | None:
    if operation.act in _TAGGED and operation.tag is None:
        return Fault("give it exactly one tag")
    return None


_LETTERS = 4
"""Of a name, which may have another ending."""
_LAST_DAY = 31
_FEW = 3
"""What may be counted where nobody said a number: `twice`, two names, the three months of a quarter."""


def invented(text: str, batch: Batch, ground: Ground, isos: tuple[str, ...], *whose: str) -> bool:
    """Tell whether a text has a number or a name that stands in no turn, nor an entry: no reading of it can be right.

    With `whose` only turns of these speakers are looked at. Days, times and units are left to who judges support, and
    so is a number that may follow from what was said: part of another (`3:41:20`), the day of a date, a few. Of a
    language that nothing is known of, names and days are left to them, too.
    """
    strange = not lexicon.section(isos[0], "claims")
    said = _everything(_sources(batch, ground, whose), isos)
    found = facts.read(text, isos)
    tokens = [one.lower().strip(".,;:!?()[]'\"`") for one in found.tokens]
    if not all(one in said.text or (one.isalpha() and _hinted(one, said)) for one in tokens):
        return True
    days = {day for turn in batch.turns if (day := turn.time[:4])}
    years = {float(int(year) + step) for year in days if year.isdecimal() for step in (-1, 0, 1)}
    if not all(
        unbacked_values.counted(replace(one, unit=""), said)
        or (not one.unit and (one.values & years or min(one.values) <= (_LAST_DAY if strange else _FEW)))
        or (units.length(one.unit) and min(one.values) <= _FEW)
        or _follows(one, said)
        for one in found.amounts
    ):
        return True
    if strange:
        return False
    places = logic.phrases(isos, "places")  # in Hannover, in Betrieb
    sure = (one for one in facts.names(text, isos, found) if one.sure and one.before.lower() not in places)
    names = {one.said.lower() for one in sure}
    return not all(_hinted(one, said) for one in names - unbacked_values.ordinary_words(isos))


def _follows(amount: facts.Amount, said: Evidence) -> bool:
    """Tell whether a number is part of another one, or the day of a date that was said."""
    days = {float(span.first.day) for _, span in said.spans if span.first == span.last}
    return bool(amount.values & (days | {float(one) for one in _DIGITS.findall(said.text)}))


def _hinted(name: str, said: Evidence) -> bool:
    """Tell whether something stands there that may mean a name: its beginning, a part, a short form (`py`, `k8s`)."""
    parts = [one for one in name.split("-") if len(one) >= _LETTERS]
    if any(one[: max(_LETTERS, len(one) // 2 + 1)] in said.text for one in (name, *parts)):
        return True
    short = f"{name[0]}{len(name) - 2}{name[-1]}"
    ordinary = unbacked_values.ordinary_words(said.isos)
    words = {one for one in said.words if 1 < len(one) < _LETTERS + 1 and one not in ordinary}
    return short in re.findall(r"\w+", said.text) or any(name.startswith(one) for one in words)


def _sources(batch: Batch, ground: Ground, whose: Collection[str]) -> tuple[Source, ...]:
    texts = (
        *(one.text for one in batch.entries),
        *(one.text for one in ground.held.values()),
        *(one.text for one in batch.soul),
        *sorted(ground.speakers),
    )
    turns = (turn for turn in batch.turns if not whose or turn.by in whose)
    return (*(Source(turn.text, turn.day) for turn in turns), *map(Source, texts))


@lru_cache(maxsize=8)
def _everything(sources: tuple[Source, ...], isos: tuple[str, ...]) -> Evidence:
    return Evidence(sources, isos)
