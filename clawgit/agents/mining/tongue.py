"""Languages, and how a sentence is read in each."""

import re
from collections.abc import Mapping

from msgspec import Struct, field

from clawgit.agents.mining.weights import BIT

Patterns = tuple[tuple[int, "re.Pattern[str]"], ...]


class Tongue(Struct, frozen=True):
    """What to look for in one language; a pattern that is missing never matches.

    `signs` add to the score, `ask`, `order`, `role`, `idle` and `unsure` refuse, `note` `lesson` `decision`
    `preference` and `happened` tell the kind, `report` is the agent's own word for something done, `leans` begins a
    sentence that needs the one before it, `hangs` ends one that was cut off.
    """

    signs: Patterns
    ask: "re.Pattern[str]"
    order: "re.Pattern[str]"
    plant: "re.Pattern[str]"
    role: "re.Pattern[str]"
    idle: "re.Pattern[str]"
    unsure: "re.Pattern[str]"
    note: "re.Pattern[str]"
    lesson: "re.Pattern[str]"
    decision: "re.Pattern[str]"
    preference: "re.Pattern[str]"
    happened: "re.Pattern[str]"
    report: "re.Pattern[str]"
    leans: "re.Pattern[str]"
    hangs: "re.Pattern[str]"
    letters: int = field(default=0)
    """Letters that make a word, where no spaces do."""


def tongue(words: Mapping[str, str], signs: Mapping[str, str], letters: int = 0) -> Tongue:
    """Return a language from the sources of its patterns."""
    parts = {part: re.compile(words.get(part, r"(?!)")) for part in Tongue.__struct_fields__ if part not in _OTHER}
    return Tongue(
        signs=tuple((BIT[name], re.compile(source)) for name, source in signs.items()), letters=letters, **parts
    )


_OTHER = ("signs", "letters")
