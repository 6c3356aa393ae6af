"""Text that Markdown does not show and an agent reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from clawgit.safety import phrases
from clawgit.safety.tongue import WIDE

LONGEST = 80  # characters of a quote
_COMMENT = r"<!--(.*?)(?:-->|\Z)|^\[//\]: #[ \t]*(.*)$"
_MIN_WORDS = 3


def find(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and words of each comment or invisible element that speaks to a reader; data is no speech."""
    for pattern, flags in ((_COMMENT, re.DOTALL | re.MULTILINE), (said("styled"), re.IGNORECASE)):
        for match in re.finditer(pattern, text, flags):
            words = next((group for group in match.groups() if group), "")
            if _length(words) >= _MIN_WORDS and not re.match(said("data"), words) and re.search(said("speaks"), words):
                yield text.count("\n", 0, match.start()) + 1, " ".join(words.split())[:LONGEST]


@cache
def said(name: str) -> str:
    """Return the pattern of what `speaks` to a reader, of what is `data`, or of `styled` elements that nobody sees."""
    found = phrases.tables()["unseen"][name]
    return found if isinstance(found, str) else "|".join(found)


def _length(words: str) -> int:
    """Return how many words there are; two letters of a script without spaces count as one."""
    return len(words.split()) + len(re.findall(WIDE, words)) // 2
