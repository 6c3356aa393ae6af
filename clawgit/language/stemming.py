"""Cuts the endings off words."""

from functools import cache

from clawgit.language import lexicon

_SHORTEST = 4
"""Letters that a word keeps."""
_MOST = 6
"""Letters of a stem: what is behind them is an ending that no table knows."""


def stem(word: str, languages: tuple[str, ...]) -> str:
    """Return the beginning of a word that its forms share, in whichever of some languages it is."""
    for end in _endings(languages):
        if word.endswith(end) and len(word) - len(end) >= _SHORTEST:
            return word[: -len(end)][:_MOST]
    return word[:_MOST]


@cache
def _endings(languages: tuple[str, ...]) -> tuple[str, ...]:
    found = dict.fromkeys(one for iso in languages for one in lexicon.words(iso, "stemming", "endings"))
    return tuple(sorted(found, key=lambda one: -len(one)))
