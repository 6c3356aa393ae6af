"""Tells whether two notes cannot both hold."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from clawgit.agents.detecting import lexicon
from clawgit.agents.detecting.sentence import BEING, SMALL, Note, Sentence, past, telling
from clawgit.agents.detecting.valued import valued
from clawgit.text.sameness import order, partners, rephrased
from clawgit.text.sameness.reading import read
from clawgit.text.sameness.relation import compare
from clawgit.text.sameness.synonyms import MODALS

_MARKS = frozenset((",", "and"))
_KANA = re.compile("[\u3041-\u309f要是会能可以必须지]")


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether two notes contradict each other, whether they are `alike` enough to be asked about, and why, in words."""

    contradicts: bool
    alike: bool = False
    reasons: tuple[str, ...] = ()


def judge(one: Note, other: Note) -> Judgement:
    """Compare two notes by rules: alike, and one value, denial, opposite or order is another."""
    verdict = compare(one.text, other.text)
    if verdict.relation != "conflict":
        return Judgement(contradicts=False)
    mine, theirs = _aligned(one, other)
    clash = not _excused(mine, theirs) and _clash(mine, theirs)
    return Judgement(clash, alike=True, reasons=verdict.reasons)


def _aligned(one: Note, other: Note) -> tuple[Sentence, Sentence]:
    here, there = read(one.text), read(other.text)
    left, right = partners.leftovers(here.words, there.words)
    found = partners.paired(here, there, left, right, near=True)
    words = [word for word in order.rotated(list(here.marked)) if word not in _MARKS]
    others = [found.get(word, word) for word in order.rotated(list(there.marked)) if word not in _MARKS]
    return Sentence(one, here, words, _places(words, left)), Sentence(other, there, others, _places(others, right))


def _places(words: list[str], wanted: Iterable[str]) -> list[int]:
    """Return where words stand that are left over, the last of equal ones."""
    places: list[int] = []
    for word in wanted:
        at = next((at for at in range(len(words) - 1, -1, -1) if words[at] == word and at not in places), None)
        if at is not None:
            places.append(at)
    return sorted(places)


def _excused(mine: Sentence, theirs: Sentence) -> bool:
    """Tell whether both can hold in their time: a later event, or a plan and its outcome."""
    words = set(mine.words), set(theirs.words)
    planned = [bool(some & lexicon.PLANS) for some in words]
    gone = [bool(some & lexicon.DONE or any(past(word) for word in some - lexicon.PLANS)) for some in words]
    if (planned[0] and gone[1] and not planned[1]) or (planned[1] and gone[0] and not planned[0]):
        return True
    dated = bool(mine.day and theirs.day and mine.day != theirs.day)
    if mine.event and theirs.event:
        return dated or _denies(mine.left) == _denies(theirs.left)
    happened = gone[0] and gone[1] and not (BEING | lexicon.FORCED) & (words[0] | words[1])
    return dated and happened


def _clash(mine: Sentence, theirs: Sentence) -> bool:
    left, right = mine.left, theirs.left
    denied = _denies(left) != _denies(right)
    if denied:
        return _denied(left, right)
    left, right = telling(left), telling(right)
    return bool(left and right) and valued(mine, theirs, left, right)


def _denies(words: Iterable[str]) -> bool:
    some = set(words)
    return bool(lexicon.DENIALS & some) or some >= {"な", "い"}


def _denied(left: list[str], right: list[str]) -> bool:
    """Tell whether one only denies what the other says."""
    return all(
        word in lexicon.DENIALS
        or word in SMALL
        or word in MODALS
        or word in rephrased.LIGHT
        or _KANA.fullmatch(word)
        or word[0] == "·"
        for word in (*left, *right)
    )
