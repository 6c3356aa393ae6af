"""Changes of the identity, and when one fits."""

from collections.abc import Sequence
from datetime import datetime

from clawgit import errors
from clawgit.agents import corrections_of_memories, standing_corrections
from clawgit.agents.messages_to_read import Told
from clawgit.agents.protocol import checked_operation, citation, existing_statements, memory_changes
from clawgit.agents.protocol.batch import Batch, Turn
from clawgit.agents.protocol.check_result import Fault, Ground, Held
from clawgit.agents.protocol.checked_operation import Decided
from clawgit.agents.protocol.operations import Operation
from clawgit.agents.running import View
from clawgit.agents.validating.resolve import Correction, Stored
from clawgit.errors import Advice
from clawgit.language import logic
from clawgit.messages.patterns import VALIDATOR, Pattern
from clawgit.messages.triage import triage
from clawgit.text import line_edits
from clawgit.text.edit import append_under, bullet
from clawgit.text.entry import Entry, digest, entries, normalise
from clawgit.text.tokens import count
from clawgit.workspace import commit_message, file_roles
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import memories

_OWN_SHARE = 0.8
"""Share of a line's words that the operator says himself, from which on nobody else can have put them there."""


def line(batch: Batch, operation: Operation) -> str:
    """Return the text of the line of the identity that an operation replaces, "" for none."""
    wanted = (operation.file, operation.line)
    return next((one.text for one in batch.soul if (one.file, one.line) == wanted), "") if operation.line else ""


def fault(
    batch: Batch, operation: Operation, ground: Ground, turns: Sequence[Turn], isos: tuple[str, ...]
) -> Fault | None:
    """Return why a change of the identity does not fit; a line waits if it is not nearly all in the operator's words.

    The judge is the model that proposes: what is attributed to the operator must be his without it.
    """
    if operation.act != "soul":
        return None
    if found := _place(batch, operation, ground):
        return found
    said = "\n".join((*(citation.own(turn.text) for turn in turns), *ground.speakers))
    words = logic.content(operation.text or line(batch, operation), isos)
    theirs = len(words & logic.content(said, isos)) >= _OWN_SHARE * len(words)
    return None if theirs else Fault("it says it in other words than the operator: he decides", "waits")


def _place(batch: Batch, operation: Operation, ground: Ground) -> Fault | None:
    if not operation.file or operation.file not in ground.identity:
        return Fault("name the file of the identity that changes, one that a reader may change")
    if operation.line and not line(batch, operation):
        return Fault(f"there is no line {operation.line} of {operation.file} in this batch")
    if (operation.file, operation.line) in ground.protected:
        return Fault("that line is protected: only the operator changes it")
    if not operation.line and not operation.text:
        return Fault("name the line that goes, or the text that comes")
    same = operation.text and existing_statements.known(
        operation.text, (Held(one.file, one.text) for one in batch.soul)
    )
    return Fault("the identity says so already") if same else None


LESSONS = "Lessons"
_SUBJECT = 60


def corrected(view: View, batch: Batch, one: Decided, now: datetime, patterns: tuple[Pattern, ...]) -> Change:
    """Return the change of a correction: its record, and the entry in its place, or the right value as a new one.

    Raises ClawgitError where an entry is gone or cannot be corrected in its place.
    """
    operation = one.operation
    cited = [turn for n in sorted(operation.turns, reverse=True) if (turn := batch.turn(n))]
    turn = next(
        (one for one in cited if existing_statements.stands(operation.right, one.text)), next(iter(cited), None)
    )
    if turn is None:
        raise errors.evidence_missing("a correction cites the turn that makes it", fix=Advice("name the turn"))
    heard, _ = checked_operation.heard(view.workspace, turn)
    stored = _stored(view, operation.entries[0]) if operation.entries else _contradicted(view, operation)
    here = existing_statements.places(operation.wrong, stored.text) if stored else []
    said = stored.text[slice(*here[0])] if stored and len(here) == 1 else stored.text if stored else ""
    subject = "" if stored else existing_statements.answered(operation, batch)[1]
    tag = operation.tag or ("event" if operation.due else "knowledge")
    now_so = _statement(batch, one, stored)
    outcome = Correction(said or operation.wrong, operation.right, stored, now_so, subject, tag)
    told = Told(heard, triage(heard.text, patterns))
    return corrections_of_memories.corrected(view, outcome, told, now, name=one.name(batch), agent=VALIDATOR)


def _statement(batch: Batch, one: Decided, stored: Stored | None) -> str:
    """Return what stands there afterwards; without an entry a whole sentence, "" where nobody wrote one."""
    if stored:
        return existing_statements.mended(one.operation, stored.text)
    return memory_changes.dated(batch, one) if one.operation.text else ""


