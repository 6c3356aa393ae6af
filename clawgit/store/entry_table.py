"""The table of all entries of memory."""

import os
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache, lru_cache
from itertools import chain

from msgspec import Struct

from clawgit.git import repository
from clawgit.git.churn import compare_commits, list_commits
from clawgit.git.history import cut_off
from clawgit.git.repository import Oid, Repository
from clawgit.outside.sqlite_file import writing
from clawgit.safety.redaction import redact
from clawgit.store import index_file
from clawgit.store.births import GLOBS, Classify, Files, History, Link, Replay, Role, TracedEntry, read_history
from clawgit.store.entry_links import MIN_SIMILARITY
from clawgit.text.entry_versions import PlacedStatement, Statement

TABLES = """
CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE moment (oid TEXT PRIMARY KEY, date TEXT NOT NULL, author TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE file (path BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE entry (
  id TEXT NOT NULL, role TEXT NOT NULL, path BLOB NOT NULL, place INTEGER, first INTEGER NOT NULL,
  last INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL, key TEXT NOT NULL, form TEXT NOT NULL, tag TEXT,
  section TEXT NOT NULL, birth TEXT NOT NULL, changed TEXT NOT NULL, similarity REAL NOT NULL, source BLOB NOT NULL,
  by TEXT, holder TEXT
);
CREATE INDEX entry_place ON entry (path, place);
CREATE INDEX entry_key ON entry (key, place);
CREATE INDEX entry_id ON entry (id)
"""
"""A removed entry has no `place`; it is as it was in commit `holder`, before commit `by`."""


