"""Finds the notes that a new one is compared with."""

from collections import Counter, defaultdict
from collections.abc import Hashable
from typing import Generic, TypeVar

from clawgit.text.sameness import partners, rephrased
from clawgit.text.sameness.measured import length
from clawgit.text.sameness.reading import read

Key = TypeVar("Key", bound=Hashable)
_VISITS = 1_500
"""Places of words that a search looks at, beyond those of the rarest word."""


class Known(Generic[Key]):
    """Notes by their words. `near` finds each note that `compare` may call the same, and others that are alike."""

    def __init__(self) -> None:
        self._where: defaultdict[str, list[Key]] = defaultdict(list)
        self._sizes: dict[Key, int] = {}

    def add(self, key: Key, text: str) -> None:
        """Take in a note under a key of its own."""
        words = _words(text)
        self._sizes[key] = len(words)
        for trait in {trait for word in words for trait in partners.traits(word)}:
            self._where[trait].append(key)

    def near(self, text: str, most: int = 20) -> list[Key]:
        """Return the keys of notes like this one, best first: `most` of them, and all that may say the same."""
        words = sorted((not sure, self._count(word), word) for word, sure in _words(text).items())
        size = len(words)
        hits: Counter[Key] = Counter()
        certain: Counter[Key] = Counter()
        looked = visits = 0
        for unsure, count, word in words:
            visits += count
            if looked and visits > _VISITS:
                break
            found = {key for trait in partners.traits(word) for key in self._where.get(trait, ())}
            hits.update(found)
            if not unsure:
                certain.update(found)
                looked += 1
        sizes = self._sizes
        likely = sorted(hits, key=lambda key: hits[key] * min(size, sizes[key]) / max(size, sizes[key]), reverse=True)
        return [key for at, key in enumerate(likely) if at < most or certain[key] == looked]

    def _count(self, word: str) -> int:
        return sum(len(self._where.get(trait, ())) for trait in partners.traits(word))


def _words(text: str) -> dict[str, bool]:
    """Return the words of a note, and whether every note that says the same has them in some form."""
    note = read(text)
    lasting = any(map(length, note.words))
    found = {word: not (rephrased.passing(word) or (lasting and word[0] == "#")) for word in note.words}
    found = {word: sure for word, sure in found.items() if not partners.weak(word)}
    if any(found.values()):
        return found
    return found | {f"∅{' '.join(text.split()) if not note.words else ''}": True}
