"""Connections to SQLite and PostgreSQL; `?` stands for values."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from clawgit import errors
from clawgit.errors import Advice, Command
from clawgit.outside.sqlite_file import DamagedDatabaseError, converted_errors, write_ahead, writing

VARIABLE = "CLAWGIT_CHAT_URL"
_SQLITE_SECONDS, _POSTGRES_SECONDS = 30.0, 10


class Database:
    """A connection; `_mark` is a value in its dialect, the statements of `_shrinking` write the tables anew."""

    _connection: Any
    _mark = "?"
    _shrinking: tuple[str, ...] = ()

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows."""
        with self._translated():
            cursor = self._connection.execute(statement.replace("?", self._mark), values)
            return cursor.fetchall() if cursor.description else []

    def stream(self, statement: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield rows without holding them all."""
        with self._translated():
            yield from self._connection.execute(statement, values)

    def each(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement with each of `rows`."""
        with self._translated():
            self._connection.cursor().executemany(statement.replace("?", self._mark), rows)

    def transaction(self) -> AbstractContextManager[None]:
        """Begin a transaction."""
        raise NotImplementedError

    def shrink(self) -> None:
        """Write everything anew, without replaced data."""
        with self._translated():
            for statement in self._shrinking:
                self._connection.execute(statement)

    def close(self) -> None:
        """End the connection."""
        self._connection.close()

    def _translated(self) -> AbstractContextManager[None]:
        """Raise the errors of the database as ClawgitError."""
        raise NotImplementedError


class Sqlite(Database):
    """A connection to a file of SQLite."""

    # The log beside the file keeps old pages until a checkpoint.
    _shrinking = ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")

    def __init__(self, place: Path | None) -> None:
        self._place = place or ":memory:"
        with self._translated():
            self._connection = sqlite3.connect(self._place, timeout=_SQLITE_SECONDS, isolation_level=None)
            write_ahead(self._connection, _SQLITE_SECONDS)
            # Without this, removed words would stay in free pages of the file.
            self._connection.execute("PRAGMA secure_delete = ON")
            self._connection.execute("PRAGMA synchronous = NORMAL")  # a lost tail is imported again

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Begin a transaction."""
        with self._translated(), writing(self._connection):
            yield

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            with converted_errors(Path(self._place)):
                yield
        except DamagedDatabaseError as exc:
            raise errors.database_failed(
                f"{self._place} is no chat store: {exc.__cause__}",
                fix=Command("mv {} {}", self._place, f"{self._place}.broken", note="then import again"),
            ) from exc


class Postgres(Database):
    """A connection to PostgreSQL."""

    _mark = "%s"
    _shrinking = ("VACUUM FULL chat_message",)

    def __init__(self, url: str) -> None:
        try:
            import psycopg  # noqa: PLC0415 - an extra, and slow to load
        except ImportError as exc:
            raise errors.package_missing("psycopg not installed", fix=Command("pip install clawgit[postgres]")) from exc
        self._error = psycopg.Error
        try:
            self._connection = psycopg.connect(url, autocommit=True, connect_timeout=_POSTGRES_SECONDS)
            self._connection.execute("SET client_min_messages = warning")  # that a table is there already is no news
        except psycopg.Error as exc:
            words = str(exc).strip().splitlines() or ["no answer"]
            # An error about an invalid address repeats it, and it may have a password.
            has_url = url if len(words[0]) > 200 or url in str(exc) else ""  # noqa: PLR2004
            raise errors.database_unreachable(
                f"the database that {VARIABLE} names cannot be reached: {'it is no address' if has_url else words[0]}",
                fix=Advice(f"{VARIABLE}=postgresql://USER:PASSWORD@HOST/DATABASE clawgit log --sessions"),
            ) from exc

    def stream(self, statement: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield rows without holding them all."""
        # A named cursor leaves the rows at the server, and needs a transaction.
        with self._translated(), self._connection.transaction(), self._connection.cursor("chat") as cursor:
            cursor.execute(statement.replace("?", self._mark), values)
            yield from cursor

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Begin a transaction."""
        with self._translated(), self._connection.transaction():
            yield

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except self._error as exc:
            words = (str(exc).strip().splitlines() or ["no answer"])[0]
            raise errors.database_failed(f"PostgreSQL: {words}", fix=Advice(f"check {VARIABLE}'s database")) from exc
