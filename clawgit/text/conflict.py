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

UNCHANGED = "the files stay as they are"
"""The answer of a record that was rejected."""

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
    """One record. `found` is its date, `rule` the deciding rule, `resolved` the date, author and way of its resolution.

    `winners` are several if it was resolved in several ways; `start` and `end` are its lines, from 1, both inside.
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
    def sides(self) -> tuple[Side, Side]:
        """Both sides, A first."""
        return self.a, self.b

    @property
    def disputed(self) -> bool:
        """Whether it was resolved in ways that contradict each other, as on two machines."""
        return len(set(self.winners)) > 1

    @property
    def open(self) -> bool:
        """Whether it waits for the operator."""
        return self.status != "resolved" or self.disputed


def conflicts(text: str) -> tuple[Conflict, ...]:
    """Return the records in their order, of each id one: of several the resolved one counts, else the first.

    A section without an id, or without the words of both sides, is passed over.
    """
    records: dict[str, Conflict] = {}
    for record in filter(None, map(_read_conflict, read_sections(text))):
        if record.id not in records or (records[record.id].open and record.status == "resolved"):
            records[record.id] = record
    return tuple(records.values())


def unreadable(text: str) -> tuple[int, ...]:
    """Return the lines, from 1, of the sections that are no records."""
    return tuple(section.start for section in read_sections(text) if _read_conflict(section) is None)


def rendered(record: Conflict) -> str:
    """Return the section of a record. Lines of its resolution come last, so that two clones merge."""
    rows = [
        ("A", record.a.text),
        ("A is", _format_place(record.a)),
        ("B", record.b.text),
        ("B is", _format_place(record.b)),
        ("Why", record.why),
        ("Rule", record.rule),
        ("Status", record.status),
        *(("Winner", winner) for winner in record.winners),
        *(("Resolved", answer) for answer in record.resolved),
    ]
    return f"## {record.id} {record.found}\n\n" + "".join(f"- {name}: {_escaped(value)}\n" for name, value in rows)


def close_records(text: str, record_id: str, winner: Winner, resolution: str) -> str:
    """Return the text with every record of that id resolved; other lines of its section stay."""
    rows, ending = document.split(text), document.eol(text)
    answer = (("Status", "resolved"), ("Winner", winner), ("Resolved", resolution))
    answer_rows = "".join(f"- {name}: {_escaped(value)}{ending}" for name, value in answer)
    labels = {name.casefold() for name, _ in answer}
    for section in read_sections(text):
        if section.id != record_id or _read_conflict(section) is None:
            continue
        for line in (line for label, _, line in section.fields if label in labels):
            rows[line - 1] = ""
        # The resolution comes last here as well, so that two clones merge.
        index = max(line for label, _, line in section.fields if label not in labels) - 1
        rows[index] = document.content(rows[index]) + (document.end_of(rows[index]) or ending) + answer_rows
    return "".join(rows)


def _read_conflict(section: RecordSection) -> Conflict | None:
    values: dict[str, list[str]] = {}
    for label, value, _ in section.fields:
        values.setdefault(label, []).append(re.sub(r"\\([\\<])", r"\1", value))
    first = {label: texts[0] for label, texts in values.items()}
    if not section.id or not first.get("a") or not first.get("b"):
        return None
    is_resolved = "resolved" in (text.casefold() for text in values.get("status", ()))
    winners = dict.fromkeys(word.casefold() for word in values.get("winner", ()) if is_resolved)
    return Conflict(
        section.id,
        section.title,
        _side("a", first),
        _side("b", first),
        first.get("why", ""),
        first.get("rule", "open"),
        "resolved" if is_resolved else "open",
        tuple(winner for word in winners for winner in WINNERS if winner == word),
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


def _format_place(side: Side) -> str:
    return f"{side.path}, {side.id}, {side.date or 'undated'}, {side.origin}"


def _escaped(text: str) -> str:
    r"""Return one line that opens no HTML, comment or tag: each `<` and `\` after a backslash."""
    return re.sub(r"[\\<]", r"\\\g<0>", " ".join(text.split()))
