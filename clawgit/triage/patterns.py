"""The patterns that clawgit brings."""

from collections.abc import Iterable, Mapping

from clawgit.triage import chinese, english, japanese, korean
from clawgit.triage.pattern import Pattern

PACKS: Mapping[str, tuple[Pattern, ...]] = {
    "zh": chinese.PATTERNS,
    "ja": japanese.PATTERNS,
    "ko": korean.PATTERNS,
}
"""By the word that `triage_packs` of CONFIG.md has for them; English is always there."""


def built_in(packs: Iterable[str] = PACKS) -> tuple[Pattern, ...]:
    """Return the English patterns and those of `packs`."""
    return (*english.PATTERNS, *(pattern for name in PACKS if name in packs for pattern in PACKS[name]))


BUILT_IN = built_in()
