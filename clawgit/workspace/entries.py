"""The sidecar: what is known of entries beyond their words."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from operator import attrgetter
from typing import Literal, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.workspace import file_roles, version_vector
from clawgit.workspace.version_vector import Dot, Reading, Readings, Vector

PATH = ".clawgit/entries.tsv"
HEADER = "# clawgit entries 2"

Status = Literal["live", "corrected", "superseded", "tombstone"]
STATUSES: tuple[Status, ...] = get_args(Status)

PLANS = ("event", "decision")
"""The tags of what may be a plan; knowledge and skills hold, whatever days they name."""

Rows = Mapping[str, "Row"]

Issue = Callable[[Vector, int], Dot]
"""`issue(there, count)`: the first of `count` new dots for a file that tells of the dots `there`."""


class Row(Struct, frozen=True, order=True):
    """One entry: columns as docs/format.md lists them; `mentions` are ids of messages or changes.

    `sources` (the column `from`) are the ids of entries that were merged into it. `dots` name the write that made it,
    several where concurrent ones were joined, none where it is older than dots; two rows that say the same are equal
    whatever their dots.
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
    dots: tuple[Dot, ...] = ()
    sources: frozenset[str] = frozenset()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Row) and _said(self) == _said(other)

    def __hash__(self) -> int:
        return hash(_said(self))


_SAID = tuple(name for name in Row.__struct_fields__ if name != "dots")
_said = attrgetter(*_SAID)
_COLUMNS = tuple(name for name in _SAID if name != "sources")  # those of format 1; the rest may be left out
_READING, _GONE, _MORE = "@", 2, 2
_BREAKS = {ord("\t"): " ", ord("\n"): " ", ord("\r"): " "}


class Sidecar(Struct, frozen=True):
    """All that the file holds: the rows, the dots of rows that were taken out, and who had read what."""

    rows: dict[str, Row] = field(default_factory=dict)
    gone: dict[str, tuple[Dot, ...]] = field(default_factory=dict)
    readings: Readings = field(default_factory=Readings)

    @property
    def highest(self) -> dict[str, int]:
        """The highest dot of each machine that it tells of."""
        rows = (dot for row in self.rows.values() for dot in row.dots)
        gone = (dot for dots in self.gone.values() for dot in dots)
        return version_vector.highest((*rows, *gone), self.readings.known)

    def seen(self, name: str) -> dict[str, int]:
        """Return what the writer of a row had seen: of each machine the highest dot."""
        row = self.rows.get(name)
        return self.readings.seen(row.dots if row else self.gone.get(name, ()))


@lru_cache(maxsize=4)
def read(text: str) -> Sidecar:
    """Return what a sidecar holds; of an id that stands twice, as somebody's merge may leave it, both joined.

    Lines that are neither row nor reading are passed over: the text of an entry always wins. What is returned is known
    for the next caller, and not to be changed.
    """
    return parsed(text)


def parsed(text: str) -> Sidecar:
    """Return what `read` does, without knowing it for the next caller."""
    rows: dict[str, list[Row]] = {}
    gone: dict[str, tuple[Dot, ...]] = {}
    readings: list[Reading] = []
    for cells in (line.split("\t") for line in _lines(text) if line and not line.startswith("#")):
        found = _line(cells)
        if isinstance(found, Row):
            rows.setdefault(found.id, []).append(found)
        elif isinstance(found, Reading):
            readings.append(found)
        elif found is not None:
            gone[cells[0]] = (*gone.get(cells[0], ()), *found)
    known = Readings(readings)
    once = {key: some[0] if len(some) == 1 else _all(some, known) for key, some in rows.items()}
    return Sidecar(once, {key: known.standing(dots) for key, dots in gone.items() if key not in once}, known)


def parse(text: str) -> dict[str, Row]:
    """Return the rows of a sidecar by id."""
    return dict(read(text).rows)