def _stored(view: View, name: str) -> Stored:
    found = next((memory for memory in memories(view.workspace) if memory.id == name), None)
    if found is None:
        raise errors.memory_changed(f"there is no entry {name} any more", fix=memory_changes.READ_AGAIN)
    return Stored(found.id, found.text)


def _contradicted(view: View, operation: Operation) -> Stored | None:
    """Return the entry that a correction without one goes against, if there is just one: it came since the reading."""
    subject = standing_corrections.refuted(operation.text, operation.wrong, operation.right)
    if not subject:
        return None
    rule = standing_corrections.Rule("", subject, operation.wrong, operation.right)
    every = (memory for memory in memories(view.workspace) if memory.status != "superseded")
    found = [one for one in every if standing_corrections.ruling(one.text, [rule])]
    return Stored(found[0].id, found[0].text) if len(found) == 1 else None


def edited(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change of one line of the soul. Raises ClawgitError where the line is gone, or the cap is passed."""
    operation = one.operation
    path = operation.file or file_roles.SOUL
    if not any(line.file == path for line in batch.soul):
        raise errors.memory_changed(f"{path} is not the soul that was read", fix=Advice("name a file of the soul"))
    before = view.read(path) or ""
    text = one_line(operation.text)
    if operation.line:
        old = _line(batch, before, path, operation.line)
        after = line_edits.replaced(before, old, text) if text else line_edits.without(before, [old])
    elif not text:
        raise errors.text_missing("there is neither a line nor words for one", fix=Advice("give the line or its text"))
    elif any(normalise(each.text) == normalise(text) for each in entries(before)):
        raise errors.already_set(f"{path} says so already", fix=Advice("leave it out"))
    else:
        after = line_edits.added(before, operation.section, text)
    cap = view.workspace.trust.cap(path, view.workspace.config.soul_max_tokens)
    if count(after) > cap and count(after) > count(before):
        raise errors.budget_exceeded(f"{path} would exceed its {cap} tokens", fix=Advice("sharpen a line instead"))
    subject = f"{file_roles.room(path)}: {_short(text or f'drop: {operation.reason}')}"
    row = _row(view, batch, one, path, text) if text else None
    return _change(view, batch, one, subject, Edit(path, before, after), (row,) if row else ())


def lesson(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that lists a lesson on how work is done: in `lessons_file`, else among the memories.

    Raises ClawgitError where it stands there already.
    """
    path, text = str(view.workspace.config.value("lessons_file")), one_line(one.operation.text)
    if not path:
        return memory_changes.added(view, batch, one)
    before = view.read(path)
    if any(normalise(each.text) == normalise(text) for each in entries(before or "")):
        raise errors.already_set(f"{path} says so already", fix=Advice("leave it out"))
    whole = before if before is not None else f"# {path.removesuffix('.md')}\n"
    after = append_under(whole, LESSONS, bullet(text), create=True)
    row = _row(view, batch, one, path, text)
    return _change(view, batch, one, f"{file_roles.room(path)}: {_short(text)}", Edit(path, before, after), (row,))


def _line(batch: Batch, text: str, path: str, number: int) -> Entry:
    """Return the entry that was line `number` when the batch was made, wherever it stands by now."""
    shown = next((one for one in batch.soul if (one.file, one.line) == (path, number)), None)
    if shown is None:
        raise errors.line_range(f"{path} has no line {number}", fix=Advice("name a line that was shown, or 0"))
    same = [entry for entry in entries(text) if one_line(entry.text) == shown.text]
    if not same:
        raise errors.memory_changed(f"line {number} of {path} is not what it was", fix=memory_changes.READ_AGAIN)
    return min(same, key=lambda one: abs(one.start - number))


def _change(view: View, batch: Batch, one: Decided, subject: str, edit: Edit, rows: tuple[Row, ...]) -> Change:
    return Change(
        subject,
        checked_operation.reason(one),
        (edit,),
        checked_operation.pointers(view.workspace, batch, one),
        checked_operation.origin(view.workspace, batch, one),
        batch.agent,
        rows=rows,
        id=one.name(batch),
    )


def _row(view: View, batch: Batch, one: Decided, path: str, text: str) -> Row:
    """Return the row by which a run knows that something was made of these turns, also when that is undone."""
    days = checked_operation.days(batch, one.operation)
    origin = checked_operation.origin(view.workspace, batch, one)
    said = checked_operation.mentions(view.workspace, batch, one.operation)
    name = one.name(batch)
    return Row(name, path, digest(text), "skill", origin, one.confidence, days[0], days[-1], said or frozenset({name}))


def _short(text: str) -> str:
    return commit_message.shorten(commit_message.one_line(text), _SUBJECT)
