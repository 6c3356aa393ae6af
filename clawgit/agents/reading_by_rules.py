"""Reads messages by rules alone."""

from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents import known_memories as books
from clawgit.agents.known_memories import Book, Entry
from clawgit.agents.messages_to_read import Heard
from clawgit.errors import ClawgitError
from clawgit.language import due_dates
from clawgit.reading.explicit_requests import Extracted, Finding, extract
from clawgit.safety import injection, secrets
from clawgit.text.edit import bullet
from clawgit.text.sameness.note_comparison import compare
from clawgit.workspace import write_guard
from clawgit.workspace.entries import Row
from clawgit.workspace.unkept_requests import Unkept


class Reader(Protocol):
    """Tells what a message gives."""

    def __call__(self, heard: Heard) -> Extracted:
        """Return what is worth keeping, and why the rest is not."""


def by_rules(heard: Heard) -> Extracted:
    """Return what the operator asks for in a message; nobody else can ask to have something remembered."""
    if heard.origin == "agent":
        return Extracted((), ())
    given = extract(heard.text)
    return Extracted(tuple(_classify(finding, heard.day) for finding in given.findings), given.refused)


def _classify(finding: Finding, said: date | None) -> Finding:
    """Return a request with the tag that the same words have when they are typed: a day to come makes an event."""
    is_event = finding.tag == "knowledge" and due_dates.days(finding.text, said)
    return replace(finding, tag="event") if is_event else finding


class Found(Struct, frozen=True):
    """A finding with the message that it was found in; `differs` is an entry that it likely contradicts."""

    finding: Finding
    heard: Heard
    differs: Entry | None = None

    @property
    def evidence(self) -> str | None:
        """Where it can be checked."""
        return self.heard.pointer(self.finding.quote)


class Step(Struct):
    """The memories to be added by id, and rows that only change.

    `notes` go to the journals, too, and `lessons` to the file for these; `skipped` counts what is left out, by reason.
    `unkept` are requests that nothing came of.
    """

    added: dict[str, Found] = field(default_factory=dict)
    mentions: dict[str, Found] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)
    notes: list[Found] = field(default_factory=list)
    lessons: list[Found] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    read: int = 0
    unkept: list[Unkept] = field(default_factory=list)

    @property
    def size(self) -> int:
        """How much there is to write."""
        return len(self.rows) + len(self.notes) + len(self.lessons)


class Ground(Struct, frozen=True):
    """Where memories and lessons go ("": with the others), what day it is, and which notes stand there already."""

    path: str
    lessons: str
    today: date
    noted: Callable[[Found], bool]


def take(step: Step, book: Book, ground: Ground, heard: Heard, given: Extracted) -> str:
    """Add what a message gives to a step, and to what is known. Return why it gives nothing, "" where it does."""
    step.read += 1
    step.skipped.update(reason for reason, _ in given.refused)
    barred = [reason for reason, _ in given.refused] or ["rules found nothing in it to keep"]
    for said in given.findings:
        finding = said if secrets.scan(said.text) else replace(said, text=write_guard.cleaned(said.text))
        if reason := _unfit(finding):
            step.skipped[reason] += 1
            barred.insert(0, reason)
        else:
            _decide(step, book, ground, Found(finding, heard))
            barred = [""]
    return barred[0]


def _unfit(finding: Finding) -> str:
    """Return why a finding may not be kept whatever it says, "" for one that may."""
    if secrets.scan(finding.text):
        return "secret"
    if injection.scan(f"- {finding.text}"):
        return "order"
    try:
        write_guard.check_write("", "", bullet(finding.text, finding.tag))
    except ClawgitError:
        return "refused"
    return ""


def _decide(step: Step, book: Book, ground: Ground, found: Found) -> None:
    finding, heard = found.finding, found.heard
    if finding.kind == "lesson" and ground.lessons:
        reason = _list(book, ground, found, step.lessons)
        step.skipped.update([reason] if reason else ())
        return
    if finding.kind == "note" and heard.origin == "operator":  # nobody else can ask to have something remembered
        _list(book, ground, found, step.notes)
    decision = book.decide(finding, heard)
    if decision.act is None:
        step.skipped[decision.reason] += 1
    elif decision.act == "mention" and decision.entry:
        row = books.mentioned(decision.entry, heard, ground.today)
        book.put(Entry(decision.entry.text, row, decision.entry.start, decision.entry.end))
        step.rows[row.id] = row
        if row.id not in step.added:
            step.mentions[row.id] = found
    else:
        _add(step, book, ground, Found(finding, heard, decision.differs))


def _list(book: Book, ground: Ground, found: Found, listed: list[Found]) -> str:
    """Add what goes to a list of its own, whatever else is known: in any order the same. Return why not, else ""."""
    if reason := book.barred(found.finding.text, found.heard):
        return reason
    if ground.noted(found) or any(_alike(found, one) for one in listed):
        return "known"
    listed.append(found)
    return ""


def _alike(found: Found, other: Found) -> bool:
    """Return whether two findings come to one line: notes are told apart by their day."""
    if found.finding.kind == "lesson":
        return compare(found.finding.text, other.finding.text).relation == "same"
    return (found.heard.message, found.finding.text) == (other.heard.message, other.finding.text)


def _add(step: Step, book: Book, ground: Ground, found: Found) -> None:
    row = books.learnt(ground.path, found.finding, found.heard, ground.today)
    step.added[row.id] = found
    step.rows[row.id] = row
    book.put(Entry(found.finding.text, row))
