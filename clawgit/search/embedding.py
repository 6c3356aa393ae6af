"""What turns texts into vectors."""

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Protocol, cast

from clawgit.errors import ClawgitError

Vector = list[float]

PROBE = "clawgit remembers what was said"
"""What an embedder is asked to tell its dimension, and whether it is still the model that it was."""

DEFAULT = "default"
OPENAI = "openai"


class EmbeddingError(ClawgitError):
    """No vectors can be had, now or at all."""


class Embedder(Protocol):
    """A model of meaning. `limit` is how many tokens of a text it sees."""

    @property
    def name(self) -> str:
        """Who runs the model."""
        ...

    @property
    def model(self) -> str:
        """What it calls the model."""
        ...

    @property
    def limit(self) -> int:
        """How many tokens of a text count; what comes after them is not seen."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; the model may be asked. Raises EmbeddingError."""
        ...

    @property
    def fingerprint(self) -> str:
        """What tells its vectors from those of another embedder."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text, as exact as 32 bits. Raises EmbeddingError."""
        ...


def fingerprint(name: str, model: str) -> str:
    """Return what tells the vectors of this model from those of another."""
    return sha256(f"{name}\0{model}".encode()).hexdigest()[:16]


def embedder(choice: str, environ: Mapping[str, str], *, hurry: bool, download: bool = False) -> Embedder:
    """Return the embedder that CONFIG.md names; `hurry` gives up early, `download` may fetch a model.

    Raises EmbeddingError when there is none, or what it needs is missing.
    """
    name, _, model = choice.partition(":")
    if name not in (DEFAULT, OPENAI):
        raise EmbeddingError("no embedder is set", fix=f"clawgit config set embedder {DEFAULT}")
    if name == DEFAULT:
        from clawgit.search.minilm import MiniLM  # noqa: PLC0415 - one of the two

        return MiniLM(download=download)
    from clawgit.search.endpoint import HASTY, PATIENT, Endpoint  # noqa: PLC0415 - loads urllib

    return Endpoint.of(model, environ, HASTY if hurry else PATIENT)


def checked(found: Sequence[object], count: int, dimension: int | None, whose: str) -> list[Vector]:
    """Return vectors that can be compared: as many as texts, of one length, of real numbers. Raises EmbeddingError."""
    if len(found) != count:
        raise EmbeddingError(f"{whose} gave {len(found)} vectors for {count} texts")
    vectors = [_numbers(one, whose) for one in found]
    lengths = {*map(len, vectors), *([dimension] if dimension else [])}
    if len(lengths) > 1 or 0 in lengths:
        got = " and ".join(str(length) for length in sorted(set(map(len, vectors))))
        expected = f", {dimension} were expected" if dimension else ""
        raise EmbeddingError(f"{whose} gave vectors of {got} numbers{expected}")
    return vectors


def _numbers(one: object, whose: str) -> Vector:
    try:
        vector: Vector = array("f", cast("Iterable[float]", one)).tolist()  # it may be anything: hence the errors
    except (TypeError, ValueError, OverflowError) as exc:
        raise EmbeddingError(f"{whose} gave a vector that is no list of numbers") from exc
    if not all(map(math.isfinite, vector)):
        raise EmbeddingError(f"{whose} gave a vector with numbers that are none (NaN or infinite)")
    return vector


def unit(vector: Sequence[float]) -> Vector:
    """Return a vector of length 1 in the same direction; one without a direction stays."""
    length = math.hypot(*vector)
    return [number / length for number in vector] if length else list(vector)


def mean(vectors: Sequence[Sequence[float]]) -> Vector:
    """Return what lies between vectors, each counting alike however long it is."""
    if len(vectors) == 1:
        return unit(vectors[0])
    return unit([math.fsum(numbers) for numbers in zip(*map(unit, vectors), strict=True)])


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return how alike two directions are, -1 to 1."""
    return math.fsum(a * b for a, b in zip(unit(one), unit(other), strict=True))


def cut(text: str, limit: int, count: Callable[[str], int]) -> list[str]:
    """Return a text in pieces that an embedder sees whole, cut between words where there are any."""
    if len(text) <= limit or count(text) <= limit:  # no token is shorter than a letter
        return [text]
    pieces = max(math.ceil(count(text) / limit), 2)
    edges = [0, *(_edge(text, at * len(text) // pieces) for at in range(1, pieces)), len(text)]
    return [piece for a, b in pairwise(edges) if a < b for piece in cut(text[a:b], limit, count)]


def _edge(text: str, near: int) -> int:
    """Return where to cut: after a space a little before, else right here."""
    space = text.rfind(" ", max(near - 80, 0), near)
    return space + 1 if space > 0 else near


def named(model: Embedder) -> str:
    """Return what an embedder is called."""
    return f"{model.name}:{model.model}"
