"""Tells what has been from what is to come."""

from functools import cache

from clawgit.language import detect, lexicon
from clawgit.language.date_tokens import tokens

_SHORTEST = 2
"""Letters that a verb has before the ending of what is to come, as in `partira`."""


def past(text: str, languages: tuple[str, ...] | None = None) -> bool | None:
    """Return True for what has been, False for what is to come or is arranged, None where nothing or both tells."""
    languages = detect.candidates(text) if languages is None else languages
    said = [token.text for token in tokens(text.lower())]
    has_been = _any(text, said, languages, "past")
    to_come = _any(text, said, languages, "future") or _ended(said, languages)
    if _any(text, said, languages, "arranged"):
        return False
    return None if has_been == to_come else has_been


def _any(text: str, said: list[str], languages: tuple[str, ...], key: str) -> bool:
    return any(
        (detect.eastern(word) and word in text) or word in said for iso in languages for word in _words(iso, key)
    )


@cache
def _words(iso: str, key: str) -> frozenset[str]:
    return frozenset(lexicon.words(iso, "dates", key))


def _ended(said: list[str], languages: tuple[str, ...]) -> bool:
    return any(
        len(word) >= len(end) + _SHORTEST and word.endswith(end)
        for iso in languages
        for end in lexicon.words(iso, "dates", "future_endings")
        for word in said
    )
