"""The table of all entries of memory."""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct

from clawgit.git.repository import Oid, Repository
from clawgit.store import index_file
from clawgit.store.births import Classify, Role
from clawgit.store.entry_links import MIN_SIMILARITY
from clawgit.store.entry_update import TABLES, Updater, split_section


class Moment(Struct, frozen=True):
    """A commit, its date in ISO 8601 and its author's name."""

    commit: Oid
    date: str
    author: str


class EntryRow(Struct, frozen=True):
    """An entry on lines `start` to `end` (from 1, both inside) of a file at HEAD.

    `birth` is None if history does not go back to it. `changed` is the commit that last changed its words, None
    where that is not known either. `similarity` is the weakest one, from 0 to 100, by which it was recognised since its
    birth. `copies` counts the rows with its key, itself included.
    """

    id: str
    role: Role
    path: str
    start: int
    end: int
    kind: str
    text: str
    key: str
    tag: str | None
    section: tuple[str, ...]
    birth: Moment | None
    changed: Moment | None
    similarity: float
    copies: int

    @property
    def probable(self) -> bool:
        """Whether it is only probably as old as its birth."""
        return self.similarity < MIN_SIMILARITY


class Change(Struct, frozen=True):
    """Who gave an entry its words; `changed` is None where history does not go back to it."""

    id: str
    text: str
    changed: Moment | None


class RemovedEntry(Struct, frozen=True):
    """An entry that commit `by` removed; it was last on line `line` of its file in commit `holder`."""

    id: str
    role: Role
    path: str
    line: int
    text: str
    key: str
    section: tuple[str, ...]
    birth: Moment | None
    by: Moment | None
    holder: Oid


@contextmanager
def open_entries(repo: Repository, classify: Classify, version: str = "") -> "Iterator[EntryTable]":
    """Open the table of a repository as of HEAD; missing commits are added first.

    It is made anew if `version`, the version of `classify`, is another one. Raises sqlite3.DatabaseError for damage
    that shows later; the next one to open it makes it anew.
    """
    where = index_file.place_index(repo)
    connection = _open_updated(where, lambda database: Updater(repo, classify, database, version).update())
    try:
        connection.execute("BEGIN")  # one state, whatever others write meanwhile
        yield EntryTable(connection)
    except sqlite3.Error as exc:
        if index_file.is_damage(exc):
            index_file.forget_index(where)
        raise
    finally:
        connection.close()


