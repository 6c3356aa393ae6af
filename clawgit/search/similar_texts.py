"""Finds texts that mean the like."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing, nullcontext
from typing import TypeVar

from msgspec.structs import replace

from clawgit.errors import Command
from clawgit.search import embedding, vector_index, vectors
from clawgit.search.embedding import Embedder, EmbeddingError, Scale, Vector
from clawgit.search.store import Store, opened
from clawgit.search.vector_index import Home, Note, Source
from clawgit.search.vectors import LockedError, Vectors, VectorsError
from clawgit.store import index_file
from clawgit.text import tokens

Found = TypeVar("Found")

BUILD = Command("clawgit memory index")
_WAIT = 1.0
_MADE = 64
"""Texts that a search embeds, for they are new: somebody waits."""
_PUT = 2000
"""Texts that a search puts into Chroma again."""
_ROOM = 0.9


def lacking(home: Home, model: Embedder) -> str | None:
    """Return why there are no vectors to be asked."""
    note = home.note()
    if note is None:
        return f"none are built yet; {BUILD} builds them"
    if note.fingerprint != model.fingerprint:
        return f"they were made by {note.embedder}, not by {embedding.named(model)}; {BUILD} makes them anew"
    if note.where != home.where:
        return f"they are kept elsewhere; {BUILD} builds them here"
    return None


class Like:
    """What `recall.search` takes as `similar`; `lacking` tells afterwards what had no vectors."""

    def __init__(self, home: Home, model: Embedder) -> None:
        self.home = home
        self.embedder = model
        self.lacking: str | None = None

    def __call__(self, question: str, most: int) -> Mapping[str, float]:
        """Return how near texts are, 0 to 1, by their hashes. Raises ClawgitError for whatever is in the way."""
        self.lacking = None
        plain = self._read(lambda store: vector_index.unnamed(question, store)) or question
        pieces = embedding.cut(plain, int(self.embedder.limit * _ROOM), tokens.count)
        asked = embedding.mean(self.embedder.embed(pieces))
        note = self.home.note()
        if note is None or note.dimension != len(asked):
            had = f"{note.dimension} numbers" if note else "none"
            raise VectorsError("vectors-outdated", f"vectors have {had}, not {len(asked)}; {BUILD} rebuilds them")
        if not any(asked):
            return {}
        return self._near(note, asked, most)

    def fresh(self, note: Note) -> bool:
        """Return whether the vectors are those of the index, as far as it is noted."""
        return self._read(vector_index.state_of) == note.state

    def _near(self, note: Note, asked: Vector, most: int) -> Mapping[str, float]:
        state = self._read(vector_index.state_of)
        with self.home.opened(wait=_WAIT) as found:
            there = found.open(note.fingerprint, note.dimension)
            if not there:
                found.create(note.embedder, note.fingerprint, note.dimension)
            if state is not None and (not there or state != note.state or found.count() != note.count):
                self._catch_up(found, note)
            near = found.near(asked, most)
        scale = Scale(note.middle, note.bar)
        return {name: scale.worth(cosine) for name, cosine in near.items()}

    def _catch_up(self, found: Vectors, note: Note) -> None:
        """Bring the vectors up to the index, as far as that is quick."""
        try:
            with nullcontext() if not self.home.url else vectors.held(self.home.chroma, 0):
                self._filled(found, note)
        except LockedError:
            self.lacking = "another process is filling the vectors"

    def _filled(self, found: Vectors, note: Note) -> None:
        read = self._read(
            lambda store: (
                {meaning.id: meaning for meaning in vector_index.meanings(store)},
                vector_index.state_of(store),
            )
        )
        if read is None:
            return
        live, state = read
        missing = vector_index.without_vectors(found, live)
        left = max(len(missing) - _PUT, 0)
        with closing(self.home.cache(self.embedder)) as cache:
            try:
                left += vector_index.put(found, missing[:_PUT], Source(cache, self.embedder, note.dimension), _MADE)
            except EmbeddingError as exc:
                left = len(missing)
                reason = f" ({exc.message})"
            else:
                reason = ""
        if left:
            self.lacking = f"{left:,} of {len(live):,} texts have no vectors yet{reason}; {BUILD} makes them"
        else:
            self.home.keep(replace(note, state=state, count=found.count()))

    def _read(self, what: Callable[[Store], Found]) -> Found | None:
        """Return something of the index, of one state of it; None where it is not kept, so that nothing is live."""
        place = index_file.find_index(self.home.index)
        if place is None:
            return None
        try:
            with closing((store := opened(place)).raw), store.reading():
                return what(store)
        except sqlite3.Error:
            return None
