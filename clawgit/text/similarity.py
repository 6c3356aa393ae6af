"""Names the nearest known words."""

from collections.abc import Iterable

_CUTOFF = 55.0


def nearest(word: str, choices: Iterable[str], n: int = 3) -> list[str]:
    """Return up to `n` choices that `word` may be a slip for, the nearest first."""
    from rapidfuzz import fuzz, process, utils  # noqa: PLC0415 - needed only when something was not found

    found = process.extract(
        word, list(choices), scorer=fuzz.ratio, processor=utils.default_process, limit=n, score_cutoff=_CUTOFF
    )
    return [choice for choice, _, _ in found]
