"""Words that deny."""

from functools import cache

from clawgit.language import lexicon


@cache
def words(languages: tuple[str, ...]) -> frozenset[str]:
    """Return the words, and letters of East Asia, that deny in some languages."""
    return frozenset(word for iso in languages for word in lexicon.words(iso, "logic", "negations"))
