"""The recall validator: puts right what the operator corrects."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime

from msgspec import Struct

from clawgit.agents import corrections_of_memories
from clawgit.agents.correction_candidates import Waiting
from clawgit.agents.messages_to_read import Heard, Step, Told, quote
from clawgit.agents.running import Learnt, Proposal, View
from clawgit.agents.validating.resolve import Candidate, Correction, Stored, has_trigger, resolve
from clawgit.errors import ClawgitError
from clawgit.git import history
from clawgit.messages.patterns import BUILT_IN, VALIDATOR
from clawgit.messages.triage import triage
from clawgit.reading.explicit_requests import Extracted
from clawgit.text.entry import named, normalise
from clawgit.workspace import file_roles, write_guard
from clawgit.workspace.change import Change
from clawgit.workspace.memory import Memory

NAME = VALIDATOR
LATE_DAYS = 7
"""Days after which nobody takes a remark for a correction of what stands: it may long be otherwise."""


class Looked(Struct, frozen=True):
    """What a message came to: a correction with the change that makes it, a candidate, or the reason for neither."""

    correction: Correction | None = None
    change: Change | None = None
    waiting: Waiting | None = None
    skipped: str = ""


def look(view: View, told: Told, now: datetime) -> Looked:
    """Return what comes of a message; only the operator's own words, said directly, correct anything."""
    if told.heard.origin != "operator":
        return Looked(skipped="not the operator's")
    known = {one.id: (one, words) for one, words in corrections_of_memories.known(view)}
    stored = [Stored(one.id, words) for one, words in known.values()]
    outcome = resolve(told.heard.text, told.found, told.before, stored)
    if outcome is None:
        return Looked(skipped="corrects nothing")
    if isinstance(outcome, Correction) and outcome.entry and _older(told.heard, known[outcome.entry.id][0]):
        return Looked(skipped="said before the memory was")
    changes = isinstance(outcome, Correction) and outcome.entry is not None
    if not changes and _recorded(view, outcome, told.heard):
        return Looked(skipped="corrected already")
    if isinstance(outcome, Correction):
        return _made(view, outcome, told, now)
    return Looked(waiting=_waiting(told, outcome, now))


def without_corrections(heard: Heard, given: Extracted) -> Extracted:
    """Return what a message gives without the sentences that correct: the validator lands them, or asks."""
    if heard.origin != "operator" or not given.findings:
        return given
    gone = [finding for finding in given.findings if has_trigger(finding.quote, triage(finding.quote, BUILT_IN))]
    rest = tuple(finding for finding in given.findings if finding not in gone)
    return Extracted(rest, (*given.refused, *(("correction", one.quote) for one in gone)))


def _older(heard: Heard, memory: Memory) -> bool:
    """Return whether a memory was last said after a message, by more than clocks may differ."""
    return bool(heard.day and memory.last and (memory.last - heard.day).days > 1)


def _made(view: View, outcome: Correction, told: Told, now: datetime) -> Looked:
    name = _name(told.heard, outcome, told.heard.session)
    if reason := _done(view, name, _name(told.heard, outcome, "")):
        return Looked(skipped=reason)
    try:
        return Looked(outcome, corrections_of_memories.corrected(view, outcome, told, now, name=name))
    except ClawgitError as exc:
        return Looked(waiting=_waiting(told, _open(outcome, exc.message), now))


def _open(outcome: Correction, reason: str) -> Candidate:
    return Candidate(reason, outcome.said, outcome.true, (outcome.entry,) if outcome.entry else ())


def _name(heard: Heard, outcome: Correction, session: str) -> str:
    """Return the id of a correction: the same words of a day about the same matter give the same one."""
    about = outcome.entry.id if outcome.entry else ""
    said = (str(heard.day), normalise(heard.text), session, about, outcome.said, outcome.true)
    return named("\0".join(("correction", *said)))


def _done(view: View, *names: str) -> str:
    """Return why a correction is not made once more: it stands in the log, wherever its record went."""
    if any(correction.record.id in names for correction in view.corrections()):
        return "corrected already"
    lines = (f"Clawgit-Change: {name}" for name in dict.fromkeys(names))
    found = (next(iter(history.log(view.workspace.repo, containing=line, named=False)), None) for line in lines)
    return "taken back before" if any(found) else ""


def _recorded(view: View, outcome: Correction | Candidate, heard: Heard) -> bool:
    """Return whether just this was corrected since it was said: who says it twice, or is read twice, is not asked."""
    pair, day = (outcome.said, outcome.true), str(heard.day or "")
    made = (correction.record for correction in view.corrections())
    return all(pair) and any(one.values == pair and one.at[: len(day)] >= day for one in made)


def _waiting(told: Told, outcome: Candidate, now: datetime) -> Waiting:
    heard, (trigger, sure) = told.heard, told.trigger
    text = write_guard.cleaned(heard.text)[:2000]
    source = heard.pointer(quote(heard.text)) or ""
    at = now.isoformat(timespec="seconds")
    choices = tuple(choice.id for choice in outcome.choices)
    return Waiting(told.name, at, text, outcome.reason, outcome.said, outcome.true, choices, source, trigger, sure)


class RecallValidator:
    """Works through what was said, flagged first (spec P3); a `Step` alone is what corrects nothing for sure.

    `waiting` holds the candidates afterwards, `unsettled` their messages: whoever applies files them. `made` holds the
    corrections, by the candidates that their messages may have been before.
    """

    name = NAME
    usage: Mapping[str, float] = {}

    def __init__(self, told: Callable[[], Iterable[Told | Step]], notes: tuple[str, ...] = ()) -> None:
        self._told, self.notes = told, notes
        self.waiting: list[Waiting] = []
        self.unsettled: list[Told] = []
        self.made: dict[str, str] = {}

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield a proposal for each message that could correct something, and one for those between."""
        for told in self._told():
            if isinstance(told, Step):
                skipped = {"corrects nothing": told.read}
                yield Proposal(None, (), told.read, skipped, reached=told.reached, answered=told.flag)
                continue
            looked, step = look(view, told, now), told.step
            if looked.waiting:
                self.waiting.append(looked.waiting)
                self.unsettled.append(told)
            if looked.change:
                self.made[told.name] = looked.change.id
            reason = looked.skipped or ("candidate" if looked.waiting else "")
            learnt = (_learnt(looked, told),) if looked.correction else ()
            skipped = {reason: step.read} if reason else {}
            yield Proposal(looked.change, learnt, step.read, skipped, reached=step.reached, answered=step.flag)


def _learnt(looked: Looked, told: Told) -> Learnt:
    assert looked.correction is not None
    assert looked.change is not None
    row = looked.change.rows[0] if looked.change.rows else None
    said = looked.correction.statement or f"{looked.correction.said} → {looked.correction.true}"
    pointer = told.heard.pointer(quote(told.heard.text))
    return Learnt(
        said, row.file if row else file_roles.CORRECTIONS, row.tag if row else "", "add", row.id if row else "", pointer
    )