def unreadable(text: str) -> list[int]:
    """Return the numbers of the lines, from 1, that say nothing and are no comments."""
    rows = enumerate(_lines(text), 1)
    return [at for at, line in rows if line and not line.startswith("#") and _line(line.split("\t")) is None]


def files_of_plans(memory: Iterable[str], rows: Rows) -> tuple[str, ...]:
    """Return the files that may hold what is due: the memory files, then those that plans were moved to."""
    plans = (row for row in rows.values() if row.tag in PLANS and row.status in ("live", "corrected"))
    others = {row.file for row in plans if file_roles.journal_day(row.file) is None}
    return tuple(dict.fromkeys((*memory, *sorted(others))))


def render(rows: Rows, beside: Sidecar | None = None) -> str:
    """Return the sidecar's text: a header, who had read what, then one line for each row, sorted by id.

    What else the file holds is taken from `beside`.
    """
    readings = beside.readings.known if beside else ()
    gone = {key: dots for key, dots in (beside.gone if beside else {}).items() if key not in rows}
    read_lines = [
        f"{_READING}\t{reading.machine}\t{reading.n}\t{version_vector.cell(reading.dots)}" for reading in readings
    ]
    cells = {key: row_cells(row) for key, row in rows.items()} | {
        key: [_cell(key), version_vector.cell(dots)] for key, dots in gone.items()
    }
    lines = [HEADER, *read_lines, *("\t".join(cells[key]) for key in sorted(cells))]
    return "".join(line + "\n" for line in lines)


def with_rows(text: str, rows: Rows) -> str:
    """Return the sidecar `text` with these rows and no others; of what has changed no dot is known yet."""
    there = read(text)
    if rows == there.rows:
        return text
    return render({key: undotted(row, there.rows.get(key)) for key, row in rows.items()}, there)


def migrated(data: bytes) -> bytes:
    """Return a sidecar of format 1 in the present one: another first line; its rows are rows here, byte for byte."""
    first, *others = data.split(b"\n")
    return b"\n".join((HEADER.encode(), *others)) if first.rstrip(b"\r").startswith(b"# clawgit entries") else data


def said(text: str) -> str:
    """Return the sidecar without dots and readings: what does not depend on who wrote it, and when."""
    return render({key: replace(row, dots=()) for key, row in parse(text).items()})


def merge(base: str, ours: str, theirs: str) -> str:
    """Merge two sidecars by id, commutatively: what one side changed holds; where both did, the rows are joined."""
    before, left, right = read(base), read(ours), read(theirs)
    known = Readings((*left.readings.known, *right.readings.known))
    merged: dict[str, Row] = {}
    gone: dict[str, tuple[Dot, ...]] = {}
    for key in {**left.rows, **right.rows, **left.gone, **right.gone}:
        row = _merged(before.rows.get(key), left.rows.get(key), right.rows.get(key))
        dots = known.standing(dot for side in (left, right) for dot in _dots_of(side, key))
        if row is not None:
            merged[key] = replace(row, dots=dots)
        elif dots:
            gone[key] = dots
    return render(merged, Sidecar(merged, gone, known))


def joined(rows: Rows, new: Iterable[Row], *, forget: str | None = None) -> dict[str, Row]:
    """Return `rows` with those of `new` set; mentions that stood already stay, but for the one called `forget`."""
    result = dict(rows)
    for row in new:
        there = result.get(row.id)
        mentions = row.mentions | (there.mentions if there else frozenset())
        result[row.id] = replace(row, mentions=mentions - {forget})
    return result


def taken_back(before: Row | None, after: Row, now: Row) -> Row:
    """Return `now` without the step from `before` (None: it was not there) to `after`; what came later stays."""
    if before is None:
        return replace(now, status="tombstone")
    same = {name: getattr(before, name) for name in _SAID if getattr(now, name) == getattr(after, name)}
    again = (now.mentions - (after.mentions - before.mentions)) | (before.mentions - after.mentions)
    last = now.last if now.mentions - after.mentions else same.get("last", now.last)
    return replace(now, **same | {"mentions": again, "last": last})


