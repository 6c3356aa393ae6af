"""Names the nearest known words."""

import re
from collections.abc import Iterable

_CUTOFF, _SLIP = 55.0, 75.0
_BEGUN = 2
_NUMBER = re.compile(r"\d+")


def misspelt(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that `word` begins, or is a slip of the finger for; numbers must agree. None: none is near."""
    same = [choice for choice in choices if _NUMBER.findall(choice) == _NUMBER.findall(word)]
    begun = [choice for choice in same if len(word) > _BEGUN and choice.lower().startswith(word.lower())]
    return next(iter(sorted(begun) or nearest(word, same, 1, cutoff=_SLIP)), None)


def nearest(word: str, choices: Iterable[str], n: int = 3, *, cutoff: float = _CUTOFF) -> list[str]:
    """Return up to `n` choices that `word` may be a slip for, the nearest first; 100 of `cutoff` is the same word."""
    from rapidfuzz import fuzz, process, utils  # noqa: PLC0415 - needed only when something was not found

    found = process.extract(
        word, list(choices), scorer=fuzz.ratio, processor=utils.default_process, limit=n, score_cutoff=cutoff
    )
    return [choice for choice, _, _ in found]
