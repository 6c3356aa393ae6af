"""Decides between two memories by the three rules."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import cached_property
from typing import Literal

from msgspec import Struct

from clawgit.agents.detecting.sides import Held
from clawgit.text.correction import Correction
from clawgit.text.evidence import Pointer
from clawgit.text.evidence import format as pointing
from clawgit.text.identity import normalise
from clawgit.text.sameness.relation import compare
from clawgit.workspace.correction_records import Standing

Rule = Literal["correction", "newer by 30 days", "the operator's words", "open"]
_OLDER = timedelta(days=30)
_DATED = frozenset({"event", "knowledge", "decision"})


class Dated(Struct, frozen=True):
    """A memory, and since when it says so."""

    held: Held
    day: date


class Decision(Struct, frozen=True):
    """Which rule applies, which side holds (None: both stay), and the correction that says so."""

    rule: Rule
    winner: Dated | None = None
    evidence: str | None = None


class Corrections:
    """What the operator corrected: `read` returns the records, the oldest first."""

    def __init__(self, read: Callable[[], tuple[Standing, ...]]) -> None:
        self._read = read

    @cached_property
    def _standing(self) -> tuple[Standing, ...]:
        return self._read()

    def of(self, one: Held) -> Standing | None:
        """Return the record that says what a memory says, by its words or its entry; None without one."""
        return next((known for known in reversed(self._standing) if _says(known.record, one)), None)

    def against(self, one: Held) -> bool:
        """Tell whether a record calls what a memory says wrong."""
        said = (known.record.said for known in self._standing)
        return any(words and compare(one.entry.text, words).relation == "same" for words in said)


def decide(older: Dated, newer: Dated, known: Corrections) -> Decision:
    """Return what the first rule says that fits (spec §5.4). What came from untrusted sources never wins."""
    corrected = [(one, known.of(one.held)) for one in (older, newer) if _is_correction(one.held, known)]
    if len(corrected) == 1:
        winner, found = corrected[0]
        evidence = (
            pointing(Pointer("correction", found.path, id=found.record.id)) if found and found.record.id else None
        )
        return Decision("correction", winner, evidence)
    tags = {older.held.tag, newer.held.tag}
    fits = not corrected and tags <= _DATED and _is_operators(newer.held)
    if fits and newer.day - older.day >= _OLDER:
        return Decision("newer by 30 days", newer)
    return Decision("open")


def _is_correction(one: Held, known: Corrections) -> bool:
    if not _is_operators(one):
        return False
    return ("correction" in one.entry.status or known.of(one) is not None) and not known.against(one)


def _is_operators(one: Held) -> bool:
    """Tell whether the operator is known to have said it: a line that just stands there may be anybody's."""
    return one.row.origin == "operator" and bool(one.row.mentions)


def _says(record: Correction, one: Held) -> bool:
    if not record.true:
        return False
    about = one.row.id in _words(record.fields.get("about", "")) or (record.id and one.row.by == record.id)
    if about and normalise(record.true) in normalise(one.entry.text):
        return True
    return compare(one.entry.text, record.true).relation == "same"


def _words(text: str) -> Iterable[str]:
    return text.replace(",", " ").replace("#", " ").split()
