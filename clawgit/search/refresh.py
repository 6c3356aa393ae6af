"""Brings the index up to the files."""

import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import NamedTuple

from clawgit import file_roles
from clawgit.git.repository import hash_blob
from clawgit.language import lexicon
from clawgit.outside.sqlite_file import writing
from clawgit.search import blocks, boilerplate, corpus, question_words, store
from clawgit.search.answer import MemoryTier
from clawgit.search.blocks import Chunk, unspoken, voice
from clawgit.search.corpus import Source
from clawgit.search.question_words import content, fold
from clawgit.search.store import Fields, File, Store

_PLACES = ",".join("?" * len(Fields._fields))
_ADD = f"INSERT INTO words(rowid, {', '.join(Fields._fields)}) VALUES (?, {_PLACES})"  # noqa: S608 - names of ours
_WORD = re.compile(r"[^\W\d_]{4,40}")
_YOUNG = 100_000_000
_AT_ONCE = 1000
"""Chunks that are put in together."""
_DATE = re.compile(r"(?:^|[/_-])((?:19|20)\d\d-[01]\d-[0-3]\d)")
_QUARTER = re.compile(r"(?:^|[/_-])((?:19|20)\d\d)-?(?:Q([1-4])|([01]\d))(?=[._-])")

Told = Callable[[int, int], None]
"""Called with how many files are done, and of how many."""


def changed(index: Store, sources: Iterable[Source], keep: str = "") -> tuple[list[Source], list[File]]:
    """Return the files that are new or may have changed, and those that have gone; not those that begin with `keep`."""
    files = index.files()
    fresh = []
    for source in sources:
        path, stamp, _, blob = source
        file = files.pop(path, None)
        # A file of a commit has no stamp, so its blob is compared.
        if file is None or (file[2:5] != stamp if stamp else file[5] != blob):
            fresh.append(source)
    return fresh, [file for path, file in files.items() if not (keep and path.startswith(keep))]


def refresh(index: Store, sources: Callable[[], Iterable[Source]], report: Told | None = None, keep: str = "") -> None:
    """Bring the index up to the files; only changed files are read.

    Raises sqlite3.Error when it cannot be written.
    """
    generation = index.generation
    fresh, old_files = changed(index, sources(), keep)
    if not (fresh or old_files):
        return
    with writing(index.raw):
        if index.generation != generation:  # somebody else has been here first
            fresh, old_files = changed(index, sources(), keep)
        for file in old_files:
            _exchange(index, [_remove(index, file[1])], set())
        if add(index, *sorted(fresh, key=lambda source: source.path), told=report) or old_files:
            count(index)


def count(index: Store) -> None:
    """Note that the index has changed, and its size: counting takes longer than a search."""
    # The vectors have a copy of this mark, and so notice each change of the index.
    index.put("state", os.urandom(8).hex())
    for note, table in (("docs", "texts"), ("chunks", "chunks")):
        index.put(note, str(index.raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0]))  # noqa: S608 - ours


def add(index: Store, *sources: Source, told: Told | None = None) -> bool:
    """Read files into the index, or remove missing ones; return whether any has changed."""
    waiting, spelt = list[_Exchange](), set[str]()
    changes = False
    for number, source in enumerate(sources, 1):
        if told:
            told(number - 1, len(sources))
        if exchange := _read_exchange(index, source):
            waiting.append(exchange)
        if number == len(sources) or sum(len(exchange.new) for exchange in waiting) > _AT_ONCE:
            _exchange(index, waiting, spelt)
            waiting, changes = [], changes or bool(waiting)
    return changes


class _Exchange(NamedTuple):
    """A file with the documents that it had, and the chunks that take their place."""

    file: int
    day: date | None
    old: Sequence[int]
    new: Sequence[Chunk]


def _read_exchange(index: Store, source: Source) -> _Exchange | None:
    """Return the change of a file's chunks, None for none; the row of the file itself is updated."""
    row = index.raw.execute("SELECT id, blob FROM files WHERE path = ?", (source.path,)).fetchone()
    document = source.read()
    if document is None:
        return _remove(index, row[0]) if row else None
    data, (size, changed_at, inode) = document[0], document[1] or (-1, -1, -1)
    if time.time_ns() - changed_at < _YOUNG:  # it may change again within the same tick of the clock
        changed_at = -1
    blob = source.blob or hash_blob(data)
    stamped = size, changed_at, inode, blob
    day = day_of(source.path)
    if row:
        file = row[0]
        query = "UPDATE files SET size = ?, changed = ?, inode = ?, blob = ? WHERE id = ?"
        index.raw.execute(query, (*stamped, file))
        # A touched file with the same bytes keeps its chunks.
        if row[1] == blob:
            return None
    else:
        query = "INSERT INTO files(path, size, changed, inode, blob, day) VALUES (?, ?, ?, ?, ?, ?)"
        file = index.raw.execute(query, (source.path, *stamped, day.isoformat() if day else None)).lastrowid
    text = boilerplate.remove_boilerplate(source.path, corpus.text(data))
    return _Exchange(file, day, _take_out(index, file), blocks.chunks(text))


