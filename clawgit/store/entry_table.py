"""The table of all entries of memory."""

import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.file_changes import Comparison, compare_commits, list_commits
from clawgit.git.history import cut_off
from clawgit.git.repository import Oid, Repository
from clawgit.store.births import (
    GLOBS,
    Address,
    Classify,
    Files,
    FileVersion,
    History,
    Link,
    Removal,
    Replay,
    Role,
    read_history,
    read_text,
)
from clawgit.store.entry_file import open_database, writing
from clawgit.store.entry_links import MIN_SIMILARITY
from clawgit.text.entry import named
from clawgit.text.entry_versions import EntryReader, PlacedStatement, Statement

Name = Callable[[Address], str]
"""`name(address)`: the id of an entry with this birth."""

MAX_STEPS = 50
"""Updates that can be stepped back."""
_MAX_PAST_ROWS = 20_000
_AT_ONCE = 500


class Moment(Struct, frozen=True):
    """A commit, its date in ISO 8601 and its author's name."""

    commit: Oid
    date: str
    author: str


class EntryRow(Struct, frozen=True):
    """An entry on lines `start` to `end` (from 1, both inside) of a file at HEAD.

    `birth` is None where history does not go back to it. `changed` is the commit that last changed its words,
    `similarity` the weakest one, from 0 to 100, by which it was recognised since its birth. `copies` counts the rows
    with its key, itself included.
    """

    id: str
    role: Role
    path: str
    start: int
    end: int
    kind: str
    text: str
    key: str
    section: tuple[str, ...]
    birth: Moment | None
    changed: Moment
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
    by: Moment
    holder: Oid


def name_by_birth(address: Address) -> str:
    """Return the ten letters that name an entry by its birth commit, its key then, and its order among equals."""
    return named(f"{address.commit}\0{address.key}\0{address.order}")


@contextmanager
def open_entries(repo: Repository, classify: Classify, name: Name = name_by_birth) -> "Iterator[EntryTable]":
    """Open the table of a repository as of HEAD; what is missing in it is added first."""
    with open_database(repo.room, partial(update_entries, repo, classify, name)) as connection:
        connection.execute("BEGIN")  # one state, whatever others write meanwhile
        yield EntryTable(connection)


