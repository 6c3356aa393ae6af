"""Compares two notes."""

import re
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from clawgit.text.sameness import rephrasing, word_order
from clawgit.text.sameness.note import Reading, temporal
from clawgit.text.sameness.note_reading import read
from clawgit.text.sameness.note_values import is_unit
from clawgit.text.sameness.rephrasing import CONDITIONS, MODALS, NEGATIONS, QUANTIFIERS, RELATIONS
from clawgit.text.sameness.word_order import opposite

_SIGN = re.compile(r"^(?:u:|[#·§]|[DTM]-*(?=\d))")
_KINDS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("number", lambda word: word[0] == "#" and len(word) > 1),
    ("date", lambda word: word[0] in "DMY" and temporal(word)),
    ("time", lambda word: temporal(word) and word[0] == "T"),
    ("day", temporal),
    ("unit", is_unit),
    ("rank", lambda word: word[0] == "o" and word[1:].isdigit()),
    ("quantity", QUANTIFIERS.__contains__),
    ("duty", MODALS.__contains__),
    ("condition", CONDITIONS.__contains__),
    ("relation", RELATIONS.__contains__),
)


def differences(left: list[str], right: list[str]) -> tuple[str, ...]:
    """Return in words what is left over on each side."""
    left, right = list(left), list(right)
    found: list[str] = []
    if bool(NEGATIONS & set(left)) != bool(NEGATIONS & set(right)):
        found.append("one says not")
    for word in list(left):
        if other := next((said for said in right if opposite(word, said)), ""):
            found.append(f"opposite: {word} and {other}")
            left.remove(word)
            right.remove(other)
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


_ALIKE = 0.5
"""The share of common words from which on a pair that differs in something may be a conflict."""
_FAR, _SHORT = 0.25, 6
"""Below this share of common words longer notes are not looked at further."""


def compare(one: str, other: str) -> Verdict:
    """Tell whether two notes say the same, may contradict each other, or neither.

    Like is not same: notes are the same only where each word of either finds its partner, in an order that says the
    same.
    """
    mine, theirs = read(one), read(other)
    if mine.words == theirs.words and _one_day(mine, theirs):
        same = bool(mine.words) or one.split() == other.split()
        return Verdict("same" if same else "different")
    left, right = word_order.leftovers(mine.words, theirs.words)
    total = len(mine.words) + len(theirs.words)
    shared = total - len(left) - len(right)
    if shared < _FAR * total and total > _SHORT:
        close, said = shared / total, ""
    else:
        found = word_order.paired(mine, theirs, left, right, near=False)
        close = (shared + 2 * len(found)) / total
        differ, said = _differ(mine, theirs, left, right, found)
        if not differ:
            return Verdict("same")
    return Verdict("conflict" if close >= _ALIKE else "different", said, tuple(left), tuple(right))


def _differ(
    mine: Reading, theirs: Reading, left: list[str], right: list[str], found: dict[str, str]
) -> tuple[bool, str]:
    """Tell whether two notes say something else, and in what, where it is not the words left over."""
    weak = {day for words, day in ((right, mine.day), (left, theirs.day)) if day in words}
    left, right = ([word for word in words if word not in weak] for words in (left, right))
    weak |= word_order.left_out(left, right)
    rest = [word for word in (*left, *right) if word not in weak]
    if not rephrasing.LIGHT.issuperset(rest) and not rephrasing.converse(left, right):
        return True, ""
    if not _one_day(mine, theirs):
        return True, f"other date: {mine.day[1:]} and {theirs.day[1:]}"
    one, other = word_order.rotated(_kept(mine, weak, {})), word_order.rotated(_kept(theirs, weak, found))
    if (not rest and word_order.agree(mine, theirs, one, other)) or rephrasing.reached(
        one, other, mine.single | theirs.single
    ):
        return False, ""
    return True, "" if rest else "other order"


def _one_day(mine: Reading, theirs: Reading) -> bool:
    return mine.day == theirs.day or not mine.day or not theirs.day


def _kept(note: Reading, weak: set[str], found: dict[str, str]) -> list[str]:
    """Return the words of a note, each as its partner, without those that are left out."""
    return [found.get(word, word) for word in note.marked if word not in weak]
