"""The recall validator: puts right what the operator corrects."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from clawgit.agents.candidates import Waiting
from clawgit.agents.heard import Heard
from clawgit.agents.proposal import Learnt, Proposal
from clawgit.agents.validating.amend import TAG, amended
from clawgit.agents.validating.outcome import Candidate, Correction, Stored, Turn
from clawgit.agents.validating.resolve import resolve
from clawgit.agents.view import View
from clawgit.errors import ClawgitError
from clawgit.git import history, repository
from clawgit.text import correction as records
from clawgit.text import entry as texts
from clawgit.text import evidence
from clawgit.text.bullet import bullet
from clawgit.text.edit import append_under
from clawgit.text.evidence import Pointer
from clawgit.text.identity import digest, entry_id, named, normalise
from clawgit.triage.pattern import VALIDATOR
from clawgit.triage.triage import Triage
from clawgit.workspace import guard, message, scope
from clawgit.workspace.change import Append, Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import SECTIONS, Memory, memories
from clawgit.workspace.workspace import Workspace

NAME = VALIDATOR
_QUOTE = 160


@dataclass(frozen=True, slots=True)
class Told:
    """A message that may correct something, with what triage says of it and the turns before it."""

    heard: Heard
    found: Triage
    before: tuple[Turn, ...] = ()

    @property
    def name(self) -> str:
        """The id of the candidate that it may be."""
        return named("\0".join(("candidate", str(self.heard.day), normalise(self.heard.text))))

    @property
    def trigger(self) -> tuple[str, str]:
        """The words that called the validator, and how sure they are."""
        matches = [one for one in self.found.matches if one.route == VALIDATOR]
        best = next((one for one in matches if one.trigger_confidence == "high"), matches[0] if matches else None)
        return (best.text, best.trigger_confidence or "medium") if best else ("", "medium")


@dataclass(frozen=True, slots=True)
class Looked:
    """What a message came to: a correction with the change that makes it, a candidate, or the reason for neither."""

    correction: Correction | None = None
    change: Change | None = None
    waiting: Waiting | None = None
    skipped: str = ""


def look(view: View, told: Told, now: datetime) -> Looked:
    """Return what comes of a message; only the operator's own words, said directly, correct anything."""
    if told.heard.origin != "operator":
        return Looked(skipped="not the operator's")
    known = {one.id: one for one in memories(view.workspace)}
    outcome = resolve(told.heard.text, told.found, told.before, [Stored(one.id, one.text) for one in known.values()])
    if outcome is None:
        return Looked(skipped="corrects nothing")
    changes = isinstance(outcome, Correction) and outcome.entry is not None
    if not changes and _recorded(view, outcome, told.heard):
        return Looked(skipped="corrected already")
    if isinstance(outcome, Correction):
        return _made(view, outcome, told, now)
    return Looked(waiting=_waiting(told, outcome, now))


def _made(view: View, outcome: Correction, told: Told, now: datetime) -> Looked:
    name = _name(told.heard, outcome, told.heard.session)
    if reason := _done(view, name, _name(told.heard, outcome, "")):
        return Looked(skipped=reason)
    try:
        return Looked(outcome, corrected(view, outcome, told, now, name=name))
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
    if any(one.id in names for one in records.corrections(view.read(scope.CORRECTIONS) or "")):
        return "corrected already"
    lines = (f"Clawgit-Change: {name}" for name in dict.fromkeys(names))
    found = (next(iter(history.log(view.workspace.repo, containing=one, named=False)), None) for one in lines)
    return "taken back before" if any(found) else ""


def _recorded(view: View, outcome: Correction | Candidate, heard: Heard) -> bool:
    """Tell whether just this was corrected since it was said: who says it twice, or is read twice, is not asked."""
    pair, day = (outcome.said, outcome.true), str(heard.day or "")
    made = records.corrections(view.read(scope.CORRECTIONS) or "")
    return all(pair) and any(one.values == pair and one.at[: len(day)] >= day for one in made)


def _waiting(told: Told, outcome: Candidate, now: datetime) -> Waiting:
    heard, (trigger, sure) = told.heard, told.trigger
    text = guard.cleaned(heard.text)[:2000]
    source = heard.pointer(_quote(heard.text)) or ""
    at = now.isoformat(timespec="seconds")
    choices = tuple(one.id for one in outcome.choices)
    return Waiting(told.name, at, text, outcome.reason, outcome.said, outcome.true, choices, source, trigger, sure)


def _quote(text: str) -> str:
    return message.one_line(text)[:_QUOTE]


# --- the change


def corrected(
    view: View, outcome: Correction, told: Told, now: datetime, *, name: str, agent: str | None = NAME
) -> Change:
    """Return the change that makes a correction: its record, the entry in its place, the row of the sidecar.

    Raises ClawgitError where the entry cannot be corrected in its place, or what is true may not be kept.
    """
    for words in (outcome.said, outcome.true, outcome.statement):
        guard.check_words(words, "the correction")
    entry = _entry(view, outcome)
    edit, row = (None, None)
    if entry:
        edit, row = _amended(view, outcome, entry, told, now, name)
    elif outcome.statement:
        edit, row = _added(view, outcome, told, now, name)
    fields = _fields(view, outcome, told, entry, row)
    block = records.written(name, f"{now:%Y-%m-%d %H:%M}", fields)
    edits = (Append(scope.CORRECTIONS, block, records.BIRTH), *((edit,) if edit else ()))
    short = message.shorten(
        message.one_line(f"{outcome.said} is now {outcome.true}" if outcome.said else outcome.true), 60
    )
    return Change(
        f"memory: corrected: {short}",
        f"The operator said: {guard.cleaned(_quote(told.heard.text))}",
        edits,
        tuple(_evidence(view.workspace, told, entry)),
        "operator",
        agent,
        rows=(row,) if row else (),
        id=name,
    )


