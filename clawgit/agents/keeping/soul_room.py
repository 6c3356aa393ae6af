"""Finds which line of a full soul may go."""

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from clawgit.text.entry import Entry, digest, entries, normalise
from clawgit.text.sameness.relation import compare
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.entries import Row

_MARKER = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?:\[[ xX]\][ \t]+)?")


class Line(Struct, frozen=True):
    """A bullet or paragraph of a soul."""

    entry: Entry

    @property
    def text(self) -> str:
        """Its words, on one row."""
        return one_line(self.entry.text)


class Way(Struct, frozen=True):
    """The line that may go, and why; `twin` is the one that says the same, None where it is merely the weakest."""

    line: Line
    why: str
    twin: Line | None = None


def lines(soul: str) -> tuple[Line, ...]:
    """Return the bullets and paragraphs of a soul."""
    return tuple(map(Line, entries(soul)))


def way(there: Sequence[Line], protected: Collection[str], rows: Mapping[str, Row], path: str) -> Way | None:
    """Return what makes room: of two lines that say the same one, else the least supported one; None where none may go.

    Protected lines stay, and those that came from what the operator asked for (spec P2).
    """
    support: dict[str, list[Row]] = {}
    for row in rows.values():
        if row.file == path and row.status == "live":
            support.setdefault(row.hash, []).append(row)
    free = [one for one in there if one.entry.kind == "bullet" and not is_protected(one, protected)]
    twin = _twin(there, free)
    if twin:
        return twin
    asked = {key for key, some in support.items() if any(row.origin == "operator" for row in some)}
    loose = [one for one in free if digest(one.entry.text) not in asked]
    weakest = min(loose, key=lambda one: (len(support.get(digest(one.entry.text), ())), one.entry.start), default=None)
    if weakest is None:
        return None
    count = len(support.get(digest(weakest.entry.text), ()))
    return Way(weakest, f"It is the line with the least behind it: {count or 'no'} remark{'' if count == 1 else 's'}.")


def is_protected(line: Line, protected: Collection[str]) -> bool:
    """Tell whether the operator approved a line in so many words; `protected` are the lines as they stand."""
    kept = {normalise(_MARKER.sub("", row)) for row in protected if row.strip()}
    return any(normalise(row) in kept for row in line.entry.text.split("\n"))


def _twin(there: Sequence[Line], free: Sequence[Line]) -> Way | None:
    for one, other in combinations(there, 2):
        goes = other if other in free else one if one in free else None
        if goes and compare(one.text, other.text).relation == "same":
            stays = one if goes is other else other
            return Way(goes, f'It says what "{stays.text}" says.', stays)
    return None
