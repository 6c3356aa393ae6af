"""Merges another clone's `state.db` into this one."""

import sqlite3
from contextlib import closing
from pathlib import Path

from clawgit.errors import Advice, archive_damaged
from clawgit.store import database
from clawgit.store.database import StateStore
from clawgit.store.item import Item

_HERE_ONLY = (
    *("clock", "followed", "stashes", "model", "candidates read", "git at work since", "vectors-id"),
    *(database.WORKSPACE_ID, "last look %", "log position", "lost state"),
)
"""Documents about this machine or this working tree: elsewhere they would be wrong."""
_ITEM_TABLES = ("item", "item_edits")


def copy_database(store: StateStore, target: Path) -> None:
    """Write a copy of the database as it is now, without the rows about this machine. Raises ClawgitError."""
    with closing(sqlite3.connect(store.prepare())) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
        with copy:
            copy.executemany("DELETE FROM document WHERE name LIKE ?", [(name,) for name in _HERE_ONLY])
        # A copy in WAL mode would need its two files beside it.
        copy.execute("PRAGMA journal_mode = DELETE")
        copy.execute("VACUUM")


def unite(store: StateStore, other: Path, *, really: bool) -> dict[str, int]:
    """Return how many rows of each table the other database has more; `really` takes them in, all or none.

    Of two documents of one name the one here stays. Raises ClawgitError.
    """
    items = _read_items(other)

    def add(target: sqlite3.Connection) -> dict[str, int]:
        target.execute("SAVEPOINT here")
        counts = _add_tables(target, other)
        if not really:
            target.execute("ROLLBACK TO here")
        states = {item.id: item.state for item in database.read_items(target, edits=False)}
        fresh = [item for item in items if states.get(item.id) in {None, "open"} - {item.state}]
        for item in fresh if really else ():  # last: what the log has no rollback takes back
            store.take_item(target, item)
        return {**counts, "inbox": len(fresh)}

    return store.write(add)


def take_tables(store: StateStore, other: Path) -> None:
    """Add the tables of another database, such as conversations in a file of their own. Raises ClawgitError."""
    store.write(lambda target: _add_tables(target, other))


def _read_items(other: Path) -> list[Item]:
    """Return the items of another database, and check the whole of it. Raises ClawgitError."""
    with closing(sqlite3.connect(f"{other.as_uri()}?mode=ro", uri=True)) as source:
        try:
            version = source.execute("PRAGMA user_version").fetchone()[0]
            application = source.execute("PRAGMA application_id").fetchone()[0]
            is_sound = source.execute("PRAGMA quick_check").fetchone() == ("ok",)
            if application != database.APPLICATION_ID or version > database.VERSION or not is_sound:
                raise sqlite3.DatabaseError("it is not state of this version")
            return database.read_items(source)
        except sqlite3.DatabaseError as exc:
            raise archive_damaged(f"{other.name} is no state: {exc}", fix=Advice("clawgit state export FILE")) from exc


def _add_tables(target: sqlite3.Connection, other: Path) -> dict[str, int]:
    """Add the rows that the tables lack here, and return their numbers; numbers of rows are given out anew."""
    target.execute("ATTACH ? AS other", (str(other),))
    tables = target.execute("SELECT name, sql FROM other.sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    counts: dict[str, int] = {}
    for table, definition in tables:
        if table in _ITEM_TABLES or table.startswith("sqlite_"):
            continue
        if not target.execute("SELECT 1 FROM main.sqlite_master WHERE name = ?", (table,)).fetchone():
            target.execute(definition)
        described = target.execute(f'PRAGMA other.table_info("{table}")').fetchall()
        names = ", ".join(f'"{name}"' for _, name, kind, _, _, key in described if not (key and kind == "INTEGER"))
        source = f'FROM other."{table}"'
        # Without a unique index INSERT OR IGNORE would add the same rows once more.
        if not any(is_unique for _, _, is_unique, _, _ in target.execute(f'PRAGMA other.index_list("{table}")')):
            source += f' WHERE ({names}) NOT IN (SELECT {names} FROM main."{table}")'  # noqa: S608 - ours
        if table == "record":
            counts |= dict(target.execute(f"SELECT list, count(*) {source} GROUP BY list"))
        insert = f'INSERT OR IGNORE INTO main."{table}" ({names}) SELECT {names} {source} ORDER BY rowid'
        count = target.execute(insert).rowcount
        if table != "record":
            counts["documents" if table == "document" else table] = count
    return counts
