"""Tells which words stand for one another."""

from collections import Counter
from collections.abc import Sequence

from clawgit.text.sameness.measured import length
from clawgit.text.sameness.note import Reading, bag
from clawgit.text.sameness.synonyms import NEAR, NEGATIONS, OPPOSITES

_LEAST = 7
"""Letters of a word that a slip may be in: in shorter ones it makes another word."""
_HEAD, _TAIL = 3, 2
_CONFUSED = bag(
    "marital martial compliant complaint compliants complaints retried retired retries retires planning planing"
    " planned"
    " planed staring starring desert dessert deserts desserts moral morale hopping hoping tapping taping scraping"
    " scrapping stripped striped stripping striping filling filing barring baring dinning dining caning canning"
)
WEAK = frozenset(("·every", "·topic", "·object", "·of", "が", "を", "把", "version"))
"""Words that one note may have and the other leave out."""
_PICTURES = frozenset(map(chr, (*range(0x2600, 0x27C0), *range(0x2B00, 0x2C00), *range(0x1F000, 0x1FB00))))


def _as_long(left: list[str], right: list[str]) -> dict[str, str]:
    """Pair a length of time with the same in another unit: 1 year and 12 months."""
    here, there = _length(left), _length(right)
    if not here or not there or here[0] != there[0]:
        return {}
    for words, (_, used) in ((left, here), (right, there)):
        for word in used:
            words.remove(word)
    return dict(zip(there[1], here[1], strict=True))


def _length(words: list[str]) -> tuple[tuple[float, str], list[str]] | None:
    """Return the only length of time among words, in seconds or months, and the words that say it."""
    numbers = [word for word in words if word[0] == "#" and word[1:].replace(".", "", 1).isdigit()]
    units = [(word, found) for word in words if (found := length(word))]
    if len(numbers) != 1 or len(units) != 1:
        return None
    unit, (worth, base) = units[0]
    return (float(numbers[0][1:]) * worth, base), [numbers[0], unit]


def weak(word: str) -> bool:
    """Tell whether a word may be left out; so may a picture."""
    return word in WEAK or word[0] in _PICTURES


def left_out(left: list[str], right: list[str]) -> set[str]:
    """Return the words of two rows that may be left out: particles or pictures that only one of them has."""
    kinds = [{word[0] in _PICTURES for word in words if weak(word)} for words in (left, right)]
    return set() if kinds[0] & kinds[1] else {word for word in (*left, *right) if weak(word)}


def leftovers(one: Sequence[str], other: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words that each has and the other has not, sorted."""
    mine, theirs = Counter(one), Counter(other)
    return sorted((mine - theirs).elements()), sorted((theirs - mine).elements())


def paired(one: Reading, other: Reading, left: list[str], right: list[str], *, near: bool) -> dict[str, str]:
    """Return what stands for what among words left over: for those of `right` the ones of `left`; both lose them.

    `near` takes words of like meaning too.
    """
    found = _as_long(left, right)
    slips = 0
    for word in list(left):
        for said in right:
            slip = _slip(word, said, one.names | other.names)
            alike = (
                {word, said} == {"every", "·every"}
                or {word + "하", said + "하"} & {word, said}
                or _inflected(word, said, one, other)
                or (near and _near(word, said))
                or (slip and not slips)
            )
            if alike and said not in found:
                slips += slip
                found[said] = word
                left.remove(word)
                right.remove(said)
                break
    return found


def traits(word: str) -> set[str]:
    """Return what a word is found by: words that may stand for one another have a trait in common."""
    found = {word}
    if word.isascii() and word.isalpha():
        if word[-1] == "s":
            found |= {word[:-1], word.removesuffix("es"), word.removesuffix("ies") + "y"}
        if len(word) >= _LEAST:
            found.add(f"~{word[:_HEAD]}~{word[-_TAIL:]}")
    if word[-1] == "하" and len(word) > 1:
        found.add(word[:-1])
    return found | {f"≈{group}" for group in _groups(word)}


def opposite(one: str, other: str) -> bool:
    """Tell whether two words are each other's opposite."""
    mine = OPPOSITES.get(one) or OPPOSITES.get(one.removesuffix("s"), frozenset())
    return other in mine or other.removesuffix("s") in mine


def _near(one: str, other: str) -> bool:
    return bool(_groups(one) & _groups(other)) and one.endswith("ed") == other.endswith("ed")


def _groups(word: str) -> frozenset[int]:
    return NEAR.get(word) or NEAR.get(word.removesuffix("s")) or NEAR.get(word.removesuffix("es")) or frozenset()


def _inflected(one: str, other: str, here: Reading, there: Reading) -> bool:
    """Tell whether words differ by an `s` that does not tell one thing from many."""
    if len(one) > len(other):
        one, other, here, there = other, one, there, here
    if here.lang not in {"en", ""} or not one.isalpha() or not other.isascii() or one in NEGATIONS:
        return False
    if other not in (one + "s", one + "es", one.removesuffix("y") + "ies") or len(one) < 3:  # noqa: PLR2004
        return False
    return (
        one not in here.single and not (here.verb and there.verb and here.verb != there.verb) and one not in here.names
    )


def _slip(one: str, other: str, names: frozenset[str]) -> bool:
    """Tell whether a long word is a misspelt other: two letters swapped, or one doubled."""
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < _LEAST or {one, other} & (names | _CONFUSED):
        return False
    if one[:_HEAD] != other[:_HEAD] or one[-_TAIL:] != other[-_TAIL:] or not (one.isalpha() and other.isalpha()):
        return False
    if not (one.isascii() and other.isascii()):
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    if len(one) == len(other):
        swapped = one[:start] + one[start + 1 : start + 2] + one[start] + one[start + 2 :]
        return swapped == other
    short, long = sorted((one, other), key=len)
    if long[:start] + long[start + 1 :] != short:
        return False
    return long[start] in {long[start - 1], long[start + 1]}
