"""The table of all entries of memory."""

import os
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from msgspec import Struct

from clawgit.git import repository
from clawgit.git.churn import compare_commits, list_commits
from clawgit.git.history import cut_off
from clawgit.git.repository import Oid, Repository
from clawgit.outside.sqlite_file import writing
from clawgit.safety.redaction import redacted
from clawgit.store import index_file
from clawgit.store.births import GLOBS, Classify, Files, History, Link, Replay, Role, TracedEntry, read_history
from clawgit.store.entry_links import MIN_SIMILARITY
from clawgit.text.entry_versions import PlacedStatement, Statement

TABLES = """
CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE moment (oid TEXT PRIMARY KEY, date TEXT NOT NULL, author TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE file (path BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE entry (
  path BLOB NOT NULL, place INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, kind TEXT NOT NULL,
  text TEXT NOT NULL, key TEXT NOT NULL, form TEXT NOT NULL, tag TEXT, section TEXT NOT NULL, role TEXT NOT NULL,
  id TEXT NOT NULL, birth TEXT NOT NULL, changed TEXT NOT NULL, similarity REAL NOT NULL, PRIMARY KEY (path, place)
);
CREATE INDEX entry_key ON entry (key);
CREATE INDEX entry_id ON entry (id);
CREATE TABLE removed (
  id TEXT PRIMARY KEY, path BLOB NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL, key TEXT NOT NULL,
  section TEXT NOT NULL, role TEXT NOT NULL, birth TEXT NOT NULL, by TEXT NOT NULL, holder TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX removed_key ON removed (key)
"""
_MARKS = ", ".join("?" * 15)


@lru_cache(4096)
def join_section(section: tuple[str, ...]) -> str:
    """Return the path of headings as the table has it: without secrets."""
    return redacted("\n".join(section))


def split_section(section: str) -> tuple[str, ...]:
    """Return the path of headings that the table has."""
    return tuple(section.split("\n")) if section else ()


