"""Finds what was said wrongly, with what is true instead."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any

from msgspec import Struct

from clawgit.language import lexicon
from clawgit.messages.patterns import LANGUAGES

Span = tuple[int, int]

LONGEST = 60
"""Characters of one side: a longer one is a remark, not a value."""
_REACH = 240  # characters after a trigger in which its sentence ends
_SUBJECT = (
    r"(?i)\b(?:is|are|was|were|be|it's|that's)(?: (?:on|at|in|called|named))? |^(?:on|at|in|to|called|named|use|using) "
)
_TAIL = (
    r"(?i) (?:now|any ?more|today|yesterday|already|again|last \w+|this \w+|(?:a|\d+) \w+ ago"
    r"|(?:in|since) \d{4}|(?:who|which|that) .*)$"
)
_ENDS = ".!?\n。！？"  # noqa: RUF001


class Pair(Struct, frozen=True):
    """What was said or stored, and what is true."""

    said: str
    true: str


def find(text: str, triggers: Iterable[Span]) -> Pair | None:
    """Return the first pair that the sentence of a trigger, or the next one, gives in full; None without one."""
    sentences = (_around(text, start, end) for start, end in islice(triggers, 20))
    return next((pair for sentence in sentences for pair in _pairs(sentence)), None)


def _around(text: str, start: int, end: int) -> str:
    """Return the sentence that a trigger stands in, and the next, with whole words."""
    first = max(text.rfind(mark, max(0, start - _REACH), start) for mark in _ENDS) + 1
    first = first or max(0, start - _REACH)
    last = end
    for _ in range(2):
        stops = [at for mark in _ENDS if (at := _stop(text, mark, last)) >= 0]
        last = min(stops) + 1 if stops else min(len(text), end + _REACH)
    return text[first:last]


def _stop(text: str, mark: str, start: int) -> int:
    """Return where the next `mark` ends a sentence; the point of 3.11 or of example.org ends none."""
    limit = min(len(text), start + _REACH)
    at = text.find(mark, start, limit)
    while at >= 0 and mark == "." and at + 1 < len(text) and not text[at + 1].isspace():
        at = text.find(mark, at + 1, limit)
    return at


def _pairs(sentence: str) -> Iterator[Pair]:
    folded = sentence.casefold()
    for hints, form in forms():
        if not any(hint in folded for hint in hints):
            continue
        for match in islice(_compiled(form).finditer(sentence), 5):
            said, true = _side(match["said"]), _side(match["true"])
            if said and true and said.casefold() != true.casefold():
                yield Pair(said, true)


def _side(words: str) -> str:
    """Return a side without what surrounds it; "" for one that is no value."""
    side = _bare(re.sub(_TAIL, "", re.split(_SUBJECT, _bare(words))[-1]))
    if not side or len(side) > LONGEST or _compiled(no_value()).search(side):
        return ""
    return side


def _bare(words: str) -> str:
    return words.strip(" \t\n\0\"'`*_,;:()[]“”„«»「」『』，、。！!.？?…")  # noqa: RUF001


@cache
def forms() -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return the ways in which a sentence gives both sides, in the order in which they are tried.

    One of the hints stands in the sentence in any case; the form is in re2's syntax, with the groups `said` and `true`.
    """
    rows = (row for iso in LANGUAGES for row in lexicon.patterns(iso)["pairs"])
    return tuple((tuple(row["hints"]), row["form"]) for row in rows)


@cache
def no_value() -> str:
    """Return the pattern of words that are no value: "not a problem", "not really"."""
    return "|".join(one for iso in LANGUAGES for one in lexicon.patterns(iso)["no_value"])


@cache
def _compiled(form: str) -> Any:
    import re2  # noqa: PLC0415 - costs milliseconds that other commands need not pay

    return re2.compile(f"(?i){form}")
