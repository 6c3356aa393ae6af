"""Tells which of two values is wrong."""

import re
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from msgspec import Struct

from clawgit.agents.validating.matter import alike, equal, words
from clawgit.agents.validating.value_finder import Value, names, units, values
from clawgit.language import pattern_tables

_DATA = Path(__file__).parent / "data/corrections.toml"
_pattern = partial(pattern_tables.pattern, _DATA, "roles")


_APART = re.compile(r"[.!?;\u3002\uff01\uff1f]\s|\n")
_ARROW = re.compile("^ ?(?:->|→|=>) ?$")
_NEAR, _FAR, _REACH, _MOST = 30, 60, 120, 60


class Sides(Struct, frozen=True):
    """What was said, and what is true, in the words of the message."""

    said: str
    true: str


def told(sentence: str) -> Iterator[Sides]:
    """Yield what a sentence tells with both sides, where they are values of one kind."""
    yield from typed(sentence)


def phrased(sentence: str) -> Iterator[Sides]:
    """Yield the pairs of any words of `not X, but Y`: for who knows that X is meant."""
    for form in _forms("forms"):
        for match in form.finditer(sentence):
            said, true = _bare(match["said"]), _bare(match["true"].rpartition(": ")[2])
            if (
                _tells(said)
                and _tells(true)
                and not (said[:1].isupper() and true[:1].islower())
                and said.casefold() != true.casefold()
            ):
                yield Sides(said, true)


@cache
def _forms(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one, re.IGNORECASE) for one in pattern_tables.read(_DATA, "roles")[name])


def _tells(side: str) -> bool:
    """Tell whether a side names anything: small words alone do not."""
    return bool(side and (words(side) or values(side) or not side.isascii())) and not _pattern("idle").search(side)


def typed(sentence: str) -> Iterator[Sides]:
    """Yield pairs of values of one kind of which the sentence says that one is wrong."""
    plain = values(sentence)
    known = (*plain, *units(sentence, plain))
    every = sorted((*known, *names(sentence, known)), key=lambda one: one.start)[:_MOST]
    for at, one in enumerate(every):
        before = next((other for other in reversed(every[:at]) if alike(one, other)), None)
        after = next((other for other in every[at + 1 :] if alike(one, other)), None)
        right = _right(sentence, one, before, after)
        if right and not equal(one, right):
            yield Sides(_written(sentence, one), _written(sentence, right))


def denied(sentence: str, one: Value) -> bool:
    """Tell whether a sentence says of a value that it is wrong."""
    return bool(
        _pattern("no_before").search(sentence[max(0, one.start - _REACH) : one.start])
        or _pattern("no_after").search(sentence[_end(sentence, one) :])
    )


def _right(sentence: str, one: Value, before: Value | None, after: Value | None) -> Value | None:
    """Return which of the values around it is true where `one` is said to be wrong, None for neither."""
    cut = max(0, one.start - _REACH)
    head, tail = sentence[cut : one.start], sentence[_end(sentence, one) :][:_REACH]
    lead = sentence[_end(sentence, before) : one.start] if before else ""
    gap = sentence[_end(sentence, one) : after.start] if after else ""
    if denied := _pattern("no_before").search(head):
        if before and _pattern("joined").fullmatch(head[max(_end(sentence, before) - cut, 0) : denied.start()]):
            return before
        if after and len(gap) <= _NEAR and not _APART.search(gap):
            return after
        return before if before and not after and not _APART.search(lead) and len(lead) <= _FAR else None
    if _pattern("no_after").search(tail) and one.kind != "name":
        return after if after and len(gap) <= _NEAR + _NEAR else before if before and len(lead) <= _NEAR else None
    if after and one.kind != "name" and len(gap) <= _FAR and (_pattern("old").search(head) or _ARROW.match(gap)):
        return after if not _APART.search(gap) else None
    return after if after and _pattern("moved").search(sentence) and _moves(head, gap) else None


def _end(sentence: str, one: Value) -> int:
    """Return where a value ends, with what it counts."""
    unit = _pattern("unit", re.NOFLAG).match(sentence, one.end) if one.kind.startswith("number ") else None
    return unit.end() if unit else one.end


def _written(sentence: str, one: Value) -> str:
    return sentence[one.start : one.end]


def _moves(before: str, between: str) -> bool:
    """Tell whether a value stands where something moved from, and the next where it moved to."""
    return bool(
        (_pattern("from").search(before) and _pattern("to").search(between))
        or re.fullmatch(r"\s?(?:から|에서) ?|[\s원円개명]*(?:から|에서) ?", between)
    )


def _bare(words: str) -> str:
    words = _pattern("timely").sub("", words.strip())
    return _pattern("leading").sub("", words.strip(" \t\"'`*_()[]“”„«»"))
