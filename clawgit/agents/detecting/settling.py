"""Decides between two memories by the three rules."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Literal

from clawgit.agents.detecting.sides import Held
from clawgit.text.correction import Correction, corrections
from clawgit.text.evidence import Pointer
from clawgit.text.evidence import format as pointing
from clawgit.text.identity import normalise
from clawgit.text.sameness.relation import compare

Rule = Literal["correction", "newer by 30 days", "open"]
_OLDER = timedelta(days=30)
_DATED = frozenset({"event", "knowledge", "decision"})


@dataclass(frozen=True, slots=True)
class Dated:
    """A memory, and since when it says so."""

    held: Held
    day: date


@dataclass(frozen=True, slots=True)
class Decision:
    """Which rule applies, which side holds (None: both stay), and the correction that says so."""

    rule: Rule
    winner: Dated | None = None
    evidence: str | None = None


class Corrections:
    """What the operator corrected."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _records(self) -> tuple[Correction, ...]:
        return corrections(self._text)

    def of(self, one: Held) -> Correction | None:
        """Return the record that says what a memory says, by its words or its entry; None without one."""
        return next((record for record in reversed(self._records) if _says(record, one)), None)

    def against(self, one: Held) -> bool:
        """Tell whether a record calls what a memory says wrong."""
        return any(record.said and compare(one.entry.text, record.said).relation == "same" for record in self._records)


def decide(older: Dated, newer: Dated, known: Corrections) -> Decision:
    """Return what the first rule says that fits (spec §5.4). What came from untrusted sources never wins."""
    corrected = [(one, known.of(one.held)) for one in (older, newer) if _is_correction(one.held, known)]
    if len(corrected) == 1:
        winner, record = corrected[0]
        evidence = pointing(Pointer("correction", "CORRECTIONS.md", id=record.id)) if record and record.id else None
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
