"""Merges another clone's `state.db` into this one."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

from clawgit.errors import Advice, archive_damaged
from clawgit.store import database
from clawgit.store.database import StateStore

_HERE_ONLY = (
    *("clock", "followed", "stashes", "model", "candidates read", "git at work since", "vectors-id"),
    *(database.WORKSPACE_ID, "last look %", "log position", "lost state"),
)
"""Documents about this machine or this working tree: elsewhere they would be wrong."""
_OWN_TABLES = ("item", "item_edits", "record", "document")


def copy_database(store: StateStore, target: Path) -> None:
    """Write a copy of the database as it is now, without the rows about this machine. Raises ClawgitError."""
    with closing(sqlite3.connect(store.prepare())) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        with copy:
            copy.executemany("DELETE FROM document WHERE name LIKE ?", [(name,) for name in _HERE_ONLY])
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.execute("VACUUM")


def unite(store: StateStore, other: Path, *, really: bool) -> dict[str, int]:
    """Return how many rows of each kind the other database has more; `really` takes them in, all or none.

    Of two documents of one name the one here stays. Raises ClawgitError.
    """
    with closing(sqlite3.connect(f"{other.as_uri()}?mode=ro", uri=True)) as source:
        try:
            version = source.execute("PRAGMA user_version").fetchone()[0]
            application = source.execute("PRAGMA application_id").fetchone()[0]
            if application != database.APPLICATION_ID or version > database.VERSION:
                raise sqlite3.DatabaseError("it is not state of this version")
            return store.write(lambda target: _unite(store, target, source, really=really))
        except sqlite3.DatabaseError as exc:
            raise archive_damaged(f"{other.name} is no state: {exc}", fix=Advice("clawgit state export FILE")) from exc


def _unite(
    store: StateStore, target: sqlite3.Connection, source: sqlite3.Connection, *, really: bool
) -> dict[str, int]:
    counts = Counter[str]()
    for name, rows in _list_new_rows(target, source).items():
        counts[name] += len(rows)
        if really:
            target.executemany("INSERT INTO record (list, data) VALUES (?, ?)", [(name, data) for data in rows])
    for name, data in source.execute("SELECT name, data FROM document ORDER BY rowid"):
        if not target.execute("SELECT 1 FROM document WHERE name = ?", (name,)).fetchone():
            counts["documents"] += 1
            if really:
                target.execute("INSERT INTO document VALUES (?, ?)", (name, data))
    for table in _list_tables(source):
        counts[table] += _unite_table(target, source, table, really=really)
    present = {item.id: item.state for item in database.read_items(target, edits=False)}
    for item in database.read_items(source):  # last: what the log has no rollback takes back
        if item.id not in present or (present[item.id] == "open" and item.state != "open"):
            counts["inbox"] += 1
            if really:
                store.take_item(target, item)
    return dict(counts)


def _list_new_rows(target: sqlite3.Connection, source: sqlite3.Connection) -> dict[str, list[str]]:
    present = Counter(target.execute("SELECT list, data FROM record").fetchall())
    rows: dict[str, list[str]] = {}
    for name, data in source.execute("SELECT list, data FROM record ORDER BY number"):
        present[name, data] -= 1
        if present[name, data] < 0:
            rows.setdefault(name, []).append(data)
    return rows


def _list_tables(source: sqlite3.Connection) -> list[str]:
    """Return the tables that others keep in the file, such as conversations."""
    names = [name for (name,) in source.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return [name for name in names if name not in _OWN_TABLES and not name.startswith("sqlite_")]


def _unite_table(target: sqlite3.Connection, source: sqlite3.Connection, table: str, *, really: bool) -> int:
    """Add the rows that a table lacks here; their numbers are given out anew."""
    if not target.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone():
        if not really:
            return int(source.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])  # noqa: S608 - ours
        target.execute(source.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0])
    described = source.execute(f'PRAGMA table_info("{table}")').fetchall()
    columns = [name for _, name, kind, _, _, key in described if not (key and kind == "INTEGER")]
    column_list, marks = ", ".join(f'"{name}"' for name in columns), ", ".join("?" * len(columns))
    keys = [name for _, name, _, _, _, key in described if key and name in columns] or columns
    places = [columns.index(name) for name in keys]
    key_list = ", ".join(f'"{name}"' for name in keys)
    present = {*target.execute(f'SELECT {key_list} FROM "{table}"')}  # noqa: S608 - ours
    rows = source.execute(f'SELECT {column_list} FROM "{table}" ORDER BY rowid').fetchall()  # noqa: S608 - ours
    missing = [row for row in rows if tuple(row[index] for index in places) not in present]
    if really:
        target.executemany(f'INSERT OR IGNORE INTO "{table}" ({column_list}) VALUES ({marks})', missing)  # noqa: S608 - ours
    return len(missing)


def take_tables(store: StateStore, other: Path) -> None:
    """Add the tables of another database, such as conversations in a file of their own. Raises ClawgitError."""
    with closing(sqlite3.connect(f"{other.as_uri()}?mode=ro", uri=True)) as source:
        store.write(lambda target: [_unite_table(target, source, table, really=True) for table in _list_tables(source)])
