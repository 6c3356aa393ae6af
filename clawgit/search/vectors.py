"""Keeps vectors in Chroma: a folder, or a server."""

import math
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median
from threading import get_ident
from typing import Any, NamedTuple, TypeVar, cast
from urllib.parse import urlsplit

from msgspec import Struct

from clawgit.errors import Advice, ClawgitError, Command, find_disk_error
from clawgit.git import regular_file
from clawgit.search import warm

Fact = str | int | float | bool
Facts = Mapping[str, Fact]
Kept = tuple[str, Sequence[float], Facts]
"""A name with its vector, and what Chroma is told of it."""

URL = "CLAWGIT_CHROMA_URL"
_BATCH = 1000
_PAUSE = 0.02
_LONGEST = 30  # seconds that a child may take for one thing that it is asked
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
    """Chroma cannot read its files."""


class Address(NamedTuple):
    """The address of a Chroma server."""

    host: str
    port: int
    ssl: bool


class Vectors:
    """A collection in use. `ask` guards its calls: a server may hang, a folder may be damaged."""

    def __init__(self, client: Any, name: str, ask: Callable[[Callable[[], Any]], Any]) -> None:
        self._client = client
        self._name = name
        self._ask = ask
        self._found: Any = None

    def open(self, embedder: str, dimension: int, *, create: bool = False) -> bool:
        """Return whether there are vectors that were made like this; with `create` an empty collection is begun."""
        # The metadata has the settings of hnsw, too, so new settings lead to a new collection.
        metadata = {"embedder": embedder, "dimension": dimension, **_HNSW}
        names = self._ask(lambda: [collection.name for collection in self._client.list_collections()])
        if self._name in names:
            self._found = self._ask(partial(self._client.get_collection, self._name, embedding_function=None))
            if self._found.metadata == metadata or not create:
                return bool(self._found.metadata == metadata)
            self._ask(partial(self._client.delete_collection, self._name))
        if create:
            make = partial(self._client.create_collection, self._name, embedding_function=None, metadata=metadata)
            self._found = self._ask(partial(make, configuration={"hnsw": _HNSW}))
        return create

    def count(self) -> int:
        """Return how many there are."""
        return int(self._ask(self._found.count))

    def facts(self) -> dict[str, dict[str, Fact]]:
        """Return the metadata of each vector, by name."""
        rows = self._ask(lambda: self._found.get(include=["metadatas"]))
        return {name: dict(row) for name, row in zip(rows["ids"], rows["metadatas"], strict=True)}

    def read(self, ids: Sequence[str]) -> list[list[float]]:
        """Return the vectors of these names."""
        rows = self._ask(lambda: self._found.get(ids=list(ids), include=["embeddings"])) if ids else {"embeddings": ()}
        return [list(map(float, row)) for row in rows["embeddings"]]

    def put(self, vectors: Sequence[Kept]) -> None:
        """Add vectors, or put them in the place of those of the same name; without numbers only what is told of one."""
        for with_numbers in (True, False):
            part = [vector for vector in vectors if bool(vector[1]) == with_numbers]
            act = self._found.upsert if with_numbers else self._found.update
            for start in range(0, len(part), _BATCH):
                names, numbers, facts = zip(*part[start : start + _BATCH], strict=True)
                write = partial(act, list(names), list(map(list, numbers)) if with_numbers else None)
                self._ask(partial(write, metadatas=list(map(dict, facts))))

    def remove(self, ids: Sequence[str]) -> None:
        """Take vectors out."""
        for start in range(0, len(ids), _BATCH):
            self._ask(lambda part=list(ids[start : start + _BATCH]): self._found.delete(ids=part))  # type: ignore[misc]

    def near(self, vector: Sequence[float], limit: int) -> list[tuple[str, Facts, float]]:
        """Return the nearest vectors: names, metadata, cosines, the best first."""
        # An index of hnsw cannot return more vectors than it has.
        limit = min(limit, self.count())
        if not limit:
            return []
        include = ["metadatas", "distances"]
        result = self._ask(partial(self._found.query, [list(vector)], n_results=limit, include=include))
        rows = zip(result["ids"][0], result["metadatas"][0], result["distances"][0], strict=True)
        return [(name, row, 1.0 - float(distance)) for name, row, distance in rows]


