"""Records of CONFLICTS.md: reads, adds, closes them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from clawgit.text import document
from clawgit.text.correction import RecordSection, read_sections

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
    for one in filter(None, map(_record, read_sections(text))):
        if one.id not in found or (found[one.id].open and one.status == "resolved"):
            found[one.id] = one
    return tuple(found.values())


def unreadable(text: str) -> tuple[int, ...]:
    """Return the lines, from 1, of the sections that are no records."""
    return tuple(section.start for section in read_sections(text) if _record(section) is None)


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
    rows, ending = document.split(text), document.eol(text)
    answer = (("Status", "resolved"), ("Winner", winner), ("Resolved", resolved))
    said = [f"- {name}: {_escaped(value)}{ending}" for name, value in answer]
    labels = {name.casefold() for name, _ in answer}
    for section in reversed(list(read_sections(text))):
        if section.id != wanted or _record(section) is None:
            continue
        kept = max(line for label, _, line in section.fields if label not in labels)
        rows[kept - 1] = document.content(rows[kept - 1]) + (document.end_of(rows[kept - 1]) or ending)
        rows[kept:kept] = said
        gone = [line for label, _, line in section.fields if label in labels]
        for line in reversed(gone):
            del rows[line - 1 + (len(said) if line > kept else 0)]
    return "".join(rows)


def _record(section: RecordSection) -> Conflict | None:
    values: dict[str, list[str]] = {}
    for label, value, _ in section.fields:
        values.setdefault(label, []).append(re.sub(r"\\([\\<])", r"\1", value))
    first = {label: said[0] for label, said in values.items()}
    if not section.id or not first.get("a") or not first.get("b"):
        return None
    resolved = "resolved" in (said.casefold() for said in values.get("status", ()))
    winners = dict.fromkeys(said.casefold() for said in values.get("winner", ()) if resolved)
    return Conflict(
        section.id,
        section.title,
        _side("a", first),
        _side("b", first),
        first.get("why", ""),
        first.get("rule", "open"),
        "resolved" if resolved else "open",
        tuple(winner for said in winners for winner in WINNERS if winner == said),
        tuple(values.get("resolved", ())),
        section.start,
        section.end,
    )


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