def _update(connection: sqlite3.Connection, repo: Repository, classify: Classify, version: str) -> None:
    """Add the commits since the last update; begin anew if HEAD does not continue it, or for another `version`."""
    state = repository.head(repo) or "", " ".join((version, *sorted(cut_off(repo))))

    def read_state() -> tuple[str | None, str | None]:
        notes = dict(connection.execute("SELECT name, value FROM note"))
        return notes.get("head"), notes.get("basis")

    if read_state() == state:
        return
    with writing(connection):
        old_head, old_basis = read_state()
        head, basis = state
        if (old_head, old_basis) == state:  # by another process meanwhile
            return
        if not (old_basis == basis and head and old_head and _continue(connection, repo, classify, (old_head, head))):
            for table in ("moment", "file", "entry", "removed"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
            _save(connection, classify, read_history(repo, head, classify) if head else History(), {})
        notes = zip(("head", "basis"), state, strict=True)
        connection.executemany("INSERT OR REPLACE INTO note VALUES (?, ?)", notes)


def _continue(connection: sqlite3.Connection, repo: Repository, classify: Classify, heads: tuple[Oid, Oid]) -> bool:
    """Add the changes of the commits from one head to another; False if they do not all continue it, or are missing."""
    base, head = heads
    if not repository.reaches(repo, head, base):
        return False
    commits = list_commits(repo, head, f"^{base}")
    if any(parent not in commits and parent != base for parents in commits.values() for parent in parents):
        return False  # a branch comes from further back
    comparisons = list(compare_commits(repo, commits, GLOBS))
    if any(side.changes is None for side in comparisons):
        return False
    paths = {change.path for side in comparisons for change in side.changes or () if classify(change.path)}
    has_merge = any(len(parents) > 1 for parents in commits.values())
    files = _load_files(connection, None if has_merge else paths)

    def is_used(name: str) -> bool:
        query = "SELECT EXISTS (SELECT 1 FROM entry WHERE id = ?1) OR EXISTS (SELECT 1 FROM removed WHERE id = ?1)"
        return bool(connection.execute(query, (name,)).fetchone()[0])

    replay = Replay(repo, classify, {base: dict(files)}, is_used)
    replay.run(commits, comparisons)
    _save(connection, classify, replay.finish(), files)
    return True


def _load_files(connection: sqlite3.Connection, paths: Collection[str] | None) -> Files:
    """Return the files of the last update, those of `paths` alone if given."""
    files: Files = {}
    query = (
        "SELECT kind, text, key, form, tag, first, last, section, id, birth, changed, similarity FROM entry "
        "WHERE path = ? ORDER BY place"
    )
    for (name,) in connection.execute("SELECT path FROM file").fetchall():
        path = os.fsdecode(name)
        if paths is None or path in paths:
            files[path] = [
                TracedEntry(
                    PlacedStatement(Statement(*cells[:5]), cells[5], cells[6], split_section(cells[7])),
                    Link(*cells[8:]),
                )
                for cells in connection.execute(query, (name,))
            ]
    return files


def _save(connection: sqlite3.Connection, classify: Classify, history: History, before: Files) -> None:
    """Save a history in the tables, given the files `before` of the last update that may have changed."""
    stamps = ((oid, *stamp) for oid, stamp in history.stamps.items())
    connection.executemany("INSERT OR IGNORE INTO moment VALUES (?, ?, ?)", stamps)
    for path in before.keys() | history.files.keys():
        version = history.files.get(path)
        if before.get(path) is version:
            continue
        # A path need not be UTF-8: the tables have its bytes.
        name = os.fsencode(path)
        for table in ("entry", "file"):
            connection.execute(f"DELETE FROM {table} WHERE path = ?", (name,))  # noqa: S608 - names of ours
        if version is not None:
            connection.execute("INSERT INTO file VALUES (?)", (name,))
            rows = _list_cells(name, version, classify(path))
            connection.executemany(f"INSERT INTO entry VALUES ({_MARKS})", rows)  # noqa: S608
    removals = (
        (
            *(name, os.fsencode(removal.path), removal.row.start, redacted(removal.row.statement.text)),
            *(removal.row.statement.key, join_section(removal.row.section), classify(removal.path) or ""),
            *(removal.link.birth, removal.commit, removal.holder),
        )
        for name, removal in history.removals.items()
    )
    connection.executemany("INSERT OR REPLACE INTO removed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", removals)


def _list_cells(name: bytes, version: Sequence[TracedEntry], role: Role | None) -> Iterator[tuple[object, ...]]:
    for place, (row, link) in enumerate((entry.row, entry.link) for entry in version):
        entry = row.statement
        words = entry.kind, redacted(entry.text), entry.key, entry.form, entry.tag, join_section(row.section)
        yield name, place, row.start, row.end, *words, role, link.id, link.birth, link.changed, link.similarity


class Moment(Struct, frozen=True):
    """A commit, its date in ISO 8601 and its author's name."""

    commit: Oid
    date: str
    author: str


class EntryRow(Struct, frozen=True):
    """An entry on lines `start` to `end` (from 1, both inside) of a file at HEAD.

    `birth` is None if history does not go back to it. `changed` is the commit that last changed its words, None if
    unknown. `similarity` is the weakest one, from 0 to 100, by which it was recognised since its birth. `copies` counts
    the rows with its key, itself included.
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

    It is made anew if `version`, the version of `classify`, is another one, and kept in memory alone where it cannot be
    written. Raises sqlite3.DatabaseError for damage that shows later; the next one to open it makes it anew.
    """
    index_path = index_file.place_index(repo)
    connection = index_file.open_updated(index_path, TABLES, lambda made: _update(made, repo, classify, version))
    try:
        connection.execute("BEGIN")  # one state, whatever others write meanwhile
        yield EntryTable(connection)
    except sqlite3.Error as exc:
        if index_file.is_damage(exc):
            index_file.forget_index(index_path)
        raise
    finally:
        connection.close()


_ROWS = (
    "SELECT e.id, e.role, e.path, e.first, e.last, e.kind, e.text, e.key, e.tag, e.section, b.oid, b.date, b.author, "
    "c.oid, c.date, c.author, e.similarity, (SELECT count(*) FROM entry x WHERE x.key = e.key) "
    "FROM entry e LEFT JOIN moment b ON b.oid = e.birth LEFT JOIN moment c ON c.oid = e.changed "
    "WHERE {} ORDER BY e.path, e.place"
)
_SELECT_REMOVED = (
    "SELECT r.id, r.role, r.path, r.line, r.text, r.key, r.section, b.oid, b.date, b.author, c.oid, c.date, c.author, "
    "r.holder FROM removed r LEFT JOIN moment b ON b.oid = r.birth LEFT JOIN moment c ON c.oid = r.by "
    "WHERE NOT EXISTS (SELECT 1 FROM entry x WHERE x.id = r.id) AND {} ORDER BY r.path, c.date, r.line"
)


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
        # Ids are letters, and DEL sorts behind all of them.
        return self._find("e.id >= ? AND e.id < ?", prefix, prefix + "\x7f")

    def find_by_key(self, key: str) -> list[EntryRow]:
        """Return the entries that have the same text, as `text.entry.digest` counts it."""
        return self._find("e.key = ?", key)

    def find_at_line(self, path: str, line: int) -> EntryRow | None:
        """Return the entry on a line of a file at HEAD; None for a line between entries."""
        rows = self.find_at_lines(path, line, line)
        return rows[-1] if rows else None

    def find_at_lines(self, path: str, first: int, last: int) -> list[EntryRow]:
        """Return the entries on lines `first` to `last` of a file at HEAD."""
        return self._find("e.path = ? AND e.first <= ? AND e.last >= ?", os.fsencode(path), last, first)

    def find_removed_by_id(self, prefix: str) -> list[RemovedEntry]:
        """Return the removed entries with an id beginning like this, all of them for ""."""
        return self._find_removed("r.id >= ? AND r.id < ?", prefix, prefix + "\x7f")

    def find_removed_by_key(self, key: str) -> list[RemovedEntry]:
        """Return the entries with a key that are gone."""
        return self._find_removed("r.key = ?", key)

    def _find(self, condition: str, *values: object) -> list[EntryRow]:
        return [EntryRow(*cells) for cells in self._read(_ROWS.format(condition), values, 9)]

    def _find_removed(self, condition: str, *values: object) -> list[RemovedEntry]:
        return [RemovedEntry(*cells) for cells in self._read(_SELECT_REMOVED.format(condition), values, 6)]

    def _read(self, query: str, values: Sequence[object], section: int) -> Iterator[list[Any]]:
        """Yield the values of each row; its path is the third one, and two moments follow the `section`."""
        for cells in self._connection.execute(query, values):
            moments = (cells[section + 1 : section + 4], cells[section + 4 : section + 7])
            yield [
                *(*cells[:2], os.fsdecode(cells[2]), *cells[3:section], split_section(cells[section])),
                *(Moment(oid, date or "", author or "") if oid else None for oid, date, author in moments),
                *cells[section + 7 :],
            ]
