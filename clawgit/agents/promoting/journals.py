"""Reads journals as notes, with what is nested below."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from textwrap import dedent

from msgspec import Struct

from clawgit.agents.mining import days
from clawgit.agents.mining.machine import machine
from clawgit.errors import ClawgitError
from clawgit.text import entry, lines
from clawgit.text.entry import Entry
from clawgit.workspace import dumped, scope
from clawgit.workspace.workspace import Workspace

_LONGEST = 1000
_CLOCK = re.compile(r"\A\d\d:\d\d (?=\S)")
"""What clawgit puts before a note of the day."""
_LEADS = (":", "\uff1a", ":**", ":*", "\uff1a**")


class Note(Struct, frozen=True):
    """One line of a journal, or paragraph: `said` as it reads on any day, the lines that it stands on, what is nested.

    `nested` are the lines below it as they stand, moved to the left as it is.
    """

    path: str
    day: date
    entry: Entry
    said: str
    end: int
    nested: str = ""

    @property
    def start(self) -> int:
        """Its first line, from 1."""
        return self.entry.start


def paths(workspace: Workspace) -> list[tuple[date, str]]:
    """Return the journals with their days, the oldest first; archives are none."""
    found = (place.relative_to(workspace.root).as_posix() for place in workspace.root.glob("memory/**/*.md"))
    dated = ((scope.journal_day(path), path) for path in found if not path.startswith("memory/archive/"))
    return sorted((day, path) for day, path in dated if day)


def read(workspace: Workspace, path: str, unread: list[str]) -> str:
    """Return the text of a journal, of a conversation that OpenClaw left there "".

    Why one cannot be read goes into `unread`.
    """
    try:
        text = workspace.read(path) or ""
        return "" if dumped.is_dump(path, text.encode()) else text
    except ClawgitError as exc:
        unread.append(exc.message)
        return ""


def notes(path: str, day: date, text: str) -> Iterator[Note]:
    """Yield the bullets and paragraphs of a journal. Machine text, tables and what is very long are passed over."""
    rows, found = lines.split(text), entry.entries(text)
    for at, one in enumerate(found):
        if one.kind == "row" or (one.kind == "paragraph" and rows[one.start - 1][:1].isspace()):
            continue
        if len(one.text) > _LONGEST or machine(one.text):
            continue
        below = list(_below(one, found[at + 1 :]))
        end = max((inner.end for inner in below), default=one.end)
        nested = dedent("".join(rows[one.end : end])) if below else ""
        if one.text.endswith(_LEADS) and not nested:
            continue  # it says nothing without the list or table that follows
        yield Note(path, day, one, _dated(_CLOCK.sub("", one.text), day), end, nested)


def _below(one: Entry, later: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the bullets nested below a bullet."""
    for other in later:
        if one.kind != "bullet" or other.kind != "bullet" or other.depth <= one.depth:
            return
        yield other


def _dated(text: str, day: date) -> str:
    """Return the words with the days that they name as seen from that day, where it is the same in any tense."""
    ahead = days.days(text, day, past=False)
    return days.dated(text, [one for one in days.days(text, day, past=True) if one in ahead])
