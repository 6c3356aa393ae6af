"""Pairs texts by how alike they look, within bounds."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ALIKE = 75.0  # per cent of equal letters; from here on one text may be the other, edited
SURELY = 92.0  # from here on it hardly is a new one
_LOOSE = 55.0  # per cent that any two must have, if one kept most of the other
_LESS = 10.0  # so much less counts what was kept
_INSIDE = 93.0  # so alike are a text and the same with more before or after it
_OTHER = 0.25  # share of the words of the shorter text that the other may lack, in order
_LONG = 8  # letters that a text must have to be found in another
_AHEAD = 3.0  # so much more alike than to what still stands: texts of one pattern are all alike
_MOST = 60_000  # comparisons of everything with everything
_MOST_NEAR = 400_000  # comparisons with what stands around the same place
_LOOKED_AT = 400  # letters
_STOPS = " .。!"


@dataclass(frozen=True, slots=True)
class _Pool:
    """Texts to be found again, cut to what is looked at, and without their last stop."""

    short: list[str]
    cores: list[str]

    def part(self, low: int, high: int) -> "_Pool":
        return _Pool(self.short[low:high], self.cores[low:high])


def nearest_gone(
    new: Sequence[str], gone: Sequence[str], standing: Sequence[str]
) -> dict[str, list[tuple[str, float]]]:
    """Return for what is new which texts that are gone it may have been, about equally well, and how alike they are.

    The best come first. A text that resembles one which still stands just as much is no edit of one that is gone.
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - needed only where somebody wrote an old version

    if len(new) * (len(gone) + len(standing)) > _MOST:
        return {}
    pool, others = _pool(gone), _pool(standing).short
    found: dict[str, list[tuple[str, float]]] = {}
    for text in new:
        near = [(score, at) for score, at in _near(text, pool) if score == _INSIDE or _shares_words(text, gone[at])]
        best = max((score for score, _ in near), default=0.0)
        rival = process.extractOne(text[:_LOOKED_AT], others, scorer=fuzz.ratio, score_cutoff=ALIKE)
        if near and (rival is None or rival[1] < best - _AHEAD):
            close = [(-score, at) for score, at in near if score > best - _AHEAD]
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
    return _Pool([text[:_LOOKED_AT] for text in texts], [text[:_LOOKED_AT].rstrip(_STOPS) for text in texts])


def _near(text: str, pool: _Pool) -> Iterator[tuple[float, int]]:
    """Yield how alike others are, and their numbers, of those that are alike at all."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415

    mine = text[:_LOOKED_AT]
    core = mine.rstrip(_STOPS)
    inside = {at for at, other in enumerate(pool.cores) if _holds(core, other)}
    for other, ratio, at in process.extract(mine, pool.short, scorer=fuzz.ratio, score_cutoff=_LOOSE, limit=8):
        least = min(len(mine), len(other))
        kept = 100 * LCSseq.similarity(mine, other) / least if least >= _LONG else 0.0
        score = max(ratio, kept - _LESS)
        if score >= ALIKE and at not in inside:
            yield score, at
    yield from ((_INSIDE, at) for at in sorted(inside))


def _holds(one: str, two: str) -> bool:
    return (two in one and len(two) >= _LONG) if len(one) >= len(two) else (one in two and len(one) >= _LONG)


def _shares_words(one: str, two: str) -> bool:
    """Tell whether most words are the same: the others make the difference between two texts of one pattern."""
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415

    words = one.split(), two.split()
    least = min(map(len, words))
    different = least - LCSseq.similarity(*words)
    return different <= 1 or different < _OTHER * least
