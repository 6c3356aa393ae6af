"""Decides which files merge, and how, and merges them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.text.merge import Merged, merge
from clawgit.workspace import entries, file_roles, reading_cursors
from clawgit.workspace.entries import Row

Stands = Callable[[Row], bool]
"""Returns whether the text of a row stands in its file."""
SHOWN = ("live", "corrected")
_RANKS = {"corrected": 1, "superseded": 2, "live": 1, "tombstone": 0}
_COUNTED = ("first", "last", "mentions", "sources")


class _Table(Struct, frozen=True):
    """How the rows of a file are named, and joined if two sides changed one: base (None: none), and both lines."""

    name: Callable[[str], str]
    join: Callable[[str | None, str, str], str]


Rule = Literal["rows", "lines", "own", "control", "whole"]
"""By row; by entry; not at all, each machine has its own, or asks; as git does, or not at all."""


def rule(path: str) -> Rule:
    """Return the rule by which a file merges."""
    if path in _TABLES:
        return "rows"
    if file_roles.self_description(path):
        return "own"
    if file_roles.control(path):
        return "control"
    return "lines" if path.endswith(".md") else "whole"


def merge_text(path: str, base: str | None, ours: str, theirs: str) -> Merged:
    """Merge two texts of `path`: a table by its rows, anything else by entry."""
    return Merged(merge_table(path, base, ours, theirs)) if path in _TABLES else merge(base, ours, theirs)


def merge_forward(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
    """Merge without a way back: a version beats a deletion, and of a conflict both sides stay."""
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    try:
        texts = [None if data is None else data.decode("utf-8") for data in (base, ours, theirs)]
    except UnicodeDecodeError:
        return theirs
    return merge_text(path, texts[0], texts[1] or "", texts[2] or "").text.encode()


def merge_table(path: str, base: str | None, ours: str | None, theirs: str | None, stands: Stands | None = None) -> str:
    """Merge two versions of a table (None: no file) that grew from `base`, row by row and field by field.

    A row that one side deleted and the other one changed stays. A missing file deletes no row: it went with clawgit.
    """
    table = _TABLES[path]
    before, our_rows, their_rows = (_read_rows(table, text) for text in (base, ours, theirs))
    our_rows, their_rows = (before if text is None else rows for text, rows in ((ours, our_rows), (theirs, their_rows)))
    result: dict[str, str] = {}
    for name in {**our_rows, **their_rows}:
        line = _choose_line(table, before.get(name), our_rows.get(name), their_rows.get(name))
        if line is not None:
            result[name] = line
    if path == entries.PATH and stands is not None:
        result = _settle_entries(result, before, (our_rows, their_rows), stands)
    firsts = ((text or "").partition("\n")[0].rstrip("\r") for text in (ours, theirs, base))
    header = max((line for line in firsts if line.startswith("#")), default="#")
    return "".join(f"{line}\n" for line in (header, *sorted(result.values())))


def _read_rows(table: _Table, text: str | None) -> dict[str, str]:
    rows: dict[str, str] = {}
    for line in (line.removesuffix("\r") for line in (text or "").split("\n")):
        if line and not line.startswith(("#", "@")) and "\t" in line:
            name = table.name(line)
            rows[name] = table.join(None, *sorted((rows[name], line))) if rows.get(name, line) != line else line
    return rows


def _choose_line(table: _Table, base: str | None, ours: str | None, theirs: str | None) -> str | None:
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    if ours is None or theirs is None:
        return ours or theirs
    return table.join(base, *sorted((ours, theirs)))


def _settle_entries(
    merged_rows: Mapping[str, str], base: Mapping[str, str], versions: Sequence[Mapping[str, str]], stands: Stands
) -> dict[str, str]:
    """Return the rows of entries, each with its words in force; a row without words is gone."""
    result = dict(merged_rows)
    for name, line in merged_rows.items():
        lines = [side[name] for side in versions if name in side]
        row = None if all(side == base.get(name) for side in lines) else _read_row(line)
        if row is None:
            continue
        sides = [side for side in map(_read_row, lines) if side is not None]
        valid_rows = [side for side in sides if side.status in SHOWN and stands(side)]
        if valid_rows and not (row.status not in ("tombstone", *SHOWN) or (row.status in SHOWN and stands(row))):
            row = _with_words(row, max(valid_rows, key=_rank))
        elif row.status in SHOWN and not stands(row):
            row = replace(row, status="tombstone")
        result[name] = "\t".join(entries.row_cells(row))
    return result


def _read_row(line: str | None) -> Row | None:
    return next(iter(entries.parse(line or "").values()), None)


def _rank(row: Row) -> tuple[object, ...]:
    return row.is_corrected, _RANKS[row.status], str(row.last or ""), entries.row_cells(row)


def _with_words(row: Row, words: Row) -> Row:
    return replace(words, **{name: getattr(row, name) for name in _COUNTED})


def _join_entries(base: str | None, left_line: str, right_line: str) -> str:
    """Join two rows of an entry: the words of the changed side, else by status and day; all mentions count."""
    before, first, second = map(_read_row, (base, left_line, right_line))
    if first is None or second is None:
        return left_line if second is None else right_line
    words = max((first, second), key=_rank)
    if before is not None:
        changed = [row for row in (first, second) if _with_words(before, row) != before]
        words = changed[0] if len(changed) == 1 else words
    none = frozenset[str]()
    result = replace(
        words,
        first=min((row.first for row in (first, second) if row.first), default=None),
        last=max((row.last for row in (first, second) if row.last), default=None),
        mentions=_join_names(before.mentions if before else none, first.mentions, second.mentions),
        sources=_join_names(before.sources if before else none, first.sources, second.sources),
    )
    return "\t".join(entries.row_cells(result))


def _join_names(before: frozenset[str], ours: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    """Return the names of both sides, without those that one of them took out."""
    return (ours | theirs) - (before - (ours & theirs))


def _join_cursors(_: str | None, ours: str, theirs: str) -> str:
    cursors = reading_cursors.parse(f"{ours}\n{theirs}\n")
    return reading_cursors.render(cursors).splitlines()[-1] if cursors else theirs


def _join_first(_: str | None, ours: str, theirs: str) -> str:
    return min(ours, theirs)


def _read_first_cell(line: str) -> str:
    return line.split("\t", 1)[0]


def _taint_name(line: str) -> str:
    """Return the subject of a row of the register of taints: a source, a turn, a text or a change."""
    cells = line.split("\t")
    return "\t".join((cells[0], *(cells[1:2] if cells[0] == "source" else cells[2:3])))


_TABLES = {
    entries.PATH: _Table(_read_first_cell, _join_entries),
    file_roles.FACTS: _Table(_read_first_cell, _join_first),
    file_roles.TAINTED: _Table(_taint_name, _join_first),
    file_roles.PURGED: _Table(_read_first_cell, _join_first),
    reading_cursors.PATH: _Table(_read_first_cell, _join_cursors),
}
