"""Entries that two machines changed at once."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from clawgit.text import conflict
from clawgit.text.conflict import Conflict, Side
from clawgit.text.edit import append_block
from clawgit.text.entry import digest, named, split_tags
from clawgit.text.entry import entries as entries_of
from clawgit.text.merging.text_pieces import record_pieces
from clawgit.workspace import entries, file_roles
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.entries import Row

RULE = "sync"
_WHY = "two machines changed this entry before they had heard of each other: both wordings stand"
_SHOWN = ("live", "corrected")

PATHS = (entries.PATH, file_roles.CONFLICTS)
"""The files that are settled: what a merge says in them of its own follows from all others."""

Read = Callable[[str], str]
"""Returns the text of a file, "" where there is none."""
Fallen = frozenset[tuple[str, str]]
"""File and hash of bullets that a merge left out: one of its sides had taken them out."""


class Merged(Struct, frozen=True):
    """What several versions come to, line by line and row by row, before it is settled.

    `rows` and `records` are the texts of the sidecar and of CONFLICTS.md (None: no file), `read` returns those of all
    others. `contested` are the rows that were written in several ways, by id; `days` tells when each was, the last
    time, on every machine the same.
    """

    rows: str | None
    records: str | None
    read: Read
    contested: Mapping[str, Sequence[str]]
    days: Callable[[str], str]
    fallen: Fallen = frozenset()


class Settled(Struct, frozen=True):
    """The two files as they are once every row has its text, and the ids of the records that were opened."""

    rows: str | None
    records: str | None
    asked: tuple[str, ...] = ()


def settled(merged: Merged) -> Settled:
    """Return the files in which every row has its text.

    Of one entry in several wordings one keeps the row, each other gets one of its own, and a record asks which holds.
    """
    if merged.rows is None:
        return Settled(merged.rows, merged.records)
    said = entries.read(merged.rows)
    texts = _Texts(merged.read)
    rows, records = dict(said.rows), list[Conflict]()
    for name in sorted(key for key in merged.contested if key in said.rows):
        found = sorted(row for line in merged.contested[name] for row in entries.parse(f"{line}\n").values())
        shown = _wordings([row for row in found if row.status in _SHOWN and texts.words(row)])
        if not shown:
            continue
        first, *others = shown
        joined = said.rows[name]
        rows[name] = _worded(joined, first)
        for other in others:
            own = _worded(other, other, named(f"{RULE}\0{name}\0{other.file}\0{other.hash}"))
            rows.setdefault(own.id, own)
            records.append(_record(texts, rows[name], own, merged.days(name)))
    for name, row in rows.items():
        if row.status in _SHOWN and (row.file, row.hash) in merged.fallen and not texts.words(row):
            rows[name] = replace(row, status="tombstone")
    text = merged.rows if rows == said.rows else entries.render(rows, said)
    return Settled(text, *_with_records(merged.records, records, lambda side: _stands(texts, rows, side)))


def fallen(path: str, sides: Iterable[str], text: str) -> Fallen:
    """Return the bullets that one of several texts of a file has, and what they came to has not."""
    gone = {line for side in sides for line in side.split("\n")} - set(text.split("\n"))
    return frozenset((path, name) for name in _bullets(gone))


class _Texts:
    """What the merged files say, entry by entry."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._lines: dict[str, dict[str, str]] = {}
        self._parsed: dict[str, dict[str, str]] = {}

    def words(self, row: Row) -> str:
        """Return the words of an entry, "" where they do not stand in its file. Few of them are longer than a line."""
        if row.file not in self._lines:
            self._lines[row.file] = _bullets(self._read(row.file).split("\n"))
        if words := self._lines[row.file].get(row.hash):
            return words
        if row.file not in self._parsed:
            self._parsed[row.file] = {digest(one.text): one.text for one in entries_of(self._read(row.file))}
        return self._parsed[row.file].get(row.hash, "")


def _bullets(lines: Iterable[str]) -> dict[str, str]:
    """Return what the bullets among lines say, by its hash."""
    rows = (line.strip()[2:].strip() for line in lines if line.lstrip()[:2] in ("- ", "* ", "+ "))
    return {digest(words): split_tags(words)[0] for words in rows}


def _wordings(rows: Sequence[Row]) -> list[Row]:
    """Return one row for each wording, the one that holds first: a correction before all, then the later one."""
    found: dict[tuple[str, str], Row] = {}
    ranked = sorted(rows, key=lambda row: (entries.STATUSES.index(row.status), str(row.last or ""), row), reverse=True)
    for row in ranked:
        found.setdefault((row.file, row.hash), row)
    return list(found.values())


def _worded(row: Row, words: Row, name: str = "") -> Row:
    history = {key: getattr(row, key) for key in ("first", "last", "mentions", "dots", "sources")}
    return replace(words, id=name or row.id, **history)


def day(stamps: Iterable[int]) -> str:
    """Return the day of the last of several moments, in UTC: the same on every machine."""
    return datetime.fromtimestamp(max(stamps, default=0), UTC).date().isoformat()


def _record(texts: _Texts, one: Row, other: Row, day: str) -> Conflict:
    a, b = (_side(texts, row, day) for row in sorted((one, other), key=lambda row: (row.hash, row.id)))
    name = named("\0".join((RULE, one.id, *sorted((one.hash, other.hash)))))
    return Conflict(name, day, a, b, _WHY, RULE)


def _side(texts: _Texts, row: Row, day: str) -> Side:
    when = row.last or row.first
    return Side(one_line(texts.words(row)), row.file, row.id, when.isoformat() if when else day, row.origin)


def _stands(texts: _Texts, rows: Mapping[str, Row], side: Side) -> bool:
    """Return whether a wording that a record asks about is still there to be chosen."""
    row = rows.get(side.id)
    return row is not None and row.status in _SHOWN and one_line(texts.words(row)) == side.text


def _with_records(
    before: str | None, records: Sequence[Conflict], stands: Callable[[Side], bool]
) -> tuple[str | None, tuple[str, ...]]:
    """Return CONFLICTS.md with these records, and without those of which one wording is gone since."""
    text = before or ""
    known = {one.id: one for one in conflict.conflicts(text)}
    new = {record.id: record for record in records if record.id not in known}
    over = [
        name
        for name, one in known.items()
        if one.rule == RULE and one.status == "open" and not (stands(one.a) and stands(one.b))
    ]
    for name in sorted(new):
        text = append_block(text or conflict.BIRTH, conflict.rendered(new[name]))
    if not text:
        return before, ()
    return _in_order(text, over), tuple(sorted(new))


def _in_order(text: str, over: Container[str]) -> str:
    """Return CONFLICTS.md with the records of this kind by day and id, whoever opened them; all else stays in place."""
    pieces = [
        record_piece
        for record_piece in record_pieces(text)
        if not (record_piece.named and record_piece.key.removeprefix("## ") in over)
    ]
    ours = {one.id: one.found for one in conflict.conflicts(text) if one.rule == RULE}
    places = [at for at, piece in enumerate(pieces) if piece.named and piece.key.removeprefix("## ") in ours]
    names = [pieces[at].key.removeprefix("## ") for at in places]
    ordered = sorted(zip(names, places, strict=True), key=lambda one: (ours[one[0]], one[0]))
    raws = [piece.raw for piece in pieces]
    if [at for _, at in ordered] != places:
        raws = [raw if raw.endswith("\n") else f"{raw}\n" for raw in raws]
        moved = dict(zip(places, [raws[at] for _, at in ordered], strict=True))
        raws = [moved.get(at, raw) for at, raw in enumerate(raws)]
    return "".join(raws)
