"""Names the nearest known words."""

import re
from collections.abc import Iterable

_CUTOFF = 55.0
_MIN_PREFIX = 2
_DIGITS = re.compile(r"\d+")


def misspelt(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice with `word` as a typo or beginning; None if none is that near.

    One letter in four may be wrong, missing, too many or in the wrong place; numbers must agree. A syllable in front of
    a word reverses it, as in "untrust". Of choices that are equally near the longest is meant: letters get lost.
    """
    from rapidfuzz import distance, process  # noqa: PLC0415 - as below

    same_numbers = (choice for choice in choices if _DIGITS.findall(choice) == _DIGITS.findall(word))
    others = (choice for choice in same_numbers if not word.lower().endswith(choice.lower(), _MIN_PREFIX))
    candidates = sorted(others, key=len, reverse=True)
    longer = [item for item in candidates if len(word) > _MIN_PREFIX and item.lower().startswith(word.lower())]
    limit = max(1, (len(word) + 1) // 4)
    match = process.extractOne(word, candidates, scorer=distance.OSA.distance, processor=str.lower, score_cutoff=limit)
    return min(longer) if longer else match and match[0]


def nearest(word: str, choices: Iterable[str], n: int = 3) -> list[str]:
    """Return up to `n` choices that `word` may be a slip for, the nearest first."""
    from rapidfuzz import fuzz, process, utils  # noqa: PLC0415 - needed only when something was not found

    matches = process.extract(
        word, list(choices), scorer=fuzz.ratio, processor=utils.default_process, limit=n, score_cutoff=_CUTOFF
    )
    return [choice for choice, _, _ in matches]
