"""The tables of the index."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from clawgit.store import index_file

TOKENIZER = "porter unicode61 remove_diacritics 2"
_ONE_AT_A_TIME = Lock()
_STEMMED: dict[str, list[str]] = {}
_MOST_STEMMED = 20_000


@cache
def _table() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    connection.execute(f"CREATE VIRTUAL TABLE said USING fts5(word, tokenize='{TOKENIZER}')")
    connection.execute("CREATE VIRTUAL TABLE token USING fts5vocab(said, instance)")
    return connection


def stems(texts: Sequence[str]) -> list[list[str]]:
    """Return the stems of each text in order, as the index has them."""
    if len(_STEMMED) > _MOST_STEMMED:
        _STEMMED.clear()
    new = [text for text in texts if text not in _STEMMED]
    _STEMMED.update(zip(new, _stems(new), strict=True) if new else ())
    return [_STEMMED.get(text) or _stems([text])[0] for text in texts]


def _stems(texts: Sequence[str]) -> list[list[str]]:
    with _ONE_AT_A_TIME:
        table = _table()
        table.execute("BEGIN")
        try:
            table.executemany("INSERT INTO said(rowid, word) VALUES (?, ?)", enumerate(texts))
            result: list[list[str]] = [[] for _ in texts]
            for doc, term in table.execute("SELECT doc, term FROM token ORDER BY doc, offset"):
                result[doc].append(term)
            return result
        finally:
            table.execute("ROLLBACK")


class Fields(NamedTuple):
    """One row of the index. The turns before and after, and the day, are only set in conversations."""

    body: str
    trail: str = ""
    before: str = ""
    after: str = ""
    around: str = ""
    day: str = ""
    pairs: str = ""
    triggers: str = ""


WEIGHTS = Fields(*("1.0", "2.0", "0.6", "0.4", "0.35", "0.5", "1.0", "2.0"))
"""How much a word counts by where it stands; measured on conversations, that of headings on notes by their subjects.

Trigger words are taken for headings."""

_COLUMNS = ", ".join(Fields._fields)
_TABLES = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE files (
  id INTEGER PRIMARY KEY, path TEXT UNIQUE, size INTEGER, changed INTEGER, inode INTEGER, blob TEXT, day TEXT
);
CREATE TABLE texts (
  id INTEGER PRIMARY KEY, key BLOB UNIQUE, trail TEXT, voice TEXT, chat INTEGER, text TEXT, plain TEXT,
  importance INTEGER, project TEXT
);
CREATE INDEX voices ON texts(voice) WHERE voice != '';
CREATE TABLE chunks (
  file INTEGER, nth INTEGER, first INTEGER, last INTEGER, day TEXT, doc INTEGER, PRIMARY KEY (file, nth)
) WITHOUT ROWID;
CREATE INDEX places ON chunks(doc);
CREATE INDEX days ON chunks(day) WHERE day IS NOT NULL;
CREATE INDEX unstamped ON files(path) WHERE size = -1;
CREATE TABLE spelling (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5({_COLUMNS}, tokenize='{TOKENIZER}');
CREATE VIRTUAL TABLE terms USING fts5vocab(words, row);
"""


File = tuple[str, int, int, int, int, str]
"""A file as it was indexed: its path and number, its stamp (size, change, inode), and what git calls its bytes."""


class Place(NamedTuple):
    """The place of a text. `day` is the one of its heading, else of its file.

    `plain` are its words between spaces, with those above it unless it is a turn.
    """

    doc: int
    hash: str
    path: str
    blob: str
    nth: int
    start: int
    end: int
    text: str
    trail: str
    voice: str
    chat: bool
    day: date | None
    plain: str
    importance: int = 0
    project: str = ""


_AT_ONCE = 500
HASH = 8
"""Bytes of the hash of a text with its headings; the key of a document begins with it, and vectors are kept by it."""


