"""Follows the rows of a table through edits and merges."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from msgspec import Struct, field

from clawgit.text.merging.event_graph import BASE, EventGraph, Values, standing

_DIGITS = 15
_LATEST = 4
"""So many texts are at hand as rows: those of an edit, before and after, and what they are held against."""

Name = Callable[[str], str | None]
"""What a row is known by; None for a line that is none."""
SettleRows = Callable[[str, Sequence[str]], str]
"""Makes one row of the concurrent ones of a name, in an order that is always the same."""


class RowVersion(Struct, frozen=True):
    """A table after some events: what they wrote, by the name of the row; `made` has a bit for each of them."""

    there: bool
    values: dict[str, Values] = field(default_factory=dict)
    made: int = 0


class RowHistory:
    """A file of rows, each with a name, sorted. Its first line says what it is."""

    def __init__(self, graph: EventGraph, text: str | None, name: Name, settle: SettleRows, header: str) -> None:
        self.graph, self._name, self._settle, self._header = graph, name, settle, header
        self._rows = lru_cache(_LATEST)(self._parsed)
        self._first = {} if text is None else self._rows(text)
        self.start = RowVersion(text is not None)

    def text(self, version: RowVersion) -> str | None:
        """Return what the file says, None where there is none."""
        rows = self.rows(version)
        if not version.there and not rows:
            return None
        return "".join(f"{line}\n" for line in (self._header, *sorted(rows.values(), key=_cells)))

    def rows(self, version: RowVersion) -> dict[str, str]:
        """Return the rows by their names."""
        rows = dict(self._first)
        for name, values in version.values.items():
            said = sorted({value for value in values.values() if value is not None})
            if said:
                rows[name] = said[0] if len(said) == 1 else self._settle(name, said)
            else:
                rows.pop(name, None)
        return rows

    def contested(self, version: RowVersion) -> dict[str, list[str]]:
        """Return what concurrent events wrote of one row, where that is not the same."""
        found = {
            name: sorted({value for value in some.values() if value is not None})
            for name, some in version.values.items()
        }
        return {name: said for name, said in found.items() if len(said) > 1}

    def edited(self, version: RowVersion, event: int, text: str | None, shown: str | None = None) -> RowVersion:
        """Return the version in which `event` made `text` of the file (None: deleted it).

        `shown` is what stood there where that is not what the version says: rows that did not change are left alone.
        """
        old = self.rows(version) if shown is None else self._rows(shown)
        new = {} if text is None else self._rows(text)
        values = dict(version.values)
        for name in {**old, **new}:
            if old.get(name) != new.get(name):
                values[name] = {event: new.get(name)}
        return RowVersion(text is not None, values, version.made | 1 << event)

    def differing(self, one: str | None, other: str | RowVersion | None) -> set[str]:
        """Return the names of the rows in which a text of the file differs from another one, or from a version."""
        here = self._rows(one or "")
        there = self.rows(other) if isinstance(other, RowVersion) else self._rows(other or "")
        return {name for name in {**here, **there} if here.get(name) != there.get(name)}

    def joined(self, sides: Iterable[tuple[RowVersion, int]]) -> RowVersion:
        """Return what several versions come to, each with the event after which it stood; the same in any order."""
        every = list(sides)
        made = 0
        for version, _ in every:
            made |= version.made
        whole = next((version for version, _ in every if version.made == made), None)
        if whole is not None:
            return whole
        values = {
            name: standing([(self._values(version, name), self.graph.seen[event]) for version, event in every])
            for name in dict.fromkeys(name for version, _ in every for name in version.values)
        }
        return RowVersion(any(version.there for version, _ in every), values, made)

    def _values(self, version: RowVersion, name: str) -> Values:
        found = version.values.get(name)
        if found is not None:
            return found
        return {BASE: self._first[name]} if name in self._first else {}

    def _parsed(self, text: str) -> dict[str, str]:
        rows: dict[str, str] = {}
        for line in (line.removesuffix("\r") for line in text.split("\n")):
            name = self._name(line) if line and not line.startswith("#") else None
            if name is not None and line != rows.get(name, line):
                rows[name] = self._settle(name, sorted((rows[name], line)))
            elif name is not None:
                rows[name] = line
        return rows


def _cells(line: str) -> list[str]:
    """Return what rows are sorted by; the numbers of readings, which stand above all, by their size."""
    cells = line.split("\t")
    return [cells[0], cells[1], cells[2].zfill(_DIGITS), *cells[3:]] if cells[0] == "@" and cells[2:] else cells
