"""Records of CORRECTIONS.md: read off the text, and written."""

import re
from collections.abc import Mapping

from msgspec import Struct, field

from clawgit.text.entry import is_id

_SAID = ("said", "what the agent said", "was", "wrong")
_TRUE = ("true", "what is true", "correct information", "correct", "is")
_FIELD = re.compile(r"[ \t]*[-*+][ \t]+\**([^:*]{1,40}?)\**[ \t]*:\**[ \t]*(.*)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?")

WAS, STANDS = "Entry was", "Entry is"
SENTENCE, LINES = "Sentence", "Lines"
"""The operator's whole sentence, and the entries that it reached."""
ABOUT, SOURCE, TRIGGER, SURE, SUPERSEDES = "About", "Source", "Trigger", "Trigger confidence", "Supersedes"
ANSWERS = "Answers"
"""Quotes the whole sentence that was wrong where no entry says it."""
REEMBEDDED = "Re-embedded"
LEFT_IN = "Left in"
"""Names the file in which the agent itself is asked to mend what was wrong."""
BIRTH = "# Corrections\n"


class Correction(Struct, frozen=True):
    """One record: what was `said` wrongly and what is `true`, "" where it does not tell; labels in lower case.

    `at` is when, as the heading has it; `line` is that of the heading, `end` the last one of the record that is not
    empty, both counted from 1.
    """

    id: str
    fields: Mapping[str, str] = field(default_factory=dict)
    at: str = ""
    end: int = 0
    line: int = 0

    @property
    def said(self) -> str:
        """What was remembered wrongly: the whole entry where there was one, else the value."""
        return self._first(WAS.casefold()) or self._first(*_SAID)

    @property
    def true(self) -> str:
        """What is so instead, in the same way."""
        return self._first(STANDS.casefold()) or self._first(*_TRUE)

    @property
    def values(self) -> tuple[str, str]:
        """What was said, and what is true, by themselves."""
        return self._first(*_SAID), self._first(*_TRUE)

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
    """Return the records in their order; the id is "" where a heading carries none.

    Of a field that stands twice the first counts, but for `Re-embedded`, of which the last does.
    """
    found: list[tuple[str, str, dict[str, str]]] = []
    starts: list[int] = []
    ends: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            when = _DAY.search(line)
            found.append((next(filter(is_id, line.split()), ""), when[0] if when else "", {}))
            starts.append(number)
            ends.append(number)
        elif found and line.strip():
            ends[-1] = number
            if match := _FIELD.fullmatch(line):
                _set(found[-1][2], match[1].strip().casefold(), match[2].strip())
    spans = zip(found, starts, ends, strict=True)
    return tuple(Correction(name, fields, at, end, start) for (name, at, fields), start, end in spans)


def twins(some: tuple[Correction, ...]) -> dict[str, list[int]]:
    """Return the lines of the headings that carry one id, by id, for each that several carry."""
    found: dict[str, list[int]] = {}
    for one in some:
        if one.id:
            found.setdefault(one.id, []).append(one.line)
    return {name: places for name, places in found.items() if len(places) > 1}


def _set(fields: dict[str, str], label: str, value: str) -> None:
    if label == REEMBEDDED.casefold():
        fields[label] = value
    else:
        fields.setdefault(label, value)


def written(name: str, at: str, fields: Mapping[str, str]) -> str:
    """Return a record: a heading with its id and its time, a bullet for each field that holds something."""
    rows = [f"- {label}: {one_line(value)}" for label, value in fields.items() if value.strip()]
    return "\n".join((f"## {name} {at}", "", *rows)) + "\n"


def embedded(text: str, *names: str) -> str:
    """Return the text in which the records `names` say that search serves them; nothing else of them changes."""
    rows = text.splitlines(keepends=True)
    for one in reversed(corrections(text)):
        if one.id not in names or one.embedded:
            continue
        at = next((at for at in range(one.end - 1, one.line - 1, -1) if _says(rows[at])), None)
        if at is not None:
            rows[at] = re.sub("(?i)(:.*?)false", r"\1true", rows[at])
        else:
            rows[one.end - 1] = rows[one.end - 1].rstrip("\r\n") + "\n"
            rows.insert(one.end, f"- {REEMBEDDED}: true\n")
    return "".join(rows)


def _says(row: str) -> bool:
    match = _FIELD.fullmatch(row.rstrip("\r\n"))
    return bool(
        match and match[1].strip().casefold() == REEMBEDDED.casefold() and match[2].strip().casefold() == "false"
    )


def one_line(words: str) -> str:
    """Return words as one line that opens and closes no comment."""
    return " ".join(words.split()).replace("<!--", "<\\!--").replace("-->", "--\\>")
