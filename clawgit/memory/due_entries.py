"""Plans, and the days on which they are due."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from msgspec import Struct

from clawgit.language import due_dates
from clawgit.text.entry import Entry, entries, hash_entry
from clawgit.workspace.entries import PLANS, Row, Rows

LEAVES = "event"
"""What is over when its day is; a decision holds."""
WEEK = 7
"""Days that are shown: today and the six after it."""
_OLD = timedelta(days=400)
"""After which only a day with its year can still lie ahead."""
_YEAR = re.compile(r"\d{4}")


class Due(Struct, frozen=True):
    """An entry with the days that it names, on lines `start` to `end` of a file; `row` is None if unknown."""

    path: str
    entry: Entry
    row: Row | None
    days: tuple[date, ...]

    def next(self, today: date) -> date | None:
        """Return the first of its days that is not over."""
        return next((day for day in self.days if day >= today), None)

    def over(self, today: date) -> bool:
        """Return whether it is a plan of which the last day has passed."""
        tag = self.entry.tag or (self.row.tag if self.row else "")
        return tag == LEAVES and self.row is not None and self.days[-1] < today


def read_days(text: str, said: date | None, today: date) -> tuple[date, ...]:
    """Return the days to come that a text names, seen from the day on which it was said; of an old one with years."""
    is_old = said is not None and today - said > _OLD and not _YEAR.search(text)
    return () if is_old else due_dates.days(text, said)


def list_due(path: str, text: str, rows: Iterable[Row], today: date) -> Iterator[Due]:
    """Yield the entries of a file that name days to come, as seen from the day on which they were said.

    That is the first one that the sidecar knows; an entry of which nobody knows counts by days with their year. One
    without a tag, as people write them, counts as well.
    """
    hash_rows = {row.hash: row for row in sorted(rows, reverse=True) if row.file == path and row.status != "tombstone"}
    for entry in entries(text):
        if entry.kind != "bullet" or "superseded" in entry.status or entry.checked:
            continue
        row = hash_rows.get(hash_entry(entry.text))
        tag = entry.tag or (row.tag if row else "")
        if (tag and tag not in PLANS) or (row and row.status == "superseded"):
            continue
        if dates := read_days(entry.text, row.first if row else None, today):
            yield Due(path, entry, row, dates)


def list_coming(texts: Mapping[str, str], rows: Rows, today: date, days: int = WEEK) -> list[tuple[date, Due]]:
    """Return the entries in texts of files, by path, that are due within so many days, the soonest first."""
    items = (item for path, text in texts.items() for item in list_due(path, text, rows.values(), today))
    pairs = ((day, item) for item in items if (day := item.next(today)) and (day - today).days < days)
    return sorted(pairs, key=lambda pair: (pair[0], pair[1].path, pair[1].entry.start))
