"""Records of CORRECTIONS.md: read off the text, and written."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

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
BIRTH = "# Corrections\n"


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
