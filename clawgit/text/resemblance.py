"""Pairs texts by how alike they look, within bounds."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

ALIKE = 75.0  # per cent of equal letters; from here on one text may be the other, edited
_LOOSE = 55.0  # per cent that any two must have, if one kept most of the other
_LESS = 10.0  # so much less counts what was kept
_INSIDE = 93.0  # so alike are a text and the same with more before or after it
_LONG = 8  # letters that a text must have to be found in another
_GROWN = 80.0  # so alike are a shorter one and the same with a few words behind it
_FEW = 24  # letters that these words may have
_MOST = 60_000  # comparisons of everything with everything
_MOST_NEAR = 250_000  # comparisons with what stands around the same place
_LOOKED_AT = 400  # letters
_STOPS = " .。!"

_QUOTES = str.maketrans(
    dict.fromkeys("‘’‚‛′´", "'") | dict.fromkeys("“”„‟«»″", '"') | {"\ufeff": None, "\0": " "}  # noqa: RUF001
)
_EMPHASIS = r"\*+(?=[^\s*])|(?<=[^\s*])\*+|(?<![\w_])_+(?=[^\s_])|(?<=[^\s_])_+(?![\w_])"
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_DENSE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_SPACE = rf" (?=[{_DENSE}])|(?<=[{_DENSE}]) |(?<=\w-) (?=\w)"  # compiled where it is wanted: that takes 4 ms
_DRESSED = re.compile(r"[^ -~]|[*_\\`]|- |  ")


@lru_cache(maxsize=16_384)
def wording(text: str) -> str:
    """Return the words of a text: spaces, line breaks, quotes, emphasis, escapes and forms of letters do not count.

    Case does, and so do numbers and punctuation. Texts of one wording say the same; this is stricter than what makes
    two entries one.
    """
    if not _DRESSED.search(text):
        return text.strip()
    plain = _ESCAPE.sub("", text)
    plain = plain if plain.isascii() else unicodedata.normalize("NFKC", plain)
    plain = re.sub(_EMPHASIS, "", plain.translate(_QUOTES))
    return re.sub(_SPACE, "", " ".join(plain.split()))


class _Pool(Struct, frozen=True):
    """Texts to be found again, cut to what is looked at, and without their last stop."""

    short: list[str]
    cores: list[str]

    def part(self, low: int, high: int) -> "_Pool":
        return _Pool(self.short[low:high], self.cores[low:high])


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
