"""Keeps vectors that were made once."""

import contextlib
import sqlite3
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from clawgit.git import regular_file
from clawgit.outside.sqlite_file import write_ahead
from clawgit.search.embedding import Vector

NAME = "embeddings.db"
_VERSION = 1
_TABLE = """
CREATE TABLE IF NOT EXISTS vectors (
  provider TEXT, model TEXT, hash BLOB, vector BLOB, PRIMARY KEY (provider, model, hash)
)
"""
_SPARE = 1000
_AT_ONCE = 500

Done = TypeVar("Done")


def text_hash(text: str) -> bytes:
    """Return what names a text, whoever embeds it."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]


class EmbeddingCache:
    """The vectors of one model, by the hash of a text; several processes may use it, and anybody may delete it.

    What cannot be kept on disk is kept in memory: the next process pays for it again.
    """

    def __init__(self, place: Path, provider: str, model: str, *, wait: float = 10.0) -> None:
        self._place = place
        self._wait = wait
        self._of = (provider, model)
        self._connection = self._kept()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def get(self, hashes: Collection[bytes], dimension: int | None = None) -> dict[bytes, Vector]:
        """Return the vectors that are known, of this many numbers."""
        found = self._tried(lambda: list(self._rows(hashes)))
        vectors = {name: _unpacked(data) for name, data in found or ()}
        return {name: one for name, one in vectors.items() if one and (dimension is None or len(one) == dimension)}

    def put(self, vectors: Mapping[bytes, Sequence[float]]) -> None:
        """Keep vectors."""
        rows = [(*self._of, name, array("f", one).tobytes()) for name, one in vectors.items()]
        self._tried(lambda: self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows))

    def forget(self) -> None:
        """Drop every vector of this model."""
        self._tried(lambda: self._connection.execute("DELETE FROM vectors WHERE provider = ? AND model = ?", self._of))

    def prune(self, live: Iterable[bytes]) -> None:
        """Drop what no text needs any more, once that is more than what is needed."""
        known = {row[0] for row in self._tried(self._names) or ()}
        dead = known - set(live)
        if len(dead) > len(known) - len(dead) + _SPARE:
            gone = [(*self._of, name) for name in dead]
            self._tried(
                lambda: self._connection.executemany(
                    "DELETE FROM vectors WHERE provider = ? AND model = ? AND hash = ?", gone
                )
            )
            self._tried(lambda: self._connection.execute("VACUUM"))

    def _names(self) -> list[tuple[bytes]]:
        return self._connection.execute(
            "SELECT hash FROM vectors WHERE provider = ? AND model = ?", self._of
        ).fetchall()

    def _rows(self, hashes: Collection[bytes]) -> Iterable[tuple[bytes, bytes]]:
        wanted = list(hashes)
        for at in range(0, len(wanted), _AT_ONCE):
            some = wanted[at : at + _AT_ONCE]
            marks = ",".join("?" * len(some))
            yield from self._connection.execute(
                f"SELECT hash, vector FROM vectors WHERE provider = ? AND model = ? AND hash IN ({marks})",  # noqa: S608
                (*self._of, *some),
            )

    def _tried(self, act: Callable[[], Done]) -> Done | None:
        """Do something with the file; one that is damaged is thrown away, and one that is no use left alone."""
        for again in (self._renewed, self._away):
            try:
                with self._connection:
                    return act()
            except sqlite3.Error as exc:
                again(exc)
        with contextlib.suppress(sqlite3.Error), self._connection:
            return act()
        return None

    def _renewed(self, exc: Exception) -> None:
        self._connection.close()
        if not _no_use(exc):
            _remove(self._place)
        self._connection = self._kept()

    def _away(self, _: Exception) -> None:
        self._connection.close()
        self._connection = _opened(":memory:", self._wait)

    def _kept(self) -> sqlite3.Connection:
        for last in (False, True):
            try:
                self._place.parent.mkdir(parents=True, exist_ok=True)
                return _opened(self._place, self._wait)
            except (sqlite3.Error, OSError) as exc:
                if last or _no_use(exc):
                    break
                _remove(self._place)
        return _opened(":memory:", self._wait)


def _opened(place: Path | str, wait: float) -> sqlite3.Connection:
    where = place if isinstance(place, str) else regular_file.require_state(place)
    connection = sqlite3.connect(where, timeout=wait)
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError("another version's")
        write_ahead(connection, wait)
        connection.execute("PRAGMA synchronous = NORMAL")
        with connection:
            connection.execute(_TABLE)
            connection.execute("SELECT vector FROM vectors LIMIT 1").fetchone()
            if not version:
                connection.execute(f"PRAGMA user_version = {_VERSION}")
    except BaseException:
        connection.close()
        raise
    return connection


def _no_use(exc: Exception) -> bool:
    """Return whether a new file would be as bad: somebody is writing, there is no room, or no right."""
    words = str(exc)
    return isinstance(exc, OSError) or any(said in words for said in ("locked", "readonly", "unable to open", "full"))


def _remove(place: Path) -> None:
    for suffix in ("-wal", "-shm", ""):
        with contextlib.suppress(OSError):
            place.with_name(place.name + suffix).unlink()


def _unpacked(data: object) -> Vector:
    if not isinstance(data, bytes) or len(data) % 4:
        return []
    vector: Vector = array("f", data).tolist()
    return vector
