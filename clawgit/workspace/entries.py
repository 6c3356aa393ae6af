"""The sidecar: the data of entries beyond their words."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.text.entry import Table, make_name, read_rows

PATH = ".clawgit/entries.tsv"
HEADER = "# clawgit entries 2"

Status = Literal["live", "corrected", "superseded", "tombstone"]
STATUSES: tuple[Status, ...] = get_args(Status)

PLANS = ("event", "decision")
"""The tags of what may be a plan; knowledge and skills hold, whatever days they name."""

Rows = Mapping[str, "Row"]


class Row(Struct, frozen=True, order=True):
    """One entry: columns as docs/format.md lists them; `mentions` are ids of messages or changes.

    `sources` (the column `from`) are the ids of entries that were merged into it.
    """

    id: str
    file: str
    hash: str
    tag: str = ""
    origin: str = "operator"
    confidence: float = 0.95
    first: date | None = None
    last: date | None = None
    mentions: frozenset[str] = frozenset()
    status: Status = "live"
    by: str = ""
    sources: frozenset[str] = frozenset()

    @property
    def is_corrected(self) -> bool:
        """Whether a correction, or the decision of a conflict, gave the entry its words."""
        return self.status == "corrected" or (self.status == "live" and bool(self.by))


_COLUMNS = tuple(name for name in Row.__struct_fields__ if name != "sources")  # those of format 1
_OPTIONAL_COLUMNS = 2
_BREAKS = {ord("\t"): " ", ord("\n"): " ", ord("\r"): " "}


def parse(text: str) -> dict[str, Row]:
    """Return the rows of a sidecar by id; those of a repeated id, as a merge by others may leave it, are joined.

    Other lines are skipped: the text of an entry always wins.
    """
    return dict(_read_rows_of_sidecar(text))


@lru_cache(maxsize=4)
def _read_rows_of_sidecar(text: str) -> Mapping[str, Row]:
    rows = (_parse_row(line) for line in read_rows(TABLE, text).values())
    return {row.id: row for row in rows if row is not None}


@lru_cache(maxsize=2)  # a server asks about the same sidecar again and again
def list_dead(text: str) -> Mapping[tuple[str, str], str]:
    """Return the entries that a sidecar knows to be superseded, and nowhere in their file live.

    They are named by file and hash, each with the id of the change that superseded it.
    """
    if "superseded" not in text:
        return {}
    rows = parse(text).values()
    live = {(row.file, row.hash) for row in rows if row.status == "live"}
    dead = {(row.file, row.hash): row.by for row in rows if row.status == "superseded"}
    return {key: change_id for key, change_id in dead.items() if key not in live}


def unreadable(text: str) -> list[int]:
    """Return the numbers of the unreadable lines, from 1, without comments."""
    lines = enumerate((line.removesuffix("\r") for line in text.split("\n")), 1)
    rows = ((number, line) for number, line in lines if line and not line.startswith("#"))
    return [number for number, line in rows if _parse_row(line) is None]


def files_of_plans(memory: Iterable[str], rows: Rows) -> tuple[str, ...]:
    """Return the files that may have due entries: the memory files, then those that plans were moved to."""
    plans = (row for row in rows.values() if row.tag in PLANS and row.status in ("live", "corrected"))
    others = {row.file for row in plans if file_roles.journal_day(row.file) is None}
    return tuple(dict.fromkeys((*memory, *sorted(others))))


def render_sidecar(rows: Rows) -> str:
    """Return the sidecar's text: a header, then one line for each row, sorted by id."""
    return "".join(f"{line}\n" for line in (HEADER, *("\t".join(row_cells(rows[key])) for key in sorted(rows))))


def with_rows(text: str, rows: Rows) -> str:
    """Return the sidecar `text` with these rows and no others."""
    return text if rows == parse(text) else render_sidecar(rows)


def format_sidecar(text: str) -> str:
    """Return a sidecar as we write it: the rows, and nothing else."""
    return render_sidecar(parse(text))


def join_rows(rows: Rows, new: Iterable[Row], *, forget: str | None = None) -> dict[str, Row]:
    """Return `rows` with those of `new` set; existing mentions stay, but for the one called `forget`."""
    result = dict(rows)
    for row in new:
        standing_row = result.get(row.id)
        mentions = row.mentions | (standing_row.mentions if standing_row else frozenset())
        result[row.id] = replace(row, mentions=mentions - {forget})
    return result


