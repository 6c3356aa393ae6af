"""Embeddings over HTTP, as OpenAI and many others offer them."""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from clawgit.errors import Advice
from clawgit.outside import subprocess_runner
from clawgit.search import embedding
from clawgit.search.embedding import OPENAI, EmbeddingError, Vector

URL = "CLAWGIT_EMBED_URL"
KEY = "CLAWGIT_EMBED_KEY"
_BATCH = 32
_LIMIT = 512
_LARGEST = 64 << 20
_LONGEST = 60.0
_AGAIN = frozenset((408, 429, 500, 502, 503, 504))
_FIX = Advice(f"check {URL} and {KEY}")


class Patience(Struct, frozen=True):
    """How long an answer is waited for, in seconds, how often it is asked for, and the first pause between."""

    seconds: float
    tries: int
    pause: float = 1.0


HASTY = Patience(4, 1)
"""For a question: somebody waits."""
PATIENT = Patience(120, 5)
"""For building an index: the endpoint may be busy, or load its model first."""


class _AgainError(EmbeddingError):
    """What another try may mend; `wait` is what the endpoint asks for, in seconds."""

    def __init__(self, key: str, message: str, wait: float = 0.0) -> None:
        super().__init__(key, message, fix=_FIX)
        self.wait = wait


class Endpoint:
    """A model behind `/v1/embeddings`."""

    name = OPENAI
    limit = _LIMIT

    def __init__(
        self, model: str, url: str, key: str, patience: Patience, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.model = model
        self.host, self._url = _target(url)
        self._key = _key(key)
        self._patience = patience
        self._sleep = sleep
        self._dimension: int | None = None
        self._whose = f"the embeddings endpoint at {self.host}"

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
        """Return a vector for each text; what may pass is tried again."""
        found: list[Vector] = []
        for at in range(0, len(texts), _BATCH):
            found += self._patiently(texts[at : at + _BATCH])
        return found

    def _patiently(self, texts: Sequence[str]) -> list[Vector]:
        pause = self._patience.pause
        for left in reversed(range(self._patience.tries)):
            try:
                return self._asked(texts)
            except _AgainError as exc:
                if not left or exc.wait > _LONGEST:
                    raise
                self._sleep(max(exc.wait, pause))
                pause *= 2
        raise AssertionError  # the last try returned or raised

    def _asked(self, texts: Sequence[str]) -> list[Vector]:
        said = json.dumps({"model": self.model, "input": [_sayable(text) for text in texts]}).encode()
        try:
            data = subprocess_runner.within(self._patience.seconds, lambda: self._post(said))
        except TimeoutError:
            raise EmbeddingError(
                "embedder-unreachable", f"{self._whose} did not answer within {self._patience.seconds:g} s", fix=_FIX
            ) from None
        vectors = embedding.checked(self._read(data), len(texts), self._dimension, self._whose)
        self._dimension = len(vectors[0])
        return vectors

    def _post(self, said: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "clawgit"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url, said, headers)  # noqa: S310 - http and https alone, see _target
        try:
            with urllib.request.build_opener(_Stay).open(request, timeout=self._patience.seconds) as answer:
                data: bytes = answer.read(_LARGEST + 1)
                whole = answer.headers.get("Content-Length", "")
        except urllib.error.HTTPError as exc:
            with exc:
                raise self._refused(exc) from None
        except (OSError, http.client.HTTPException) as exc:
            raise self._broken(exc) from None
        if len(data) > _LARGEST:
            raise EmbeddingError("answer-too-large", f"{self._whose} gave more than {_LARGEST >> 20} MB")
        if whole.isdecimal() and len(data) < int(whole):
            raise self._half()
        return data

    def _half(self) -> EmbeddingError:
        return _AgainError("embedder-answer", f"{self._whose} gave half an answer")

    def _broken(self, exc: Exception) -> Exception:
        if isinstance(exc, http.client.IncompleteRead):
            return self._half()
        reason = getattr(exc, "reason", exc)
        if isinstance(reason, TimeoutError):
            return reason
        words = (reason.strerror if isinstance(reason, OSError) else "") or type(reason).__name__
        return _AgainError("embedder-unreachable", f"{self._whose} cannot be reached ({words})")

    def _refused(self, answer: urllib.error.HTTPError) -> EmbeddingError:
        code, words = answer.code, f"{self._whose} answered {answer.code}"
        if code in _AGAIN:
            return _AgainError("embedder-unreachable", words, _wait(answer.headers.get("Retry-After")))
        if code in (401, 403):
            return EmbeddingError("embedder-refused", f"{words}: it refuses the key", fix=Advice(f"export {KEY}=…"))
        if 300 <= code < 400:  # noqa: PLR2004 - elsewhere
            return EmbeddingError(
                "embedder-refused",
                f"{words}: it sends us elsewhere, where the key is not taken",
                fix=Advice(f"check {URL}"),
            )
        return EmbeddingError(
            "embedder-refused",
            f"{words} to the model {self.model}",
            fix=Advice(f"check {URL}, and embedder in CONFIG.md"),
        )

    def _read(self, data: bytes) -> list[object]:
        """Return the vectors of an answer, in the order of their texts."""
        try:
            rows = json.loads(data)["data"]
            if all("index" in row for row in rows):
                places = [row["index"] for row in rows]
                if sorted(places) != list(range(len(rows))):
                    raise EmbeddingError("embedder-answer", f"{self._whose} did not say which vector is whose")
                rows = sorted(rows, key=lambda row: row["index"])
            return [row["embedding"] for row in rows]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise EmbeddingError("embedder-answer", f"{self._whose}: no vectors", fix=Advice(f"check {URL}")) from None


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nobody: the key is meant for one host."""

    def redirect_request(self, *_: Any) -> None:
        """Refuse."""


def _target(url: str) -> tuple[str, str]:
    """Return the host, and where to post to. Raises EmbeddingError, which never shows the whole of a URL."""
    try:
        parts = urlsplit(url)
        host = f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not host or not url.isprintable() or " " in url:
        raise EmbeddingError("address-invalid", f"{URL} is no URL", fix=Advice(f"export {URL}=http://HOST:PORT/v1"))
    if "@" in parts.netloc:
        raise EmbeddingError("address-invalid", f"{URL} has a name or password", fix=Advice(f"put the key into {KEY}"))
    path = parts.path.rstrip("/") or "/v1"
    path = path if path.endswith("/embeddings") else f"{path}/embeddings"
    return host, parts._replace(path=path, fragment="").geturl()


def _key(key: str) -> str:
    if not (key.isascii() and key.isprintable()):
        raise EmbeddingError("setting-invalid", f"{KEY} holds what no header can carry", fix=Advice(f"export {KEY}=…"))
    return key


def _sayable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _wait(said: str | None) -> float:
    """Return the seconds that `Retry-After` asks for, which may be a moment."""
    if not said:
        return 0.0
    if said.strip().isdecimal():
        return float(said)
    try:
        return max(parsedate_to_datetime(said).timestamp() - time.time(), 0.0)
    except ValueError:
        return 0.0
