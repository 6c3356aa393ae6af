"""Compares two notes."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from clawgit.language.values import is_unit
from clawgit.text.sameness.note import NEGATIONS, QUANTIFIERS, Reading, read, temporal

_SIGN = re.compile(r"^(?:u:|#|[DTM]-*(?=\d))")
_KINDS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("number", lambda word: word[0] == "#" and len(word) > 1),
    ("date", lambda word: word[0] in "DMY" and temporal(word)),
    ("time", lambda word: temporal(word) and word[0] == "T"),
    ("day", temporal),
    ("unit", is_unit),
    ("quantity", QUANTIFIERS.__contains__),
)


def differences(left: list[str], right: list[str]) -> tuple[str, ...]:
    """Return in words what is left over on each side."""
    found: list[str] = []
    if bool(NEGATIONS & set(left)) != bool(NEGATIONS & set(right)):
        found.append("one says not")
    for kind, is_one in _KINDS:
        mine, theirs = [word for word in left if is_one(word)], [word for word in right if is_one(word)]
        left, right = [word for word in left if word not in mine], [word for word in right if word not in theirs]
        if mine and theirs:
            found.append(f"other {kind}: {_shown(mine)} and {_shown(theirs)}")
        elif mine or theirs:
            found.append(f"only one says a {kind}: {_shown(mine or theirs)}")
    if left and right:
        found.append(f"other words: {_shown(left)} and {_shown(right)}")
    elif left or right:
        found.append(f"only one says: {_shown(left or right)}")
    return tuple(found)


def _shown(words: list[str]) -> str:
    return ", ".join(_SIGN.sub("", word) for word in words)


Relation = Literal["same", "conflict", "different"]


class Verdict(Struct, frozen=True):
    """How two notes stand to each other; `left` and `right` are words left over."""

    relation: Relation
    said: str = ""
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """What the notes differ in, in words."""
        return (self.said,) if self.said else differences([*self.left], [*self.right])


def sense(text: str) -> tuple[str, ...]:
    """Return what notes that `compare` calls the same have in common; others have it seldom."""
    return read(text).words or tuple(text.split())


_ALIKE = 0.5
"""The share of common words from which on a pair that differs in something may be a conflict."""


def compare(one: str, other: str) -> Verdict:
    """Return whether two notes say the same, may contradict each other, or neither.

    Like is not same: notes are the same only where they have the same words, numbers, days and denials in one order.
    """
    mine, theirs = read(one), read(other)
    if mine.words == theirs.words and one_day(mine, theirs):
        same = bool(mine.words) or one.split() == other.split()
        return Verdict("same" if same else "different")
    left, right = leftovers(mine.words, theirs.words)
    total = len(mine.words) + len(theirs.words)
    close = (total - len(left) - len(right)) / max(total, 1)
    said = "" if left or right else "other order"
    if mine.words == theirs.words:
        said = f"other date: {mine.day[1:]} and {theirs.day[1:]}"
    return Verdict("conflict" if close >= _ALIKE else "different", said, tuple(left), tuple(right))


def one_day(mine: Reading, theirs: Reading) -> bool:
    """Return whether two notes may be of one day."""
    return mine.day == theirs.day or not mine.day or not theirs.day


def leftovers(one: Sequence[str], other: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words that each has and the other has not, sorted."""
    mine, theirs = Counter(one), Counter(other)
    return sorted((mine - theirs).elements()), sorted((theirs - mine).elements())
