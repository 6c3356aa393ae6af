"""The table of all entries, in SQLite files made anew.

Each has a name of its own: of two by the same name, one of them deleted, SQLite would mix up the logs.
"""

import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

from msgspec import Struct

from clawgit import __version__
from clawgit.git import regular_file, repository
from clawgit.git.churn import compare_commits, list_commits
from clawgit.git.history import cut_off
from clawgit.git.repository import Oid, Repository
from clawgit.outside.sqlite_file import write_ahead, writing
from clawgit.safety.redaction import redact
from clawgit.store.births import GLOBS, Classify, Files, History, Link, Replay, Role, TracedEntry, read_history
from clawgit.store.entry_links import MIN_SIMILARITY
from clawgit.text.entry_versions import PlacedStatement, Statement

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
    regular_file.make_folders(index_path.parent)
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
    index_path = place_index(repo)
    connection = open_updated(index_path, TABLES, lambda database: _update(database, repo, classify, version))
    try:
        connection.execute("BEGIN")  # one state, whatever others write meanwhile
        yield EntryTable(connection)
    except sqlite3.Error as exc:
        if is_damage(exc):
            forget_index(index_path)
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
