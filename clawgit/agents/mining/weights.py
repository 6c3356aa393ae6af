"""What each sign in a sentence weighs."""

from collections.abc import Iterator, Mapping

FIRST = -1.5
"""What a sentence without any sign weighs; one above zero is kept."""
WEIGHTS: Mapping[str, float] = {
    # Whose matter it is.
    "self": 1.2,
    "us": 0.2,
    "you": -0.4,
    "kin": 0.3,
    "vague": -0.3,
    "begins with I": 0.1,
    "begins with we": 0.6,
    "begins with they": -0.6,
    "elided": 0.4,
    # What is said of it.
    "past": 0.0,  # tells the kind
    "perfect": 0.4,
    "progress": 0.6,
    "change": 0.3,
    "decide": 0.6,
    "taste": 0.6,
    "lesson": 0.5,
    "habit": 0.5,
    "not": -0.2,
    # Talk about the talk.
    "stance": -0.5,
    "reaction": -0.3,
    "begins with reaction": -0.1,
    "greeting": -0.4,
    "exclaimed": -0.2,
    "hedge": -0.4,
    "if": -0.4,
    # How particular it is.
    "when": 0.9,
    "number": 0.4,
    "name": 0.5,
    "place": 0.1,
    "quoted": 0.5,
    "matter": 0.6,
    "task": -0.9,
    "pasted": -1.5,
    "address": 0.6,
    "answer": 0.7,
    "content 0-1": -1.0,
    "content 2-3": 0.2,
    "content 4-5": 0.5,
    "content 6-8": 1.0,
    "content 9-": 1.4,
    "terse": 0.4,
}
"""Measured by logistic regression on the heaviest sentence of each turn of five annotated conversations, rounded.

Each conversation was judged by the weights of the other four. Set by hand, for talk that those do not have, and against
what they say: `habit`, `taste`, `matter`, `address`, `task`, `pasted`, `terse`, `vague`, `content 0-1`.
"""

BIT: Mapping[str, int] = {name: 1 << at for at, name in enumerate(WEIGHTS)}
_VALUES = tuple(WEIGHTS.values())
_SIGNS = (1 << len(WEIGHTS)) - 1
HINT: Mapping[str, int] = {
    part: 1 << (len(WEIGHTS) + at)
    for at, part in enumerate(("role", "plant", "unsure", "note", "lesson", "decision", "preference", "deed"))
}
"""Words that a pattern of that name cannot match without; no signs, but read in the same pass."""


def score(signs: int) -> float:
    """Return the sum of what the signs weigh."""
    total = FIRST
    signs &= _SIGNS
    while signs:
        low = signs & -signs
        total += _VALUES[low.bit_length() - 1]
        signs ^= low
    return total


def names(signs: int) -> Iterator[str]:
    """Yield the names of the signs that are set."""
    return (name for name in WEIGHTS if signs & BIT[name])
