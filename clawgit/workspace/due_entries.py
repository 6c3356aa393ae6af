"""Plans, and the days on which they are due."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from msgspec import Struct

from clawgit.language import due_dates
from clawgit.text.entry import Entry, digest, entries
from clawgit.workspace.entries import PLANS, Row, Rows

LEAVES = "event"
"""What is over when its day is; a decision holds."""
WEEK = 7
"""Days that are shown: today and the six after it."""
_OLD = timedelta(days=400)
"""After which only a day with its year can still lie ahead."""
_YEAR = re.compile(r"\d{4}")


class Due(Struct, frozen=True):
    """An entry with the days that it names, on lines `start` to `end` of a file; `row` is None where none knows it."""

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


def due(path: str, text: str, rows: Iterable[Row], today: date) -> Iterator[Due]:
    """Yield the entries of a file that name days to come, as seen from the day on which they were said.

    That is the first one that the sidecar knows; an entry of which nobody knows counts by days with their year.
    """
    known = {row.hash: row for row in sorted(rows, reverse=True) if row.file == path and row.status != "tombstone"}
    for one in entries(text):
        if one.kind != "bullet" or "superseded" in one.status or one.checked:
            continue
        row = known.get(digest(one.text))
        if (one.tag or (row.tag if row else "")) not in PLANS or (row and row.status == "superseded"):
            continue
        said = row.first if row else None
        if said and today - said > _OLD and not _YEAR.search(one.text):
            continue
        if found := due_dates.days(one.text, said):
            yield Due(path, one, row, found)


def coming(texts: Mapping[str, str], rows: Rows, today: date, days: int = WEEK) -> list[tuple[date, Due]]:
    """Return what the texts of files, by path, say is due within so many days from today on, the soonest first."""
    found = (one for path, text in texts.items() for one in due(path, text, rows.values(), today))
    near = ((day, one) for one in found if (day := one.next(today)) and (day - today).days < days)
    return sorted(near, key=lambda pair: (pair[0], pair[1].path, pair[1].entry.start))
