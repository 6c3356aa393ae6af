"""Pairs texts by how alike they look, within bounds."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

ALIKE = 75.0  # per cent of equal letters; from here on one text may be the other, edited
SURELY = 92.0  # from here on it hardly is a new one
_LOOSE = 55.0  # per cent that any two must have, if one kept most of the other
_LESS = 10.0  # so much less counts what was kept
_INSIDE = 93.0  # so alike are a text and the same with more before or after it
_OTHER = 0.25  # share of the words of the shorter text that the other may lack, in order
_LONG = 8  # letters that a text must have to be found in another
_GROWN = 80.0  # so alike are a shorter one and the same with a few words behind it
_WORDS = 4  # words that a text must have to be known by all but one of them
_FEW = 24  # letters that these words may have
_AHEAD = 3.0  # so much more alike than to what still stands: texts of one pattern are all alike
_MOST = 60_000  # comparisons of everything with everything
_MOST_NEAR = 250_000  # comparisons with what stands around the same place
_LOOKED_AT = 400  # letters
_STOPS = " .。!"


class _Pool(Struct, frozen=True):
    """Texts to be found again, cut to what is looked at, and without their last stop."""

    short: list[str]
    cores: list[str]

    def part(self, low: int, high: int) -> "_Pool":
        return _Pool(self.short[low:high], self.cores[low:high])


def fold(text: str) -> str:
    """Return the letters and digits alone, in one case: what an editor of style leaves as it is."""
    return "".join(filter(str.isalnum, text.casefold()))


def same_letters(new: Iterable[str], old: Iterable[str]) -> dict[str, str]:
    """Return for what is new the text that differs from it in case and punctuation alone, each at most once."""
    waiting = {letters: text for text in old if (letters := fold(text))}
    return {text: waiting.pop(letters) for text in new if (letters := fold(text)) in waiting}


def predecessor(text: str, older: Sequence[str]) -> str:
    """Return which of the older ones is most like it, "" where none is."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415

    found = process.extractOne(
        text[:_LOOKED_AT], [one[:_LOOKED_AT] for one in older], scorer=fuzz.ratio, score_cutoff=ALIKE
    )
    return older[found[2]] if found else ""


def is_joined(new: str, old: str) -> bool:
    """Tell whether the old text stands whole in the new one, which says more: two may have become one."""
    return len(new) > len(old) and _holds(*(text[:_LOOKED_AT].casefold().rstrip(_STOPS) for text in (new, old)))


