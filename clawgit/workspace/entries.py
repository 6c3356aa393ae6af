"""The sidecar: what is known of entries beyond their words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Literal, get_args

PATH = ".clawgit/entries.tsv"
HEADER = "# clawgit entries 1"

Status = Literal["live", "corrected", "superseded", "tombstone"]
STATUSES: tuple[Status, ...] = get_args(Status)

Rows = Mapping[str, "Row"]


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """One entry: columns as docs/format.md lists them; `mentions` are ids of messages or changes."""

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


_NAMES = tuple(column.name for column in fields(Row))


def parse(text: str) -> dict[str, Row]:
    """Return the rows of a sidecar by id; of an id that stands twice, as somebody's merge may leave it, both joined.

    Lines that are no rows are passed over: the text of an entry always wins.
    """
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    found: dict[str, Row] = {}
    for row in (_row(line.split("\t")) for line in lines if line and not line.startswith("#")):
        if row is not None:
            found[row.id] = _both(None, found[row.id], row) if row.id in found else row
    return found


def unreadable(text: str) -> list[int]:
    """Return the numbers of the lines, from 1, that are neither rows nor comments."""
    lines = (line.removesuffix("\r") for line in text.split("\n"))
    return [
        at for at, line in enumerate(lines, 1) if line and not line.startswith("#") and _row(line.split("\t")) is None
    ]


def render(rows: Rows) -> str:
    """Return the sidecar's text: a header, then one line for each row, sorted by id."""
    lines = [HEADER, *("\t".join(_cells(rows[key])) for key in sorted(rows))]
    return "".join(line + "\n" for line in lines)


def merge(base: str, ours: str, theirs: str) -> str:
    """Merge two sidecars by id, commutatively: what one side changed holds; where both did, the rows are joined."""
    before, left, right = parse(base), parse(ours), parse(theirs)
    merged: dict[str, Row] = {}
    for key in {**left, **right}:
        row = _merged(before.get(key), left.get(key), right.get(key))
        if row is not None:
            merged[key] = row
    return render(merged)


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
    same = {name: getattr(before, name) for name in _NAMES if getattr(now, name) == getattr(after, name)}
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


def _both(base: Row | None, left: Row, right: Row) -> Row:
    """Join two rows that both changed: mentions unite, dates widen, the graver status and the later row hold."""
    low, high = sorted((left, right), key=lambda row: (STATUSES.index(row.status), row.last or date.min, _cells(row)))
    dropped = (base.mentions if base else frozenset()) - (left.mentions & right.mentions)
    firsts = [row.first for row in (low, high) if row.first]
    lasts = [row.last for row in (low, high) if row.last]
    return replace(
        high,
        first=min(firsts, default=None),
        last=max(lasts, default=None),
        mentions=(low.mentions | high.mentions) - dropped,
    )


def _cells(row: Row) -> list[str]:
    return [_cell(getattr(row, name)) for name in _NAMES]


def _cell(value: object) -> str:
    if isinstance(value, frozenset):
        return ",".join(sorted(_cell(mention).replace(",", " ") for mention in value))
    if isinstance(value, float):
        return f"{value:g}"
    text = "" if value is None else str(value)
    return text.translate({ord("\t"): " ", ord("\n"): " ", ord("\r"): " "})


def _row(cells: list[str]) -> Row | None:
    try:
        oid, file, digest, tag, origin, confidence, first, last, mentions, status, by = cells
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
        )
    except (ValueError, StopIteration):
        return None


def _share(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:  # also what is no number at all: it would not even equal itself
        raise ValueError(text)
    return value
