"""Words that ask to remember."""

import re
from functools import cache

from clawgit.language import lexicon


@cache
def asking(iso: str) -> str:
    """Return the source of a pattern for what begins a sentence that asks to remember; "" for a language without."""
    lead = _either(lexicon.phrases(iso, "remember", "lead"))
    asks = _either(lexicon.phrases(iso, "remember", "asks"))
    labels = _either(lexicon.phrases(iso, "remember", "labels"))
    if not asks:
        return ""
    return rf"^(?:(?:{lead})\b[, ]*)*(?:{asks})\b|\b(?:{labels}):"


def _either(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(one) for one in sorted(words, key=lambda one: (-len(one), one)))