def _remove(index: Store, file: int) -> _Exchange:
    """Delete the row of a file, and return its change."""
    index.raw.execute("DELETE FROM files WHERE id = ?", (file,))
    return _Exchange(file, None, _take_out(index, file), ())


def _take_out(index: Store, file: int) -> list[int]:
    """Delete the chunks of a file, and return the documents that they were."""
    docs = [row[0] for row in index.raw.execute("SELECT doc FROM chunks WHERE file = ?", (file,))]
    index.raw.execute("DELETE FROM chunks WHERE file = ?", (file,))
    return docs


def _exchange(index: Store, exchanges: Sequence[_Exchange], spelt: set[str]) -> None:
    """Put the chunks of files in the place of those that they had; a text that stays is not touched.

    `spelt` are words that the index is known to have.
    """
    rows = [
        (exchange, nth, chunk, fields, _key(chunk, fields))
        for exchange in exchanges
        for nth, (chunk, fields) in enumerate(zip(exchange.new, _make_fields(exchange.new, exchange.day), strict=True))
    ]
    keys = list(dict.fromkeys(row[-1] for row in rows))
    ids = dict(store.many(index.raw, "SELECT key, id FROM texts WHERE key IN ({})", keys))
    young = {key: (chunk, fields) for _, _, chunk, fields, key in rows if key not in ids}
    ids |= _add(index, young)
    index.raw.executemany(
        "INSERT INTO chunks(file, nth, first, last, day, doc) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (
                exchange.file,
                nth,
                chunk.start,
                chunk.end,
                # Without a day of its own a chunk has the day of its file.
                chunk.day.isoformat() if chunk.day and chunk.day != exchange.day else None,
                ids[key],
            )
            for exchange, nth, chunk, _, key in rows
        ],
    )
    # A text stays in the index as long as another file has it.
    query = "SELECT id FROM texts WHERE id IN ({}) AND NOT EXISTS (SELECT 1 FROM chunks WHERE doc = texts.id)"
    unused = store.many(index.raw, query, sorted({doc for exchange in exchanges for doc in exchange.old}))
    index.raw.executemany("DELETE FROM words WHERE rowid = ?", unused)
    index.raw.executemany("DELETE FROM texts WHERE id = ?", unused)
    runs = {run for _, row in young.values() for run in (*row.body.split(), *row.trail.split())}
    new = set(_WORD.findall(" ".join(runs).lower())) - spelt
    index.raw.executemany("INSERT OR IGNORE INTO spelling VALUES (?)", [(word,) for word in sorted(new)])
    spelt |= new


def _key(chunk: Chunk, row: Fields) -> bytes:
    """Return the name of a document: its text with the headings, in a conversation also speaker and neighbours."""
    own = sha256(f"{chunk.trail}\0{chunk.text}".encode("utf-8", "surrogatepass")).digest()[: store.HASH]
    if not (chunk.speaker or chunk.triggers or chunk.importance or chunk.project):
        return own
    key_text = "\0".join((*row, chunk.speaker, str(chunk.chat), str(chunk.importance), chunk.project))
    return own + sha256(key_text.encode("utf-8", "surrogatepass")).digest()[:6]


def _add(index: Store, young: Mapping[bytes, tuple[Chunk, Fields]]) -> dict[bytes, int]:
    """Add documents, and return their numbers by their keys.

    Under `Kettle` a line need not name the kettle, a turn is independent: see `Place.plain`.
    """
    last: int = index.raw.execute("SELECT ifnull(max(id), 0) FROM texts").fetchone()[0]
    docs = dict(zip(young, range(last + 1, last + 1 + len(young)), strict=True))
    rows = []
    for key, (chunk, _) in young.items():
        plain = question_words.plain(f"{'' if chunk.chat else chunk.trail} {chunk.text} {chunk.triggers}")
        about = chunk.trail, voice(chunk.speaker), chunk.chat, chunk.text, plain, chunk.importance, chunk.project
        rows.append((docs[key], key, *about))
    columns = "id, key, trail, voice, chat, text, plain, importance, project"
    index.raw.executemany(f"INSERT INTO texts({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)  # noqa: S608 - ours
    index.raw.executemany(_ADD, [(docs[key], *row) for key, (_, row) in young.items()])
    return docs


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
    about = ["", "", *(" ".join(content(row.body)) for row in rows), "", ""]
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
    spoken_text = unspoken(chunk.text, chunk.speaker) if chunk.speaker else chunk.text
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