def _merged(base: Row | None, left: Row | None, right: Row | None) -> Row | None:
    if right in (left, base):
        return left
    if left == base:
        return right
    if left is None or right is None:
        return left or right
    return _both(base, left, right)


def _all(some: list[Row], known: Readings) -> Row:
    """Join the rows of one id."""
    found = some[0]
    for row in some[1:]:
        found = _both(None, found, row)
    return replace(found, dots=known.standing(dot for row in some for dot in row.dots))


def _both(base: Row | None, left: Row, right: Row) -> Row:
    """Join two rows that both changed: mentions unite, dates widen, the graver status and the later row hold.

    Of equals, which holds does not depend on what is united: the joined row has to come out of a second joining.
    """
    low, high = sorted((left, right), key=lambda row: (STATUSES.index(row.status), row.last or date.min, _held(row)))
    dropped = (base.mentions if base else frozenset()) - (left.mentions & right.mentions)
    firsts = [row.first for row in (low, high) if row.first]
    lasts = [row.last for row in (low, high) if row.last]
    return replace(
        high,
        first=min(firsts, default=None),
        last=max(lasts, default=None),
        mentions=(low.mentions | high.mentions) - dropped,
        sources=low.sources | high.sources,
    )


def _held(row: Row) -> list[str]:
    """Return the cells of which one row's hold when two are joined."""
    return row_cells(replace(row, first=None, last=None, mentions=frozenset(), sources=frozenset(), dots=()))


def undotted(row: Row, there: Row | None) -> Row:
    """Return a row with the dots of `there` if it says the same, else without any."""
    return replace(row, dots=there.dots if row == there else ())


def _dots_of(side: Sidecar, key: str) -> Iterator[Dot]:
    yield from side.rows[key].dots if key in side.rows else side.gone.get(key, ())


def row_cells(row: Row) -> list[str]:
    """Return the cells of a row; those of format 1 always, what is empty behind them not."""
    cells = [_cell(getattr(row, name)) for name in _COLUMNS]
    more = [version_vector.cell(row.dots), _cell(row.sources)]
    return cells + (more if more[1] else more[:1] if more[0] else [])


def _cell(value: object) -> str:
    if isinstance(value, str):
        return value if value.isprintable() else value.translate(_BREAKS)
    if isinstance(value, frozenset):
        return ",".join(sorted(_cell(mention).replace(",", " ") for mention in value))
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else _cell(str(value))


def _lines(text: str) -> Iterator[str]:
    return (line.removesuffix("\r") for line in text.split("\n"))


def _line(cells: list[str]) -> Row | Reading | tuple[Dot, ...] | None:
    """Return what a line says: a row, a reading, or the dots of a row that was taken out; None for none of these."""
    if cells[0] == _READING:
        return _reading(cells)
    if len(cells) == _GONE:
        return version_vector.dots(cells[1]) or None
    return _row(cells)


def _reading(cells: list[str]) -> Reading | None:
    try:
        _, machine, n, dots = cells
    except ValueError:
        return None
    found, start = version_vector.dots(dots), version_vector.dots(f"{machine}:{n}")
    return Reading(*start[0], found) if start and found else None


def _row(cells: list[str]) -> Row | None:
    more = cells[len(_COLUMNS) :]
    if len(more) > _MORE:
        return None
    dots, sources = [*more, "", ""][:_MORE]
    try:
        oid, file, digest, tag, origin, confidence, first, last, mentions, status, by = cells[: len(_COLUMNS)]
        return Row(
            oid,
            file,
            digest,
            tag,
            origin,
            _share(confidence),
            date.fromisoformat(first) if first else None,
            date.fromisoformat(last) if last else None,
            frozenset(mention for mention in mentions.split(",") if mention),
            next(known for known in STATUSES if known == status),
            by,
            version_vector.dots(dots),
            frozenset(name for name in sources.split(",") if name),
        )
    except (ValueError, StopIteration):
        return None


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:  # also what is no number at all: it would not even equal itself
        raise ValueError(text)
    return value
