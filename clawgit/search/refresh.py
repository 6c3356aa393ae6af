"""Brings the index up to what the files say."""

import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import NamedTuple

from clawgit.git.repository import hash_blob
from clawgit.language import lexicon
from clawgit.outside.sqlite_file import writing
from clawgit.search import blocks, boilerplate, corpus, question_words, store
from clawgit.search.answer import MemoryTier
from clawgit.search.blocks import Chunk, unspoken, voice
from clawgit.search.corpus import Source, Stamp
from clawgit.search.question_words import content, fold
from clawgit.search.store import Fields, File, Store
from clawgit.workspace import file_roles

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
    known = index.files()
    fresh = []
    for source in sources:
        path, stamp, _, blob = source
        file = known.pop(path, None)
        if file is None or (file[2:5] != stamp if stamp else file[5] != blob):
            fresh.append(source)
    return fresh, [file for path, file in known.items() if not (keep and path.startswith(keep))]


def refresh(index: Store, sources: Callable[[], Iterable[Source]], told: Told | None = None, keep: str = "") -> None:
    """Make the index say what the files say; only what changed is read.

    Raises sqlite3.Error when it cannot be written.
    """
    seen = index.generation
    fresh, gone = changed(index, sources(), keep)
    if not (fresh or gone):
        return
    with writing(index.raw):
        if index.generation != seen:  # somebody else has been here first
            fresh, gone = changed(index, sources(), keep)
        for file in gone:
            _exchange(index, [_removed(index, file[1])], set())
        if add(index, *sorted(fresh, key=lambda one: one.path), told=told) or gone:
            count(index)


def count(index: Store) -> None:
    """Note that the index has changed, and how much it holds: counting takes longer than a search."""
    index.put("state", os.urandom(8).hex())
    index.put("docs", str(index.count("texts")))
    index.put("chunks", str(index.count("chunks")))


def add(index: Store, *sources: Source, told: Told | None = None) -> bool:
    """Read files into the index, or out of it where they have gone; return whether any says something else now."""
    waiting, spelt = list[_Exchange](), set[str]()
    changes = False
    for done, source in enumerate(sources, 1):
        if told:
            told(done - 1, len(sources))
        if found := _read(index, source):
            waiting.append(found)
        if done == len(sources) or sum(len(one.new) for one in waiting) > _AT_ONCE:
            _exchange(index, waiting, spelt)
            waiting, changes = [], changes or bool(waiting)
    return changes


class _Exchange(NamedTuple):
    """A file with the documents that it had, and the chunks that take their place."""

    file: int
    day: date | None
    old: Sequence[int]
    new: Sequence[Chunk]


def _read(index: Store, source: Source) -> _Exchange | None:
    """Return what becomes of a file's chunks, None where nothing does; the row of the file itself is brought up."""
    row = index.raw.execute("SELECT id, blob FROM files WHERE path = ?", (source.path,)).fetchone()
    found = source.read()
    if found is None:
        return _removed(index, row[0]) if row else None
    data, stamp = found
    blob = source.blob or hash_blob(data)
    stamped = (*_trusted(stamp), blob)
    day = day_of(source.path)
    old: list[int] = []
    if row:
        file = row[0]
        query = "UPDATE files SET size = ?, changed = ?, inode = ?, blob = ? WHERE id = ?"
        index.raw.execute(query, (*stamped, file))
        if row[1] == blob:
            return None
        old = _take_out(index, file)
    else:
        query = "INSERT INTO files(path, size, changed, inode, blob, day) VALUES (?, ?, ?, ?, ?, ?)"
        file = index.raw.execute(query, (source.path, *stamped, day.isoformat() if day else None)).lastrowid
    text = boilerplate.without(source.path, corpus.text(data))
    return _Exchange(file, day, old, blocks.chunks(text))


def _trusted(stamp: Stamp | None) -> Stamp:
    """Return a stamp; not the time of a file so young that it may change again within the same tick of the clock."""
    if stamp is None:
        return (-1, -1, -1)
    size, changed_at, inode = stamp
    return (size, -1, inode) if time.time_ns() - changed_at < _YOUNG else stamp


def _removed(index: Store, file: int) -> _Exchange:
    old = _take_out(index, file)
    index.raw.execute("DELETE FROM files WHERE id = ?", (file,))
    return _Exchange(file, None, old, ())


def _take_out(index: Store, file: int) -> list[int]:
    """Delete the chunks of a file, and return the documents that they were."""
    docs = [row[0] for row in index.raw.execute("SELECT doc FROM chunks WHERE file = ?", (file,))]
    index.raw.execute("DELETE FROM chunks WHERE file = ?", (file,))
    return docs


