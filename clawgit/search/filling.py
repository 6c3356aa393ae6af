"""Fills the vectors with what the index says."""

from collections.abc import Collection, Mapping, Sequence
from itertools import islice

from msgspec import Struct

from clawgit.search import embedding
from clawgit.search.embedding import Embedder, Vector
from clawgit.search.embedding_cache import EmbeddingCache, text_hash
from clawgit.search.meaning import Meaning
from clawgit.search.refresh import Told
from clawgit.search.vectors import Kept, Vectors
from clawgit.text import tokens

_AT_ONCE = 256
_ROOM = 0.9
"""Of what an embedder takes: tokens are estimated."""


class Source(Struct, frozen=True):
    """Where vectors come from: made before, or made now."""

    cache: EmbeddingCache
    embedder: Embedder
    dimension: int

    def vectors(self, texts: Collection[str], most: int | None = None) -> Mapping[str, Vector]:
        """Return vectors by text; at most so many are made. Raises EmbeddingError with those before it kept."""
        names = {text: text_hash(text) for text in texts}
        known = self.cache.get(names.values(), self.dimension)
        missing = [text for text, name in names.items() if name not in known]
        wanted = missing[:most]
        for at in range(0, len(wanted), _AT_ONCE):
            some = wanted[at : at + _AT_ONCE]
            made = dict(zip((names[text] for text in some), self._made(some), strict=True))
            self.cache.put(made)
            known |= made
        return {text: known[name] for text, name in names.items() if name in known}

    def _made(self, texts: Sequence[str]) -> list[Vector]:
        pieces = [embedding.cut(text, int(self.embedder.limit * _ROOM), tokens.count) for text in texts]
        made = iter(self.embedder.embed([piece for some in pieces for piece in some]))
        return [embedding.mean(list(islice(made, len(some)))) for some in pieces]


def embed(live: Mapping[str, Meaning], source: Source, told: Told | None = None) -> None:
    """Make every vector that is missing, and keep it: what is made stays made when this is interrupted."""
    texts = list(dict.fromkeys(text for one in live.values() for text in one.texts))
    for at in range(0, len(texts), _AT_ONCE):
        if told:
            told(at, len(texts))
        source.vectors(texts[at : at + _AT_ONCE])


def fill(found: Vectors, live: Mapping[str, Meaning], source: Source, told: Told | None = None) -> None:
    """Make an open collection hold what is live and nothing else."""
    missing = without_vectors(found, live)
    for at in range(0, len(missing), _AT_ONCE):
        if told:
            told(at, len(missing))
        put(found, missing[at : at + _AT_ONCE], source)


def without_vectors(found: Vectors, live: Mapping[str, Meaning]) -> list[Meaning]:
    """Take out of a collection what is no longer live, and return what it lacks."""
    there = found.ids()
    found.remove(sorted(there - live.keys()))
    return [one for name, one in live.items() if name not in there]


def put(found: Vectors, some: Sequence[Meaning], source: Source, most: int | None = None) -> int:
    """Add vectors, of which at most so many are made now; return how many texts go without."""
    known = source.vectors(dict.fromkeys(text for one in some for text in one.texts), most)
    whole = [one for one in some if all(text in known for text in one.texts)]
    made = [Kept(one.id, one.hash, embedding.mean([known[text] for text in one.texts])) for one in whole]
    found.put([one for one in made if any(one.vector)])  # what has no direction is near to nothing
    return len(some) - len(whole)
