"""`state.db`: the state of a clone that git cannot know.

Items of the inbox, decisions and dismissals are also in `decisions.log`; the database is brought forward from there
whenever it is behind: an older copy, a new file in place of a damaged one, a process that was killed in between.
"""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import msgspec

from clawgit.errors import Command, DiskError, file_unwritable, find_disk_error, format_newer
from clawgit.git import own_commits, regular_file
from clawgit.git.regular_file import make_private
from clawgit.outside.sqlite_file import (
    DamagedDatabaseError,
    ReadOnlyError,
    converted_errors,
    disk_error,
    write_ahead,
    writing,
)
from clawgit.store.item import DecisionsLog, FileEdit, Item, Kind, LogEntry, State, encode_json

NAME = "state.db"
VERSION = 1
APPLICATION_ID = 0x636C6764
CLOSED_DAYS = 90
"""Closed items leave the log after so many days."""
OLD = "old"
"""The folder for files of earlier versions."""
_BUSY_SECONDS = 30.0
_POSITION, _LOSS_DOCUMENT = "log position", "lost state"
WORKSPACE_ID, DISMISSED = "workspace id", "dismissed findings"
LOGGED = (WORKSPACE_ID, DISMISSED)
"""Documents that are in the log as well."""
_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS item (number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, state TEXT NOT NULL,
      kind TEXT NOT NULL, sameness TEXT NOT NULL, head TEXT NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS item_by_state ON item (state, kind)",
    "CREATE INDEX IF NOT EXISTS item_by_sameness ON item (sameness)",
    "CREATE TABLE IF NOT EXISTS item_edits (id TEXT PRIMARY KEY, edits TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS record (number INTEGER PRIMARY KEY, list TEXT NOT NULL, data TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS record_by_list ON record (list, number)",
    "CREATE TABLE IF NOT EXISTS document (name TEXT PRIMARY KEY, data TEXT NOT NULL)",
)
"""`head` is an item with the names of its files alone: their texts may be large."""

_TEXTS = (
    *(("item", "head"), ("item_edits", "edits"), ("record", "data"), ("document", "data")),
    ("tool_call", "pieces"),
)

T = TypeVar("T")


class StateLoss(msgspec.Struct, frozen=True):
    """That `state.db` was lost or damaged, and made anew at a `moment`; `log`: `decisions.log` was still there."""

    moment: datetime
    log: bool = True