def nearest_gone(
    new: Sequence[str], gone: Sequence[str], standing: Sequence[str]
) -> dict[str, list[tuple[str, float]]]:
    """Return for what is new which texts that are gone it may have been, about equally well, and how alike they are.

    The best come first. A text that resembles one which still stands just as much is no edit of one that is gone. Of
    very many texts only those around the same place are compared.
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - needed only where somebody wrote an old version

    if len(new) * (len(gone) + len(standing)) > _MOST:
        pairs = resembling(gone, new, ([""] * len(gone), [""] * len(new)))
        return {new[to]: [(gone[at], ALIKE)] for at, to in pairs.items()}
    pool, others = _pool(gone), _pool(standing).short
    found: dict[str, list[tuple[str, float]]] = {}
    for text in new:
        near = [
            (sure, at)
            for score, at in _near(text, pool)
            if (sure := _surely(score, text.casefold(), gone[at].casefold()))
        ]
        best = max((score for score, _ in near), default=0.0)
        rival = process.extractOne(text[:_LOOKED_AT].casefold(), others, scorer=fuzz.ratio, score_cutoff=ALIKE)
        if near and (rival is None or rival[1] < best - _AHEAD):
            close = [(-score, at) for score, at in near if score > best - _AHEAD or score == _INSIDE]
            found[text] = [(gone[at], -score) for score, at in sorted(close)]
    return found


def resembling(old: Sequence[str], new: Sequence[str], groups: tuple[Sequence[str], Sequence[str]]) -> dict[int, int]:
    """Return for numbers of `old` those of `new` that are the same text, edited; each at most once.

    The most alike come first; of equals those of one group (its name for each text), then the nearest in order.
    Of very many texts only those around the same place in one group are compared.
    """
    here, there = groups
    every = _everywhere if len(old) * len(new) <= _MOST else _around
    ranked = sorted(
        (-score, here[at] != there[to], abs(at - to), at, to) for score, at, to in every(old, new, here, there)
    )
    found: dict[int, int] = {}
    taken: set[int] = set()
    for *_, at, to in ranked:
        if at not in found and to not in taken:
            found[at] = to
            taken.add(to)
    return found


def _everywhere(
    old: Sequence[str], new: Sequence[str], _: Sequence[str], __: Sequence[str]
) -> Iterator[tuple[float, int, int]]:
    pool = _pool(new)
    for at, text in enumerate(old):
        yield from ((score, at, to) for score, to in _near(text, pool))


def _around(
    old: Sequence[str], new: Sequence[str], here: Sequence[str], there: Sequence[str]
) -> Iterator[tuple[float, int, int]]:
    members: defaultdict[str, list[int]] = defaultdict(list)
    for to, name in enumerate(there):
        members[name].append(to)
    sizes, turns = defaultdict[str, int](int), []
    for name in here:
        turns.append(sizes[name])
        sizes[name] += 1
    pools = {name: _pool([new[to] for to in numbers]) for name, numbers in members.items()}
    reach = max(4, _MOST_NEAR // (2 * len(old)))
    for at, text in enumerate(old):
        numbers = members.get(here[at], [])
        middle = turns[at] * len(numbers) // sizes[here[at]]
        low = max(0, middle - reach)
        if numbers:
            pool = pools[here[at]].part(low, middle + reach)
            yield from ((score, at, numbers[low + to]) for score, to in _near(text, pool))


def _pool(texts: Sequence[str]) -> _Pool:
    short = [text[:_LOOKED_AT].casefold() for text in texts]
    return _Pool(short, [text.rstrip(_STOPS) for text in short])


def _near(text: str, pool: _Pool) -> Iterator[tuple[float, int]]:
    """Yield how alike others are, and their numbers, of those that are alike at all."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415

    mine = text[:_LOOKED_AT].casefold()
    core = mine.rstrip(_STOPS)
    inside = {at for at, other in enumerate(pool.cores) if _holds(core, other)}
    for other, ratio, at in process.extract(mine, pool.short, scorer=fuzz.ratio, score_cutoff=_LOOSE, limit=8):
        least = min(len(mine), len(other))
        kept = 100 * LCSseq.similarity(mine, other) / least if least >= _LONG else 0.0
        score = max(ratio, kept - _LESS)
        if score >= ALIKE and at not in inside:
            yield score, at
    yield from ((_INSIDE, at) for at in sorted(inside))
    if len(core) < _LONG + _FEW:
        yield from ((_GROWN, at) for at, other in enumerate(pool.cores) if at not in inside and _grew(core, other))


def _holds(one: str, two: str) -> bool:
    return (two in one and len(two) >= _LONG) if len(one) >= len(two) else (one in two and len(one) >= _LONG)


def _grew(one: str, two: str) -> bool:
    """Tell whether one of two texts, too short to be found in anything, is the other with a few words behind it."""
    short, long = sorted((one, two), key=len)
    return 0 < len(short) < _LONG and len(long) <= len(short) + _FEW and long.startswith(f"{short} ")


def _surely(score: float, one: str, two: str) -> float:
    """Return how alike two texts are, by their words too: these make the difference between two of one pattern.

    0 where they have too few in common, and as good as sure where all but one are the same.
    """
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415

    if score in (_INSIDE, _GROWN):
        return score
    words = one.split(), two.split()
    least = min(map(len, words))
    different = least - LCSseq.similarity(*words)
    if different <= 1 and least >= _WORDS:
        return max(score, SURELY)
    return score if different <= 1 or different < _OTHER * least else 0.0
