"""Tells what is said without being claimed for good."""

import re
from functools import partial
from pathlib import Path

from clawgit.language import pattern_tables, values

_pattern = partial(pattern_tables.pattern, Path(__file__).parent / "data/corrections.toml", "claims")
_SHORT = 90
"""Letters of an answer that only declines."""


def is_unclaimed(text: str) -> bool:
    """Return whether a message as a whole supposes, jests, tells a story, or only declines."""
    declines = len(text) <= _SHORT and _pattern("waves").match(text) and not values.find(text)
    return bool(declines) or any(_pattern(key).search(text) for key in ("jests", "supposed"))


def is_claimed(sentence: str) -> bool:
    """Return whether a sentence says what changes: it does not ask, doubt, look back, quote, or leave all as it is."""
    past = _pattern("then").search(sentence) and not _pattern("now").search(sentence)
    kept = _pattern("keeps").search(sentence) and not _pattern("changes").search(sentence)
    return not (past or kept or is_doubtful(sentence) or is_question(sentence))


def is_doubtful(sentence: str) -> bool:
    """Return whether a sentence leaves open whether it is so, or says what somebody else thinks."""
    return bool(_pattern("unsure").search(sentence) or _pattern("others", re.NOFLAG).search(sentence))


def is_question(sentence: str) -> bool:
    """Return whether a sentence is a question, and no request."""
    said = _pattern("tag").sub(".", sentence)
    return bool(_pattern("question").search(said)) and not _pattern("request").match(sentence)


def is_passing(sentence: str) -> bool:
    """Return whether a sentence speaks of one occasion."""
    return bool(_pattern("passing").search(sentence))


def is_once(sentence: str, memory: str) -> bool:
    """Return whether a sentence speaks of one occasion where the memory speaks of none, or of all of them."""
    return bool(_pattern("once").search(sentence)) or (is_passing(sentence) and not is_passing(memory))


def is_elsewhere(sentence: str, memory: str) -> bool:
    """Return whether a sentence speaks of somebody whom the memory does not name: `my brother's dentist`."""
    low = memory.casefold()
    known = values.content_words(memory)
    people = ((match[1] or match[2]).casefold() for match in _pattern("people").finditer(sentence))
    return any(one not in low and not values.content_words(one) <= known for one in people)


def is_observation(text: str) -> bool:
    """Return whether somebody speaks of code, or of what a tool shows: that is no memory."""
    return _pattern("observed").search(text) is not None


def is_about_ability(text: str) -> bool:
    """Return whether somebody is reminded of a tool, a script or a skill (spec §5.3: no memory)."""
    return _pattern("ability").search(text) is not None
