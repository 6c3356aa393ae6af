"""The agent's reads and writes of files."""

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Literal

from msgspec import Struct

from clawgit.errors import Command, file_unreadable
from clawgit.git import repository
from clawgit.git.repository import Oid
from clawgit.store.database import StateStore

MAX_CALLS_PER_FILE = 400
_PATIENCE_SECONDS = 10.0
_HASH_BYTES = 6

_SCHEMA = """CREATE TABLE IF NOT EXISTS file_call (
  number INTEGER PRIMARY KEY, session TEXT NOT NULL, event TEXT NOT NULL, call TEXT NOT NULL, path BLOB NOT NULL,
  kind TEXT NOT NULL, time REAL NOT NULL, blob TEXT NOT NULL, lines BLOB, UNIQUE (session, event, call))"""
"""`lines` is NULL until the answer of a read has been seen."""

Kind = Literal["read", "write"]


class FileCall(Struct, frozen=True):
    """A read or a write of a whole file or a part of it.

    `lines` are the hashes of the lines that the agent saw or wrote; `blob` is git's id of the bytes of a write, `time`
    when it was made, in seconds since 1970.
    """

    session: str
    kind: Kind
    time: float
    blob: Oid
    lines: frozenset[bytes]


def line_hashes(text: str) -> frozenset[bytes]:
    """Return the hashes of the lines of a text that are not blank."""
    lines = {line.strip() for line in text.removeprefix("\ufeff").split("\n")}
    return frozenset(
        blake2b(line.encode("utf-8", "replace"), digest_size=_HASH_BYTES).digest() for line in lines if line
    )


class AgentCalls:
    """The table of calls in `state.db`. No text of a file is kept in it, only hashes of lines."""

    def __init__(self, store: StateStore) -> None:
        place = store.prepare()
        try:
            self._database = sqlite3.connect(place, timeout=_PATIENCE_SECONDS, isolation_level=None)
            self._database.execute(_SCHEMA)
        except sqlite3.Error as exc:
            raise file_unreadable(f"{place}: {exc}", fix=Command("ls -ld {}", store.folder)) from exc

    def record_call(
        self, session: str, event: str, call: str, kind: Kind, path: str, text: str | None, time: float
    ) -> None:
        """Record a call; `text` is what a write writes, None of a read."""
        name = os.fsencode(path)
        blob = repository.hash_blob(text.encode("utf-8", "replace")) if text is not None else ""
        lines = b"".join(sorted(line_hashes(text))) if text is not None else None
        columns = "session, event, call, path, kind, time, blob, lines"
        row = (session, event, call, name, kind, time, blob, lines)
        self._database.execute(f"INSERT OR IGNORE INTO file_call ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)  # noqa: S608
        oldest = "SELECT number FROM file_call WHERE path = ? ORDER BY number DESC LIMIT -1 OFFSET ?"
        self._database.execute(f"DELETE FROM file_call WHERE number IN ({oldest})", (name, MAX_CALLS_PER_FILE))  # noqa: S608

    def record_answer(self, session: str, call: str, text: str, *, failed: bool) -> None:
        """Record what the last call of that id returned, of a read its lines; a call that failed is dropped."""
        last = "number = (SELECT max(number) FROM file_call WHERE session = ? AND call = ?)"
        if failed:
            self._database.execute(f"DELETE FROM file_call WHERE {last}", (session, call))  # noqa: S608
            return
        lines = b"".join(sorted(line_hashes(text)))
        statement = f"UPDATE file_call SET lines = ? WHERE {last} AND lines IS NULL"  # noqa: S608
        self._database.execute(statement, (lines, session, call))

    def forget(self, sessions: Iterable[str]) -> None:
        """Drop the calls of these sessions."""
        self._database.executemany("DELETE FROM file_call WHERE session = ?", [(session,) for session in sessions])

    def close(self) -> None:
        """Close the table."""
        self._database.close()


def calls_of(store: StateStore, path: str) -> list[FileCall]:
    """Return the calls for a file in the order in which they were made, none where the table cannot be read."""
    if not store.path.is_file() or store.path.is_symlink():
        return []
    statement = "SELECT session, kind, time, blob, lines FROM file_call WHERE path = ? ORDER BY number"
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(store.path)) as database:
        rows = database.execute(statement, (os.fsencode(path),)).fetchall()
        return [
            FileCall(session, kind, time, blob, frozenset(_cut(lines or b"")))
            for session, kind, time, blob, lines in rows
        ]
    return []


def _cut(lines: bytes) -> Iterator[bytes]:
    return (lines[start : start + _HASH_BYTES] for start in range(0, len(lines), _HASH_BYTES))
