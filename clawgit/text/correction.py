"""Records of CORRECTIONS.md: read off the text, and written."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from clawgit.text.identity import is_id

_SAID = ("said", "what the agent said", "was", "wrong")
_TRUE = ("true", "what is true", "correct information", "correct", "is")
_FIELD = re.compile(r"[ \t]*[-*+][ \t]+\**([^:*]{1,40}?)\**[ \t]*:\**[ \t]*(.*)")
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?")

WAS, STANDS = "Entry was", "Entry is"
ABOUT, SOURCE, TRIGGER, SURE, SUPERSEDES = "About", "Source", "Trigger", "Trigger confidence", "Supersedes"
REEMBEDDED = "Re-embedded"
BIRTH = "# Corrections\n"


@dataclass(frozen=True, slots=True)
class Correction:
    """One record: what was `said` wrongly and what is `true`, "" where it does not tell; labels in lower case.

    `at` is when, as the heading has it; `end` is the last line of the record that is not empty, counted from 1.
    """

    id: str
    fields: Mapping[str, str] = field(default_factory=dict)
    at: str = ""
    end: int = 0

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
    def about(self) -> str:
        """The id of the entry that was corrected, "" for none."""
        return self._first(ABOUT.casefold())

    @property
    def embedded(self) -> bool:
        """Whether search serves it."""
        return self._first(REEMBEDDED.casefold()).casefold() == "true"

    def _first(self, *labels: str) -> str:
        return next((self.fields[label] for label in labels if label in self.fields), "")


def corrections(text: str) -> tuple[Correction, ...]:
    """Return the records in their order; the id is "" where a heading carries none.

    Of a field that stands twice the first counts, but for `Re-embedded`, to which only a line is ever added.
    """
    found: list[tuple[str, str, dict[str, str]]] = []
    ends: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("## "):
            when = _DAY.search(line)
            found.append((next(filter(is_id, line.split()), ""), when[0] if when else "", {}))
            ends.append(number)
        elif found and line.strip():
            ends[-1] = number
            if match := _FIELD.fullmatch(line):
                _set(found[-1][2], match[1].strip().casefold(), match[2].strip())
    return tuple(Correction(name, fields, at, end) for (name, at, fields), end in zip(found, ends, strict=True))


def _set(fields: dict[str, str], label: str, value: str) -> None:
    if label == REEMBEDDED.casefold():
        fields[label] = value
    else:
        fields.setdefault(label, value)


def written(name: str, at: str, fields: Mapping[str, str]) -> str:
    """Return a record: a heading with its id and its time, a bullet for each field that holds something."""
    rows = [f"- {label}: {one_line(value)}" for label, value in fields.items() if value.strip()]
    return "\n".join((f"## {name} {at}", "", *rows)) + "\n"


def embedded(text: str, name: str) -> str:
    """Return the text in which each record `name` says at its end that search serves it; records only grow."""
    rows = text.splitlines(keepends=True)
    for one in reversed(corrections(text)):
        if one.id == name and not one.embedded:
            last = rows[one.end - 1]
            rows[one.end - 1] = last if last.endswith("\n") else last + "\n"
            rows.insert(one.end, f"- {REEMBEDDED}: true\n")
    return "".join(rows)


def one_line(words: str) -> str:
    """Return words as one line that opens and closes no comment."""
    return " ".join(words.split()).replace("<!--", "<\\!--").replace("-->", "--\\>")


def remark(at: str, old: str) -> str:
    """Return the comment that keeps an old value beside the new one; nothing in it can close it."""
    words = " ".join(old.split())
    while "--" in words:
        words = words.replace("--", "- -")
    return f"<!-- was {at}: {words.rstrip('-')} -->"