def _entry(view: View, outcome: Correction) -> Memory | None:
    if outcome.entry is None:
        return None
    return next((one for one in memories(view.workspace) if one.id == outcome.entry.id), None)


def _amended(view: View, outcome: Correction, entry: Memory, told: Told, now: datetime, name: str) -> tuple[Edit, Row]:
    before = view.read(entry.path) or ""
    here = next(one for one in texts.entries(before) if one.start == entry.line)
    said = outcome.said if outcome.said != entry.text else ""
    remark = records.remark(f"{now:%Y-%m-%d}", outcome.said or entry.text)
    after = amended(before, here, said, _exchanged(outcome), outcome.statement, remark)
    row = view.rows().get(entry.id) or Row(entry.id, entry.path, digest(entry.text), entry.tag or "")
    return Edit(entry.path, before, after), _row(row, outcome, told, now, name)


def _exchanged(outcome: Correction) -> str:
    """Return what stands where the wrong value stood, as the statement has it."""
    if outcome.entry is None or not outcome.said:
        return outcome.true
    start = outcome.entry.text.find(outcome.said)
    rest = len(outcome.entry.text) - start - len(outcome.said)
    return outcome.statement[start : len(outcome.statement) - rest]


def _added(view: View, outcome: Correction, told: Told, now: datetime, name: str) -> tuple[Edit | None, Row | None]:
    path = view.workspace.memory_file
    before = view.read(path)
    if any(normalise(one.text) == normalise(outcome.statement) for one in texts.entries(before or "")):
        return None, None
    line = bullet(outcome.statement, "knowledge", (TAG,))
    after = append_under(before or "# Memory\n", SECTIONS["knowledge"], line, create=True)
    row = Row(entry_id(path, outcome.statement), path, digest(outcome.statement), "knowledge", first=now.date())
    return Edit(path, before, after), _row(row, outcome, told, now, name)


def _row(row: Row, outcome: Correction, told: Told, now: datetime, name: str) -> Row:
    return replace(
        row,
        hash=digest(outcome.statement),
        origin="operator",
        confidence=1.0,
        first=row.first or now.date(),
        last=now.date(),
        mentions=row.mentions | {told.heard.mention if told.heard.text else name},
        status="live",
        by=name,
    )


def _fields(view: View, outcome: Correction, told: Told, entry: Memory | None, row: Row | None) -> Mapping[str, str]:
    trigger, sure = told.trigger
    older = [
        one.id for one in records.corrections(view.read(scope.CORRECTIONS) or "") if entry and one.about == entry.id
    ]
    return {
        records.TRIGGER: guard.cleaned(trigger.strip(" ,") or _quote(told.heard.text)),
        records.SURE: sure,
        "Said": outcome.said,
        "True": outcome.true,
        records.WAS: entry.text if entry else "",
        records.STANDS: outcome.statement,
        records.ABOUT: row.id if row else "",
        records.SUPERSEDES: older[-1] if older else "",
        records.SOURCE: guard.cleaned(told.heard.pointer(_quote(told.heard.text)) or ""),
        records.REEMBEDDED: "false",
    }


def _evidence(workspace: Workspace, told: Told, entry: Memory | None) -> Iterator[str]:
    heard = told.heard
    if heard.session and (turn := workspace.conversations(heard.session, heard.event)) and turn.text == heard.text:
        pointer = heard.pointer(_quote(heard.text))
        yield from (pointer,) if pointer else ()
    if entry is None:
        return
    held = (repository.read(workspace.repo, workspace.head, entry.path) or b"").decode("utf-8", "replace")
    if any(one.start == entry.line and one.text == entry.text for one in texts.entries(held)):  # else nothing cites it
        yield evidence.format(Pointer("lines", entry.path, entry.line, entry.line))


# --- the agent


class RecallValidator:
    """Works through what triage flagged as a correction (spec P3); `told` are these messages, each with its flag.

    `waiting` holds the candidates afterwards, `unsettled` their messages: whoever applies files them.
    """

    name = NAME
    usage: Mapping[str, float] = {}

    def __init__(self, told: tuple[tuple[str, Told], ...], notes: tuple[str, ...] = ()) -> None:
        self._told, self.notes = told, notes
        self.waiting: list[Waiting] = []
        self.unsettled: list[Told] = []

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield a proposal for each message."""
        for flag, told in self._told:
            looked = look(view, told, now)
            if looked.waiting:
                self.waiting.append(looked.waiting)
                self.unsettled.append(told)
            reason = looked.skipped or ("candidate" if looked.waiting else "")
            learnt = (_learnt(looked, told),) if looked.correction else ()
            yield Proposal(looked.change, learnt, 1, {reason: 1} if reason else {}, answered=flag)


def _learnt(looked: Looked, told: Told) -> Learnt:
    assert looked.correction is not None
    assert looked.change is not None
    row = looked.change.rows[0] if looked.change.rows else None
    said = looked.correction.statement or f"{looked.correction.said} → {looked.correction.true}"
    pointer = told.heard.pointer(_quote(told.heard.text))
    return Learnt(
        said, row.file if row else scope.CORRECTIONS, row.tag if row else "", "add", row.id if row else "", pointer
    )
