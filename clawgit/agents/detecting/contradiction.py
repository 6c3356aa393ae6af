"""Tells whether two notes cannot both hold."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from clawgit.agents.detecting import lexicon
from clawgit.agents.detecting.sentence import BEING, SMALL, Note, Sentence, before_predicate, past, predicate, telling
from clawgit.agents.detecting.valued import valued
from clawgit.text.sameness import order, partners, rephrased
from clawgit.text.sameness.reading import read
from clawgit.text.sameness.relation import compare
from clawgit.text.sameness.synonyms import MODALS, QUANTIFIERS, RELATIONS

_MARKS = frozenset((",", "and"))
_KANA = re.compile("[\u3041-\u309f要是会能可以必须지]")


class Judgement(Struct, frozen=True):
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
        return dated or not (_denies(mine.left) != _denies(theirs.left) or _opposites(mine.left, theirs.left))
    happened = gone[0] and gone[1] and not (BEING | lexicon.FORCED) & (words[0] | words[1])
    return dated and happened


def _clash(mine: Sentence, theirs: Sentence) -> bool:
    left, right = mine.left, theirs.left
    if not left and not right:
        return _exchanged(mine, theirs)
    denied = _denies(left) != _denies(right)
    pair = _opposites(left, right)
    if pair and not (denied and MODALS.issuperset(pair)):
        rest = [word for word in (*left, *right) if word not in pair and not _KANA.fullmatch(word)]
        return (
            not telling(rest)
            and not lexicon.DENIALS & set(rest)
            and not (_is_matter(mine, pair[0]) or _is_matter(theirs, pair[1]))
        )
    if denied:
        return _denied(left, right)
    left, right = telling(left), telling(right)
    return bool(left and right) and valued(mine, theirs, left, right)


def _exchanged(mine: Sentence, theirs: Sentence) -> bool:
    """Tell whether the same words say the reverse: two parts have changed places around what joins them."""
    one, other = mine.words, theirs.words
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    tail = next((at for at, (a, b) in enumerate(zip(one[::-1], other[::-1], strict=False)) if a != b), len(one))
    one, other = one[start : len(one) - tail], other[start : len(other) - tail]
    for first in range(1, len(one)):
        for last in range(1, len(one) - first):
            joint = one[first : len(one) - last]
            if other == [*one[len(one) - last :], *joint, *one[:first]]:
                return not lexicon.SYMMETRIC.issuperset(joint)
    return False


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


def _opposites(left: Iterable[str], right: Sequence[str]) -> tuple[str, str] | None:
    return next(((one, other) for one in left for other in right if _opposed(one, other)), None)


def _opposed(one: str, other: str) -> bool:
    if one == other or any({one, other} <= both for both in lexicon.COEXISTING):
        return False
    return partners.opposite(one, other) or any(one in kind and other in kind for kind in lexicon.KINDS)


def _is_matter(one: Sentence, word: str) -> bool:
    """Tell whether an opposite names what is spoken of, as in `the old server runs Debian`."""
    at = one.words.index(word)
    lasting = word in RELATIONS or word in lexicon.VERBS or word in lexicon.ALWAYS or word in QUANTIFIERS
    return not lasting and before_predicate(one, at) and one.words[predicate(one)] != word