class Store:
    """An open index."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.raw = connection

    @property
    def generation(self) -> int:
        """A number that changes when another process has written."""
        return int(self.raw.execute("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read one state of the index, whatever others write meanwhile."""
        self.raw.execute("BEGIN")
        try:
            yield
        finally:
            self.raw.execute("ROLLBACK")

    def files(self) -> dict[str, File]:
        """Return the files by path."""
        rows = self.raw.execute("SELECT path, id, size, changed, inode, blob FROM files")
        return {row[0]: row for row in rows}

    def unstamped(self) -> list[str]:
        """Return the files with another searched text than their present one: they are read each time."""
        return [row[0] for row in self.raw.execute("SELECT path FROM files WHERE size = -1 ORDER BY path")]

    @property
    def state(self) -> str:
        """A mark that differs for every state of the index."""
        return self.get("state") or ""

    def get(self, key: str) -> str | None:
        """Return a note about the index."""
        row = self.raw.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, key: str, value: str) -> None:
        """Keep a note about the index."""
        self.raw.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def places(self, docs: Sequence[int], limit: int = 20) -> list[Place]:
        """Return the places of texts: of a text with more than `limit` places the last of them by day."""
        rows = many(self.raw, f"{_PLACE} WHERE place <= {limit:d}", docs)
        return [
            Place._make((*row[:10], bool(row[10]), row[11] and date.fromisoformat(row[11]), *row[12:15]))
            for row in rows
        ]

    def dated(self, first: date, last: date, limit: int) -> list[int]:
        """Return texts under a day of this span, those of the last days first."""
        rows = self.raw.execute(
            "SELECT doc, day, file, nth FROM chunks WHERE day BETWEEN ?1 AND ?2 "
            "UNION SELECT c.doc, f.day, c.file, c.nth FROM files f JOIN chunks c ON c.file = f.id "
            "WHERE f.day BETWEEN ?1 AND ?2 AND c.day IS NULL ORDER BY 2 DESC, 3, 4 LIMIT ?3",
            (first.isoformat(), last.isoformat(), limit),
        )
        return list(dict.fromkeys(row[0] for row in rows))

    def voiced(self, words: Collection[str]) -> frozenset[str]:
        """Return those of the words that name a speaker."""
        query = "SELECT DISTINCT voice FROM texts WHERE voice != '' AND voice IN ({})"
        return frozenset(row[0] for row in many(self.raw, query, list(words)))

    def docs(self) -> list[int]:
        """Return every document."""
        return [row[0] for row in self.raw.execute("SELECT id FROM texts ORDER BY id")]

    def by_hash(self, hashes: Iterable[str]) -> dict[int, str]:
        """Return the documents of these texts, each with the hash."""
        result: dict[int, str] = {}
        for name in hashes:
            first = bytes.fromhex(name)
            # A key has at most six bytes behind the hash.
            rows = self.raw.execute("SELECT id FROM texts WHERE key BETWEEN ? AND ?", (first, first + b"\xff" * 9))
            result |= {row[0]: name for row in rows}
        return result


_PLACE = """
SELECT * FROM (
  SELECT t.id, lower(hex(substr(t.key, 1, 8))), f.path, f.blob, c.nth, c.first, c.last, t.text, t.trail, t.voice,
    t.chat, ifnull(c.day, f.day), t.plain, t.importance, t.project,
    row_number() OVER (PARTITION BY c.doc ORDER BY ifnull(c.day, f.day) DESC, f.path, c.nth) AS place
  FROM chunks c JOIN texts t ON t.id = c.doc JOIN files f ON f.id = c.file WHERE c.doc IN ({})
)"""


def many(
    connection: sqlite3.Connection, query: str, values: Sequence[object], first: Sequence[object] = ()
) -> list[tuple[Any, ...]]:
    """Run a query for many values, as many at once as SQLite takes, each time behind those that come `first`."""
    rows: list[tuple[Any, ...]] = []
    for start in range(0, len(values), _AT_ONCE):
        batch = values[start : start + _AT_ONCE]
        rows += connection.execute(query.format(",".join("?" * len(batch))), (*first, *batch)).fetchall()
    return rows


def open_store(place: Path | None) -> Store:
    """Return the index in the file `place`, in memory without one. Raises sqlite3.Error for an unusable file."""
    return Store(index_file.connect(place, _TABLES))
