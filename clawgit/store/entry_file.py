"""The database of entries in the git folder."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clawgit.git import ownership, regular_file
from clawgit.outside.sqlite_file import write_ahead

NAME = "entries.db"
APPLICATION = 0x636C6765  # "clge"
VERSION = 1
_PATIENCE_SECONDS = 60.0
_TRIES = 2

_TABLES = """
CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE step (step INTEGER PRIMARY KEY, head TEXT NOT NULL);
CREATE TABLE moment (n INTEGER PRIMARY KEY, oid TEXT NOT NULL UNIQUE, date TEXT NOT NULL, author TEXT NOT NULL);
CREATE TABLE origin (n INTEGER PRIMARY KEY, id TEXT NOT NULL, birth INTEGER NOT NULL, step INTEGER NOT NULL);
CREATE UNIQUE INDEX origin_id ON origin (id);
CREATE TABLE file (path BLOB NOT NULL, blob TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER);
CREATE TABLE entry (
  path BLOB NOT NULL, place INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, kind TEXT NOT NULL,
  text TEXT NOT NULL, key TEXT NOT NULL, form TEXT NOT NULL, tag TEXT, section TEXT NOT NULL, role TEXT NOT NULL,
  origin INTEGER NOT NULL, changed INTEGER NOT NULL, similarity REAL NOT NULL, since INTEGER NOT NULL, until INTEGER
);
CREATE INDEX entry_path ON entry (path, place) WHERE until IS NULL;
CREATE INDEX entry_key ON entry (key) WHERE until IS NULL;
CREATE INDEX entry_origin ON entry (origin) WHERE until IS NULL;
CREATE INDEX entry_past ON entry (until) WHERE until IS NOT NULL;
CREATE TABLE removed (
  origin INTEGER NOT NULL, step INTEGER NOT NULL, path BLOB NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL,
  key TEXT NOT NULL, section TEXT NOT NULL, role TEXT NOT NULL, by INTEGER NOT NULL, holder INTEGER NOT NULL,
  PRIMARY KEY (origin, step)
) WITHOUT ROWID;
CREATE INDEX removed_key ON removed (key)
"""


@contextmanager
def open_database(folder: Path, update: Callable[[sqlite3.Connection], None]) -> Iterator[sqlite3.Connection]:
    """Open the database in `folder` after an `update`; a damaged or foreign one is made anew.

    Where none can be written it is made in memory. Raises sqlite3.DatabaseError for damage that shows later; the next
    one to open it makes it anew.
    """
    place = folder / NAME
    connection = _open_updated(place, update)
    try:
        yield connection
    except sqlite3.DatabaseError:
        place.unlink(missing_ok=True)
        raise
    finally:
        connection.close()


def _open_updated(place: Path, update: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    for _ in range(_TRIES):
        try:
            return _connect_updated(_find_database(place), update)
        except OSError:
            break
        except sqlite3.Error as exc:
            if isinstance(exc, sqlite3.OperationalError) and not _is_damage(exc):
                break
            with suppress(OSError):
                place.unlink(missing_ok=True)
    return _connect_updated(None, update)


def _connect_updated(place: Path | None, update: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    connection = _connect(place)
    try:
        update(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _is_damage(exc: sqlite3.OperationalError) -> bool:
    """Tell whether a new file would help: not where the disk is full, or may not be written, or somebody is busy."""
    return str(exc).startswith(("no such", "table", "near"))


def _find_database(place: Path) -> Path:
    """Return the database to which the link at `place` leads; a new one if it leads to none.

    Each has a name of its own: of two by the same name, one of them deleted, SQLite would mix up the logs.
    """
    if database := _follow(place):
        return database
    ownership.make_folders(place.parent)
    with regular_file.locked(place.with_suffix(".flock")):
        if database := _follow(place):
            return database
        for old in place.parent.glob(f"{place.stem}-*.db*"):
            old.unlink(missing_ok=True)
        database = place.with_name(f"{place.stem}-{os.urandom(4).hex()}.db")
        _connect(database).close()
        link = database.with_suffix(".link")
        link.symlink_to(database.name)
        link.replace(place)
    return database


def _follow(place: Path) -> Path | None:
    try:
        database = place.with_name(place.readlink().name)
    except OSError:  # none, or a file that somebody put there
        return None
    return database if database.is_file() and not database.is_symlink() else None


def _connect(place: Path | None) -> sqlite3.Connection:
    """Open a database, and make the tables of a new one. Raises sqlite3.DatabaseError for one that is not ours."""
    connection = sqlite3.connect(place or ":memory:", _PATIENCE_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        if place:
            write_ahead(connection, _PATIENCE_SECONDS)
        connection.execute("PRAGMA synchronous = NORMAL")
        if _read_version(connection) != (APPLICATION, VERSION):
            with writing(connection):
                if _read_version(connection) != (APPLICATION, VERSION):
                    _create_tables(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _read_version(connection: sqlite3.Connection) -> tuple[int, int]:
    application, version = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _VERSION_PRAGMAS)
    return application, version


_VERSION_PRAGMAS = ("application_id", "user_version")


def _create_tables(connection: sqlite3.Connection) -> None:
    if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        raise sqlite3.DatabaseError("a database of another program, or of another version")
    for statement in _TABLES.split(";"):
        connection.execute(statement)
    for name, value in zip(_VERSION_PRAGMAS, (APPLICATION, VERSION), strict=True):
        connection.execute(f"PRAGMA {name} = {value}")


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """Keep the one right to write; all of it or nothing is done."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