@lru_cache(4096)
def join_section(section: tuple[str, ...]) -> str:
    """Return the path of headings as the table has it: without secrets."""
    return redact("\n".join(section))


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
            for table in ("moment", "file", "entry"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
            _save_history(connection, classify, read_history(repo, head, classify) if head else History(), {})
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
        return connection.execute("SELECT 1 FROM entry WHERE id = ?", (name,)).fetchone() is not None

    history = Replay(repo, classify, {base: dict(files)}, is_used).run(commits, comparisons)
    _save_history(connection, classify, history, files)
    return True


def _load_files(connection: sqlite3.Connection, paths: Collection[str] | None) -> Files:
    """Return the files of the last update, those of `paths` alone if given."""
    files: Files = {}
    query = (
        "SELECT kind, text, key, form, tag, first, last, section, id, birth, changed, similarity, source FROM entry "
        "WHERE path = ? AND place IS NOT NULL ORDER BY place"
    )
    for (name,) in connection.execute("SELECT path FROM file").fetchall():
        path = os.fsdecode(name)
        if paths is None or path in paths:
            files[path] = [
                TracedEntry(
                    PlacedStatement(Statement(*cells[:5]), cells[5], cells[6], split_section(cells[7])),
                    Link(*(*cells[8:12], os.fsdecode(cells[12]))),
                )
                for cells in connection.execute(query, (name,))
            ]
    return files


def _save_history(connection: sqlite3.Connection, classify: Classify, history: History, before: Files) -> None:
    """Save a history in the tables, given the files `before` of the last update that may have changed."""
    stamps = ((oid, *stamp) for oid, stamp in history.stamps.items())
    connection.executemany("INSERT OR IGNORE INTO moment VALUES (?, ?, ?)", stamps)
    rows: list[tuple[object, ...]] = []
    for path in before.keys() | history.files.keys():
        version = history.files.get(path)
        if before.get(path) is version:
            continue
        # A path need not be UTF-8: the tables have its bytes.
        name = (os.fsencode(path),)
        connection.execute("DELETE FROM entry WHERE path = ? AND place IS NOT NULL", name)
        connection.execute("DELETE FROM file WHERE path = ?", name)
        if version is not None:
            connection.execute("INSERT INTO file VALUES (?)", name)
            role = classify(path) or ""
            rows += (_list_cells(path, role, place, entry.row, entry.link) for place, entry in enumerate(version))
    for removal in history.removals.values():
        cells = _list_cells(removal.path, classify(removal.path) or "", None, removal.row, removal.link)
        rows.append((*cells[:-2], removal.commit, removal.holder))
    # Of an entry that went twice the last time counts, and none if it is back.
    statement = "DELETE FROM entry WHERE id = ? AND place IS NULL"
    connection.executemany(statement, ((row[0],) for row in rows))
    connection.executemany(f"INSERT INTO entry VALUES ({', '.join('?' * 18)})", rows)  # noqa: S608


def _list_cells(path: str, role: Role, place: int | None, row: PlacedStatement, link: Link) -> tuple[object, ...]:
    """Return the columns of an entry."""
    words = row.statement
    texts = words.kind, redact(words.text), words.key, words.form, words.tag, join_section(row.section)
    past = link.birth, link.changed, link.similarity, os.fsencode(link.source)
    return link.id, role, os.fsencode(path), place, row.start, row.end, *texts, *past, None, None


class Moment(Struct, frozen=True):
    """A commit, its date in ISO 8601 and its author's name."""

    commit: Oid
    date: str
    author: str


class EntryRow(Struct, frozen=True):
    """An entry on lines `start` to `end` (from 1, both inside) of a file at HEAD.

    `birth` is None if history does not go back to it. `changed` is the commit that last changed its words, None if
    unknown, and `source` the file where it did. `similarity` is the weakest one, from 0 to 100, by which it was
    recognised since its birth. `copies` counts the rows with its key, itself included. Of a removed entry `by` is the
    commit that removed it, and its lines are those of `holder`, the commit before.
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
    similarity: float = 100.0
    copies: int = 1
    holder: Oid | None = None
    source: str = ""
    birth: Moment | None = None
    changed: Moment | None = None
    by: Moment | None = None

    @property
    def probable(self) -> bool:
        """Whether it is only probably as old as its birth."""
        return self.similarity < MIN_SIMILARITY


@contextmanager
def open_entries(repo: Repository, classify: Classify, version: str = "") -> "Iterator[EntryTable]":
    """Open the table of a repository as of HEAD; missing commits are added first.

    It is made anew if `version`, the version of `classify`, is another one, and in memory alone if the disk is full or
    read-only. Raises sqlite3.DatabaseError for damage that shows later; the next one to open it makes it anew.
    """
    index_path = index_file.place_index(repo)
    connection = index_file.open_updated(
        index_path, TABLES, lambda database: _update(database, repo, classify, version)
    )
    try:
        connection.execute("BEGIN")  # one state, whatever others write meanwhile
        yield EntryTable(connection)
    except sqlite3.Error as exc:
        if index_file.is_damage(exc):
            index_file.forget_index(index_path)
        raise
    finally:
        connection.close()


_SELECTED = (
    "SELECT e.id, e.role, e.path, e.first, e.last, e.kind, e.text, e.key, e.tag, e.section, e.similarity, "
    "e.holder, e.source, "
    "b.oid, b.date, b.author, c.oid, c.date, c.author, r.oid, r.date, r.author FROM entry e "
    "LEFT JOIN moment b ON b.oid = e.birth LEFT JOIN moment c ON c.oid = e.changed LEFT JOIN moment r ON r.oid = e.by "
    "WHERE {} ORDER BY e.path, e.place, r.date, e.first"
)


class EntryTable:
    """Questions to the table of entries."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def list_paths(self, roles: Sequence[Role]) -> list[str]:
        """Return the files with entries of some roles."""
        query = (
            f"SELECT DISTINCT path FROM entry WHERE place IS NOT NULL AND role IN ({_list_marks(roles)}) ORDER BY path"  # noqa: S608
        )
        return [os.fsdecode(path) for (path,) in self._connection.execute(query, roles)]

    def find(
        self,
        *,
        prefix: str = "",
        key: str = "",
        roles: Sequence[Role] = (),
        paths: Sequence[str] = (),
        lines: tuple[int, int] | None = None,
        removed: bool = False,
    ) -> list[EntryRow]:
        """Return the entries at HEAD, or the `removed` ones, that meet all conditions, in the order of their files.

        The conditions are the beginning of the id, the digest of the text (`text.entry.hash_entry`), roles, files, and
        lines, the first and the last one.
        """
        names = [os.fsencode(path) for path in paths]
        conditions: dict[str, Sequence[object]] = {
            # Ids are letters, and DEL sorts behind all of them.
            "e.id >= ? AND e.id < ?": (prefix, f"{prefix}\x7f") if prefix else (),
            "e.key = ?": (key,) if key else (),
            f"e.role IN ({_list_marks(roles)})": roles,
            f"e.path IN ({_list_marks(names)})": names,
            "e.last >= ? AND e.first <= ?": lines or (),
        }
        active = {condition: values for condition, values in conditions.items() if values}
        place = f"e.place IS {'NULL' if removed else 'NOT NULL'}"
        return self._select(" AND ".join((place, *active)), *chain(*active.values()))

    def list_changed(self, since: datetime) -> list[EntryRow]:
        """Return the entries that got their words after a moment."""
        # Time zones differ by a day at most: the rest is sorted out here.
        rows = self._select("e.place IS NOT NULL AND c.date >= ?", (since - timedelta(days=2)).isoformat())
        return [row for row in rows if row.changed and datetime.fromisoformat(row.changed.date) >= since]

    def list_moved(self) -> list[EntryRow]:
        """Return the entries that are in another file than the one in which they got their words."""
        return self._select("e.place IS NOT NULL AND e.source != e.path")

    def _select(self, condition: str, *values: object) -> list[EntryRow]:
        rows = []
        count = cache(self._count_copies)  # once for each text: many lines may have the same one
        for cells in self._connection.execute(_SELECTED.format(condition), values):
            moments = (cells[number : number + 3] for number in (13, 16, 19))
            commits = (Moment(oid, date or "", author or "") if oid else None for oid, date, author in moments)
            head = (
                *cells[:2],
                os.fsdecode(cells[2]),
                *cells[3:9],
                split_section(cells[9]),
                cells[10],
                count(cells[7]),
                cells[11],
                os.fsdecode(cells[12]),
            )
            rows.append(EntryRow(*head, *commits))
        return rows

    def _count_copies(self, key: str) -> int:
        query = "SELECT count(*) FROM entry WHERE key = ? AND place IS NOT NULL"
        number: int = self._connection.execute(query, (key,)).fetchone()[0]
        return number


def _list_marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
