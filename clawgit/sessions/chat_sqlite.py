"""The chat store in a file of SQLite."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clawgit.errors import BusyError, ClawgitError, quoted
from clawgit.safety.private import make_private
from clawgit.sessions.chat_sql import SqlChatStore, clean, outdated, prepare

_PATIENCE = 30.0  # seconds


def opened(place: Path | None) -> SqlChatStore:
    """Open the store at `place`, making it where there is none; None is an empty one that is kept nowhere.

    Raises ClawgitError for a file that is no store.
    """
    if place is not None:
        _make(place)
    database = Sqlite(place)
    try:
        with database.transaction():
            prepare(database, str(place))
        if outdated(database):
            clean(database)
    except ClawgitError:
        database.close()
        raise
    return SqlChatStore(database)


def _make(place: Path) -> None:
    try:
        make_private(place)
    except OSError as exc:
        raise ClawgitError(f"{place}: {exc.strerror}", fix=f"ls -ld {quoted(place.parent)}") from exc


class Sqlite:
    """A connection to a file of SQLite."""

    def __init__(self, place: Path | None) -> None:
        self._place = place or ":memory:"
        with self._translated():
            self._connection = sqlite3.connect(self._place, timeout=_PATIENCE, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")  # a lost tail is imported again

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows."""
        with self._translated():
            return self._connection.execute(statement, values).fetchall()

    def stream(self, statement: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield rows without holding them all."""
        with self._translated():
            yield from self._connection.execute(statement, values)

    def each(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement with each of `rows`."""
        with self._translated():
            self._connection.executemany(statement, rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Begin what lands as a whole."""
        with self._translated():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def shrink(self) -> None:
        """Write the file anew, without what was replaced."""
        with self._translated():
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as exc:
            if "locked" in str(exc) or "busy" in str(exc):
                raise BusyError(f"{self._place} is in use", fix="try again in a moment") from exc
            raise ClawgitError(f"{self._place}: {exc}", fix="df -h") from exc
        except sqlite3.DatabaseError as exc:
            aside = quoted(f"{self._place}.broken")
            raise ClawgitError(
                f"{self._place} is no chat store: {exc}", fix=f"mv {quoted(self._place)} {aside}   # then import again"
            ) from exc
