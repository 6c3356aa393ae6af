"""One pattern, and what it is a sign of."""

from typing import Literal

from msgspec import Struct

Group = Literal["memory", "recall", "correction", "custom"]
Confidence = Literal["high", "medium"]

MINER, VALIDATOR = "memory-miner", "recall-validator"
ROUTES: dict[Group, str] = {"memory": MINER, "recall": VALIDATOR, "correction": VALIDATOR, "custom": MINER}
"""Who hears of what (spec §7)."""

_SURE: dict[Group, Confidence] = {"recall": "high", "correction": "medium"}


class Pattern(Struct, frozen=True):
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
