"""Records of CONFLICTS.md: reads, adds, closes them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from clawgit.text import document
from clawgit.text.entry import is_id

Winner = Literal["a", "b", "both", "merged", "none"]
WINNERS: tuple[Winner, ...] = ("a", "b", "both", "merged", "none")
BIRTH = """\
# Conflicts

Memories that contradict each other, one section for each pair; an open one waits for the operator to say which holds.
"""

TWO_MACHINES = "sync"
"""The rule of a record that a sync opened: side A stands, and B may stand in the record alone."""

LEFT_OUT = "(left out)"
"""What a side says that is not there: of an entry, one writer wants to have it and another one not."""

_FIELD = re.compile(r"[ \t]*[-*+][ \t]+\**([^:*]{1,40}?)\**[ \t]*:\**[ \t]*(.*)")
_PLACE = re.compile(r"(?P<path>.+), (?P<id>[k-z]{10}), (?P<date>\d{4}-\d{2}-\d{2}|undated), (?P<origin>\w+)")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: its words, its file, entry id, date in ISO 8601 ("" unknown) and origin."""

    text: str
    path: str = ""
    id: str = ""
    date: str = ""
    origin: str = ""

    @property
    def nothing(self) -> bool:
        """Whether this side is that the other one goes."""
        return self.text == LEFT_OUT and not self.path


@dataclass(frozen=True, slots=True)
class Conflict:
    """One record. `found` is when it was found, `rule` what decided, `resolved` when and by whom and how.

    `winners` are several where it was resolved in several ways; `start` and `end` are its lines, from 1, both inside.
    """

    id: str
    found: str
    a: Side
    b: Side
    why: str = ""
    rule: str = "open"
    status: str = "open"
    winners: tuple[Winner, ...] = ()
    resolved: tuple[str, ...] = ()
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)

    @property
    def disputed(self) -> bool:
        """Whether it was resolved in ways that contradict each other, as on two machines."""
        return len(set(self.winners)) > 1

    @property
    def open(self) -> bool:
        """Whether it waits for the operator."""
        return self.status != "resolved" or self.disputed

    @property
    def winner(self) -> Winner:
        """Which side holds."""
        return "none" if self.open or not self.winners else self.winners[0]


def conflicts(text: str) -> tuple[Conflict, ...]:
    """Return the records in their order, of each id one: of several the resolved one counts, else the first.

    A section without an id, or without the words of both sides, is passed over.
    """
    found: dict[str, Conflict] = {}
    for one in _records(text):
        if one.id not in found or (found[one.id].open and one.status == "resolved"):
            found[one.id] = one
    return tuple(found.values())


def unreadable(text: str) -> tuple[int, ...]:
    """Return the lines, from 1, of the sections that are no records."""
    known = {record.start for record in _records(text)}
    return tuple(start for start, _, _ in _sections(text) if start not in known)


def rendered(one: Conflict) -> str:
    """Return the section of a record. What is appended when it is resolved stands last, so that two clones merge."""
    rows = [
        ("A", one.a.text),
        ("A is", _place(one.a)),
        ("B", one.b.text),
        ("B is", _place(one.b)),
        ("Why", one.why),
        ("Rule", one.rule),
        ("Status", one.status),
        *(("Winner", winner) for winner in one.winners),
        *(("Resolved", said) for said in one.resolved),
    ]
    return f"## {one.id} {one.found}\n\n" + "".join(f"- {name}: {_escaped(value)}\n" for name, value in rows)


def closed(text: str, wanted: str, winner: Winner, resolved: str) -> str:
    """Return the text with every record of that id resolved; what else stands in its section stays."""
    rows = document.split(text)
    ending = document.eol(text)
    for one in sorted(_records(text), key=lambda found: -found.start):
        if one.id == wanted:
            rows[one.start - 1 : one.end] = _closed(rows[one.start - 1 : one.end], winner, resolved, ending)
    return "".join(rows)


def _closed(rows: list[str], winner: Winner, resolved: str, ending: str) -> list[str]:
    kept = [row for row in rows if _label(row) not in {"status", "winner", "resolved"}]
    at = max((number for number, row in enumerate(kept, 1) if _label(row)), default=len(kept))
    if at and not document.end_of(kept[at - 1]):
        kept[at - 1] += ending
    said = (("Status", "resolved"), ("Winner", winner), ("Resolved", resolved))
    return [*kept[:at], *(f"- {name}: {_escaped(value)}{ending}" for name, value in said), *kept[at:]]


def _label(row: str) -> str:
    match = _FIELD.fullmatch(document.content(row))
    return match[1].strip().casefold() if match else ""


def _records(text: str) -> list[Conflict]:
    return [one for start, end, rows in _sections(text) if (one := _record(start, end, rows))]


def _sections(text: str) -> list[tuple[int, int, list[str]]]:
    """Return each section with its first and last line; no heading counts in a code block."""
    rows = [document.content(row) for row in document.split(text)]
    code = document.fenced_lines(text)
    heads = [number for number, row in enumerate(rows, 1) if row.startswith("## ") and number not in code]
    ends = [*(head - 1 for head in heads[1:]), len(rows)]
    return [(head, end, rows[head - 1 : end]) for head, end in zip(heads, ends, strict=bool(heads))]


def _record(start: int, end: int, rows: list[str]) -> Conflict | None:
    words = rows[0].split()
    name = next(filter(is_id, words), "")
    values: dict[str, list[str]] = {}
    for row in rows[1:]:
        if match := _FIELD.fullmatch(row):
            values.setdefault(match[1].strip().casefold(), []).append(re.sub(r"\\([\\<])", r"\1", match[2].strip()))
    first = {label: said[0] for label, said in values.items()}
    if not name or not first.get("a") or not first.get("b"):
        return None
    resolved = "resolved" in (said.casefold() for said in values.get("status", ()))
    return Conflict(
        name,
        " ".join(word for word in words[1:] if word != name),
        _side("a", first),
        _side("b", first),
        first.get("why", ""),
        first.get("rule", "open"),
        "resolved" if resolved else "open",
        _winners(values.get("winner", ())) if resolved else (),
        tuple(values.get("resolved", ())),
        start,
        end,
    )


def _winners(said: Iterable[str]) -> tuple[Winner, ...]:
    known = {one.casefold(): None for one in said}
    return tuple(winner for one in known for winner in WINNERS if winner == one)


def _side(label: str, values: Mapping[str, str]) -> Side:
    match = _PLACE.fullmatch(values.get(f"{label} is", ""))
    if match is None:
        return Side(values[label])
    date = "" if match["date"] == "undated" else match["date"]
    return Side(values[label], match["path"], match["id"], date, match["origin"])


def _place(side: Side) -> str:
    return f"{side.path}, {side.id}, {side.date or 'undated'}, {side.origin}"


def _escaped(text: str) -> str:
    r"""Return one line that opens no HTML, comment or tag: each `<` and `\` after a backslash."""
    return re.sub(r"[\\<]", r"\\\g<0>", " ".join(text.split()))
