"""The slots, and how large CONFIG.md wants them."""

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

from clawgit.workspace.config import Config

Name = Literal["identity", "profile", "corrections", "due", "recent", "recall", "crm", "longterm", "external"]
NAMES: tuple[Name, ...] = get_args(Name)
"""In the order of their priority (spec §6)."""

SHOWN: tuple[Name, ...] = (
    "identity",
    "profile",
    "longterm",
    "external",
    "due",
    "corrections",
    "recent",
    "crm",
    "recall",
)
"""In the order of the text: what stays from one question to the next comes first, so that caches of prompts hold."""


class Kind(Struct, frozen=True):
    """A slot: its title in the text, and the key of CONFIG.md that holds its tokens, "" where others give them."""

    title: str
    key: str


KINDS: Mapping[Name, Kind] = {
    "identity": Kind("Identity", "identity_tokens"),
    "profile": Kind("Operator profile", "user_profile_tokens"),
    "corrections": Kind("Corrections: these hold", "corrections_tokens"),
    "due": Kind("Due today and this week", ""),
    "recent": Kind("Recent memory", "recent_memory_tokens"),
    "recall": Kind("Relevant memory", "semantic_recall_tokens"),
    "crm": Kind("People", "crm_tokens"),
    "longterm": Kind("Long-term memory", "longterm_memory_tokens"),
    "external": Kind("External context", "external_context_budget"),
}


def sizes(config: Config, budget: int | None) -> tuple[int, dict[Name, int]]:
    """Return the whole budget and the size of each slot, in tokens.

    Another budget than that of CONFIG.md scales every slot. Where slots come to more than the whole, the lowest are cut
    down first.
    """
    usual = int(config.value("context_budget_tokens"))
    total = usual if budget is None else budget
    left, found = total, {}
    for name in NAMES:
        size = int(config.value(KINDS[name].key)) if KINDS[name].key else 0
        scaled = size * total // usual if usual else 0
        found[name] = min(scaled, left)
        left -= found[name]
    return total, found
