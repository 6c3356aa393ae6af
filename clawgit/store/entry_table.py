"""The table of all entries of memory."""

import os
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

from msgspec import Struct

from clawgit.git import repository
from clawgit.git.churn import compare_commits, list_commits
from clawgit.git.history import cut_off
from clawgit.git.repository import Oid, Repository
from clawgit.outside.sqlite_file import writing
from clawgit.safety.redaction import redacted
from clawgit.store import index_file
from clawgit.store.births import (
    GLOBS,
    UNKNOWN,
    Classify,
    Files,
    FileVersion,
    History,
    Link,
    Replay,
    Role,
    read_history,
)
from clawgit.store.entry_links import MIN_SIMILARITY
from clawgit.text.entry import entry_id
from clawgit.text.entry_versions import PlacedStatement, Statement

TABLES = """
CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE moment (oid TEXT PRIMARY KEY, date TEXT NOT NULL, author TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE origin (n INTEGER PRIMARY KEY, id TEXT NOT NULL, birth TEXT NOT NULL);
CREATE UNIQUE INDEX origin_id ON origin (id);
CREATE TABLE file (path BLOB PRIMARY KEY, blob TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entry (
  path BLOB NOT NULL, place INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, kind TEXT NOT NULL,
  text TEXT NOT NULL, key TEXT NOT NULL, form TEXT NOT NULL, tag TEXT, section TEXT NOT NULL, role TEXT NOT NULL,
  origin INTEGER NOT NULL, changed TEXT NOT NULL, similarity REAL NOT NULL, PRIMARY KEY (path, place)
);
CREATE INDEX entry_key ON entry (key);
CREATE INDEX entry_origin ON entry (origin);
CREATE TABLE removed (
  origin INTEGER PRIMARY KEY, path BLOB NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL,
  key TEXT NOT NULL, section TEXT NOT NULL, role TEXT NOT NULL, by TEXT NOT NULL, holder TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX removed_key ON removed (key)
"""


@lru_cache(4096)
def join_section(section: tuple[str, ...]) -> str:
    """Return the path of headings as the table has it: without secrets."""
    return redacted("\n".join(section))


def split_section(section: str) -> tuple[str, ...]:
    """Return the path of headings that the table has."""
    return tuple(section.split("\n")) if section else ()


