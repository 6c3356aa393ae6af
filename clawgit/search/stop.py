"""Words that say nothing by themselves."""

from collections.abc import Collection
from functools import cache

from clawgit.language import detect, lexicon

_FEWEST = 2


def telling(said: Collection[str]) -> frozenset[str]:
    """Return those of the words to pass over that say a little after all: now and then a text is about them.

    Of English these are the words of a question's frame, of other languages all: what they are is not known as well.
    """
    passed = words(said)
    return _small("en", "framing") if passed is _english() else passed


def words(said: Collection[str]) -> frozenset[str]:
    """Return the words to pass over in a text of these words: those of English, and of the language that it is in.

    Another language counts only where two of its small words stand: `die` and `war` mean something.
    """
    iso = detect.detect(" ".join(said))
    found = _small(iso, "small") if iso not in {"", "en"} else frozenset()
    return _with_english(iso) if sum(word in found for word in said) >= _FEWEST else _english()


@cache
def _small(iso: str, key: str) -> frozenset[str]:
    return frozenset(lexicon.words(iso, "search", key))


@cache
def _english() -> frozenset[str]:
    return _small("en", "small") | _small("en", "framing")


@cache
def _with_english(iso: str) -> frozenset[str]:
    return _english() | _small(iso, "small")
