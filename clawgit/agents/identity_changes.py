"""Changes of corrections, lessons and edits of the identity."""

from clawgit import errors
from clawgit.agents import memory_changes, operation_evidence, recall_validator
from clawgit.agents.messages_to_read import Told
from clawgit.agents.running import View
from clawgit.errors import Advice
from clawgit.memory import correct, in_force
from clawgit.memory.corrected_values import Correction, Exchange, Stored
from clawgit.messages.patterns import MINER, VALIDATOR, Pattern
from clawgit.messages.triage import triage
from clawgit.reading import checks, evidence
from clawgit.reading.checks import Decided
from clawgit.reading.operations import Operation
from clawgit.reading.turns import Batch
from clawgit.text import line_edits
from clawgit.text.edit import append_under, bullet
from clawgit.text.entry import Entry, digest, entries, normalise
from clawgit.text.tokens import count
from clawgit.workspace import commit_message, file_roles
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.entries import Row

LESSONS = "Lessons"
KEEPER = "soul-keeper"
_SUBJECT = 60


def corrected(view: View, batch: Batch, one: Decided, patterns: tuple[Pattern, ...]) -> Change:
    """Return the change of a correction: its record, and the entries in their places, or the right value as a new one.

    Raises ClawgitError where an entry is gone or cannot be corrected in its place.
    """
    operation = one.operation
    cited = [turn for n in sorted(operation.turns, reverse=True) if (turn := batch.turn(n))]
    turn = next((one for one in cited if evidence.find_places(operation.right, one.text)), next(iter(cited), None))
    if turn is None:
        raise errors.evidence_missing("a correction cites the turn that makes it", fix=Advice("name the turn"))
    heard, _ = operation_evidence.read_message(view.workspace, turn)
    stored = [_stored(view, name) for name in operation.entries] or _contradicted(view, operation)
    exchanges = tuple(_exchange(one, entry) for entry in stored)
    tag = operation.tag or ("event" if operation.due else "knowledge")
    statement = memory_changes.dated(batch, one) if operation.text and not stored else ""
    said = exchanges[0].said if exchanges else operation.wrong
    correction = Correction(said, operation.right, exchanges, statement, "" if stored else one.answers, tag)
    source = recall_validator.read_source(view.workspace, Told(heard, triage(heard.text, patterns)))
    return correct.make_correction(view, correction, source, name=one.name(batch), agent=VALIDATOR)


def _exchange(one: Decided, entry: Stored) -> Exchange:
    """Return what becomes of an entry: its wrong value is exchanged where it has it once, else all of it."""
    found = evidence.find_places(one.operation.wrong, entry.text)
    said = entry.text[slice(*found[0])] if len(found) == 1 else entry.text
    return Exchange(entry, said, one.operation.right, checks.mend(one.operation, entry.text))


def _stored(view: View, name: str) -> Stored:
    line = next((line for line in correct.list_correctable(view.workspace) if line.id == name), None)
    if line is None:
        raise errors.memory_changed(f"there is no entry {name} any more", fix=memory_changes.READ_AGAIN)
    return Stored(line.id, in_force.read_words(line))


def _contradicted(view: View, operation: Operation) -> list[Stored]:
    """Return the entry that a correction without one goes against, if there is just one: it came since the reading."""
    subject = in_force.refuted_sentence(operation.text, operation.wrong, operation.right)
    if not subject:
        return []
    rule = in_force.Rule("", subject, operation.wrong, operation.right)
    lines = [line for line in correct.list_correctable(view.workspace) if line.role == "memory"]
    found = [Stored(line.id, line.text) for line in lines if in_force.find_rule(line.text, [rule])]
    return found if len(found) == 1 else []


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
    return _change(view, batch, one, subject, Edit(path, before, after), (row,) if row else (), KEEPER)


def lesson(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that lists a lesson on how work is done: in `lessons_file`, else among the memories.

    Raises ClawgitError where it stands there already.
    """
    path, text = str(view.workspace.config.value("lessons_file")), one_line(one.operation.text)
    if not path or view.workspace.config.soul_policy == "locked":
        return memory_changes.added(view, batch, one)
    before = view.read(path)
    if any(normalise(each.text) == normalise(text) for each in entries(before or "")):
        raise errors.already_set(f"{path} says so already", fix=Advice("leave it out"))
    whole = before if before is not None else f"# {path.removesuffix('.md')}\n"
    after = append_under(whole, LESSONS, bullet(text), create=True)
    row = _row(view, batch, one, path, text)
    return _change(
        view, batch, one, f"{file_roles.room(path)}: {_short(text)}", Edit(path, before, after), (row,), MINER
    )


def _line(batch: Batch, text: str, path: str, number: int) -> Entry:
    """Return the entry that was line `number` when the batch was made, wherever it stands by now."""
    shown = next((one for one in batch.soul if (one.file, one.line) == (path, number)), None)
    if shown is None:
        raise errors.line_range(f"{path} has no line {number}", fix=Advice("name a line that was shown, or 0"))
    same = [entry for entry in entries(text) if one_line(entry.text) == shown.text]
    if not same:
        raise errors.memory_changed(f"line {number} of {path} is not what it was", fix=memory_changes.READ_AGAIN)
    return min(same, key=lambda one: abs(one.start - number))


def _change(
    view: View, batch: Batch, one: Decided, subject: str, edit: Edit, rows: tuple[Row, ...], agent: str
) -> Change:
    return Change(
        subject,
        operation_evidence.write_reason(one),
        (edit,),
        operation_evidence.find_pointers(view.workspace, batch, one),
        operation_evidence.find_origin(view.workspace, batch, one),
        agent,
        rows=rows,
        id=one.name(batch),
    )


def _row(view: View, batch: Batch, one: Decided, path: str, text: str) -> Row:
    """Return the row by which a run knows that something was made of these turns, also when that is undone."""
    days = operation_evidence.find_days(batch, one)
    origin = operation_evidence.find_origin(view.workspace, batch, one)
    said = operation_evidence.find_mentions(view.workspace, batch, one)
    name = one.name(batch)
    return Row(name, path, digest(text), "skill", origin, one.confidence, days[0], days[-1], said or frozenset({name}))


def _short(text: str) -> str:
    return commit_message.shorten(commit_message.one_line(text), _SUBJECT)
