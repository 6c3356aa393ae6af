"""What turns texts into vectors."""

import math
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import pairwise, product
from pathlib import Path
from statistics import median
from typing import Any, Protocol, cast

from msgspec import Struct

from clawgit.errors import Advice, ClawgitError, Command
from clawgit.search import vectors

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


def checked(found: Sequence[object], count: int, dimension: int | None, whose: str) -> list[Vector]:
    """Return vectors that can be compared: as many as texts, of one length, of real numbers. Raises EmbeddingError."""
    if len(found) != count:
        raise EmbeddingError("embedder-answer", f"{whose} gave {len(found)} vectors for {count} texts")
    vectors = [_numbers(one, whose) for one in found]
    lengths = {*map(len, vectors), *([dimension] if dimension else [])}
    if len(lengths) > 1 or 0 in lengths:
        got = " and ".join(str(length) for length in sorted(set(map(len, vectors))))
        expected = f", {dimension} were expected" if dimension else ""
        raise EmbeddingError("embedder-answer", f"{whose} gave vectors of {got} numbers{expected}")
    return vectors


def _numbers(one: object, whose: str) -> Vector:
    try:
        vector: Vector = array("f", cast("Iterable[float]", one)).tolist()  # it may be anything: hence the errors
    except (TypeError, ValueError, OverflowError) as exc:
        raise EmbeddingError("embedder-answer", f"{whose} gave a vector that is no list of numbers") from exc
    if not all(map(math.isfinite, vector)):
        raise EmbeddingError("embedder-answer", f"{whose} gave a vector with numbers that are none (NaN or infinite)")
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


STRANGE = (
    "purple elephants juggling quasars",
    "zxqv blorf wibble",
    "how tall is the tallest tower of Mongolia",
    "lyrics of a sea shanty about whales",
    "photosynthesis in red algae",
    "siege engines of the middle ages",
    "who won the final in overtime",
    "how to file a patent in Brazil",
    "the chemical formula of saltpetre",
    "asdf qwer",
    "a valve amplifier for jazz guitar",
    "rings of Saturn through a telescope",
)
"""Questions that few memories answer."""

SAMPLE = 500
_FAR = 4.0
_NORMAL = 1.4826  # of a normal distribution: its deviation by the median of what lies off
_LEAST = 0.1
_MOST = 0.999
_BAR = 0.35


class Scale(Struct, frozen=True):
    """The cosine that strangers have in the middle, and the one that hardly any of them reaches.

    Measured: with MiniLM strangers lie around 0.03 and end at 0.3, with other models around 0.7 and end at 0.8.
    """

    middle: float = 0.0
    bar: float = 0.3

    def worth(self, cosine: float) -> float:
        """Return 0 for what a stranger has, the default `min_score` where no stranger comes, 1 for the same."""
        if cosine >= self.bar:
            return min(_BAR + (1 - _BAR) * (cosine - self.bar) / (1 - self.bar), 1.0)
        return max(_BAR * (cosine - self.middle) / (self.bar - self.middle), 0.0)


def scale(strangers: Sequence[Vector], texts: Iterable[Vector]) -> Scale:
    """Return the scale by how near strange questions come to texts."""
    units = [unit(text) for text in texts]
    cosines = [math.fsum(map(float.__mul__, a, b)) for a, b in product(map(unit, strangers), units)]
    if not cosines:
        return Scale()
    middle = min(median(cosines), _MOST)
    spread = _NORMAL * median(abs(one - middle) for one in cosines)  # some are no strangers to some memories
    room = 1 - middle
    return Scale(middle, middle + min(max(_FAR * spread, _LEAST * room), (1 - _LEAST) * room))


_BATCH = 32
_WHOSE = "the default embedder"
_FILES = (
    "config.json",
    "model.onnx",
    "special_tokens_map.json",
    "tokenizer_config.json",
    "tokenizer.json",
    "vocab.txt",
)


class MiniLM:
    """Chroma's all-MiniLM-L6-v2, loaded when first asked; fetched only where `download` allows it."""

    name = DEFAULT
    model = "all-MiniLM-L6-v2"
    limit = 256
    dimension = 384

    def __init__(self, *, download: bool = False) -> None:
        self._download = download

    @property
    def fingerprint(self) -> str:
        """What tells this model's vectors from another's."""
        return fingerprint(self.name, self.model)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text.

        Texts of like length go together, padded to the longest of them: Chroma pads each to 256 tokens, which takes
        ten times as long and changes nothing.
        """
        if not texts:
            return []
        run = self._loaded
        sizes = [len(one.ids) for one in run.tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(texts)), key=sizes.__getitem__)
        found: dict[int, object] = {}
        for at in range(0, len(order), _BATCH):
            some = order[at : at + _BATCH]
            run.tokenizer.enable_padding(pad_id=0, length=sizes[some[-1]])
            found |= zip(some, run([texts[one] for one in some]), strict=True)
            run.tokenizer.no_padding()
        return checked([found[at] for at in range(len(texts))], len(texts), self.dimension, _WHOSE)

    @cached_property
    def _loaded(self) -> Any:
        """The model with its tokenizer. Raises EmbeddingError where it is missing or broken."""
        run = vectors.minilm()
        folder = Path(run.DOWNLOAD_PATH) / run.EXTRACTED_FOLDER_NAME
        if not all((folder / name).is_file() for name in _FILES):
            self._fetch(run)
        try:
            run.tokenizer.no_padding()
            run.model  # noqa: B018 - loads it
        except Exception as exc:
            raise EmbeddingError(
                "embedder-damaged",
                f"the model of {_WHOSE} in {folder} is damaged",
                fix=Command("rm -r {} && clawgit memory index", folder),
            ) from exc
        return run

    def _fetch(self, run: Any) -> None:
        if not self._download:
            raise EmbeddingError(
                "embedder-missing",
                f"the model of {_WHOSE} is not on this machine; clawgit memory index downloads it",
                fix=Command("clawgit memory index"),
            )
        try:
            run._download_model_if_not_exists()  # noqa: SLF001 - the only way that there is
        except Exception as exc:
            raise EmbeddingError(
                "embedder-unreachable",
                f"the model of {_WHOSE} cannot be downloaded ({type(exc).__name__}): is there a network?",
                fix=Advice(
                    "clawgit memory index, once there is a network; or clawgit config set embedder openai:MODEL"
                ),
            ) from exc