def update_entries(repo: Repository, classify: Classify, name: Name, connection: sqlite3.Connection) -> None:
    """Bring the tables up to HEAD: by the commits since, and from the beginning where they continue nothing."""
    head, cut = repository.head(repo) or "", ",".join(sorted(cut_off(repo)))
    if (_read_note(connection, "head"), _read_note(connection, "cut")) == (head, cut):
        return
    with writing(connection):
        noted = _read_note(connection, "head"), _read_note(connection, "cut")
        if noted == (head, cut):
            return
        if not (noted[1] == cut and head and _continue_from_step(repo, classify, name, connection, head)):
            for table in ("step", "moment", "origin", "file", "entry", "removed"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of ours
            history = read_history(repo, head, classify) if head else History()
            _save(connection, classify, name, history, {}, 1)
            connection.execute("INSERT INTO step VALUES (1, ?)", (head,))
        connection.executemany("INSERT OR REPLACE INTO note VALUES (?, ?)", (("head", head), ("cut", cut)))


def _read_note(connection: sqlite3.Connection, name: str) -> str | None:
    row = connection.execute("SELECT value FROM note WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else None


def _continue_from_step(
    repo: Repository, classify: Classify, name: Name, connection: sqlite3.Connection, head: Oid
) -> bool:
    """Go on from the newest state from which all missing commits come; False where there is none."""
    steps = connection.execute("SELECT n, head FROM step ORDER BY n DESC").fetchall()
    for number, base in steps:
        if not base or not repository.reaches(repo, head, base):
            continue
        commits = list_commits(repo, head, f"^{base}")
        if any(parent not in commits and parent != base for parents in commits.values() for parent in parents):
            continue  # a branch comes from further back
        comparisons = list(compare_commits(repo, commits, GLOBS))
        if any(side.changes is None for side in comparisons):
            return False
        if number != steps[0][0]:
            _step_back(connection, number)
        if commits:
            _add_commits(repo, classify, name, connection, commits, comparisons, (number, base))
            connection.execute("INSERT INTO step VALUES (?, ?)", (number + 1, head))
            _prune(connection, number + 1)
        return True
    return False


def _add_commits(
    repo: Repository,
    classify: Classify,
    name: Name,
    connection: sqlite3.Connection,
    commits: Mapping[Oid, tuple[Oid, ...]],
    comparisons: Sequence[Comparison],
    step: tuple[int, Oid],
) -> None:
    merges = any(len(parents) > 1 for parents in commits.values())
    paths = {change.path for side in comparisons for change in side.changes or () if classify(change.path)}
    files = _load_files(connection, None if merges else paths)
    reader = EntryReader()
    for path in paths & files.keys():
        with suppress(ClawgitError):
            reader.learn(read_text(repo, files[path].blob), files[path].rows)
    last = connection.execute("SELECT ifnull(max(n), 0) FROM origin").fetchone()[0]
    replay = Replay(repo, classify, reader, {step[1]: dict(files)}, last + 1)
    replay.run(commits, comparisons)
    _save(connection, classify, name, replay.finish(), files, step[0] + 1)


def _step_back(connection: sqlite3.Connection, number: int) -> None:
    """Undo the updates after step `number`."""
    for table in ("file", "entry"):
        connection.execute(f"DELETE FROM {table} WHERE since > ?", (number,))  # noqa: S608 - names of ours
        connection.execute(f"UPDATE {table} SET until = NULL WHERE until > ?", (number,))  # noqa: S608
    for table, column in (("origin", "step"), ("removed", "step"), ("step", "n")):
        connection.execute(f"DELETE FROM {table} WHERE {column} > ?", (number,))  # noqa: S608


def _prune(connection: sqlite3.Connection, number: int) -> None:
    """Forget old steps: none but the last one can be undone where they have become large."""
    rows = connection.execute("SELECT count(*) FROM entry WHERE until IS NOT NULL").fetchone()[0]
    oldest = number - (1 if rows > _MAX_PAST_ROWS else MAX_STEPS)
    connection.execute("DELETE FROM step WHERE n < ?", (oldest,))
    for table in ("file", "entry"):
        connection.execute(f"DELETE FROM {table} WHERE until <= ?", (oldest,))  # noqa: S608 - names of ours


def _load_files(connection: sqlite3.Connection, paths: Collection[str] | None) -> Files:
    """Return the files of the last step, those of `paths` alone where they are given."""
    names = [row[0] for row in connection.execute("SELECT path FROM file WHERE until IS NULL")]
    statements: dict[tuple[str, str], Statement] = {}
    files: Files = {}
    for name in names:
        path = os.fsdecode(name)
        if paths is None or path in paths:
            (blob,) = connection.execute("SELECT blob FROM file WHERE path = ? AND until IS NULL", (name,)).fetchone()
            rows: list[PlacedStatement] = []
            links: list[Link] = []
            for kind, text, key, form, first, last, section, *link in connection.execute(_LOADED, (name,)):
                statement = statements.setdefault((kind, text), Statement(kind, text, key, form))
                rows.append(PlacedStatement(statement, first, last, _split_section(section)))
                links.append(Link(*link))
            files[path] = FileVersion(blob, rows, links)
    return files


_LOADED = (
    "SELECT kind, text, key, form, first, last, section, origin, m.oid, similarity FROM entry "
    "JOIN moment m ON m.n = changed WHERE path = ? AND until IS NULL ORDER BY place"
)


def _split_section(section: str) -> tuple[str, ...]:
    return tuple(section.split("\n")) if section else ()


def _save(
    connection: sqlite3.Connection, classify: Classify, name: Name, history: History, before: Files, step: int
) -> None:
    """Let the tables hold a history, given the files `before` of the last step that may have changed."""
    moments = _save_moments(connection, history)
    connection.executemany(
        "INSERT INTO origin VALUES (?, ?, ?, ?)",
        (
            (origin.number, name(origin.address), moments[origin.address.commit] if origin.known else None, step)
            for origin in history.origins.values()
        ),
    )
    for path, version in before.items():
        if history.files.get(path) is not version:
            connection.execute("UPDATE file SET until = ? WHERE path = ? AND until IS NULL", (step, os.fsencode(path)))
            if path not in history.files:
                _end_rows(connection, path, range(len(version.rows)), step)
    for path, version in history.files.items():
        if before.get(path) is not version:
            connection.execute("INSERT INTO file VALUES (?, ?, ?, NULL)", (os.fsencode(path), version.blob, step))
            _save_rows(connection, path, classify(path) or "", version, before.get(path), moments, step)
    connection.executemany(
        "INSERT OR REPLACE INTO removed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (_to_cells(removal, step, classify(removal.path) or "", moments) for removal in history.removals.values()),
    )


def _save_moments(connection: sqlite3.Connection, history: History) -> dict[Oid, int]:
    """Return the number of every commit that the history names."""
    wanted = {removal.holder: ("", "") for removal in history.removals.values()} | history.stamps
    wanted |= {
        link.changed: ("", "")
        for version in history.files.values()
        for link in version.links
        if link.changed not in wanted
    }
    rows = [(oid, *stamp) for oid, stamp in wanted.items()]
    connection.executemany(
        "INSERT INTO moment (oid, date, author) VALUES (?, ?, ?) ON CONFLICT (oid) DO UPDATE "
        "SET date = excluded.date, author = excluded.author WHERE moment.date = '' AND excluded.date != ''",
        rows,
    )
    if len(rows) > _AT_ONCE:
        return dict(connection.execute("SELECT oid, n FROM moment"))
    marks = ",".join("?" * len(rows))
    return dict(connection.execute(f"SELECT oid, n FROM moment WHERE oid IN ({marks})", list(wanted)))  # noqa: S608


def _to_cells(removal: Removal, step: int, role: Role, moments: Mapping[Oid, int]) -> tuple[object, ...]:
    row, path = removal.row, os.fsencode(removal.path)
    commits = moments[removal.commit], moments[removal.holder]
    statement = row.statement
    section = "\n".join(row.section)
    return removal.link.origin, step, path, row.start, statement.text, statement.key, section, role, *commits


def _save_rows(
    connection: sqlite3.Connection,
    path: str,
    role: Role,
    version: FileVersion,
    before: FileVersion | None,
    moments: Mapping[Oid, int],
    step: int,
) -> None:
    """Save the rows of a file; those that are as they were stay."""
    old = list(zip(before.rows, before.links, strict=True)) if before else []
    new = list(zip(version.rows, version.links, strict=True))
    places = [place for place, row in enumerate(new) if place >= len(old) or row != old[place]]
    _end_rows(connection, path, (*(at for at in places if at < len(old)), *range(len(new), len(old))), step)
    name = os.fsencode(path)
    connection.executemany(
        "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
        (
            (
                *(name, place, row.start, row.end, row.statement.kind, row.statement.text, row.statement.key),
                *(row.statement.form, "\n".join(row.section), role),
                *(link.origin, moments[link.changed], link.similarity, step),
            )
            for place in places
            for row, link in (new[place],)
        ),
    )


def _end_rows(connection: sqlite3.Connection, path: str, places: Iterable[int], step: int) -> None:
    connection.executemany(
        "UPDATE entry SET until = ? WHERE path = ? AND place = ? AND until IS NULL",
        ((step, os.fsencode(path), place) for place in places),
    )


_ROWS = (
    "SELECT b.oid, b.date, b.author, c.oid, c.date, c.author, o.id, e.role, e.path, e.section, e.first, e.last, "
    "e.kind, e.text, e.key, e.similarity, (SELECT count(*) FROM entry x WHERE x.key = e.key AND x.until IS NULL) "
    "FROM entry e JOIN origin o ON o.n = e.origin JOIN moment c ON c.n = e.changed LEFT JOIN moment b ON b.n = o.birth "
    "WHERE e.until IS NULL AND {} ORDER BY e.path, e.place LIMIT ?"
)
_REMOVED = (
    "SELECT b.oid, b.date, b.author, c.oid, c.date, c.author, o.id, r.role, r.path, r.section, r.line, r.text, r.key, "
    "h.oid, max(r.step) "
    "FROM removed r JOIN origin o ON o.n = r.origin JOIN moment c ON c.n = r.by JOIN moment h ON h.n = r.holder "
    "LEFT JOIN moment b ON b.n = o.birth "
    "WHERE NOT EXISTS (SELECT 1 FROM entry x WHERE x.origin = r.origin AND x.until IS NULL) AND {} "
    "GROUP BY r.origin ORDER BY r.path, c.date, r.line LIMIT ?"
)
_NO_LIMIT = -1


class EntryTable:
    """Questions to the table of entries."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def count_rows(self) -> dict[tuple[Role, str], int]:
        """Return the number of entries by class and path."""
        query = "SELECT role, path, count(*) FROM entry WHERE until IS NULL GROUP BY role, path ORDER BY role, path"
        return {(role, os.fsdecode(path)): count for role, path, count in self._connection.execute(query)}

    def list_rows(
        self, roles: Sequence[Role] = (), paths: Sequence[str] = (), *, probable: bool = False, limit: int = _NO_LIMIT
    ) -> list[EntryRow]:
        """Return the entries of some classes and paths, all without any, in the order of their files.

        `probable` are only those that are not for certain as old as their birth.
        """
        where, values = _match_places("e", roles, paths)
        where += f" AND e.similarity < {MIN_SIMILARITY}" if probable else ""
        return self._find(where, *values, limit=limit)

    def find_by_id(self, prefix: str) -> list[EntryRow]:
        """Return the entries whose id begins like this."""
        return self._find("o.id >= ? AND o.id < ?", prefix, prefix + "\x7f")

    def find_by_key(self, key: str) -> list[EntryRow]:
        """Return the entries that have the same text, as `text.entry.digest` counts it."""
        return self._find("e.key = ?", key)

    def find_at_line(self, path: str, line: int) -> EntryRow | None:
        """Return the entry on a line of a file at HEAD; None for a line between entries."""
        rows = self._find("e.path = ? AND ? BETWEEN e.first AND e.last", os.fsencode(path), line)
        return rows[-1] if rows else None

    def list_removed(
        self, roles: Sequence[Role] = (), paths: Sequence[str] = (), limit: int = _NO_LIMIT
    ) -> list[RemovedEntry]:
        """Return the entries that are gone from files of some classes and paths, from all without any."""
        where, values = _match_places("r", roles, paths)
        return self._find_removed(where, *values, limit=limit)

    def find_removed_by_id(self, prefix: str) -> list[RemovedEntry]:
        """Return the entries that are gone and whose id begins like this."""
        return self._find_removed("o.id >= ? AND o.id < ?", prefix, prefix + "\x7f")

    def find_removed_by_key(self, key: str) -> list[RemovedEntry]:
        """Return the entries with a key that are gone."""
        return self._find_removed("r.key = ?", key)

    def _find(self, where: str, *values: object, limit: int = _NO_LIMIT) -> list[EntryRow]:
        rows: list[EntryRow] = []
        for birth, changed, cells in self._read(_ROWS, where, values, limit):
            oid, role, path, section, first, last, kind, text, key, similarity, copies = cells
            place = role, os.fsdecode(path), first, last
            rows.append(
                EntryRow(oid, *place, kind, text, key, _split_section(section), birth, changed, similarity, copies)
            )
        return rows

    def _find_removed(self, where: str, *values: object, limit: int = _NO_LIMIT) -> list[RemovedEntry]:
        rows: list[RemovedEntry] = []
        for birth, by, (oid, role, path, section, line, text, key, holder, _) in self._read(
            _REMOVED, where, values, limit
        ):
            place = role, os.fsdecode(path), line
            rows.append(RemovedEntry(oid, *place, text, key, _split_section(section), birth, by, holder))
        return rows

    def _read(
        self, query: str, where: str, values: Sequence[object], limit: int
    ) -> Iterator[tuple[Moment | None, Moment, tuple[Any, ...]]]:
        """Yield rows whose first six cells are two moments."""
        for cells in self._connection.execute(query.format(where), (*values, limit)):
            yield Moment(*cells[:3]) if cells[0] else None, Moment(*cells[3:6]), cells[6:]


def _match_places(table: str, roles: Sequence[Role], paths: Sequence[str]) -> tuple[str, list[object]]:
    names = [os.fsencode(path) for path in paths]
    parts = [
        f"{table}.{column} IN ({','.join('?' * len(some))})"
        for column, some in (("role", roles), ("path", names))
        if some
    ]
    return " AND ".join(parts) or "1", [*roles, *names]
