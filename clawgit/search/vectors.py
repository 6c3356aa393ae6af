"""Keeps vectors in Chroma: a folder, or a server."""

import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from msgspec import Struct

from clawgit.errors import Advice, ClawgitError, Command, no_room
from clawgit.git import regular_file
from clawgit.outside import subprocess_runner
from clawgit.search import warm

Fact = str | int | float | bool

URL = "CLAWGIT_CHROMA_URL"
_BATCH = 5000
# Hundreds of notes that differ in a number alone leave hnsw no way to the few others: with 100 for the first and 400
# for the second the nearest of 605 texts was not found in 18 of 100 builds, with these in none of 200.
_HNSW: dict[str, Fact] = {"space": "cosine", "ef_construction": 400, "ef_search": 1000}
_GET = Command("pip install clawgit[enhanced]")
_FIX = Advice(f"start it, or unset {URL}")

Done = TypeVar("Done")


class VectorsError(ClawgitError):
    """The vectors cannot be had."""


class LockedError(VectorsError):
    """Another process has them."""


class DamagedError(VectorsError):
    """Chroma cannot read what is there."""


class Kept(Struct, frozen=True):
    """A vector with its name, the hash of the text that it stands for, and what else Chroma is told of it."""

    id: str
    hash: str
    vector: Sequence[float]
    facts: Mapping[str, Fact] = {}


class Vectors:
    """A collection in use. `ask` guards what is asked of it: a server may hang, a folder may be damaged."""

    def __init__(self, client: Any, name: str, ask: Callable[[Callable[[], Any]], Any]) -> None:
        self._client = client
        self._name = name
        self._ask = ask
        self._found: Any = None

    def beside(self, name: str) -> "Vectors":
        """Return another collection of the same place, in use as this one is."""
        return Vectors(self._client, f"{self._name}-{name}", self._ask)

    def open(self, fingerprint: str, dimension: int) -> bool:
        """Tell whether there are vectors that were made like this."""
        if self._name not in self._ask(self._names):
            return False
        self._found = self._ask(lambda: self._client.get_collection(self._name, embedding_function=None))
        kept = self._found.metadata or {}
        return kept == _metadata(str(kept.get("embedder")), fingerprint, dimension)

    def create(self, embedder: str, fingerprint: str, dimension: int) -> None:
        """Begin anew, without a vector."""
        self.drop()
        metadata = _metadata(embedder, fingerprint, dimension)
        self._found = self._ask(
            lambda: self._client.create_collection(
                self._name, embedding_function=None, configuration={"hnsw": _HNSW}, metadata=metadata
            )
        )

    def drop(self) -> None:
        """Take the whole collection away."""
        if self._name in self._ask(self._names):
            self._ask(lambda: self._client.delete_collection(self._name))

    def _names(self) -> list[str]:
        return [one.name for one in self._client.list_collections()]

    def count(self) -> int:
        """Return how many there are."""
        return int(self._ask(self._found.count))

    def ids(self) -> set[str]:
        """Return the names of all."""
        return set(self._ask(lambda: self._found.get(include=[])["ids"]))

    def facts(self) -> dict[str, dict[str, Fact]]:
        """Return what is known of each vector, by name."""
        found = self._ask(lambda: self._found.get(include=["metadatas"]))
        return {name: dict(row) for name, row in zip(found["ids"], found["metadatas"], strict=True)}

    def put(self, some: Sequence[Kept]) -> None:
        """Add vectors, or put them in the place of those of the same name."""
        for at in range(0, len(some), _BATCH):
            part = some[at : at + _BATCH]
            self._ask(
                lambda part=part: self._found.upsert(  # type: ignore[misc]
                    ids=[one.id for one in part],
                    embeddings=[list(one.vector) for one in part],
                    metadatas=[{"hash": one.hash, **one.facts} for one in part],
                )
            )

    def remove(self, ids: Sequence[str]) -> None:
        """Take vectors out."""
        for at in range(0, len(ids), _BATCH):
            self._ask(lambda part=list(ids[at : at + _BATCH]): self._found.delete(ids=part))  # type: ignore[misc]

    def near(self, vector: Sequence[float], most: int) -> dict[str, float]:
        """Return the texts that are nearest to a vector: the best cosine by the hash of a text."""
        cosines: dict[str, float] = {}
        for _, row, cosine in self._query(vector, most, None):
            name = str(row["hash"])
            cosines[name] = max(cosines.get(name, -1.0), cosine)
        return cosines

    def nearest(self, vector: Sequence[float], most: int, where: Mapping[str, Fact]) -> dict[str, float]:
        """Return the cosines of the nearest vectors of which this is known, by name, the nearest first."""
        return {name: cosine for name, _, cosine in self._query(vector, most, where)}

    def _query(
        self, vector: Sequence[float], most: int, where: Mapping[str, Fact] | None
    ) -> list[tuple[str, Mapping[str, Fact], float]]:
        most = min(most, self.count())
        if not most:
            return []
        told = {"where": dict(where)} if where else {}
        found = self._ask(
            lambda: self._found.query(
                query_embeddings=[list(vector)], n_results=most, include=["metadatas", "distances"], **told
            )
        )
        rows = zip(found["ids"][0], found["metadatas"][0], found["distances"][0], strict=True)
        return [(name, row, 1.0 - float(distance)) for name, row, distance in rows]


