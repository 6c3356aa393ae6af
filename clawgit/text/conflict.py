"""Records of CORRECTIONS.md and CONFLICTS.md."""

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Literal

from msgspec import Struct, field

from clawgit.text import document
from clawgit.text.entry import is_id

_WRONG = ("said", "what the agent said", "was", "wrong")
_TRUE = ("true", "what is true", "correct information", "correct", "is")
_FIELD = re.compile(r"[ \t]*[-*+][ \t]+\**([^:*]{1,40}?)\**[ \t]*:\**[ \t]*(.*)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?")
NOTE = re.compile(r"[ \t]*- Corrected \d{4}-\d\d-\d\d: (.*?)(?: \(CORRECTIONS\.md#\w+\))?\s*$")
"""The line below a refuted line of a journal."""

WAS, STANDS = "Entry was", "Entry is"
SENTENCE, LINES = "Sentence", "Lines"
"""The operator's whole sentence, and the entries that it reached."""
ABOUT, SOURCE, TRIGGER, SURE, SUPERSEDES = "About", "Source", "Trigger", "Trigger confidence", "Supersedes"
ANSWERS = "Answers"
"""Quotes the whole sentence that was wrong where no entry says it."""
REEMBEDDED = "Re-embedded"
"""`true` of each record of ours: search serves what is true from its commit on."""
LEFT_IN = "Left in"
"""Names the file in which the agent itself is asked to mend what was wrong."""
EMPTY_CORRECTIONS = "# Corrections\n"


class RecordSection(Struct, frozen=True):
    """A section of a file of records: the id in its heading, "" for none, and the rest of the heading.

    It begins on line `start`, from 1, and ends with its last line that is not blank. `fields` are its bullets
    `- Label: value`, each with its label in lower case and its line.
    """

    id: str
    title: str
    start: int
    end: int
    fields: tuple[tuple[str, str, int], ...]


def read_sections(text: str) -> Iterator[RecordSection]:
    """Yield the sections of CORRECTIONS.md or CONFLICTS.md; no heading counts in a code block."""
    rows = [document.content(row) for row in document.split(text)]
    code = document.fenced_lines(text)
    heads = [number for number, row in enumerate(rows, 1) if row.startswith("## ") and number not in code]
    for head, after in pairwise([*heads, len(rows) + 1]):
        filled = [number for number in range(head, after) if rows[number - 1].strip()]
        matches = ((_FIELD.fullmatch(rows[number - 1]), number) for number in filled[1:])
        fields = ((match[1].strip().casefold(), match[2].strip(), number) for match, number in matches if match)
        words = rows[head - 1].split()
        name = next(filter(is_id, words), "")
        title = " ".join(word for word in words[1:] if word != name)
        yield RecordSection(name, title, head, filled[-1], tuple(fields))


class Correction(Struct, frozen=True):
    """One record: the wrong value `said` and the `true` one, "" if missing; labels in lower case.

    `others` are further entries that were corrected, before and after. `at` is the time in the heading; `line` is that
    of the heading, `end` the last one of the record that is not empty, both counted from 1.
    """

    id: str
    fields: Mapping[str, str] = field(default_factory=dict)
    at: str = ""
    end: int = 0
    line: int = 0
    others: tuple[tuple[str, str], ...] = ()

    @property
    def said(self) -> str:
        """The wrong memory: the whole entry if there was one, else the value."""
        return self._first(WAS.casefold()) or self._first(*_WRONG)

    @property
    def true(self) -> str:
        """The true one, in the same form."""
        return self._first(STANDS.casefold()) or self._first(*_TRUE)

    @property
    def values(self) -> tuple[str, str]:
        """The wrong and the true value, by themselves."""
        return self._first(*_WRONG), self._first(*_TRUE)

    @property
    def subject(self) -> str:
        """The whole sentence that was wrong: the entry, or the one that the correction answers; "" unknown."""
        return self._first(WAS.casefold(), ANSWERS.casefold())

    @property
    def about(self) -> str:
        """The id of the entry that was corrected, "" for none."""
        return self._first(ABOUT.casefold())

    @property
    def left_in(self) -> str:
        """The file of OpenClaw's in which the wrong words were left, "" for none."""
        return self._first(LEFT_IN.casefold())

    @property
    def embedded(self) -> bool:
        """Whether search serves it."""
        return self._first(REEMBEDDED.casefold()).casefold() == "true"

    def _first(self, *labels: str) -> str:
        return next((self.fields[label] for label in labels if label in self.fields), "")


def corrections(text: str) -> tuple[Correction, ...]:
    """Return the records in their order; the id is "" if a heading has none.

    Of a repeated field the first counts, but for the entries before and after.
    """
    records = list[Correction]()
    for section in read_sections(text):
        # The last of equal keys wins in a dictionary: in reverse order that is the first field.
        fields = {label: value for label, value, _ in reversed(section.fields)}
        date = _DAY.search(section.title)
        sides = ([value for name, value, _ in section.fields if name == side.casefold()][1:] for side in (WAS, STANDS))
        others = tuple(zip(*sides, strict=False))
        records.append(Correction(section.id, fields, date[0] if date else "", section.end, section.start, others))
    return tuple(records)


def format_record(name: str, moment: str, fields: Iterable[tuple[str, str]]) -> str:
    """Return a record: a heading with its id and its time, a bullet for each field with a value."""
    rows = [f"- {label}: {' '.join(value.split())}" for label, value in fields if value.strip()]
    text = "\n".join((f"## {name} {moment}", "", *rows)) + "\n"
    return text.replace("<!--", "<\\!--").replace("-->", "--\\>")  # no comment opens or closes


Winner = Literal["a", "b", "both", "merged", "none"]
WINNERS: tuple[Winner, ...] = ("a", "b", "both", "merged", "none")
EMPTY_CONFLICTS = """\
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


@dataclasses.dataclass(frozen=True, slots=True)
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


@dataclasses.dataclass(frozen=True, slots=True)
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
    start: int = dataclasses.field(default=0, compare=False)
    end: int = dataclasses.field(default=0, compare=False)

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
