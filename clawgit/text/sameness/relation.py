"""Compares two notes."""

from typing import Literal

from msgspec import Struct

from clawgit.text.sameness import order, partners, reasons, rephrased
from clawgit.text.sameness.note import Reading
from clawgit.text.sameness.reading import read

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
        return (self.said,) if self.said else reasons.differences([*self.left], [*self.right])


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
    left, right = partners.leftovers(mine.words, theirs.words)
    total = len(mine.words) + len(theirs.words)
    shared = total - len(left) - len(right)
    if shared < _FAR * total and total > _SHORT:
        close, said = shared / total, ""
    else:
        found = partners.paired(mine, theirs, left, right, near=False)
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
    weak |= partners.left_out(left, right)
    rest = [word for word in (*left, *right) if word not in weak]
    if not rephrased.LIGHT.issuperset(rest) and not rephrased.converse(left, right):
        return True, ""
    if not _one_day(mine, theirs):
        return True, f"other date: {mine.day[1:]} and {theirs.day[1:]}"
    one, other = order.rotated(_kept(mine, weak, {})), order.rotated(_kept(theirs, weak, found))
    if (not rest and order.agree(mine, theirs, one, other)) or rephrased.reached(
        one, other, mine.single | theirs.single
    ):
        return False, ""
    return True, "" if rest else "other order"


def _one_day(mine: Reading, theirs: Reading) -> bool:
    return mine.day == theirs.day or not mine.day or not theirs.day


def _kept(note: Reading, weak: set[str], found: dict[str, str]) -> list[str]:
    """Return the words of a note, each as its partner, without those that are left out."""
    return [found.get(word, word) for word in note.marked if word not in weak]
