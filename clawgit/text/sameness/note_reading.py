"""Finds notes by their words."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from operator import itemgetter
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
            hits.update(self._holding(word))
            looked += 1
        return self._best(hits, len(words), most, looked)

    def _best(self, hits: Counter[Key], size: int, most: int, looked: int) -> list[Key]:
        """Rank those that share most words, and go on to those that share fewer while one may still be among the best.

        One that shares `count` words is like it by `count` at most.
        """
        levels: defaultdict[int, list[Key]] = defaultdict(list)
        for key, count in hits.items():
            levels[count].append(key)
        ranked: list[tuple[float, int, Key]] = []
        for count in sorted(levels, reverse=True):
            if len(ranked) >= max(most, 1) and -ranked[max(most, 1) - 1][0] > count:
                break
            for key in levels[count]:
                other = self._sizes[key]
                ranked.append((-count * min(size, other) / max(size, other), self._places[key], key))
            ranked.sort(key=itemgetter(0, 1))
        return [key for at, (_, _, key) in enumerate(ranked) if at < most or hits[key] == looked]

    def _holding(self, word: str) -> Iterable[Key]:
        first, *more = _traits(word)
        found = self._where.get(first, ())
        return {*found, *(key for trait in more for key in self._where.get(trait, ()))} if more else found

    def _count(self, word: str) -> int:
        return sum(len(self._where.get(trait, ())) for trait in _traits(word))


def _traits(word: str) -> tuple[str, ...]:
    """Return what a word is found by: itself, and one thing where it says many."""
    return (word, word[:-1]) if word.isascii() and word.isalpha() and word[-1] == "s" else (word,)


def _words(text: str) -> frozenset[str]:
    """Return the words of a note; of one that has none, all of it."""
    return frozenset(read(text).words) or frozenset((f"∅{' '.join(text.split())}",))