def _open_updated(where: Path, update: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    """Open the table after an `update`, in memory if it cannot be kept; a damaged one is made anew."""
    for _ in range(index_file.TRIES):
        try:
            return _connect_updated(index_file.make_index(where), update)
        except (OSError, sqlite3.Error) as exc:
            if not index_file.is_damage(exc):
                break
            index_file.forget_index(where)
    return _connect_updated(None, update)


def _connect_updated(place: Path | None, update: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    connection = index_file.connect(place, TABLES)
    try:
        update(connection)
    except BaseException:
        connection.close()
        raise
    return connection


_ROWS = (
    "SELECT b.oid, b.date, b.author, c.oid, c.date, c.author, o.id, e.role, e.path, e.section, e.first, e.last, "
    "e.kind, e.text, e.key, e.tag, e.similarity "
    "FROM entry e JOIN origin o ON o.n = e.origin JOIN moment c ON c.n = e.changed JOIN moment b ON b.n = o.birth "
    "WHERE {} ORDER BY e.path, e.place"
)
_REMOVED = (
    "SELECT b.oid, b.date, b.author, c.oid, c.date, c.author, o.id, r.role, r.path, r.section, r.line, r.text, r.key, "
    "h.oid "
    "FROM removed r JOIN origin o ON o.n = r.origin JOIN moment c ON c.n = r.by JOIN moment h ON h.n = r.holder "
    "JOIN moment b ON b.n = o.birth "
    "WHERE NOT EXISTS (SELECT 1 FROM entry x WHERE x.origin = r.origin) AND {} "
    "ORDER BY r.path, c.date, r.line"
)
_COPIES = "SELECT key, count(*) FROM entry GROUP BY key HAVING count(*) > 1"


class EntryTable:
    """Questions to the table of entries."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def count_rows(self) -> dict[tuple[Role, str], int]:
        """Return the number of entries by class and path."""
        query = "SELECT role, path, count(*) FROM entry GROUP BY role, path ORDER BY role, path"
        return {(role, os.fsdecode(path)): count for role, path, count in self._connection.execute(query)}

    def list_rows(self, roles: Sequence[Role] = (), paths: Sequence[str] = ()) -> list[EntryRow]:
        """Return the entries of some classes and paths, all without any, in the order of their files."""
        names = [os.fsencode(path) for path in paths]
        parts = [
            f"e.{column} IN ({','.join('?' * len(values))})"
            for column, values in (("role", roles), ("path", names))
            if values
        ]
        return self._find(" AND ".join(parts) or "1", *roles, *names)

    def list_changed(self, since: datetime) -> list[EntryRow]:
        """Return the entries that got their words after a moment."""
        # Time zones differ by a day at most: the rest is sorted out here.
        rows = self._find("c.date >= ?", (since - timedelta(days=2)).isoformat())
        return [row for row in rows if row.changed and datetime.fromisoformat(row.changed.date) >= since]

    def find_by_id(self, prefix: str) -> list[EntryRow]:
        """Return the entries with an id beginning like this."""
        return self._find("o.id >= ? AND o.id < ?", prefix, prefix + "\x7f")

    def find_by_key(self, key: str) -> list[EntryRow]:
        """Return the entries that have the same text, as `text.entry.digest` counts it."""
        return self._find("e.key = ?", key)

    def find_at_line(self, path: str, line: int) -> EntryRow | None:
        """Return the entry on a line of a file at HEAD; None for a line between entries."""
        rows = self._find("e.path = ? AND ? BETWEEN e.first AND e.last", os.fsencode(path), line)
        return rows[-1] if rows else None

    def list_changes(self, path: str, first: int, last: int) -> list[Change]:
        """Return who changed the entries on lines `first` to `last` of a file at HEAD."""
        query = (
            "SELECT c.oid, c.date, c.author, o.id, e.text FROM entry e JOIN origin o ON o.n = e.origin "
            "JOIN moment c ON c.n = e.changed WHERE e.path = ? AND e.first <= ? AND e.last >= ?"
        )
        rows = self._connection.execute(query, (os.fsencode(path), last, first))
        return [Change(name, text, Moment(*moment) if moment[0] else None) for *moment, name, text in rows]

    def find_removed_by_id(self, prefix: str) -> list[RemovedEntry]:
        """Return the removed entries with an id beginning like this."""
        return self._find_removed("o.id >= ? AND o.id < ?", prefix, prefix + "\x7f")

    def find_removed_by_key(self, key: str) -> list[RemovedEntry]:
        """Return the entries with a key that are gone."""
        return self._find_removed("r.key = ?", key)

    def _find(self, condition: str, *values: object) -> list[EntryRow]:
        rows: list[EntryRow] = []
        copies: dict[str, int] = dict(self._connection.execute(_COPIES))
        for birth, changed, cells in self._read(_ROWS, condition, values):
            oid, role, path, section, first, last, kind, text, key, tag, similarity = cells
            place = role, os.fsdecode(path), first, last
            headings, number = split_section(section), copies.get(key, 1)
            rows.append(EntryRow(oid, *place, kind, text, key, tag, headings, birth, changed, similarity, number))
        return rows

    def _find_removed(self, condition: str, *values: object) -> list[RemovedEntry]:
        rows: list[RemovedEntry] = []
        for birth, removal, (oid, role, path, section, line, text, key, holder) in self._read(
            _REMOVED, condition, values
        ):
            place = role, os.fsdecode(path), line
            rows.append(RemovedEntry(oid, *place, text, key, split_section(section), birth, removal, holder))
        return rows

    def _read(
        self, query: str, condition: str, values: Sequence[object]
    ) -> Iterator[tuple[Moment | None, Moment | None, tuple[Any, ...]]]:
        """Yield rows that begin with the six cells of two moments."""
        for cells in self._connection.execute(query.format(condition), values):
            yield *(Moment(*part) if part[0] else None for part in (cells[:3], cells[3:6])), cells[6:]