def _metadata(embedder: str, fingerprint: str, dimension: int) -> dict[str, Fact]:
    """Return what a collection says of how it was made."""
    return {"embedder": embedder, "fingerprint": fingerprint, "dimension": dimension, **_HNSW}


@contextmanager
def folder(place: Path, name: str, *, wait: float) -> Iterator[Vectors]:
    """Open the Chroma of a folder, for one process at a time from beginning to end.

    A thread that answers more than once keeps it open, unlocked, until somebody else has written there. Raises
    LockedError when another keeps it longer than `wait` seconds, DamagedError for a folder that is none of Chroma's.
    """
    chroma = _chroma()  # which takes its time: not while others wait
    with held(place, wait):
        mine = warm.kept(("chroma", place), None, lambda: _Folder(chroma, place), _Folder.close)
        try:
            yield Vectors(mine.client(), name, _careful)
        except BaseException:
            mine.close()
            raise
        if warm.holds(mine):
            mine.left = _stamp(place)
        else:
            mine.close()


class _Folder:
    """A client of a folder that may stay open; `left` is what the folder was like when we last had it."""

    def __init__(self, chroma: Any, place: Path) -> None:
        self._chroma, self._place = chroma, place
        self._client: Any = None
        self.left: frozenset[tuple[str, int, int, int]] = frozenset()

    def client(self) -> Any:
        """Return the client, a new one where somebody has written since. Raises DamagedError."""
        if self._client is not None and self.left != _stamp(self._place):
            self.close()
        if self._client is None:
            settings = _settings(self._chroma)
            self._client = _careful(lambda: self._chroma.PersistentClient(str(self._place), settings=settings))
        return self._client

    def close(self) -> None:
        """Let go of the folder."""
        with suppress(Exception):
            self._client.close()
        self._client = None
        _unshare(self._chroma, self._place)


def _stamp(place: Path) -> frozenset[tuple[str, int, int, int]]:
    """Return what changes when anybody writes to a folder."""
    found = [*place.rglob("*"), place]
    with suppress(OSError):
        stats = [(str(one), one.lstat()) for one in found]
        return frozenset((name, one.st_ino, one.st_size, one.st_mtime_ns) for name, one in stats)
    return frozenset({("", 0, 0, time.monotonic_ns())})


def _unshare(chroma: Any, place: Path) -> None:
    """Make Chroma forget a folder that it could not open: it would go on to share what did not start."""
    with suppress(Exception):
        shared = chroma.api.shared_system_client.SharedSystemClient
        shared._identifier_to_system.pop(str(place), None)  # noqa: SLF001 - there is no other way
        shared._identifier_to_refcount.pop(str(place), None)  # noqa: SLF001


@contextmanager
def server(url: str, name: str, *, seconds: float) -> Iterator[Vectors]:
    """Talk to a Chroma server, which must answer each time within so many seconds. Raises VectorsError."""
    host, options = _target(url)

    def ask(act: Callable[[], Done]) -> Done:
        try:
            return subprocess_runner.within(seconds, act)
        except TimeoutError:
            raise VectorsError(
                "vectors-unavailable", f"the Chroma server at {host} did not answer within {seconds:g} s", fix=_FIX
            ) from None
        except Exception as exc:
            raise VectorsError(
                "vectors-unavailable", f"the Chroma server at {host} fails ({_said(exc)})", fix=_FIX
            ) from exc

    chroma = _chroma()
    ask(lambda: _alive(url.strip(), seconds))  # Chroma's own client would wait for ever, and keep its socket
    client = ask(lambda: chroma.HttpClient(**options, settings=_settings(chroma)))
    try:
        yield Vectors(client, name, ask)
    finally:
        with suppress(Exception):
            client.close()
            for one in (client, client._admin_client):  # noqa: SLF001 - its close leaves the connections open
                one._server._session.close()  # noqa: SLF001