class StateStore:
    """The state of a clone in the folder `folder` (`.git/clawgit`); each call opens the database and closes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / NAME
        self.log = DecisionsLog(folder)

    # values that may be lost: lists of rows, and single documents

    def read_rows(self, name: str, schema: type[T]) -> list[T]:
        """Return the rows of a list, the oldest first; those that do not fit the schema are left out."""
        return self._read(lambda database: _read_list_rows(database, name, schema), [])

    def append_rows(self, name: str, rows: Iterable[object], limit: int = 0) -> None:
        """Append rows to a list; of more than `limit` the oldest go. Raises ClawgitError."""
        values = [(name, encode_json(row)) for row in rows]

        def append(database: sqlite3.Connection) -> None:
            database.executemany("INSERT INTO record (list, data) VALUES (?, ?)", values)
            if limit:
                # SQLite takes an OFFSET only after a LIMIT, and -1 is no limit.
                oldest = "SELECT number FROM record WHERE list = ? ORDER BY number DESC LIMIT -1 OFFSET ?"
                database.execute(f"DELETE FROM record WHERE number IN ({oldest})", (name, limit))  # noqa: S608

        if values:
            self.write(append)

    def edit_rows(self, name: str, schema: type[T], edit: Callable[[list[T]], Iterable[object]]) -> None:
        """Let a list have the rows that `edit` makes of its rows, in one transaction. Raises ClawgitError."""

        def replace(database: sqlite3.Connection) -> None:
            values = [(name, encode_json(row)) for row in edit(_read_list_rows(database, name, schema))]
            database.execute("DELETE FROM record WHERE list = ?", (name,))
            database.executemany("INSERT INTO record (list, data) VALUES (?, ?)", values)

        self.write(replace)

    def read_document(self, name: str, schema: type[T]) -> T | None:
        """Return a document; None without one that fits the schema."""
        return self._read(lambda database: _read_document(database, name, schema), None)

    def save_document(self, name: str, value: object) -> None:
        """Keep a document in place of the last one of that name. Raises ClawgitError."""
        if name in LOGGED:
            entry = LogEntry("keep", datetime.now(UTC), id=name, data=encode_json(value))
            self.write(lambda database: self._log(database, entry))
        else:
            self.write(lambda database: _save_document(database, name, value))

    def has_table(self, name: str) -> bool:
        """Return whether the file has a table of another module."""
        query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        return self._read(lambda database: database.execute(query, (name,)).fetchone() is not None, empty=False)

    def newest(self, table: str) -> int:
        """Return the number of the newest row of a table, 0 for none: it grows with every addition."""
        if not self.has_table(table):
            return 0
        query = f"SELECT max(rowid) FROM {table}"  # noqa: S608 - a name of ours
        return int(self._read(lambda database: database.execute(query).fetchone()[0], 0) or 0)

    def read_documents(self, prefix: str, schema: type[T]) -> dict[str, T]:
        """Return the documents with names beginning with `prefix`, by the rest of their names, the oldest first."""
        query = "SELECT name, data FROM document WHERE substr(name, 1, ?) = ? ORDER BY rowid"
        rows: list[tuple[str, str]] = self._read(
            lambda database: database.execute(query, (len(prefix), prefix)).fetchall(), []
        )
        pairs = ((name, next(regular_file.parse_lines([_bytes(data)], schema), None)) for name, data in rows)
        return {name.removeprefix(prefix): value for name, value in pairs if value is not None}

    def drop_document(self, name: str) -> None:
        """Forget a document. Raises ClawgitError."""
        self.write(lambda database: database.execute("DELETE FROM document WHERE name = ?", (name,)))

    # items

    def read_items(self, *states: State, kind: Kind | None = None, edits: bool = True) -> list[Item]:
        """Return the items in these states (none: in any) and of this kind, in the order in which they were opened."""
        values = [*states, *([kind] if kind else [])]
        condition = f"state IN ({', '.join('?' * len(states))})" if states else "TRUE"
        clause = f"WHERE {condition} AND kind = ?" if kind else f"WHERE {condition}"
        return self._read(lambda database: read_items(database, clause, values, edits=edits), [])

    def find_items(self, prefix: str) -> list[Item]:
        """Return the items with ids beginning with `prefix`."""
        # SQLite uses the index of ids for a range, but not for a LIKE, which ignores case.
        clause = "WHERE id >= ? AND id < ?"
        return self._read(lambda database: read_items(database, clause, (prefix, f"{prefix}\U0010ffff")), [])

    def find_same(self, sameness: str) -> list[Item]:
        """Return the items that change the same words, the newest last."""
        return self._read(lambda database: read_items(database, "WHERE sameness = ?", (sameness,)), [])

    def open_item(self, item: Item) -> None:
        """Add an item; one of that id stays as it is. Raises ClawgitError."""

        def insert(database: sqlite3.Connection) -> None:
            if not database.execute("SELECT 1 FROM item WHERE id = ?", (item.id,)).fetchone():
                self._log(database, LogEntry("open", item.opened, item))

        self.write(insert)

    def decide(self, name: str, state: State, time: datetime, answer: str = "", commit: str = "") -> bool:
        """Decide an open item; return False if it was decided before. Raises ClawgitError."""

        def update(database: sqlite3.Connection) -> bool:
            open_ = database.execute("SELECT 1 FROM item WHERE id = ? AND state = 'open'", (name,)).fetchone()
            if open_:
                self._log(database, LogEntry("decide", time, None, name, state, answer, commit))
            return open_ is not None

        return self.write(update)

    def reopen(self, item: Item, time: datetime) -> None:
        """Open a decided item again; the commit of the decision stays known. Raises ClawgitError."""
        self.write(lambda database: self._log(database, LogEntry("decide", time, None, item.id, commit=item.commit)))

    def take_item(self, database: sqlite3.Connection, item: Item) -> None:
        """Add an item of another clone, or its decision, within a transaction of `write`."""
        if database.execute("SELECT 1 FROM item WHERE id = ?", (item.id,)).fetchone():
            moment = item.decided or item.opened
            self._log(database, LogEntry("decide", moment, None, item.id, item.state, item.answer, item.commit))
        else:
            self._log(database, LogEntry("open", item.opened, item))

    def rewrite_items(self, change: Callable[[Item], Item | None]) -> None:
        """Replace each item by the result of `change`, None for nothing, in the log, too. Raises ClawgitError."""

        def update(database: sqlite3.Connection) -> None:
            items = [changed for item in read_items(database) if (changed := change(item))]
            database.execute("DELETE FROM item")
            database.execute("DELETE FROM item_edits")
            for item in items:
                _insert(database, item)
            _save_document(database, _POSITION, self.log.rewrite(_list_log_entries(database)))

        self.write(update)

    def rewrite_texts(self, rewrite: Callable[[str], str], *, really: bool, exempt_document: str = "") -> int:
        """Count the values that `rewrite` changes, but the document `exempt_document`; `really` keeps them changed.

        Remains of earlier versions and damaged databases are deleted then: nobody looks into them.
        """

        def update(database: sqlite3.Connection) -> int:
            count = 0
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for table, column in (pair for pair in _TEXTS if pair[0] in tables):
                name = "name" if table == "document" else "NULL"
                rows = database.execute(f"SELECT rowid, {column}, {name} FROM {table}").fetchall()  # noqa: S608
                for number, text, document in rows:
                    after = text if document and document == exempt_document else rewrite(text)
                    count += after != text
                    if really and after != text:
                        # A damaged text can only be bound as bytes; the cast keeps its type.
                        change = f"UPDATE {table} SET {column} = CAST(? AS TEXT) WHERE rowid = ?"  # noqa: S608
                        database.execute(change, (_bytes(after), number))
            if really:
                _save_document(database, _POSITION, self.log.rewrite(_list_log_entries(database)))
            return count

        if not os.path.lexists(self.path) and not os.path.lexists(self.log.path):
            return 0
        count = self.write(update)
        if really:
            shutil.rmtree(self.folder / OLD, ignore_errors=True)
            for place in self.folder.glob(f"{NAME}.damaged-*"):
                place.unlink()
            # Free pages and the write-ahead log may still contain the old texts.
            with self._connected() as database:
                database.execute("VACUUM")
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return count

    def shrink_log(self, now: datetime) -> None:
        """Drop the items that were closed long ago, from the log as well. Raises ClawgitError."""
        oldest = now - timedelta(days=CLOSED_DAYS)
        self.rewrite_items(lambda item: None if item.decided and item.decided < oldest else item)

    def read_loss(self) -> StateLoss | None:
        """Return the last loss of `state.db`, None for none."""
        if self._is_missing() and not os.path.lexists(self.path):
            self.prepare()
        return self.read_document(_LOSS_DOCUMENT, StateLoss)

    def _is_missing(self) -> bool:
        """Return whether a new database replaces a lost one: the first write of a clone leaves a note."""
        return own_commits.has_written(self.folder) or os.path.lexists(self.log.path)

    # the database itself

    def write(self, act: Callable[[sqlite3.Connection], T]) -> T:
        """Run `act` in a transaction, and return its result. Raises ClawgitError."""
        return self._rebuilding(lambda: self._write(act))

    def prepare(self) -> Path:
        """Return the path of the database; make it if it is missing, rebuild it if it is damaged."""
        self.write(lambda _: None)
        return self.path

    def _write(self, act: Callable[[sqlite3.Connection], T]) -> T:
        with self._connected() as database, writing(database):
            self._bring_forward(database)
            return act(database)

    def _read(self, query: Callable[[sqlite3.Connection], T], empty: T) -> T:
        if not os.path.lexists(self.path) and not os.path.lexists(self.log.path):
            return empty
        return self._rebuilding(lambda: self._query(query))

    def _query(self, query: Callable[[sqlite3.Connection], T]) -> T:
        try:
            with self._connected() as database:
                # A database that is behind its log is brought forward by a write first.
                if _read_document(database, _POSITION, int) == self.log.read_size():
                    return query(database)
            return self._write(query)
        except (ReadOnlyError, sqlite3.OperationalError, DiskError) as exc:
            if not isinstance(exc, ReadOnlyError | DiskError) and not disk_error(self.folder):
                raise
        # Nothing can be written here: a copy in memory follows the log instead.
        with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
            database.text_factory = _decode_text
            if self.path.exists():
                address = f"{self.path.as_uri()}?mode=ro&immutable=1"  # SQLite's files beside it have no room
                with contextlib.closing(sqlite3.connect(address, uri=True)) as source:
                    source.backup(database)
            self._require_version(database)
            for entry in self.log.read_entries():
                _apply_log_entry(database, entry)
            return query(database)

    def _rebuilding(self, act: Callable[[], T]) -> T:
        """Return the result of `act`; if the database is damaged, rebuild it and try once more."""
        try:
            with converted_errors(self.path):
                return act()
        except DamagedDatabaseError:
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
            # SQLite would apply the old write-ahead log to the new database.
            for suffix in ("", "-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    place = self.path.with_name(f"{NAME}{suffix}")
                    place.rename(place.with_name(f"{NAME}.damaged-{stamp}{suffix}"))
        with converted_errors(self.path):
            # This write makes the new database, from the log.
            self._write(self._note_loss)
            return act()

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            # SQLite gives its files beside the database the mode of the database.
            make_private(self.path)
            place = regular_file.require_state(self.path)
        except OSError as exc:
            if not self.path.exists():
                raise ReadOnlyError from exc
            raise file_unwritable(f"cannot read {self.path}: {exc}", fix=Command("ls -l {}", self.path)) from exc
        with contextlib.closing(sqlite3.connect(place, timeout=_BUSY_SECONDS, isolation_level=None)) as database:
            if not os.access(self.folder, os.W_OK) or not os.access(place, os.W_OK):
                raise ReadOnlyError
            database.text_factory = _decode_text
            write_ahead(database, _BUSY_SECONDS)
            self._require_version(database)
            # SQLite overwrites deleted rows, so that a purge leaves no words in free pages.
            database.execute("PRAGMA secure_delete = ON")
            yield database

    def _require_version(self, database: sqlite3.Connection) -> None:
        application = database.execute("PRAGMA application_id").fetchone()[0]
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if application not in (0, APPLICATION_ID):
            raise sqlite3.DatabaseError("it is the database of another program")
        if version > VERSION:
            raise format_newer(
                f"{self.path} was written by a newer clawgit (version {version}; this one reads {VERSION})",
                fix=Command("pip install --upgrade clawgit"),
            )
        # A new file has zero in both.
        if application == 0 or version == 0:
            for statement in _SCHEMA:
                database.execute(statement)
            database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            database.execute(f"PRAGMA user_version = {VERSION}")
            if self._is_missing():
                self._note_loss(database)

    # the log

    def _log(self, database: sqlite3.Connection, entry: LogEntry) -> None:
        """Append an entry to the log first, then apply it: a kill in between is made up for by the next command."""
        try:
            size = self.log.append(entry)
        except OSError as exc:
            words = f"cannot write {self.log.path}: {exc}"
            raise find_disk_error(exc, self.log.path) or file_unwritable(
                words, fix=Command("ls -ld {}", self.folder)
            ) from exc
        _apply_log_entry(database, entry)
        _save_document(database, _POSITION, size)

    def _bring_forward(self, database: sqlite3.Connection) -> None:
        """Apply the log if the database may lack some of it; write the log anew if that lost some."""
        position, size = _read_document(database, _POSITION, int), self.log.read_size()
        if position == size:
            return
        for entry in self.log.read_entries():  # one that was applied before changes nothing
            _apply_log_entry(database, entry)
        if size < (position or 0):
            size = self.log.rewrite(_list_log_entries(database))
        _save_document(database, _POSITION, size)

    def _note_loss(self, database: sqlite3.Connection) -> None:
        _save_document(database, _LOSS_DOCUMENT, StateLoss(datetime.now(UTC), os.path.lexists(self.log.path)))


def _decode_text(data: bytes) -> str:
    """Return a text as the database has it: one that is damaged costs no other."""
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _apply_log_entry(database: sqlite3.Connection, entry: LogEntry) -> None:
    """Bring one line of the log into the tables."""
    if entry.act == "open" and entry.item:
        _insert(database, entry.item)
        return
    if entry.act == "keep":
        _save_text(database, entry.id, entry.data)
        return
    for item in read_items(database, "WHERE id = ?", (entry.id,), edits=False):
        if entry.state == "open" or item.state == "open":
            moment = None if entry.state == "open" else entry.at
            decided = msgspec.structs.replace(
                item, state=entry.state, decided=moment, answer=entry.answer, commit=entry.commit
            )
            values = (entry.state, encode_json(decided), item.id)
            database.execute("UPDATE item SET state = ?, head = ? WHERE id = ?", values)


def _insert(database: sqlite3.Connection, item: Item) -> None:
    head = msgspec.structs.replace(item, edits=tuple(FileEdit(path) for path in item.paths))
    row = (item.id, item.state, item.kind, item.sameness, encode_json(head))
    inserted = database.execute(
        "INSERT OR IGNORE INTO item (id, state, kind, sameness, head) VALUES (?, ?, ?, ?, ?)", row
    )
    if inserted.rowcount and item.edits:
        database.execute("INSERT OR REPLACE INTO item_edits VALUES (?, ?)", (item.id, encode_json(item.edits)))


def read_items(
    database: sqlite3.Connection, clause: str = "", values: Iterable[object] = (), *, edits: bool = True
) -> list[Item]:
    """Return the items of an open database that a condition `which` with its `values` leaves."""
    source = "item LEFT JOIN item_edits USING (id)" if edits else "item"
    column = "edits" if edits else "NULL"
    rows = database.execute(f"SELECT head, {column} FROM {source} {clause} ORDER BY number", tuple(values))  # noqa: S608
    items: list[Item] = []
    try:
        for head, edit_data in rows:
            item = msgspec.json.decode(head, type=Item)
            if edit_data is not None:
                item = msgspec.structs.replace(item, edits=msgspec.json.decode(edit_data, type=tuple[FileEdit, ...]))
            items.append(item)
    except (msgspec.MsgspecError, UnicodeError) as exc:
        raise sqlite3.DatabaseError("an item cannot be read") from exc  # it is rebuilt from the log
    return items


def _list_log_entries(database: sqlite3.Connection) -> Iterator[LogEntry]:
    """Yield the lines of a log that leads to the items and the logged documents of a database."""
    for name in LOGGED:
        for (data,) in database.execute("SELECT data FROM document WHERE name = ?", (name,)):
            yield LogEntry("keep", datetime.now(UTC), id=name, data=data)
    for item in read_items(database):
        yield LogEntry("open", item.decided or item.opened, item)


def _read_list_rows(database: sqlite3.Connection, name: str, schema: type[T]) -> list[T]:
    rows = database.execute("SELECT data FROM record WHERE list = ? ORDER BY number", (name,))
    return list(regular_file.parse_lines((_bytes(data) for (data,) in rows), schema))


def _read_document(database: sqlite3.Connection, name: str, schema: type[T]) -> T | None:
    row = database.execute("SELECT data FROM document WHERE name = ?", (name,)).fetchone()
    return next(regular_file.parse_lines([_bytes(row[0])] if row else [], schema), None)


def _save_document(database: sqlite3.Connection, name: str, value: object) -> None:
    _save_text(database, name, encode_json(value))


def _save_text(database: sqlite3.Connection, name: str, data: str) -> None:
    insert = "INSERT INTO document VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET data = excluded.data"
    database.execute(insert, (name, data))
