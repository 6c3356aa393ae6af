"""OpenClaw's records of who wrote the memory files."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from clawgit.workspace.host import database as host_database

if TYPE_CHECKING:
    from sqlite3 import Connection

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
            found = host_database.ask(database, lambda connection: list(_records(connection, workspace)))
            records |= {record.path: record for record in found}
        except host_database.UnreadableError as exc:
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
        raise host_database.UnreadableError("holds no table")
    found = []
    for name in names:
        if not name.startswith(_TABLES.rstrip("%")) or '"' in name:
            continue
        there = {row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')}
        columns = tuple(next((one for one in known if one in there), "") for known in _COLUMNS)
        if all(columns):
            found.append((name, columns))
    if not found and "schema_meta" not in names:
        raise host_database.UnreadableError("is not OpenClaw's, or of an unknown version")
    return found


def workspace_key(workspace: Path) -> str:
    """Return the name under which OpenClaw files a workspace: a hash of its real path."""
    real = os.path.realpath(workspace).replace("\\", "/")
    return sha256((real.lower() if sys.platform == "win32" else real).encode("utf-8", "surrogateescape")).hexdigest()


def _record(said: Any) -> Record | None:
    import json  # noqa: PLC0415

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
        rows = host_database.ask(database, lambda connection: connection.execute(query).fetchall())
    except host_database.UnreadableError:
        return None
    return str(rows[0][0]) if rows else None
