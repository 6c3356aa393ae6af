"""Changes of the identity, and corrections."""

from datetime import datetime

from clawgit.agents import correcting
from clawgit.agents.protocol import amended, decided
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.decided import Decided
from clawgit.agents.protocol.memory_changes import READ_AGAIN, added
from clawgit.agents.told import Told
from clawgit.agents.validating import standalone
from clawgit.agents.validating.outcome import Correction, Stored
from clawgit.agents.view import View
from clawgit.errors import ClawgitError
from clawgit.messages.pattern import VALIDATOR, Pattern
from clawgit.messages.triage import triage
from clawgit.text import line_edits
from clawgit.text.bullet import bullet
from clawgit.text.edit import append_under
from clawgit.text.entry import Entry, entries
from clawgit.text.identity import digest, normalise
from clawgit.text.tokens import count
from clawgit.workspace import message, scope
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import memories
from clawgit.workspace.message import one_line

LESSONS = "Lessons"
_SUBJECT = 60


def corrected(view: View, batch: Batch, one: Decided, now: datetime, patterns: tuple[Pattern, ...]) -> Change:
    """Return the change of a correction: its record, and the entry in its place, or the right value as a new one.

    Raises ClawgitError where an entry is gone or cannot be corrected in its place.
    """
    operation = one.operation
    turn = next((turn for n in operation.turns if (turn := batch.turn(n))), None)
    if turn is None:
        raise ClawgitError("a correction cites the turn that makes it", fix="name the turn")
    heard, _ = decided.heard(view.workspace, turn)
    stored = _stored(view, operation.entries[0]) if operation.entries else None
    said = operation.wrong if stored and stored.text.count(operation.wrong) == 1 else stored.text if stored else ""
    subject = "" if stored else amended.answered(operation, batch)
    outcome = Correction(said or operation.wrong, operation.right, stored, _statement(one, stored, subject), subject)
    told = Told(heard, triage(heard.text, patterns))
    return correcting.corrected(view, outcome, told, now, name=one.name(batch), agent=VALIDATOR)


def _statement(one: Decided, stored: Stored | None, subject: str) -> str:
    """Return what stands there afterwards; without an entry a whole sentence, "" where nobody wrote one."""
    wrong, right = one.operation.wrong, one.operation.right
    if stored:
        whole = bool(wrong) and stored.text.count(wrong) == 1
        return stored.text.replace(wrong, right) if whole else one.operation.text or right
    if one.operation.text:
        return one.operation.text
    return subject.replace(wrong, right) if standalone.others(subject) and subject.count(wrong) == 1 else ""


def _stored(view: View, name: str) -> Stored:
    found = next((one for one in memories(view.workspace) if one.id == name), None)
    if found is None:
        raise ClawgitError(f"there is no entry {name} any more", fix=READ_AGAIN)
    return Stored(found.id, found.text)


def edited(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change of one line of the soul. Raises ClawgitError where the line is gone, or the cap is passed."""
    operation = one.operation
    path = operation.file or scope.SOUL
    if not any(line.file == path for line in batch.soul):
        raise ClawgitError(f"{path} is not the soul that was read", fix="name a file of the soul")
    before = view.read(path) or ""
    text = one_line(operation.text)
    if operation.line:
        old = _line(batch, before, path, operation.line)
        after = line_edits.replaced(before, old, text) if text else line_edits.without(before, [old])
    elif not text:
        raise ClawgitError("there is neither a line nor words for one", fix="give the line or its text")
    elif any(normalise(each.text) == normalise(text) for each in entries(before)):
        raise ClawgitError(f"{path} says so already", fix="leave it out")
    else:
        after = line_edits.added(before, operation.section, text)
    cap = view.workspace.trust.cap(path, view.workspace.config.soul_max_tokens)
    if count(after) > cap and count(after) > count(before):
        raise ClawgitError(f"{path} would grow past its {cap} tokens", fix="sharpen a line instead of adding one")
    subject = f"{scope.room(path)}: {_short(text or f'drop: {operation.reason}')}"
    row = _row(view, batch, one, path, text) if text else None
    return _change(view, batch, one, subject, Edit(path, before, after), (row,) if row else ())


def lesson(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that lists a lesson on how work is done: in `lessons_file`, else among the memories.

    Raises ClawgitError where it stands there already.
    """
    path, text = str(view.workspace.config.value("lessons_file")), one_line(one.operation.text)
    if not path:
        return added(view, batch, one)
    before = view.read(path)
    if any(normalise(each.text) == normalise(text) for each in entries(before or "")):
        raise ClawgitError(f"{path} says so already", fix="leave it out")
    whole = before if before is not None else f"# {path.removesuffix('.md')}\n"
    after = append_under(whole, LESSONS, bullet(text), create=True)
    row = _row(view, batch, one, path, text)
    return _change(view, batch, one, f"{scope.room(path)}: {_short(text)}", Edit(path, before, after), (row,))


def _line(batch: Batch, text: str, path: str, number: int) -> Entry:
    """Return the entry that was line `number` when the batch was made, wherever it stands by now."""
    shown = next((one for one in batch.soul if (one.file, one.line) == (path, number)), None)
    if shown is None:
        raise ClawgitError(f"no line of {path} has the number {number}", fix="name a line that was shown, or 0")
    same = [one for one in entries(text) if one_line(one.text) == shown.text]
    if not same:
        raise ClawgitError(f"line {number} of {path} is not what it was", fix=READ_AGAIN)
    return min(same, key=lambda one: abs(one.start - number))


def _change(view: View, batch: Batch, one: Decided, subject: str, edit: Edit, rows: tuple[Row, ...]) -> Change:
    return Change(
        subject,
        decided.reason(one),
        (edit,),
        decided.pointers(view.workspace, batch, one),
        decided.origin(view.workspace, batch, one),
        batch.agent,
        rows=rows,
        id=one.name(batch),
    )


def _row(view: View, batch: Batch, one: Decided, path: str, text: str) -> Row:
    """Return the row by which a run knows that something was made of these turns, also when that is undone."""
    days = decided.days(batch, one.operation)
    origin = decided.origin(view.workspace, batch, one)
    said = decided.mentions(view.workspace, batch, one.operation)
    name = one.name(batch)
    return Row(name, path, digest(text), "skill", origin, one.confidence, days[0], days[-1], said or frozenset({name}))


def _short(text: str) -> str:
    return message.shorten(message.one_line(text), _SUBJECT)