def _exchange(index: Store, some: Sequence[_Exchange], spelt: set[str]) -> None:
    """Put the chunks of files in the place of those that they had; a text that stays is not touched.

    `spelt` are words that the index is known to have.
    """
    rows = [
        (one, nth, chunk, fields, _key(chunk, fields))
        for one in some
        for nth, (chunk, fields) in enumerate(zip(one.new, _make_fields(one.new, one.day), strict=True))
    ]
    keys = list(dict.fromkeys(row[-1] for row in rows))
    known = dict(store.many(index.raw, "SELECT key, id FROM texts WHERE key IN ({})", keys))
    young = {key: (chunk, fields) for _, _, chunk, fields, key in rows if key not in known}
    known |= _add(index, young)
    index.raw.executemany(
        "INSERT INTO chunks(file, nth, first, last, day, doc) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (
                one.file,
                nth,
                chunk.start,
                chunk.end,
                chunk.day.isoformat() if chunk.day and chunk.day != one.day else None,
                known[key],
            )
            for one, nth, chunk, _, key in rows
        ],
    )
    _drop_unused(index, {doc for one in some for doc in one.old})
    runs = {run for _, row in young.values() for run in (*row.body.split(), *row.trail.split())}
    new = set(_WORD.findall(" ".join(runs).lower())) - spelt
    index.raw.executemany("INSERT OR IGNORE INTO spelling VALUES (?)", [(word,) for word in sorted(new)])
    spelt |= new


def _key(one: Chunk, row: Fields) -> bytes:
    """Return what names a document: its text with the headings, in a conversation also who says it, and what around."""
    own = sha256(f"{one.trail}\0{one.text}".encode("utf-8", "surrogatepass")).digest()[: store.HASH]
    if not (one.speaker or one.triggers or one.importance or one.project):
        return own
    said = "\0".join((*row, one.speaker, str(one.chat), str(one.importance), one.project))
    return own + sha256(said.encode("utf-8", "surrogatepass")).digest()[:6]


def _add(index: Store, young: Mapping[bytes, tuple[Chunk, Fields]]) -> dict[bytes, int]:
    """Add documents, and return their numbers by their keys."""
    if not young:
        return {}
    last: int = index.raw.execute("SELECT ifnull(max(id), 0) FROM texts").fetchone()[0]
    docs = dict(zip(young, range(last + 1, last + 1 + len(young)), strict=True))
    index.raw.executemany(
        "INSERT INTO texts(id, key, trail, voice, chat, text, plain, importance, project) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                docs[key],
                key,
                one.trail,
                voice(one.speaker),
                one.chat,
                one.text,
                _plain_words(one),
                one.importance,
                one.project,
            )
            for key, (one, _) in young.items()
        ],
    )
    index.raw.executemany(_ADD, [(docs[key], *row) for key, (_, row) in young.items()])
    return docs


def _drop_unused(index: Store, docs: Iterable[int]) -> None:
    """Delete those of some documents that stand nowhere any more."""
    query = "SELECT id FROM texts WHERE id IN ({}) AND NOT EXISTS (SELECT 1 FROM chunks WHERE doc = texts.id)"
    gone = store.many(index.raw, query, sorted(docs))
    index.raw.executemany("DELETE FROM words WHERE rowid = ?", gone)
    index.raw.executemany("DELETE FROM texts WHERE id = ?", gone)


def day_of(path: str) -> date | None:
    """Return the day that a path names, of a month or a quarter its last one."""
    if found := _DATE.search(path):
        try:
            return date.fromisoformat(found[1])
        except ValueError:
            return None
    if found := _QUARTER.search(path):
        month = int(found[2]) * 3 if found[2] else int(found[3])
        if 1 <= month <= 12:  # noqa: PLR2004 - December
            year, after = int(found[1]), month % 12 + 1
            return date.fromordinal(date(year + (after == 1), after, 1).toordinal() - 1)
    return None


def tier_of(path: str) -> MemoryTier:
    """Return the memory tier of a file: by its day it is dated memory, else it belongs to the core."""
    if path in (file_roles.SOUL, "IDENTITY.md"):
        return "T0"
    return "T2" if path.startswith(file_roles.FOLDERS) and day_of(path) else "T1"


def _make_fields(chunks: Sequence[Chunk], day: date | None) -> list[Fields]:
    """Return what is searched of the chunks of one file; `day` is the one that its path names.

    An answer is found by the words of the question that it follows.
    """
    rows = [_read_fields(one) for one in chunks]
    if not any(one.chat for one in chunks):
        return rows
    # A neighbour stands in five rows, so without the words that nobody looks for.
    about = ["", "", *(" ".join(content(row.body)) for row in rows), "", ""]
    return [
        row._replace(
            before=about[at + 1],
            after=about[at + 3],
            around=f"{about[at]} {about[at + 4]}".strip(),
            day=_name_day(one.day or day),
        )
        if one.chat
        else row
        for at, (one, row) in enumerate(zip(chunks, rows, strict=True))
    ]


def _read_fields(one: Chunk) -> Fields:
    """Return the row of a text by itself; most are ASCII, of which nothing need be folded or paired."""
    said = unspoken(one.text, one.speaker) if one.speaker else one.text
    if said.isascii() and one.trail.isascii() and not one.triggers:
        return Fields(_with_parts(said), one.trail)
    said, above, triggers = fold(said), fold(one.trail), fold(one.triggers)
    texts = (f"{said} {triggers}", "" if one.chat else above)
    return Fields(
        _with_parts(question_words.without(said)),
        question_words.without(above),
        pairs=" ".join(pair for text in texts for pair in question_words.grams(text)),
        triggers=question_words.without(triggers),
    )


def _plain_words(one: Chunk) -> str:
    """Return what `Place.plain` is: under `Kettle` a line need not name the kettle again, a turn stands by itself."""
    said = one.text if one.chat else f"{one.trail} {one.text}"
    return question_words.plain(f"{said} {one.triggers}" if one.triggers else said)


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
