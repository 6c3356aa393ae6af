"""The tables of the index, and their files."""

import os
import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple
from zlib import crc32

from clawgit import file_roles
from clawgit.git.repository import hash_blob
from clawgit.language import lexicon
from clawgit.outside.sqlite_file import writing
from clawgit.search import blocks, corpus, question_words
from clawgit.search.answer import MemoryTier
from clawgit.search.blocks import Chunk, strip_speaker, voice
from clawgit.search.corpus import Sources
from clawgit.search.question_words import fold
from clawgit.store import entry_table

TOKENIZER = "porter unicode61 remove_diacritics 2"
_ONE_AT_A_TIME = Lock()
_STEMMED: dict[str, list[str]] = {}
_MOST_STEMMED = 20_000

Progress = Callable[[int, int], None]
"""Called with how many files are done, and of how many."""


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
    """The searched fields of a text. The turns before and after, and the day, are only set in conversations."""

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
CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT UNIQUE, stamp TEXT, blob TEXT, day TEXT);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY, key BLOB, file INTEGER, nth INTEGER, first INTEGER, last INTEGER, day TEXT, text TEXT,
  trail TEXT, voice TEXT, chat INTEGER, importance INTEGER, project TEXT
);
CREATE INDEX places ON chunks(file, nth);
CREATE INDEX voices ON chunks(voice) WHERE voice != '';
CREATE INDEX days ON chunks(day) WHERE day IS NOT NULL;
CREATE TABLE spelling (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5({_COLUMNS}, tokenize='{TOKENIZER}');
CREATE VIRTUAL TABLE terms USING fts5vocab(words, row);
"""
HASH = 8
"""Bytes of the hash of a text with its headings; the key of a chunk begins with it, and vectors are kept by it."""


class Place(NamedTuple):
    """The place of a text. `day` is the one of its heading, else of its file."""

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
    importance: int = 0
    project: str = ""
    triggers: str = ""


_PLACE = """
SELECT c.id, lower(hex(substr(c.key, 1, 8))), f.path, f.blob, c.nth, c.first, c.last, c.text, c.trail, c.voice, c.chat,
  ifnull(c.day, f.day), c.importance, c.project, (SELECT triggers FROM words WHERE rowid = c.id)
FROM chunks c JOIN files f ON f.id = c.file WHERE c.id IN ({})
"""
_DATED = """
SELECT c.id FROM chunks c JOIN files f ON f.id = c.file WHERE c.day BETWEEN ?1 AND ?2
  OR (c.file IN (SELECT id FROM files WHERE day BETWEEN ?1 AND ?2) AND c.day IS NULL)
ORDER BY ifnull(c.day, f.day) DESC, f.path, c.nth LIMIT ?3
"""
_AT_ONCE = 500


class Store:
    """An open index."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.raw = connection

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read one state of the index, whatever others write meanwhile."""
        self.raw.execute("BEGIN")
        try:
            yield
        finally:
            self.raw.execute("ROLLBACK")

    def list_stamps(self) -> dict[str, str]:
        """Return the stamp of each file as it was indexed, by path."""
        return dict(self.raw.execute("SELECT path, stamp FROM files"))

    def list_unstamped(self) -> list[str]:
        """Return the files without a stamp."""
        return [row[0] for row in self.raw.execute("SELECT path FROM files WHERE stamp = '' ORDER BY path")]

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

    def count(self) -> None:
        """Note that the index has changed, and its size: counting takes longer than a search."""
        # The vectors have a copy of this mark, and so notice each change of the index.
        self.put("state", os.urandom(8).hex())
        self.put("chunks", str(self.raw.execute("SELECT count(*) FROM chunks").fetchone()[0]))

    def places(self, docs: Sequence[int]) -> list[Place]:
        """Return the places of texts."""
        return [
            Place._make((*row[:10], bool(row[10]), row[11] and date.fromisoformat(row[11]), *row[12:]))
            for row in query_many(self.raw, _PLACE, docs)
        ]

    def dated(self, first: date, last: date, limit: int) -> list[int]:
        """Return texts under a day of this span, those of the last days first."""
        return [row[0] for row in self.raw.execute(_DATED, (first.isoformat(), last.isoformat(), limit))]

    def voiced(self, words: Collection[str]) -> frozenset[str]:
        """Return those of the words that name a speaker."""
        query = "SELECT DISTINCT voice FROM chunks WHERE voice != '' AND voice IN ({})"
        return frozenset(row[0] for row in query_many(self.raw, query, list(words)))

    def docs(self) -> list[int]:
        """Return every text."""
        return [row[0] for row in self.raw.execute("SELECT id FROM chunks ORDER BY id")]

    def by_hash(self, hashes: Iterable[str]) -> list[int]:
        """Return the texts with these hashes."""
        names = list(map(bytes.fromhex, hashes))
        query = f"SELECT id FROM chunks WHERE substr(key, 1, {HASH}) IN ({{}}) ORDER BY id"  # noqa: S608 - ours
        return [row[0] for row in query_many(self.raw, query, names)]


def query_many(connection: sqlite3.Connection, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
    """Run a query for many values, as many at once as SQLite takes."""
    rows: list[tuple[Any, ...]] = []
    for start in range(0, len(values), _AT_ONCE):
        batch = values[start : start + _AT_ONCE]
        rows += connection.execute(query.format(",".join("?" * len(batch))), batch).fetchall()
    return rows


def open_store(place: Path | None) -> Store:
    """Return the index in the file `place`, in memory without one. Raises sqlite3.Error for an unusable file."""
    return Store(entry_table.connect(place, _TABLES))


def find_changed_files(index: Store, sources: Sources, keep: str = "") -> tuple[list[str], list[str]]:
    """Return the files that are new or may have changed, and those that have gone; not those that begin with `keep`."""
    old_stamps = index.list_stamps()
    fresh = [path for path, stamp in sources.stamps.items() if not stamp or old_stamps.get(path) != stamp]
    missing_paths = old_stamps.keys() - sources.stamps.keys()
    return sorted(fresh), sorted(path for path in missing_paths if not (keep and path.startswith(keep)))


def refresh(index: Store, sources: Callable[[], Sources], progress: Progress | None = None, keep: str = "") -> None:
    """Bring the index up to the files; only changed files are read.

    Raises sqlite3.Error when it cannot be written.
    """
    state, files = index.state, sources()
    if not any(find_changed_files(index, files, keep)):
        return
    with writing(index.raw):
        # Another process may have indexed newer files while this one waited.
        files = files if index.state == state else sources()
        fresh, missing_paths = find_changed_files(index, files, keep)
        for path in missing_paths:
            _remove(index, path)
        if add_files(index, fresh, files.read, progress) or missing_paths:
            index.count()


def add_files(
    index: Store,
    paths: Collection[str],
    read: Callable[[str], "tuple[bytes, str] | None"],
    progress: Progress | None = None,
) -> bool:
    """Read files into the index, or remove missing ones; return whether any has changed."""
    has_changed, rows = False, list[_Row]()
    for number, path in enumerate(paths):
        if progress:
            progress(number, len(paths))
        content = read(path)
        if content is None:
            has_changed |= _remove(index, path)
            continue
        data, stamp = content
        blob = hash_blob(data)
        file = index.raw.execute("SELECT id, blob FROM files WHERE path = ?", (path,)).fetchone()
        if file and file[1] == blob:  # a touched file with the same bytes keeps its chunks
            index.raw.execute("UPDATE files SET stamp = ? WHERE id = ?", (stamp, file[0]))
            continue
        day = day_of(path)
        query = "INSERT INTO files VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET stamp = excluded.stamp, "
        row = file and file[0], path, stamp, blob, day and day.isoformat()
        file_id = index.raw.execute(f"{query} blob = excluded.blob RETURNING id", row).fetchone()[0]
        chunks = blocks.chunks(corpus.remove_boilerplate(path, corpus.text(data)))
        rows += _exchange(index, file_id, day, chunks)
        if len(rows) > _MAX_WAITING:
            _insert_chunks(index, rows)
            rows = []
        has_changed = True
    _insert_chunks(index, rows)
    return has_changed


def _remove(index: Store, path: str) -> bool:
    """Delete a file; return whether it was there."""
    row = index.raw.execute("DELETE FROM files WHERE path = ? RETURNING id", (path,)).fetchone()
    if row:
        _exchange(index, row[0], None, ())
    return row is not None


_PUT = (
    "INSERT INTO chunks(id, key, first, last, nth, file, day, text, trail, voice, chat, importance, project) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_ADD = f"INSERT INTO words(rowid, {_COLUMNS}) VALUES (?, {', '.join('?' * len(Fields._fields))})"  # noqa: S608 - ours
_WORD = re.compile(r"[^\W\d_]{4,40}")
_MAX_WAITING = 10_000
_Row = tuple[tuple[object, ...], Fields]


def _exchange(index: Store, file: int, day: date | None, chunks: Sequence[Chunk]) -> list[_Row]:
    """Delete the chunks of a file from the first change on, and return the rows of those that come in their place."""
    rows: list[_Row] = []
    for number, (chunk, fields) in enumerate(zip(chunks, _make_fields(chunks, day), strict=True)):
        own_day = chunk.day.isoformat() if chunk.day and chunk.day != day else None
        mark = _make_key(chunk, fields, own_day), chunk.start, chunk.end
        speaker = voice(chunk.speaker) if chunk.speaker else ""
        others = chunk.text, chunk.trail, speaker, chunk.chat, chunk.importance, chunk.project
        rows.append(((*mark, number, file, own_day, *others), fields))
    query = "SELECT id, key, first, last FROM chunks WHERE file = ? ORDER BY nth"
    old = index.raw.execute(query, (file,)).fetchall()
    pairs = enumerate(zip(old, rows, strict=False))
    first_change = next((number for number, (row, (new, _)) in pairs if row[1:] != new[:3]), min(len(old), len(rows)))
    removed_docs = [row[:1] for row in old[first_change:]]
    index.raw.executemany("DELETE FROM words WHERE rowid = ?", removed_docs)
    index.raw.executemany("DELETE FROM chunks WHERE id = ?", removed_docs)
    return rows[first_change:]


def _insert_chunks(index: Store, rows: Sequence[_Row]) -> None:
    """Insert chunks, of many files at once: FTS5 writes to the disk between statements."""
    doc: int = index.raw.execute("SELECT ifnull(max(id), 0) + 1 FROM chunks").fetchone()[0]
    index.raw.executemany(_PUT, [(number, *row) for number, (row, _) in enumerate(rows, doc)])
    index.raw.executemany(_ADD, [(number, *fields) for number, (_, fields) in enumerate(rows, doc)])
    words = set(_WORD.findall(" ".join(f"{fields.body} {fields.trail}" for _, fields in rows).lower()))
    index.raw.executemany("INSERT OR IGNORE INTO spelling VALUES (?)", [(word,) for word in sorted(words)])


def _make_key(chunk: Chunk, fields: Fields, day: str | None) -> bytes:
    """Return the name of a chunk: its text with the headings, and all else of it but its place."""
    own = sha256(f"{chunk.trail}\0{chunk.text}".encode("utf-8", "surrogatepass")).digest()[:HASH]
    others = (*fields, chunk.speaker, str(chunk.chat), str(chunk.importance), chunk.project, day or "")
    return own + crc32("\0".join(others).encode("utf-8", "surrogatepass")).to_bytes(4, "big")


_DATE = re.compile(r"(?:^|[/_-])((?:19|20)\d\d-[01]\d-[0-3]\d)")
_QUARTER = re.compile(r"(?:^|[/_-])((?:19|20)\d\d)-?(?:Q([1-4])|([01]\d))(?=[._-])")


def day_of(path: str) -> date | None:
    """Return the day that a path names, of a month or a quarter its last one."""
    if match := _DATE.search(path):
        try:
            return date.fromisoformat(match[1])
        except ValueError:
            return None
    if match := _QUARTER.search(path):
        month = int(match[2]) * 3 if match[2] else int(match[3])
        if 1 <= month <= 12:  # noqa: PLR2004 - December
            year, after = int(match[1]), month % 12 + 1
            return date.fromordinal(date(year + (after == 1), after, 1).toordinal() - 1)
    return None


def tier_of(path: str) -> MemoryTier:
    """Return the memory tier of a file: by its day it is dated memory, else it belongs to the core."""
    if path in (file_roles.SOUL, "IDENTITY.md"):
        return "T0"
    return "T2" if path.startswith(file_roles.FOLDERS) and day_of(path) else "T1"


def _make_fields(chunks: Sequence[Chunk], day: date | None) -> list[Fields]:
    """Return the searched fields of the chunks of one file; `day` is the one in its path.

    An answer is found by the words of the question that it follows.
    """
    rows = [_read_fields(chunk) for chunk in chunks]
    if not any(chunk.chat for chunk in chunks):
        return rows
    # A neighbour stands in five rows, so without the words that nobody looks for.
    about = ["", "", *(" ".join(question_words.content(row.body)) for row in rows), "", ""]
    return [
        row._replace(
            before=about[number + 1],
            after=about[number + 3],
            around=f"{about[number]} {about[number + 4]}".strip(),
            day=_name_day(chunk.day or day),
        )
        if chunk.chat
        else row
        for number, (chunk, row) in enumerate(zip(chunks, rows, strict=True))
    ]


def _read_fields(chunk: Chunk) -> Fields:
    """Return the row of a text by itself; most are ASCII, of which nothing need be folded or paired."""
    spoken_text = strip_speaker(chunk.text, chunk.speaker) if chunk.speaker else chunk.text
    if spoken_text.isascii() and chunk.trail.isascii() and not chunk.triggers:
        return Fields(_with_parts(spoken_text), chunk.trail)
    spoken_text, trail, triggers = fold(spoken_text), fold(chunk.trail), fold(chunk.triggers)
    texts = (f"{spoken_text} {triggers}", "" if chunk.chat else trail)
    return Fields(
        _with_parts(question_words.strip_question_words(spoken_text)),
        question_words.strip_question_words(trail),
        pairs=" ".join(pair for text in texts for pair in question_words.grams(text)),
        triggers=question_words.strip_question_words(triggers),
    )


def _with_parts(text: str) -> str:
    """Return a text with the parts of its names in camel case behind it: `getUserById` is found by `user`."""
    parts = question_words.camel_parts(text)
    return f"{text} {' '.join(parts)}" if parts else text


def _name_day(day: date | None) -> str:
    """Return a day as an English question names it, "" for none."""
    if day is None:
        return ""
    weekday = lexicon.rows("en", "calendar", "weekdays")[day.weekday()][0]
    month = lexicon.rows("en", "calendar", "months")[day.month - 1][0]
    return f"{weekday} {day.day} {month} {day.year}".title()