def is_remote() -> bool:
    """Return whether Chroma is a server."""
    return bool(os.environ.get(URL, "").strip())


@contextmanager
def open_collection(place: Path, name: str, *, wait: float, seconds: float = _LONGEST) -> Iterator[Vectors]:
    """Open a collection in the Chroma of a folder, or of the server at `CLAWGIT_CHROMA_URL`.

    A folder is for one process at a time from beginning to end. A child process has it open, which stays: unlocked, and
    until somebody else has written there. No answer of a server may take more than `seconds`. Raises LockedError,
    DamagedError for a folder that Chroma cannot use, and VectorsError.
    """
    url = os.environ.get(URL, "").strip()
    target, seconds = (_read_address(url), seconds) if url else (str(place.absolute()), _LONGEST)  # slow is no damage
    # Loading Chroma takes most of a second, so even a short command uses one child process.
    with nullcontext() if warm.is_lasting() else warm.keep_among(_OPEN_IN_COMMAND):
        child = warm.keep_warm(("chroma", get_ident()), None, _ChromaProcess, _ChromaProcess.close)
    child.start()  # which takes its time: not while others wait
    with nullcontext() if url else hold_vectors(place, wait):
        try:
            if url or child.left.get(place) != _stamp_folder(place):
                child.ask(target, seconds)
            yield cast("Vectors", _RemoteVectors(partial(child.ask, target, seconds, name)))
        except BaseException:
            # After an interrupt the pipe may have the answer to an earlier request.
            child.close()
            raise
        if not url:
            child.left[place] = _stamp_folder(place)


_OPEN_IN_COMMAND: warm.Things = {}


class _RemoteVectors(Struct, frozen=True):
    """The `Vectors` of a child process: calls are forwarded."""

    ask: Callable[..., Any]

    def __getattr__(self, method: str) -> Any:
        return lambda *args, **options: self.ask(method, args, options)


class _ChromaProcess:
    """A process that uses Chroma for us: a damaged folder may crash its reader, or block it for ever.

    `left` is the stamp of each folder after our last use.
    """

    _process: Any = None

    def start(self) -> None:
        """Have it run, with Chroma loaded. Raises VectorsError."""
        if self._process and self._process.poll() is None:
            return
        self.left: dict[Path, frozenset[tuple[str, int, int, int]]] = {}
        path, pipe, none = [directory for directory in sys.path if directory], subprocess.PIPE, subprocess.DEVNULL
        script = f"import sys; sys.path[:] = {path!r}; from clawgit.search import vectors; vectors.serve()"
        # With -I Python ignores its environment variables and the working directory.
        command = [sys.executable, "-I", "-c", script]
        try:  # in a session of its own: Ctrl-C is ours to answer
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=none, start_new_session=True)
            self.ask("")
        except (OSError, DamagedError) as exc:
            raise VectorsError(
                "package-damaged", f"chromadb cannot be loaded ({_describe_error(exc)})", fix=_GET
            ) from exc

    def ask(self, target: "str | Address" = "", seconds: float = _LONGEST, *request: Any) -> Any:
        """Return the result of a method of a collection; without one, open its target anew. Raises VectorsError."""
        try:
            pickle.dump((target, seconds, *request), self._process.stdin)
            self._process.stdin.flush()
            answer = pickle.load(self._process.stdout)  # noqa: S301 - what our own code wrote
        except (EOFError, OSError, pickle.UnpicklingError) as exc:
            code = self._process.wait()
            reason = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            if isinstance(target, Address):
                words = f"Chroma at {target.host}:{target.port} timed out ({seconds:g} s, {reason})"
                raise VectorsError("vectors-unavailable", words, fix=_FIX) from exc
            raise _damaged(reason) from exc
        if isinstance(answer, VectorsError):
            raise answer
        return answer

    def close(self) -> None:
        """End it after its present task: half a write would be damage."""
        with suppress(OSError), self._process or nullcontext():
            pass


