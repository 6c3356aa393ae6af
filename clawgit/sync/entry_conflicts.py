"""Entries that two machines changed at once."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from clawgit.git import repository
from clawgit.git.repository import Oid, Repository
from clawgit.sync.replay import Replay
from clawgit.text import conflict
from clawgit.text.conflict import Conflict, Side
from clawgit.text.edit import append_block
from clawgit.text.entry import digest, named, split_tags
from clawgit.text.entry import entries as entries_of
from clawgit.text.merging.event_graph import Values
from clawgit.text.merging.row_history import RowVersion
from clawgit.text.merging.text_pieces import record_pieces
from clawgit.workspace import entries, file_roles
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.entries import Row
from clawgit.workspace.file_contents import text_of

RULE = "sync"
_WHY = "two machines changed this entry before they had heard of each other: both wordings stand"
_SHOWN = ("live", "corrected")

Files = dict[str, bytes | None]


def settled(repo: Repository, replay: Replay, heads: Sequence[Oid], files: Files) -> tuple[Files, tuple[str, ...]]:
    """Return the files in which every row has its text, and the ids of the records that were opened.

    Of one entry in several wordings one keeps the row, each other gets one of its own, and a record asks which holds.
    """
    if entries.PATH not in files:
        return files, ()
    version = replay.joined(entries.PATH, heads)
    if not isinstance(version, RowVersion):
        return files, ()
    names = replay.contested(entries.PATH, version)
    said = entries.read(text_of(files[entries.PATH]) or "")
    texts = _Texts(repo, heads, files)
    rows, records = dict(said.rows), list[Conflict]()
    for name in sorted(key for key in names if key in said.rows):
        found = sorted(row for line in names[name] for row in entries.parse(f"{line}\n").values())
        shown = _wordings([row for row in found if row.status in _SHOWN and texts.words(row)])
        if not shown:
            continue
        first, *others = shown
        joined = said.rows[name]
        rows[name] = _worded(joined, first)
        for other in others:
            own = _worded(other, other, named(f"{RULE}\0{name}\0{other.file}\0{other.hash}"))
            rows.setdefault(own.id, own)
            day = _day(replay, version.values.get(name, {}))
            records.append(_record(texts, rows[name], own, day))
    fell = texts.fell()
    for name, row in rows.items():
        if row.status in _SHOWN and (row.file, row.hash) in fell and not texts.words(row):
            rows[name] = replace(row, status="tombstone")
    if rows != said.rows:
        files = files | {entries.PATH: entries.render(rows, said).encode()}
    return _with_records(repo, heads[0], files, records, lambda side: _stands(texts, rows, side))


class _Texts:
    """What the merged files say, entry by entry."""

    def __init__(self, repo: Repository, heads: Sequence[Oid], files: Mapping[str, bytes | None]) -> None:
        self._repo, self._heads, self._files = repo, heads, files
        self._lines: dict[str, dict[str, str]] = {}
        self._parsed: dict[str, dict[str, str]] = {}

    def words(self, row: Row) -> str:
        """Return the words of an entry, "" where they do not stand in its file. Few of them are longer than a line."""
        if row.file not in self._lines:
            self._lines[row.file] = _bullets(self._text(row.file).split("\n"))
        if words := self._lines[row.file].get(row.hash):
            return words
        if row.file not in self._parsed:
            self._parsed[row.file] = {digest(one.text): one.text for one in entries_of(self._text(row.file))}
        return self._parsed[row.file].get(row.hash, "")

    def fell(self) -> set[tuple[str, str]]:
        """Return file and hash of the bullets that one of the heads has and the merge has not."""
        found: set[tuple[str, str]] = set()
        for path in self._files:
            if path.endswith(".md"):
                stands = set(self._text(path).split("\n"))
                heads = (text_of(repository.read(self._repo, head, path)) or "" for head in self._heads)
                gone = {line for text in heads for line in text.split("\n")} - stands
                found |= {(path, name) for name in _bullets(gone)}
        return found

    def _text(self, path: str) -> str:
        data = self._files[path] if path in self._files else repository.read(self._repo, self._heads[0], path)
        return text_of(data) or ""


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
    return Row(
        name or row.id,
        words.file,
        words.hash,
        words.tag,
        words.origin,
        words.confidence,
        row.first,
        row.last,
        row.mentions,
        words.status,
        words.by,
        row.dots,
        row.sources,
    )


def _day(replay: Replay, values: Values) -> str:
    """Return the day on which the last of several events was written, in UTC: the same on every machine."""
    stamps = [replay.window.nodes[event - 1].stamp for event in values if event]
    return datetime.fromtimestamp(max(stamps, default=0), UTC).date().isoformat()


def _record(texts: _Texts, one: Row, other: Row, day: str) -> Conflict:
    a, b = (_side(texts, row, day) for row in sorted((one, other), key=lambda row: (row.hash, row.id)))
    name = named("\0".join((RULE, one.id, *sorted((one.hash, other.hash)))))
    return Conflict(name, day, a, b, _WHY, RULE)


def _side(texts: _Texts, row: Row, day: str) -> Side:
    when = row.last or row.first
    return Side(one_line(texts.words(row)), row.file, row.id, when.isoformat() if when else day, row.origin)


def _stands(texts: _Texts, rows: Mapping[str, Row], side: Side) -> bool:
    """Tell whether a wording that a record asks about is still there to be chosen."""
    row = rows.get(side.id)
    return row is not None and row.status in _SHOWN and one_line(texts.words(row)) == side.text


def _with_records(
    repo: Repository, own: Oid, files: Files, records: Sequence[Conflict], stands: Callable[[Side], bool]
) -> tuple[Files, tuple[str, ...]]:
    """Return the files with these records in CONFLICTS.md, and without those of which one wording is gone since."""
    path = file_roles.CONFLICTS
    text = text_of(files[path] if path in files else repository.read(repo, own, path)) or ""
    known = {one.id: one for one in conflict.conflicts(text)}
    new = {one.id: one for one in records if one.id not in known}
    over = [
        name
        for name, one in known.items()
        if one.rule == RULE and one.status == "open" and not (stands(one.a) and stands(one.b))
    ]
    for name in sorted(new):
        text = append_block(text or conflict.BIRTH, conflict.rendered(new[name]))
    if not text or (path not in files and not new and not over):
        return files, ()
    return files | {path: _in_order(text, over).encode()}, tuple(sorted(new))


def _in_order(text: str, over: Container[str]) -> str:
    """Return CONFLICTS.md with the records of this kind by day and id, whoever opened them; all else stays in place."""
    pieces = [one for one in record_pieces(text) if not (one.named and one.key.removeprefix("## ") in over)]
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
