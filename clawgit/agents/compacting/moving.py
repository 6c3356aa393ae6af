"""Corrections that are old, and move to the archive whole."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from clawgit.agents.compacting.before import Before
from clawgit.agents.compacting.chronicle import MONTHS
from clawgit.agents.compacting.journals import Left
from clawgit.language.iso_dates import parse_date
from clawgit.safety import secrets
from clawgit.text import lines
from clawgit.text.correction import Correction, corrections
from clawgit.text.edit import append_block

FOLDER = "Archive/Corrections"


class Record(NamedTuple):
    """A record that moves: its id, its day, its lines as they stand, from `start` to `end` of the file."""

    id: str
    title: str
    day: date
    start: int
    end: int
    text: str

    @property
    def path(self) -> str:
        """The file that it moves to."""
        return f"{FOLDER}/{self.day.year:04}-{MONTHS[self.day.month - 1]}.md"


def old(text: str, today: date, days: int, before: Before, left: Left) -> Iterator[Record]:
    """Yield the records that are more than `days` days old, and that search serves: the others are not done with."""
    rows, found = lines.split(text), corrections(text)
    if len(rows) != len(text.splitlines()):
        return  # lines that end otherwise: the places would not be those of git
    often = Counter(one.id for one in found)
    for at, one in enumerate(found):
        day = _day(one)
        if not one.id or day is None or (today - day).days <= days:
            continue
        if not one.embedded or often[one.id] > 1:
            left.out("not verified yet" if not one.embedded else "two records of one id")
        elif one.id in before.records:
            left.out("brought back")
        else:
            end = found[at + 1].line - 1 if at + 1 < len(found) else len(rows)
            words, title = "".join(rows[one.line - 1 : end]), rows[one.line - 1].removeprefix("## ").strip()
            if secrets.scan(words):
                left.out("holds a secret")
            else:
                yield Record(one.id, title, day, one.line, end, words)


def _day(one: Correction) -> date | None:
    found = parse_date(one.at[:10])
    return found if found is None else date(found.year, found.month, found.day)


def without(text: str, some: list[Record]) -> str:
    """Return the file without these records; every other byte stays."""
    away = {line for one in some for line in range(one.start, one.end + 1)}
    return "".join(row for number, row in enumerate(lines.split(text), 1) if number not in away)


def archived(text: str | None, some: list[Record]) -> str:
    """Return the archive of a month with more records at its end, whole and unchanged."""
    found = text or f"# Corrections of {MONTHS[some[0].day.month - 1]} {some[0].day.year}\n"
    for one in some:
        found = append_block(found, one.text.strip("\r\n") + "\n")
    return found