def _alive(url: str, seconds: float) -> None:
    """Raise OSError unless a Chroma server answers."""
    import urllib.request  # noqa: PLC0415 - 15 ms that only servers need

    with urllib.request.urlopen(f"{url.rstrip('/')}/api/v2/heartbeat", timeout=seconds) as answer:  # noqa: S310
        answer.read(1000)


@contextmanager
def held(place: Path, wait: float) -> Iterator[None]:
    """Be the only process that uses the vectors of a folder. Raises LockedError."""
    busy = LockedError("in-use", "another process is using the vectors", fix=Advice("try again in a while"))
    with ExitStack() as stack:
        try:
            stack.enter_context(regular_file.locked(place.with_name(f"{place.name}.lock"), busy, wait))
        except OSError as exc:
            raise VectorsError("file-unwritable", f"{place.parent} cannot be written to ({exc.strerror})") from exc
        yield


def forget(place: Path) -> None:
    """Throw away the folder of a Chroma that is held. Raises VectorsError."""
    try:
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)
    except OSError as exc:
        raise VectorsError("vectors-damaged", f"{place} is damaged, and cannot be deleted ({exc.strerror})") from exc


def _careful(act: Callable[[], Done]) -> Done:
    """Do something in a folder; Chroma tells of damage by many kinds of errors, and by panics that are none."""
    try:
        return act()
    except (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
        raise
    except BaseException as exc:
        if no_room(exc):  # which throwing it away would not mend
            raise VectorsError(
                "disk-full",
                "the disk has no room for the vectors",
                fix=Command("df -h .", note="free some, then: clawgit memory index"),
            ) from exc
        raise DamagedError(
            "vectors-damaged",
            f"Chroma cannot use its folder ({_said(exc)})",
            fix=Command("clawgit memory index --force"),
        ) from exc


def _said(exc: BaseException) -> str:
    """Return what an error says, in a line."""
    words = " ".join(str(exc).split())
    return f"{type(exc).__name__}: {words[:120]}" if words else type(exc).__name__


def _target(url: str) -> tuple[str, Mapping[str, Any]]:
    """Return the host to speak of, and what Chroma takes. Raises VectorsError, which never shows the whole of a URL."""
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    if parts.scheme not in ("http", "https") or not host or parts.path.strip("/") or parts.query or "@" in parts.netloc:
        raise VectorsError(
            "address-invalid",
            f"{URL} is not the address of a Chroma server",
            fix=Advice(f"export {URL}=http://HOST:8000"),
        )
    secure = parts.scheme == "https"
    port = port or (443 if secure else 8000)
    return f"{host}:{port}", {"host": host, "port": port, "ssl": secure}


def minilm() -> Any:
    """Return Chroma's own embedder, with nothing loaded yet. Raises VectorsError where there is no Chroma."""
    _chroma()
    from chromadb.utils.embedding_functions import (  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
        ONNXMiniLM_L6_V2,
    )

    return ONNXMiniLM_L6_V2(preferred_providers=["CPUExecutionProvider"])


def _chroma() -> Any:
    """Return Chroma, which takes most of a second to load. Raises VectorsError where it is missing."""
    try:
        import chromadb  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - 0.6 s, and an extra
    except ImportError as exc:
        raise VectorsError("package-missing", "chromadb is not installed", fix=_GET) from exc
    except Exception as exc:  # of its settings, or an SQLite that is too old
        raise VectorsError("package-damaged", f"chromadb cannot be loaded ({_said(exc)})", fix=_GET) from exc
    return chromadb


def _settings(chroma: Any) -> Any:
    """Return settings of their own, which a client changes, as they are when the first is opened."""
    return copy(_first_settings(chroma))


@cache  # putting them together takes longer than a search
def _first_settings(chroma: Any) -> Any:
    """Return settings that come from nowhere else: Chroma would read .env wherever it is started, and report home."""
    return chroma.config.Settings(_env_file=None, anonymized_telemetry=False)
