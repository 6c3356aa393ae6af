"""OpenClaw's state database."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import quote

from msgspec import Struct

from clawgit.workspace.host import openclaw_files as host_files

if TYPE_CHECKING:
    from sqlite3 import Connection


Answer = TypeVar("Answer")

_MAGIC = b"SQLite format 3\0"
_WAL = 2
_PATIENCE = 0.2
_TRIES = 4


class UnreadableError(Exception):
    """Why a database cannot be asked, as the second half of a sentence."""


def ask_database(database: Path, question: "Callable[[Connection], Answer]") -> Answer:
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

    address = f"file:{quote(str(database))}?{'immutable=1' if quiet else 'mode=ro&readonly_shm=1'}"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=_PATIENCE)) as connection:
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            return question(connection)
    except sqlite3.Error as exc:
        words = "is locked" if "locked" in str(exc) else f"cannot be read: {exc}"
        raise UnreadableError(words) from exc


def _quiet(database: Path) -> bool:
    """Return whether nobody has the database open, so that a reader needs no lock; in WAL mode a lock leaves files."""
    try:
        header = host_files.head(database, 100)
        if not header.startswith(_MAGIC):
            raise UnreadableError("is encrypted, or no database" if header else "is empty")
        if _WAL not in header[18:20]:
            return False
        return os.stat(f"{database}-wal").st_size == 0 and not os.path.exists(f"{database}-shm")  # noqa: PTH110, PTH116
    except FileNotFoundError as exc:
        if exc.filename == str(database):
            raise UnreadableError(host_files.why(exc)) from exc
        return True
    except OSError as exc:
        raise UnreadableError(host_files.why(exc)) from exc


_FIND = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'memory_session_tombstones'"
_ASK = "SELECT session_id FROM memory_session_tombstones WHERE agent_id = ?"


def of_agent(place: Path, agent: str) -> frozenset[str]:
    """Return the sessions of an agent that are forgotten; none where there is no database. Raises UnreadableError."""

    def ask(connection: "Connection") -> frozenset[str]:
        if not connection.execute(_FIND).fetchone():
            return frozenset()
        return frozenset(str(name) for (name,) in connection.execute(_ASK, (agent,)))

    return ask_database(place, ask) if host_files.there(place) else frozenset()


Writer = Literal["agent", "untrusted"]

_OWNER, _NAMESPACE = "core:memory-artifact-provenance", "workspace-files"
_TABLES = "plugin_state%"
_OWN_RUN = ":internal-session-effects:"
_COLUMNS = (("plugin_id", "owner_id"), ("namespace",), ("entry_key", "key"), ("value_json", "value"))


class Record(Struct, frozen=True):
    """A file that OpenClaw has a record of: for whose it holds it, and the SHA-256 of what was written last.

    `session` is the key of the session that wrote it, "" where that is not told.
    """

    path: str
    writer: Writer
    hash: str
    session: str = ""

    @property
    def flushed(self) -> bool:
        """Whether a run of OpenClaw's own wrote it, beside a conversation: before a compaction it has notes taken."""
        return _OWN_RUN in self.session


class Ledger(Struct, frozen=True):
    """The records of one workspace, by path; `unknown` says why it cannot be told whether there are more."""

    records: tuple[Record, ...] = ()
    unknown: str = ""


def ledger(databases: Iterable[Path], workspace: Path) -> Ledger:
    """Return what these databases say of a workspace. One that is not there says nothing; never raises."""
    records: dict[str, Record] = {}
    unknown = []
    for database in databases:
        if not os.path.lexists(database):
            continue
        try:
            found = ask_database(database, lambda connection: list(_records(connection, workspace)))
            records |= {record.path: record for record in found}
        except UnreadableError as exc:
            unknown.append(f"{database} {exc}")
    return Ledger(tuple(sorted(records.values(), key=lambda record: record.path)), "; ".join(unknown))


def _records(connection: "Connection", workspace: Path) -> Iterator[Record]:
    key = workspace_key(workspace)
    for table, (owner, namespace, entry, value) in _tables(connection):
        rows = connection.execute(
            f'SELECT "{value}" FROM "{table}" WHERE "{owner}" = ? AND "{namespace}" = ? '  # noqa: S608 - names we listed
            f'AND "{entry}" >= ? AND "{entry}" < ?',
            (_OWNER, _NAMESPACE, f"{key}:", f"{key};"),
        )
        for (said,) in rows:
            if record := _record(said):
                yield record


def _tables(connection: "Connection") -> list[tuple[str, tuple[str, ...]]]:
    """Return the tables that may hold records, each with the names of its columns. They differ between versions."""
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    if not names:
        raise UnreadableError("holds no table")
    found = []
    for name in names:
        if not name.startswith(_TABLES.rstrip("%")) or '"' in name:
            continue
        there = {row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')}
        columns = tuple(next((one for one in known if one in there), "") for known in _COLUMNS)
        if all(columns):
            found.append((name, columns))
    if not found and "schema_meta" not in names:
        raise UnreadableError("is not OpenClaw's, or of an unknown version")
    return found


def workspace_key(workspace: Path) -> str:
    """Return the name under which OpenClaw files a workspace: a hash of its real path."""
    real = os.path.realpath(workspace).replace("\\", "/")
    return sha256((real.lower() if sys.platform == "win32" else real).encode("utf-8", "surrogateescape")).hexdigest()


def _record(said: Any) -> Record | None:
    try:
        value = json.loads(said)
    except (TypeError, ValueError, RecursionError):
        return None
    known: Mapping[str, Any] = value if isinstance(value, dict) else {}
    path, writer, digest = (known.get(name) for name in ("relativePath", "originClass", "fileHash"))
    if not (isinstance(path, str) and isinstance(digest, str)) or writer not in ("agent", "untrusted"):
        return None
    session = known.get("sessionKey")
    return Record(path, writer, digest, session if isinstance(session, str) else "")


def app_version(database: Path) -> str | None:
    """Return the version of the OpenClaw that last prepared its database, None where that cannot be told."""
    if not os.path.lexists(database):
        return None
    query = "SELECT app_version FROM schema_meta WHERE app_version IS NOT NULL ORDER BY updated_at DESC LIMIT 1"
    try:
        rows = ask_database(database, lambda connection: connection.execute(query).fetchall())
    except UnreadableError:
        return None
    return str(rows[0][0]) if rows else None
