"""Finds notes by their words."""

from collections import Counter, defaultdict
from collections.abc import Hashable
from typing import Generic, TypeVar

from clawgit.text.sameness.note import read

Key = TypeVar("Key", bound=Hashable)
_VISITS = 1_500
"""Places of words that a search looks at, beyond those of the rarest word."""


class Known(Generic[Key]):
    """Notes by their words. `near` finds each note that `compare` may call the same, and others that are alike."""

    def __init__(self) -> None:
        self._where: defaultdict[str, list[Key]] = defaultdict(list)
        self._sizes: dict[Key, int] = {}
        self._places: dict[Key, int] = {}

    def add(self, key: Key, text: str) -> None:
        """Take in a note under a key of its own."""
        words = _words(text)
        self._sizes[key] = len(words)
        self._places.setdefault(key, len(self._places))
        for trait in {trait for word in words for trait in _traits(word)}:
            self._where[trait].append(key)

    def near(self, text: str, most: int = 20) -> list[Key]:
        """Return the keys of notes like this one, best first: `most` of them, and all that may say the same.

        Of two that are equally like it, that comes first which was taken in first.
        """
        words = sorted((self._count(word), word) for word in _words(text))
        hits: Counter[Key] = Counter()
        looked = visits = 0
        for count, word in words:
            visits += count
            if looked and visits > _VISITS:
                break
            hits.update({key for trait in _traits(word) for key in self._where.get(trait, ())})
            looked += 1
        size, sizes, places = len(words), self._sizes, self._places
        likely = sorted(hits, key=lambda key: (-hits[key] * min(size, sizes[key]) / max(size, sizes[key]), places[key]))
        return [key for at, key in enumerate(likely) if at < most or hits[key] == looked]

    def _count(self, word: str) -> int:
        return sum(len(self._where.get(trait, ())) for trait in _traits(word))


def _traits(word: str) -> tuple[str, ...]:
    """Return what a word is found by: itself, and one thing where it says many."""
    return (word, word[:-1]) if word.isascii() and word.isalpha() and word[-1] == "s" else (word,)


def _words(text: str) -> frozenset[str]:
    """Return the words of a note; of one that has none, all of it."""
    return frozenset(read(text).words) or frozenset((f"∅{' '.join(text.split())}",))
