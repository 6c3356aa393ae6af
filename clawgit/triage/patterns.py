"""The patterns that clawgit brings."""

from collections.abc import Iterable, Mapping
from functools import cache

from clawgit.language import lexicon
from clawgit.triage import chinese, english, japanese, korean
from clawgit.triage.pattern import Group, Pattern, table

PACKS: Mapping[str, tuple[Pattern, ...]] = {
    "zh": chinese.PATTERNS,
    "ja": japanese.PATTERNS,
    "ko": korean.PATTERNS,
}
"""By the word that `triage_packs` of CONFIG.md has for them; English is always there, others are in their files."""
_GROUPS: tuple[Group, ...] = ("memory", "recall", "correction")


def built_in(packs: Iterable[str] = PACKS) -> tuple[Pattern, ...]:
    """Return the English patterns and those of `packs`."""
    packs = list(packs)
    named = (*(name for name in PACKS if name in packs), *(name for name in packs if name not in PACKS))
    return (*english.PATTERNS, *(pattern for name in named for pattern in PACKS.get(name) or pack(name)))


@cache
def pack(iso: str) -> tuple[Pattern, ...]:
    """Return the patterns that a language's file has, each begins where a word does; none for one without."""
    rows = lexicon.section(iso, "triage")
    return tuple(one for group in _GROUPS for one in table(group, *rows.get(group, ()), whole=True))


BUILT_IN = built_in()
