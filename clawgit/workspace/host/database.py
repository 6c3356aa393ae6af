"""Opens OpenClaw's state database without leaving a trace."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import quote

from clawgit.workspace.host import files as host_files

if TYPE_CHECKING:
    from sqlite3 import Connection

Answer = TypeVar("Answer")

_MAGIC = b"SQLite format 3\0"
_WAL = 2
_PATIENCE = 0.2
_TRIES = 4


class UnreadableError(Exception):
    """Why a database cannot be asked, as the second half of a sentence."""


def ask(database: Path, question: "Callable[[Connection], Answer]") -> Answer:
    """Return the answer of a database; nothing is written, and no file comes to lie beside it.

    Raises UnreadableError for one that is locked, broken, encrypted, or no file.
    """
    for _ in range(_TRIES):  # whoever comes or goes meanwhile makes another way of reading the right one
        quiet = _quiet(database)
        try:
            answer = _asked(database, question, quiet=quiet)
        except UnreadableError:
            if _quiet(database) is quiet:
                raise
        else:
            if not quiet or _quiet(database):
                return answer
    raise UnreadableError("is opened and closed all the time")


def _asked(database: Path, question: "Callable[[Connection], Answer]", *, quiet: bool) -> Answer:
    import sqlite3  # noqa: PLC0415 - 4 ms

    try:
        with _opened(database, "immutable=1" if quiet else "mode=ro&readonly_shm=1") as connection:
            return question(connection)
    except sqlite3.Error as exc:
        raise UnreadableError(_words(str(exc))) from exc


@contextmanager
def _opened(database: Path, how: str) -> "Iterator[Connection]":
    import sqlite3  # noqa: PLC0415

    address = f"file:{quote(str(database))}?{how}"
    with closing(sqlite3.connect(address, uri=True, timeout=_PATIENCE)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        yield connection


def _quiet(database: Path) -> bool:
    """Tell whether nobody has the database open, so that a reader needs no lock; in WAL mode a lock leaves files."""
    header = _header(database)
    if _WAL not in header[18:20]:
        return False
    try:
        return os.stat(f"{database}-wal").st_size == 0 and not os.path.exists(f"{database}-shm")  # noqa: PTH110, PTH116
    except FileNotFoundError:
        return True
    except OSError as exc:
        raise UnreadableError(host_files.why(exc)) from exc


def _header(database: Path) -> bytes:
    try:
        header = host_files.head(database, 100)
    except OSError as exc:
        raise UnreadableError(host_files.why(exc)) from exc
    if not header.startswith(_MAGIC):
        raise UnreadableError("is encrypted, or no database" if header else "is empty")
    return header


def _words(said: str) -> str:
    if "locked" in said:
        return "is locked"
    return f"cannot be read: {said}"
