"""SQLite files made from git and from files.

Each has a name of its own: of two by the same name, one of them deleted, SQLite would mix up the logs.
"""

import sqlite3
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from clawgit import __version__
from clawgit.git import ownership, regular_file
from clawgit.git.repository import Repository
from clawgit.outside.sqlite_file import write_ahead, writing

VERSION = zlib.crc32(f"24 {__version__}".encode()) >> 1
"""The `user_version` of a usable file: another with other tables, chunks, rules for births or secrets, each release."""
TRIES = 3
PATIENCE_SECONDS = 10.0
_PAGE_BYTES = 2048
"""Of a small index half-empty pages are a good part, and a large one does not notice."""


def place_index(repo: Repository) -> Path:
    """Return the name of the index of a working tree, of which `find_index` finds the file."""
    name = f"index-{repo.gitdir.name}.db" if repo.linked else "index.db"
    return repo.commondir / "clawgit" / "cache" / name


def find_index(index_path: Path) -> Path | None:
    """Return the file of an index, None without one: `index.db` is kept as `index.N.db`, the newest of them."""
    for place in sorted(index_path.parent.glob(f"{index_path.stem}.*.db"), reverse=True):
        with suppress(OSError):
            return regular_file.require_state(place)
    return None


def make_index(index_path: Path) -> Path:
    """Return the file of an index, an empty one if there is none. Raises OSError and sqlite3.Error."""
    if place := find_index(index_path):
        return place
    ownership.make_folders(index_path.parent)
    with regular_file.locked_folder(index_path.parent):
        # Another process may have made it while this one waited for the lock.
        if place := find_index(index_path):
            return place
        _delete_files(index_path)
        place = index_path.with_name(f"{index_path.stem}.{time.time_ns():x}.db")
        connect(place, new=True).close()
    return place


def forget_index(index_path: Path) -> None:
    """Delete an index; processes that have it open keep it."""
    with suppress(OSError), regular_file.locked_folder(index_path.parent):
        _delete_files(index_path)


def _delete_files(index_path: Path) -> None:
    """Delete the files of an index, with the link and the lock of earlier versions."""
    for old in (index_path, index_path.with_suffix(".lock"), *index_path.parent.glob(f"{index_path.stem}.*.db*")):
        old.unlink(missing_ok=True)


def connect(place: Path | None, tables: str = "", *, new: bool = False) -> sqlite3.Connection:
    """Open a file, in memory without one; the statements `tables` make the missing tables.

    Only with `new` a missing file is made. Raises sqlite3.Error for a damaged one, or one of another version.
    """
    address = f"{place.absolute().as_uri()}?mode={'rwc' if new else 'rw'}" if place else ":memory:"
    connection = sqlite3.connect(
        address, PATIENCE_SECONDS, isolation_level=None, check_same_thread=False, uri=bool(place)
    )
    try:
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
        if place:
            write_ahead(connection, PATIENCE_SECONDS)
        # In WAL mode a power cut then costs the last writes alone, which are read anew.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -32768")
        query = "SELECT user_version, EXISTS (SELECT 1 FROM sqlite_master) FROM pragma_user_version"
        if connection.execute(query).fetchone() not in ((0, 0), (VERSION, 1)):
            raise sqlite3.DatabaseError("a file of another version, or of another program")
        name = tables.split()[2] if tables else ""
        query_of_table = "SELECT 1 FROM sqlite_master WHERE name = ?"
        if name and not connection.execute(query_of_table, (name,)).fetchone():
            with writing(connection):
                # Another process may have made them while this one waited.
                for statement in [] if connection.execute(query_of_table, (name,)).fetchone() else tables.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        connection.close()
        raise
    return connection


def open_updated(index_path: Path, tables: str, update: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    """Open an index after an `update`, in memory if it cannot be kept; a damaged one is made anew."""
    for _ in range(TRIES):
        connection = None
        try:
            connection = connect(make_index(index_path), tables)
            update(connection)
        except (OSError, sqlite3.Error) as exc:
            if connection:
                connection.close()
            if not is_damage(exc):
                break
            forget_index(index_path)
        else:
            return connection
    connection = connect(None, tables)
    update(connection)
    return connection


def is_damage(exc: Exception) -> bool:
    """Return whether a new file would help: not if the disk is full or read-only, or the file busy."""
    if isinstance(exc, OSError):
        return isinstance(exc, FileNotFoundError)
    return not any(words in str(exc) for words in ("locked", "readonly", "full", "disk I/O"))