def serve() -> None:
    """Execute a parent's requests to Chroma, until it is gone."""
    clients: dict[str | Address, Any] = {}
    with suppress(EOFError, OSError), os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)  # what others print goes nowhere
        collections: dict[tuple[str | Address, str], Vectors] = {}
        while True:
            target, seconds, *request = pickle.load(sys.stdin.buffer)  # noqa: S301 - as above
            signal.setitimer(signal.ITIMER_REAL, seconds)  # nothing else ends native code that runs in circles
            answer: Any = None
            ask = partial(_ask_server, target) if isinstance(target, Address) else _ask_folder
            try:
                chroma = _chroma()
                if request:
                    name, method, arguments, options = request
                    collection = collections.setdefault((target, name), Vectors(clients[target], name, ask))
                    answer = getattr(collection, method)(*arguments, **options)
                elif target:
                    collections = {key: collection for key, collection in collections.items() if key[0] != target}
                    if target in clients:
                        clients.pop(target).close()
                    clients[target] = ask(partial(_connect, chroma, target))
            except VectorsError as exc:
                answer = exc
            pickle.dump(answer, answers)
            answers.flush()
            signal.setitimer(signal.ITIMER_REAL, 0)


def _connect(chroma: Any, target: "str | Address") -> Any:
    # Chroma would read .env wherever it is started, and report home.
    settings = chroma.config.Settings(_env_file=None, anonymized_telemetry=False)
    if isinstance(target, Address):
        return chroma.HttpClient(target.host, target.port, ssl=target.ssl, settings=settings)
    return chroma.PersistentClient(target, settings=settings)


def _stamp_folder(place: Path) -> frozenset[tuple[str, int, int, int]]:
    """Return a stamp that changes when anybody writes to a folder."""
    paths = [*place.rglob("*"), place]
    with suppress(OSError):
        stats = [(str(path), path.lstat()) for path in paths]
        return frozenset((name, stat.st_ino, stat.st_size, stat.st_mtime_ns) for name, stat in stats)
    # A file disappeared during the walk: this stamp equals no other.
    return frozenset({("", 0, 0, time.monotonic_ns())})


@contextmanager
def hold_vectors(place: Path, wait: float) -> Iterator[None]:
    """Be the only process that uses the vectors of a folder. Raises LockedError."""
    busy = LockedError("in-use", "another process is using the vectors", fix=Advice("try again in a while"))
    with ExitStack() as stack:
        try:
            stack.enter_context(regular_file.lock_file(place.with_name(f"{place.name}.lock"), busy, wait))
        except OSError as exc:
            raise VectorsError("file-unwritable", f"{place.parent} cannot be written to ({exc.strerror})") from exc
        yield


def delete_vectors(place: Path) -> None:
    """Delete the folder of a locked Chroma. Raises VectorsError."""
    try:
        # Of a link only the link itself is deleted.
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)
    except OSError as exc:
        fix = Command("chmod -R u+rwX {} && clawgit memory index --force", place)
        raise VectorsError("vectors-damaged", f"cannot delete damaged {place} ({exc.strerror})", fix=fix) from exc


