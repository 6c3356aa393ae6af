"""Words that limit a statement to a case."""

from functools import cache

from clawgit.language import lexicon


@cache
def words(languages: tuple[str, ...]) -> frozenset[str]:
    """Return the words that begin a condition or an exception in some languages."""
    return frozenset(word for iso in languages for word in lexicon.words(iso, "logic", "conditions"))