def take_back(before: Row | None, after: Row, now: Row) -> Row:
    """Return `now` without the step from `before` (None: no row) to `after`; later changes stay."""
    if before is None:
        return replace(now, status="tombstone")
    values = {
        name: getattr(before, name) for name in Row.__struct_fields__ if getattr(now, name) == getattr(after, name)
    }
    old_mentions = (now.mentions - (after.mentions - before.mentions)) | (before.mentions - after.mentions)
    last = now.last if now.mentions - after.mentions else values.get("last", now.last)
    return replace(now, **values | {"mentions": old_mentions, "last": last})


def row_cells(row: Row) -> list[str]:
    """Return the cells of a row; empty ones behind those of format 1 are left out."""
    cells = [_cell(getattr(row, name)) for name in _COLUMNS]
    return [*cells, "", _cell(row.sources)] if row.sources else cells


def _cell(value: object) -> str:
    if isinstance(value, str):
        return value if value.isprintable() else value.translate(_BREAKS)
    if isinstance(value, frozenset):
        return ",".join(sorted(_cell(mention).replace(",", " ") for mention in value))
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else _cell(str(value))


def _parse_row(line: str) -> Row | None:
    cells = line.split("\t")
    extra_cells = cells[len(_COLUMNS) :]
    if len(extra_cells) > _OPTIONAL_COLUMNS:
        return None
    sources = extra_cells[1] if len(extra_cells) == _OPTIONAL_COLUMNS else ""
    try:
        oid, file, digest, tag, origin, confidence, first, last, mentions, status, remover = cells[: len(_COLUMNS)]
        first_day, last_day = (date.fromisoformat(day) if day else None for day in (first, last))
        state = next(candidate for candidate in STATUSES if candidate == status)
        share = float(confidence)
    except (ValueError, StopIteration):
        return None
    names, source_names = (frozenset(filter(None, cell.split(","))) for cell in (mentions, sources))
    row = Row(oid, file, digest, tag, origin, share, first_day, last_day, names, state, remover, source_names)
    return row if 0 <= share <= 1 else None  # also what is no number at all: it would not even equal itself


def edit_sidecar(text: str, new: Iterable[Row], drops: Container[str] = (), *, forget: str | None = None) -> str:
    """Return the sidecar `text` with the rows `new` joined to the existing ones, and those of `drops` removed."""
    remaining = {key: row for key, row in parse(text).items() if key not in drops}
    return with_rows(text, join_rows(remaining, new, forget=forget))


# ---- two sides

_VISIBLE = ("live", "corrected")
_RANKS = {"corrected": 1, "superseded": 2, "live": 1, "tombstone": 0}


def _rank_row(row: Row) -> tuple[object, ...]:
    return row.is_corrected, _RANKS[row.status], str(row.last or ""), row_cells(row)


def _with_words(row: Row, words: Row) -> Row:
    """Return a row with the words and the status of another; its own days, mentions and sources stay."""
    return replace(words, first=row.first, last=row.last, mentions=row.mentions, sources=row.sources)


def _join_rows(base: str | None, left_line: str, right_line: str) -> str:
    """Join two lines of an entry: the words of the changed side, else by status and day; all mentions count."""
    before, first, second = (_parse_row(line or "") for line in (base, left_line, right_line))
    if first is None or second is None:
        return left_line if second is None else right_line
    words = max((first, second), key=_rank_row)
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
    return "\t".join(row_cells(result))


def _join_names(before: frozenset[str], ours: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    """Return the names of both sides, without those that one of them took out."""
    return (ours | theirs) - (before - (ours & theirs))


TABLE = Table(join=_join_rows)


def settle_rows(line: str, sides: Sequence[str], stands: Callable[[Row], bool]) -> Iterator[str]:
    """Yield the merged line of an entry with words that are in its file, or as a tombstone if there are none.

    If the file has the words of both sides, those of the other one are an entry of their own.
    """
    row = _parse_row(line)
    if row is None:
        yield line
        return
    rows = (_parse_row(side) for side in sides)
    valid_rows = [side for side in rows if side and side.status in _VISIBLE and stands(side)]
    if valid_rows and not (row.status not in ("tombstone", *_VISIBLE) or (row.status in _VISIBLE and stands(row))):
        row = _with_words(row, max(valid_rows, key=_rank_row))
    elif row.status in _VISIBLE and not stands(row):
        row = replace(row, status="tombstone")
    yield "\t".join(row_cells(row))
    for other in valid_rows if row.status in _VISIBLE else ():
        if (other.file, other.hash) != (row.file, row.hash):
            yield "\t".join(row_cells(replace(other, id=make_name(f"{other.id}\0{other.hash}"))))
