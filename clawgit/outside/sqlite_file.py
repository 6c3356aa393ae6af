"""A SQLite file that several processes open, and its errors."""

import contextlib
import errno
import mmap
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from clawgit.errors import (
    ClawgitError,
    Command,
    database_failed,
    file_unreadable,
    file_unwritable,
    find_disk_error,
    in_use,
)

_PAUSE = 0.01  # seconds
_MIN_FREE_BYTES = 256 << 10
_WITHOUT_SHARED_MEMORY = ("locking_mode = EXCLUSIVE", "journal_mode = DELETE", "locking_mode = NORMAL", "user_version")
"""In this order; the last one gives the lock back."""


def write_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """Write to a log beside the file, so that readers and a writer do not wait for each other.

    On a disk without shared memory (a network file system) overwritten pages go to a journal instead. To be called
    before anything is read: a file that was in the other mode can be read only afterwards. Of several processes that
    change a new file's mode at once SQLite refuses all but one, whatever their timeout: they are tried again for
    `patience` seconds, and the timeout of the connection at the most. Raises sqlite3.Error.
    """
    place = connection.execute("PRAGMA database_list").fetchone()[2]
    # A database in memory has no file.
    is_shared = not place or _has_shared_memory(Path(place).parent)
    modes = ("journal_mode = WAL",) if is_shared else _WITHOUT_SHARED_MEMORY
    until = time.monotonic() + patience
    while True:
        try:
            for mode in modes:
                connection.execute(f"PRAGMA {mode}")
        except sqlite3.OperationalError as exc:
            if time.monotonic() >= until or "locked" not in str(exc):
                raise
            time.sleep(_PAUSE)
        else:
            return


def _has_shared_memory(folder: Path) -> bool:
    """Return whether processes can share memory by a file of a folder; True if no file can be made."""
    with contextlib.suppress(OSError), tempfile.NamedTemporaryFile(dir=folder, suffix="-shm") as file:
        file.truncate(mmap.PAGESIZE)
        try:
            mmap.mmap(file.fileno(), mmap.PAGESIZE).close()
        except OSError:
            return False
    return True


@contextlib.contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """Keep the one right to write; all of it or nothing is done."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:  # which ends the transaction
        yield


class DamagedDatabaseError(Exception):
    """The file is no database, or a damaged one."""


class ReadOnlyError(Exception):
    """Nothing can be written beside the database."""


@contextlib.contextmanager
def converted_errors(path: Path) -> Iterator[None]:
    """Raise the errors of SQLite and of the system for the database at `path` as ClawgitError."""
    try:
        yield
    except ReadOnlyError as exc:
        words = f"cannot write {path}"
        raise find_disk_error(exc.__cause__, path) or file_unwritable(
            words, fix=Command("ls -ld {}", path.parent)
        ) from exc
    except sqlite3.OperationalError as exc:
        if "locked" in str(exc) or "busy" in str(exc):
            raise in_use(f"{path} is in use") from exc
        if "malformed" in str(exc):
            raise DamagedDatabaseError from exc
        full = disk_error(path.parent) or find_disk_error(exc, path)
        raise full or database_failed(f"{path}: {exc}", fix=Command("ls -l {}", path)) from exc
    except sqlite3.DatabaseError as exc:
        raise DamagedDatabaseError from exc
    except OSError as exc:
        place = exc.filename or path
        raise find_disk_error(exc, path) or file_unreadable(
            f"{place}: {exc.strerror}", fix=Command("ls -ld {}", place)
        ) from exc


def disk_error(folder: Path) -> ClawgitError | None:
    """Return the error for a full disk, None for other ones: SQLite reports only that a file cannot be opened."""
    with contextlib.suppress(OSError):
        status = os.statvfs(folder)
        if status.f_bavail * status.f_frsize < _MIN_FREE_BYTES:
            return find_disk_error(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), folder)
    return None
