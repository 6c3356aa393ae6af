"""Patterns, and those that clawgit brings."""

from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple

from clawgit.language import lexicon

Group = Literal["memory", "recall", "correction", "custom"]
Confidence = Literal["high", "medium"]

MINER, VALIDATOR = "memory-miner", "recall-validator"
ROUTES: dict[Group, str] = {"memory": MINER, "recall": VALIDATOR, "correction": VALIDATOR, "custom": MINER}
"""Who hears of what (spec §7)."""

_SURE: dict[Group, Confidence] = {"recall": "high", "correction": "medium"}


class Pattern(NamedTuple):
    """A regular expression in re2's syntax; `cased` ones tell capitals apart, `whole` ones begin where a word does."""

    source: str
    group: Group
    route: str
    cased: bool = False
    whole: bool = False

    @property
    def confidence(self) -> Confidence | None:
        """How sure a match is to correct something; one of the operator's own counts as a soft sign."""
        return _SURE.get(self.group) or ("medium" if self.route == VALIDATOR else None)


PACKS = ("zh", "ja", "ko")
"""What `triage_packs` of CONFIG.md names where it says nothing; English is always there."""
LANGUAGES = ("en", *PACKS)
"""Whose forms of two-sided corrections, kind words and wishes are always read."""
_GROUPS: tuple[Group, ...] = ("memory", "recall", "correction")


def built_in(packs: Iterable[str] = PACKS) -> tuple[Pattern, ...]:
    """Return the English patterns and those of `packs`."""
    packs = list(packs)
    named = (*(name for name in PACKS if name in packs), *(name for name in packs if name not in PACKS))
    return tuple(pattern for name in ("en", *named) for pattern in pack(name))


@cache
def pack(iso: str) -> tuple[Pattern, ...]:
    """Return the patterns of a language's file, none for one without; each begins where a word does.

    With `inside_words` it may begin anywhere, as where there are no spaces.
    """
    said = lexicon.patterns(iso)
    whole = not said.get("inside_words", False)
    rows = ((group, source) for group in _GROUPS for source in said.get(group, ()))
    return tuple(Pattern(source, group, ROUTES[group], whole=whole) for group, source in rows)


BUILT_IN = built_in()
