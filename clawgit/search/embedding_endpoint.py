"""Embeddings over HTTP, as OpenAI and many others offer them."""

import time
from collections.abc import Callable, Mapping, Sequence

from clawgit.errors import Advice
from clawgit.outside.http_client import AGAIN, Patience, address, letter, post
from clawgit.outside.subprocess_runner import OutsideError, RefusedError
from clawgit.search import embedding
from clawgit.search.embedding import OPENAI, EmbeddingError, Vector

URL = "CLAWGIT_EMBED_URL"
KEY = "CLAWGIT_EMBED_KEY"
_BATCH = 32
_LIMIT = 512
_LARGEST = 64 << 20
_KEYLESS = (401, 403)

HASTY = Patience(4, tries=1, largest=_LARGEST)
"""For a question: somebody waits."""
PATIENT = Patience(240, tries=5, longest=60.0, largest=_LARGEST)
"""For a batch of an index: the endpoint may be busy, or load its model first."""


class Endpoint:
    """A model behind `/v1/embeddings`. Raises EmbeddingError for an address or a key that cannot be used."""

    name = OPENAI
    limit = _LIMIT

    def __init__(
        self, model: str, url: str, key: str, patience: Patience, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.model = model
        self._key, self._patience, self._sleep = key, patience, sleep
        self._dimension: int | None = None
        try:
            self.to = address(URL, url, "embeddings")
            letter(self.to, KEY, None, key)
        except OutsideError as exc:
            raise EmbeddingError(exc.key, exc.message, fix=exc.fix) from None
        self._whose = f"the embeddings endpoint at {self.to.host}"

    @classmethod
    def of(cls, model: str, environ: Mapping[str, str], patience: Patience) -> "Endpoint":
        """Return the endpoint that the environment names. Raises EmbeddingError when it names none."""
        url = environ.get(URL, "").strip()
        if not url:
            raise EmbeddingError("setting-missing", f"{URL} is unset", fix=Advice(f"export {URL}=http://HOST:PORT/v1"))
        return cls(model, url, environ.get(KEY, "").strip(), patience)

    @property
    def fingerprint(self) -> str:
        """What tells this model's vectors from another's."""
        return embedding.fingerprint(self.name, self.model)

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._dimension or len(self.embed([embedding.PROBE])[0])

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each text; passing failures are tried again. Raises EmbeddingError."""
        batches = (texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH))
        return [vector for batch in batches for vector in self._embed_batch(batch)]

    def _embed_batch(self, texts: Sequence[str]) -> list[Vector]:
        sent = letter(self.to, self._whose, {"model": self.model, "input": list(texts)}, self._key)
        try:
            answer = post(sent, self._patience, sleep=self._sleep)
        except RefusedError as exc:
            raise self._refused(exc) from None
        except OutsideError as exc:
            raise EmbeddingError("embedder-unreachable", exc.message, fix=exc.fix) from None
        vectors = embedding.checked(self._read_rows(answer), len(texts), self._dimension, self._whose)
        self._dimension = len(vectors[0])
        return vectors

    def _refused(self, exc: RefusedError) -> EmbeddingError:
        if exc.status in AGAIN:
            return EmbeddingError("embedder-unreachable", exc.message, fix=exc.fix)
        if exc.status in _KEYLESS:
            return EmbeddingError(
                "embedder-refused", f"{exc.message}: it refuses the key", fix=Advice(f"export {KEY}=…")
            )
        fix = Advice(f"check {URL}, and embedder in CONFIG.md")
        return EmbeddingError("embedder-refused", f"{exc.message}, asked for {self.model}", fix=fix)

    def _read_rows(self, answer: object) -> list[object]:
        """Return the vectors of an answer, in the order of their texts."""
        try:
            rows = answer["data"]  # type: ignore[index]  # anything may come: hence the errors
            if all("index" in row for row in rows):
                places = [row["index"] for row in rows]
                if sorted(places) != list(range(len(rows))):
                    raise EmbeddingError("embedder-answer", f"{self._whose} did not say which vector is whose")
                rows = sorted(rows, key=lambda row: row["index"])
            return [row["embedding"] for row in rows]
        except (KeyError, TypeError):
            raise EmbeddingError("embedder-answer", f"{self._whose}: no vectors", fix=Advice(f"check {URL}")) from None