def _ask_folder(act: Callable[[], Done]) -> Done:
    """Do something in a folder; Chroma reports damage by many kinds of errors, and by panics that are none."""
    try:
        return act()
    except (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
        raise
    except BaseException as exc:
        if find_disk_error(exc):  # which throwing it away would not mend
            raise VectorsError(
                "disk-full",
                "the disk has no room for the vectors",
                fix=Command("df -h .", note="free some, then: clawgit memory index"),
            ) from exc
        raise _damaged(_describe_error(exc)) from exc


def _damaged(reason: str) -> DamagedError:
    message = f"Chroma cannot use its folder ({reason}); clawgit memory index builds it anew"
    return DamagedError("vectors-damaged", message, fix=Command("clawgit memory index --force"))


def _describe_error(exc: BaseException) -> str:
    """Return an error's message, in a line."""
    words = " ".join(str(exc).split())
    return f"{type(exc).__name__}: {words[:120]}" if words else type(exc).__name__


def _ask_server(target: Address, act: Callable[[], Done]) -> Done:
    try:
        return act()
    except Exception as exc:
        words = f"Chroma at {target.host}:{target.port} fails ({_describe_error(exc)})"
        raise VectorsError("vectors-unavailable", words, fix=_FIX) from exc


def _read_address(url: str) -> Address:
    """Return the address of a server. Raises VectorsError, which never shows a whole URL."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        parts, host, port = urlsplit(""), None, None
    if parts.scheme not in ("http", "https") or not host or parts.path.strip("/") or parts.query or "@" in parts.netloc:
        raise VectorsError("address-invalid", f"{URL} is no Chroma URL", fix=Advice(f"export {URL}=http://HOST:8000"))
    secure = parts.scheme == "https"
    return Address(host, port or (443 if secure else 8000), secure)


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
"""Texts of the index that strange questions are held against."""

_SPREADS = 4.0
_NORMAL = 1.4826  # of a normal distribution: its deviation by the median of what lies off
_MIN_ROOM_SHARE = 0.1
_MAX_COSINE = 0.999
_BAR = 0.35


class Scale(Struct, frozen=True):
    """The cosine that strangers have in the middle, and the one that hardly any of them reaches.

    Measured: with MiniLM strangers lie around 0.03 and end at 0.3, with other models around 0.7 and end at 0.8.
    """

    middle: float = 0.0
    bar: float = 0.3

    def worth(self, cosine: float) -> float:
        """Return 0 for the cosine of a strange text, the default `min_score` beyond all of them, 1 for the same."""
        if cosine >= self.bar:
            return min(_BAR + (1 - _BAR) * (cosine - self.bar) / (1 - self.bar), 1.0)
        return max(_BAR * (cosine - self.middle) / (self.bar - self.middle), 0.0)


def measure_scale(strangers: Iterable[Sequence[float]], texts: Iterable[Sequence[float]]) -> Scale:
    """Return the scale by how near strange questions come to texts, all of them of length 1."""
    cosines = [math.fsum(map(float.__mul__, left, b)) for left, b in product(strangers, texts)]
    if not cosines:
        return Scale()
    middle = min(median(cosines), _MAX_COSINE)
    spread = _NORMAL * median(abs(cosine - middle) for cosine in cosines)  # some are no strangers to some memories
    room = 1 - middle
    return Scale(middle, middle + min(max(_SPREADS * spread, _MIN_ROOM_SHARE * room), (1 - _MIN_ROOM_SHARE) * room))


def minilm() -> Any:
    """Return Chroma's own embedder, with nothing loaded yet. Raises VectorsError if there is no Chroma."""
    _chroma()
    from chromadb.utils.embedding_functions import (  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
        ONNXMiniLM_L6_V2,
    )

    return ONNXMiniLM_L6_V2(preferred_providers=["CPUExecutionProvider"])


def _chroma() -> Any:
    """Return Chroma, which takes most of a second to load. Raises VectorsError if it is missing."""
    try:
        import chromadb  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - 0.6 s, and an extra
    except ImportError as exc:
        raise VectorsError("package-missing", "chromadb is not installed", fix=_GET) from exc
    except Exception as exc:  # of its settings, or an SQLite that is too old
        raise VectorsError("package-damaged", f"chromadb cannot be loaded ({_describe_error(exc)})", fix=_GET) from exc
    return chromadb
