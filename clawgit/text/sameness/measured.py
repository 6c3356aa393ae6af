"""Writes units in one way, as `u:km`."""

import re
from collections.abc import Mapping
from functools import cache

from clawgit.language import units

LANGUAGES = ("en", "de", "es", "fr", "zh", "ja", "ko")
ATTACHED = re.compile(r"([+-]?\d+(?:[.,]\d+)*)([a-zA-Zµ°/€$£¥%]+)")
_THOUSANDS = 1000


@cache
def table() -> Mapping[str, str]:
    """Return what stands behind a number, as `u:km`."""
    return {word: f"u:{unit}" for word, unit in units.names(LANGUAGES).items()}


def is_unit(word: str) -> bool:
    """Tell whether a word is a unit in one way of writing."""
    return word.startswith("u:") and len(word) > 2  # noqa: PLR2004 - the mark alone


def length(word: str) -> tuple[float, str] | None:
    """Return how long a unit of time in one way of writing is."""
    return units.length(word[2:]) if is_unit(word) else None


def measured(number: str, unit: str) -> list[str] | None:
    """Return what `5km` or `10k` says as words, None for what is a name: `3d`, `4b`."""
    if unit in {"k", "K"}:
        return [f"#{float(number.replace(',', '')) * _THOUSANDS:.12g}"]
    return [number, table()[unit]] if unit in table() and unit != "B" else None