class Updater(Struct, frozen=True):
    """Brings the tables of a database up to HEAD.

    If HEAD does not continue the last state, as after a reset or a merge of an older branch, they are made anew. A
    secret in a text is named instead of kept.
    """

    repo: Repository
    classify: Classify
    connection: sqlite3.Connection
    version: str = ""

    def update(self) -> None:
        """Add the commits since the last update; begin anew if they do not continue it."""
        state = repository.head(self.repo) or "", " ".join((self.version, *sorted(cut_off(self.repo))))
        if self._read_state() == state:
            return
        with writing(self.connection):
            old_state = self._read_state()
            if old_state == state:  # by another process meanwhile
                return
            head, basis = state
            if not (old_state[1] == basis and head and old_state[0] and self._continue(head, old_state[0])):
                for table in ("moment", "origin", "file", "entry", "removed"):
                    self.connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
                self._save(read_history(self.repo, head, self.classify) if head else History(), {})
            notes = zip(("head", "basis"), state, strict=True)
            self.connection.executemany("INSERT OR REPLACE INTO note VALUES (?, ?)", notes)

    def _read_state(self) -> tuple[str | None, str | None]:
        """Return the commit of the last update, and the basis of the table: version, and ends of a shallow clone."""
        notes = dict(self.connection.execute("SELECT name, value FROM note"))
        return notes.get("head"), notes.get("basis")

    def _continue(self, head: Oid, base: Oid) -> bool:
        """Add the changes of the commits since `base`; False if they do not all come from it, or are missing."""
        if not repository.reaches(self.repo, head, base):
            return False
        commits = list_commits(self.repo, head, f"^{base}")
        if any(parent not in commits and parent != base for parents in commits.values() for parent in parents):
            return False  # a branch comes from further back
        comparisons = list(compare_commits(self.repo, commits, GLOBS))
        if any(side.changes is None for side in comparisons):
            return False
        paths = {change.path for side in comparisons for change in side.changes or () if self.classify(change.path)}
        merges = any(len(parents) > 1 for parents in commits.values())
        files = self._load_files(None if merges else paths)
        last = self.connection.execute("SELECT ifnull(max(n), 0) FROM origin").fetchone()[0]
        replay = Replay(self.repo, self.classify, {base: dict(files)}, last + 1)
        replay.run(commits, comparisons)
        self._save(replay.finish(), files)
        return True

    def _load_files(self, paths: Collection[str] | None) -> Files:
        """Return the files of the last update, those of `paths` alone if given."""
        files: Files = {}
        for name, blob in self.connection.execute("SELECT path, blob FROM file").fetchall():
            path = os.fsdecode(name)
            if paths is not None and path not in paths:
                continue
            rows: list[PlacedStatement] = []
            links: list[Link] = []
            for kind, text, key, form, tag, first, last, section, *link in self.connection.execute(_LOADED, (name,)):
                rows.append(PlacedStatement(Statement(kind, text, key, form, tag), first, last, split_section(section)))
                links.append(Link(*link))
            files[path] = FileVersion(blob, rows, links)
        return files

    def _save(self, history: History, before: Files) -> None:
        """Save a history in the tables, given the files `before` of the last update that may have changed."""
        stamps = ((oid, *stamp) for oid, stamp in history.stamps.items())
        self.connection.executemany("INSERT OR IGNORE INTO moment VALUES (?, ?, ?)", stamps)
        insert = "INSERT OR IGNORE INTO origin VALUES (?, ?, ?)"
        orders: defaultdict[tuple[str, str], Iterator[int]] = defaultdict(lambda: count(1))
        for number, origin in history.origins.items():
            path, text, birth = origin.path, origin.text, origin.commit if origin.known else UNKNOWN
            # A commit is no part of an id: a purge changes that.
            names = (entry_id(path, text, order) for order in orders[path, text])
            # An id that another entry has inserts no row, and the next one is tried.
            next(name for name in names if self.connection.execute(insert, (number, name, birth)).rowcount)
        for path in before.keys() | history.files.keys():
            version = history.files.get(path)
            if before.get(path) is not version:
                self._save_file(path, version)
        for number, removal in history.removals.items():
            place = os.fsencode(removal.path), removal.row.start
            words = redacted(removal.row.statement.text), removal.row.statement.key, join_section(removal.row.section)
            row = number, *place, *words, self.classify(removal.path) or "", removal.commit, removal.holder
            self.connection.execute("INSERT OR REPLACE INTO removed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _save_file(self, path: str, version: FileVersion | None) -> None:
        """Save the rows of a file in place of those of the last update; None for a file that is gone."""
        # A path need not be UTF-8: the tables have its bytes.
        name, role = os.fsencode(path), self.classify(path)
        for table in ("entry", "file"):
            self.connection.execute(f"DELETE FROM {table} WHERE path = ?", (name,))  # noqa: S608 - names of ours
        if version is None:
            return
        self.connection.execute("INSERT INTO file VALUES (?, ?)", (name, version.blob))
        for place, (row, link) in enumerate(zip(version.rows, version.links, strict=True)):
            entry = row.statement
            words = entry.kind, redacted(entry.text), entry.key, entry.form, entry.tag, join_section(row.section)
            values = name, place, row.start, row.end, *words, role, link.origin, link.changed, link.similarity
            self.connection.execute(_INSERTED, values)


_INSERTED = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_LOADED = (
    "SELECT kind, text, key, form, tag, first, last, section, origin, changed, similarity FROM entry "
    "WHERE path = ? ORDER BY place"
)


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

    It is made anew if `version`, the version of `classify`, is another one. Raises sqlite3.DatabaseError for damage
    that shows later; the next one to open it makes it anew.
    """
    index_path = index_file.place_index(repo)
    connection = _open_updated(index_path, lambda database: Updater(repo, classify, database, version).update())
    try:
        connection.execute("BEGIN")  # one state, whatever others write meanwhile
        yield EntryTable(connection)
    except sqlite3.Error as exc:
        if index_file.is_damage(exc):
            index_file.forget_index(index_path)
        raise
    finally:
        connection.close()


def _open_updated(index_path: Path, update: Callable[[sqlite3.Connection], None]) -> sqlite3.Connection:
    """Open the table after an `update`, in memory if it cannot be kept; a damaged one is made anew."""
    for _ in range(index_file.TRIES):
        connection = None
        try:
            connection = index_file.connect(index_file.make_index(index_path), TABLES)
            update(connection)
        except (OSError, sqlite3.Error) as exc:
            if connection:
                connection.close()
            if not index_file.is_damage(exc):
                break
            index_file.forget_index(index_path)
        else:
            return connection
    connection = index_file.connect(None, TABLES)
    update(connection)
    return connection


_ROWS = (
    "SELECT o.id, e.role, e.path, e.first, e.last, e.kind, e.text, e.key, e.tag, e.section, b.oid, b.date, b.author, "
    "c.oid, c.date, c.author, e.similarity, (SELECT count(*) FROM entry x WHERE x.key = e.key) "
    "FROM entry e JOIN origin o ON o.n = e.origin LEFT JOIN moment b ON b.oid = o.birth "
    "LEFT JOIN moment c ON c.oid = e.changed WHERE {} ORDER BY e.path, e.place"
)
_SELECT_REMOVED = (
    "SELECT o.id, r.role, r.path, r.line, r.text, r.key, r.section, b.oid, b.date, b.author, c.oid, c.date, c.author, "
    "r.holder "
    "FROM removed r JOIN origin o ON o.n = r.origin LEFT JOIN moment b ON b.oid = o.birth "
    "LEFT JOIN moment c ON c.oid = r.by "
    "WHERE NOT EXISTS (SELECT 1 FROM entry x WHERE x.origin = r.origin) AND {} ORDER BY r.path, c.date, r.line"
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
        return self._find("o.id >= ? AND o.id < ?", prefix, prefix + "\x7f")

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
        return self._find_removed("o.id >= ? AND o.id < ?", prefix, prefix + "\x7f")

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
