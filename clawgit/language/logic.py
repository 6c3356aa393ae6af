"""Words that deny something."""

import re
from functools import cache

from clawgit.language import detect, lexicon
from clawgit.language.own_words import straighten_quotes


@cache
def denial_words(languages: tuple[str, ...], key: str = "negations") -> frozenset[str]:
    """Return the words, and letters of East Asia, that deny in some languages; under `refusals` those that forbid."""
    return frozenset(word for iso in languages for word in lexicon.words(iso, "logic", key))


@cache
def finder(phrases: tuple[str, ...]) -> "re.Pattern[str]":
    """Return a pattern for phrases; those of languages with spaces are between the edges of words."""
    sources = []
    for phrase in lexicon.longest_first(phrases):
        source = ".{1,50}?".join(re.escape(part.strip()) for part in phrase.split("\u2026"))  # … is what lies between
        if not detect.eastern(phrase):
            source = (r"(?<!\w)" if phrase[0].isalnum() else "") + source + (r"(?!\w)" if phrase[-1].isalnum() else "")
        sources.append(source)
    return re.compile("|".join(sources) or "(?!)", re.IGNORECASE)


@cache
def table_finder(languages: tuple[str, ...], *path: str) -> "re.Pattern[str]":
    """Return a pattern for the phrases in tables of some languages under a path."""
    return finder(tuple(phrase for iso in languages for phrase in lexicon.phrases(iso, *path)))


def denials(text: str) -> tuple[tuple[int, int], ...]:
    """Return the places of words that deny, forbid or refuse something."""
    negations, refusals, others = (
        denial_words(lexicon.languages(), key) for key in ("negations", "refusals", "no_negations")
    )
    blotted = finder(tuple(others)).sub(lambda hit: "\0" * len(hit[0]), straighten_quotes(text))
    return tuple(match.span() for match in finder(tuple(negations | refusals)).finditer(blotted))
