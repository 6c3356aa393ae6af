"""Names the nearest known words."""

import re
from collections.abc import Iterable

_CUTOFF = 55.0
_BEGUN = 2
_NUMBER = re.compile(r"\d+")


def misspelt(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that `word` is a slip of the finger for, or begins; None where none is that near.

    One letter in four may be wrong, missing, too many or in the wrong place; numbers must agree.
    """
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - as below

    told = word.lower()

    def far(choice: str) -> float:
        there = choice.lower()
        if len(told) > _BEGUN and there.startswith(told):
            return 0.5
        return OSA.distance(told, there)

    found = [
        (far(one), one)
        for one in choices
        if far(one) <= max(1, max(len(one), len(word)) // 4) and _NUMBER.findall(one) == _NUMBER.findall(word)
    ]
    return min(found)[1] if found else None


def nearest(word: str, choices: Iterable[str], n: int = 3) -> list[str]:
    """Return up to `n` choices that `word` may be a slip for, the nearest first."""
    from rapidfuzz import fuzz, process, utils  # noqa: PLC0415 - needed only when something was not found

    found = process.extract(
        word, list(choices), scorer=fuzz.ratio, processor=utils.default_process, limit=n, score_cutoff=_CUTOFF
    )
    return [choice for choice, _, _ in found]
