"""The changes that operations come to."""

import unicodedata
from collections.abc import Iterable
from datetime import date, datetime
from functools import reduce
from typing import cast

from msgspec.structs import replace

from clawgit.agents import recall_validator, requested_memories
from clawgit.agents.messages_to_read import Heard, Told
from clawgit.agents.running import View
from clawgit.errors import (
    Advice,
    already_set,
    budget_exceeded,
    id_unknown,
    memory_changed,
    memory_shape,
    path_role,
    source_tainted,
)
from clawgit.language import due_dates
from clawgit.language.values import places
from clawgit.memory import correct, expiry, in_force
from clawgit.memory.corrected_values import Correction, Exchange, Stored
from clawgit.memory.view import find_entry
from clawgit.messages.triage import MINER, VALIDATOR, Pattern, triage
from clawgit.reading import checks
from clawgit.reading.checks import VERBATIM, Decided
from clawgit.reading.turns import Batch, Turn
from clawgit.text import confidence, document
from clawgit.text.edit import add_bullet, append_under, bullet, remove_lines, replace_entry, topic_link
from clawgit.text.entry import Entry, digest, entries, entry_id, normalise
from clawgit.text.tokens import count
from clawgit.workspace import commit_message, file_roles, write_guard
from clawgit.workspace.change import Change, Edit, Origin
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import SECTIONS, require_readable, topic_places
from clawgit.workspace.memory_lines import MemoryLine, list_bullets, list_lines
from clawgit.workspace.workspace import Workspace

_MAX_SUBJECT_CHARS = 60
_MAX_QUOTES = 5


def read_message(workspace: Workspace, turn: Turn) -> tuple[Heard, bool]:
    """Return a turn as the conversations hold it, and whether they do: only then can it be pointed at."""
    kept = workspace.conversations(turn.session, turn.event) if turn.session and turn.event else None
    time = datetime.fromisoformat(turn.time).timestamp() if turn.time else None
    origin = cast("Origin", kept.origin if kept else "operator" if turn.by == "operator" else "unknown")
    return Heard(kept.text if kept else turn.text, origin, time, turn.session, turn.event), kept is not None


def find_cited(batch: Batch, one: Decided) -> tuple[Turn, ...]:
    """Return the turns that an operation cites, its context last."""
    numbers = (*one.operation.turns, *filter(None, (one.operation.context,)))
    return tuple(turn for n in dict.fromkeys(numbers) if (turn := batch.turn(n)))


def find_pointers(workspace: Workspace, batch: Batch, one: Decided) -> tuple[str, ...]:
    """Return the evidence of an operation: each turn that it cites, with the words that it rests on."""
    found: dict[str | None, None] = {}
    for turn in find_cited(batch, one):
        message, is_kept = read_message(workspace, turn)
        if not is_kept:
            continue
        quotes = [quote for quote in one.quotes if _flatten(quote) in _flatten(message.text)]
        found |= dict.fromkeys(map(message.pointer, map(one_line, quotes or [""])))
    return tuple(filter(None, found))


def _list_turns(batch: Batch, one: Decided) -> list[Turn]:
    return [turn for n in one.operation.turns if (turn := batch.turn(n))]


def find_origin(workspace: Workspace, batch: Batch, one: Decided) -> Origin:
    """Return whose words an operation rests on: the operator's only where he said all of them."""
    origins = {read_message(workspace, turn)[0].origin for turn in _list_turns(batch, one)}
    return "operator" if origins == {"operator"} and one.confidence >= confidence.OPERATOR else "agent"


def find_mentions(workspace: Workspace, batch: Batch, one: Decided) -> frozenset[str]:
    """Return the names of the cited turns as mentions have them."""
    return frozenset(read_message(workspace, turn)[0].mention for turn in _list_turns(batch, one))


def find_days(batch: Batch, one: Decided) -> tuple[date, ...]:
    """Return the days of the cited turns, in order; today if none is known."""
    days = sorted(turn.day for turn in _list_turns(batch, one) if turn.day)
    return tuple(days) or (date.fromisoformat(batch.today),)


def write_reason(one: Decided) -> str:
    """Return why a change is made, in the words that it rests on."""
    quotes = [f'The operator said: "{write_guard.cleaned(one_line(quote))}"' for quote in one.quotes[:_MAX_QUOTES]]
    reason = write_guard.cleaned(one_line(one.operation.reason))
    due = f"Due {one.operation.due}." if one.operation.due else ""
    return "\n".join(part for part in (*quotes, reason, due) if part)


def make_change(
    workspace: Workspace,
    batch: Batch,
    one: Decided,
    subject: str,
    edits: tuple[Edit, ...],
    rows: tuple[Row, ...],
    agent: str,
    *,
    drops: tuple[str, ...] = (),
) -> Change:
    """Return the change that an operation comes to, with the words that it rests on."""
    return Change(
        subject,
        write_reason(one),
        edits,
        find_pointers(workspace, batch, one),
        find_origin(workspace, batch, one),
        agent,
        rows=rows,
        drops=drops,
        id=one.name(batch),
    )


def make_row(workspace: Workspace, batch: Batch, one: Decided, key: str, path: str, text: str, tag: str) -> Row:
    """Return the row of what an operation writes, by which a run knows that something was made of these turns."""
    days = find_days(batch, one)
    mentions = find_mentions(workspace, batch, one) or frozenset({one.name(batch)})
    origin = find_origin(workspace, batch, one)
    return Row(key, path, digest(text), tag, origin, one.confidence, days[0], days[-1], mentions)


def shorten_subject(text: str) -> str:
    """Return a text as a subject names it."""
    return commit_message.shorten(one_line(text), _MAX_SUBJECT_CHARS)


def _flatten(text: str) -> str:
    return unicodedata.normalize("NFC", one_line(text))


_NOTED = ("knowledge", "event")
"""Requests with these tags are listed in the journal of their day as well (A3)."""
LESSONS = "Lessons"
KEEPER = "soul-keeper"
_ENDS = ".!\u3002\uff01 "
READ_AGAIN = Advice("export the next batch, or run it again: the file has moved on")


def added(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that adds a line, or mentions again what stands there already.

    Raises ClawgitError for what was taken back before, or what cannot stand there.
    """
    text, tag = dated(batch, one), one.operation.tag or ("skill" if one.operation.act == "lesson" else "knowledge")
    if one.operation.due and tag == "knowledge":
        tag = "event"
    there = [found for found in list_bullets(view.workspace) if normalise(found.text) == normalise(text)]
    if there:
        return mentioned(view, batch, replace(one, same=there[0].id))
    file = view.workspace.memory_file
    before = view.read(file)
    whole = before if before is not None and before.strip() else "# Memory\n"
    title = _section(whole, one.operation.section) or SECTIONS[tag]
    place = topic_places(view.workspace.root)
    path = (place(title) or place(SECTIONS[tag])) if one.aside else file
    key = entry_id(path, text)
    _refuse_taken_back(view, batch, one, key, text)
    line = bullet(text, tag)
    if one.aside:
        topic = view.read(path)
        after = append_under(topic or f"# {title}\n", title, line, create=True)
        edits: tuple[Edit, ...] = (Edit(path, topic, after), *_linked(batch, Edit(file, before, whole), title, path))
    else:
        after = append_under(whole, title, line, create=True)
        edits = (Edit(file, before, after),)
    require_readable(path, text, after)
    row = make_row(view.workspace, batch, one, key, path, text, tag)
    turns = _list_turns(batch, one)[:1] if one.why == VERBATIM and tag in _NOTED else []
    heard = (read_message(view.workspace, turn)[0] for turn in turns)
    notes, rows = requested_memories.note_requests(view, [(message, text) for message in heard])
    return make_change(
        view.workspace, batch, one, f"memory: {shorten_subject(text)}", (*edits, *notes), (row, *rows), MINER
    )


def _linked(batch: Batch, there: Edit, title: str, path: str) -> tuple[Edit, ...]:
    """Return the edit that leads from a section to the file of its topic; () where it does so, or the file is full."""
    text, line = there.text or "", topic_link(title, path)
    linked = any(f"]({path})" in row and title in row for row in text.splitlines())
    if linked or (batch.free is not None and batch.free < len(line)):
        return ()
    return (replace(there, text=append_under(text, title, line, create=True)),)


def mentioned(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that notes that an entry was said once more: of the sidecar alone."""
    found = _entry(view, one.same)
    row = _known(view, found)
    days = find_days(batch, one)
    row = replace(
        row,
        last=max(row.last or days[-1], days[-1]),
        mentions=row.mentions | find_mentions(view.workspace, batch, one),
    )
    subject = f"memory: mentioned again: {shorten_subject(found.text)}"
    return make_change(view.workspace, batch, one, subject, (), (row,), MINER)


def reworded(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that puts better words in the place of an entry, or one line in the place of several.

    Raises ClawgitError where an entry is gone, stands elsewhere, or is not ours to change.
    """
    text = dated(batch, one)
    found = [_entry(view, name) for name in dict.fromkeys(one.operation.entries)]
    path = _one_file(view, found)
    before = view.read(path) or ""
    spots = [_find_bullet(before, each) for each in found]
    tag = one.operation.tag or found[0].tag or "knowledge"
    line = bullet(text, tag, spots[0].status).removeprefix("- ")
    after = remove_lines(before, [(each.start, each.end) for each in spots[1:]])
    first = next(each for each in entries(after) if each.text == spots[0].text)
    after = replace_entry(after, first, line)
    require_readable(path, text, after)
    rows = [_known(view, each) for each in found]
    key = entry_id(path, text)
    fresh = make_row(view.workspace, batch, one, key, path, text, tag)
    joined = reduce(expiry.join_rows, rows, fresh)
    joined = replace(
        joined,
        origin="operator" if any(each.origin == "operator" for each in rows) else fresh.origin,
        confidence=max(each.confidence for each in rows) if one.operation.act == "merge" else fresh.confidence,
    )
    drops = tuple(each.id for each in rows if each.id != key)
    verb = "merged" if len(found) > 1 else "reworded"
    subject = f"memory: {verb}: {shorten_subject(text)}"
    edits = (Edit(path, before, after),)
    return make_change(view.workspace, batch, one, subject, edits, (joined,), MINER, drops=drops)


def retired(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that takes entries out. Raises ClawgitError as `reworded` does."""
    found = [_entry(view, name) for name in dict.fromkeys(one.operation.entries)]
    path = _one_file(view, found)
    before = view.read(path) or ""
    spots = [find_entry(before, each) for each in found]
    after = remove_lines(before, [(each.start, each.end) for each in spots])
    rows = [_known(view, each) for each in found]
    gone = tuple(replace(each, status="tombstone", by=one.name(batch)) for each in rows)
    subject = f"memory: retired: {shorten_subject(found[0].text)}"
    return make_change(view.workspace, batch, one, subject, (Edit(path, before, after),), gone, MINER)


def dated(batch: Batch, one: Decided) -> str:
    """Return the text of an operation, with the day on which it is due behind it where it does not name that day."""
    text, due = one.operation.text, one.operation.due
    if not due or date.fromisoformat(due) in due_dates.days(text, find_days(batch, one)[0]):
        return text
    plain = text.rstrip(_ENDS)
    return f"{plain} ({due}){text[len(plain) :]}"


def _refuse_taken_back(view: View, batch: Batch, one: Decided, key: str, text: str) -> None:
    """Raise ClawgitError for what the operator took back: these words, or all that was learnt from these turns."""
    rows = view.rows().values()
    gone = [row for row in rows if row.status == "tombstone"]
    there = {found.id for found in list_bullets(view.workspace)}
    files = {view.workspace.memory_file, *view.workspace.memory_files}
    deleted = [row for row in rows if row.status != "tombstone" and row.file in files and row.id not in there]
    said = find_mentions(view.workspace, batch, one)
    live = frozenset[str]().union(*(row.mentions for row in rows if row.id in there))
    unlearnt = frozenset[str]().union(*(row.mentions for row in (*gone, *deleted))) - live
    if any(row.id == key or row.hash == digest(text) for row in gone) or (said and said <= unlearnt):
        raise source_tainted("what was learnt from this was taken back before", fix=Advice("leave it out"))


def _entry(view: View, name: str) -> MemoryLine:
    every = list_lines(view.workspace, "memory")
    found = next((memory for memory in every if memory.id == name), None)
    if found is None:
        raise id_unknown(f"no memory file has entry {name}, and journals stay as they are", fix=READ_AGAIN)
    return found


def _one_file(view: View, found: Iterable[MemoryLine]) -> str:
    paths = {one.path for one in found}
    if len(paths) != 1:
        raise path_role("the entries stand in several files, or there are none", fix=Advice("name those of one file"))
    (path,) = paths
    if view.workspace.theirs(path):
        raise path_role(f"{path} is OpenClaw's to write", fix=Advice("correct it, or tell the agent"))
    return path


def _find_bullet(text: str, memory: MemoryLine) -> Entry:
    found = find_entry(text, memory)
    if found.kind != "bullet":
        raise memory_shape(f"entry {memory.id} is no bullet", fix=Advice("correct its wrong words"))
    if document.is_clipped(found.text):
        raise memory_shape(f"entry {memory.id} is too long to rewrite", fix=Advice("break it into several lines"))
    return found


def _known(view: View, memory: MemoryLine) -> Row:
    row = view.rows().get(memory.id)
    return row or Row(memory.id, memory.path, digest(memory.text), memory.tag or "")


def _section(text: str, wanted: str) -> str:
    """Return the title of a section that stands in a file already, "" where none or several are called so."""
    name = wanted.rpartition(" / ")[2].strip().casefold()
    found = [
        section.title
        for section in document.sections(text)
        if section.level > 1 and section.title.strip().casefold() == name
    ]
    return found[0] if len(found) == 1 else ""


# ---- corrections, lessons and edits of the identity


def corrected(view: View, batch: Batch, one: Decided, patterns: tuple[Pattern, ...]) -> Change:
    """Return the change of a correction: its record, and the entries in their places, or the right value as a new one.

    Raises ClawgitError where an entry is gone or cannot be corrected in its place.
    """
    operation = one.operation
    cited = [turn for n in sorted(operation.turns, reverse=True) if (turn := batch.turn(n))]
    turn = next((one for one in cited if places(one.text, operation.right)), cited[0])
    heard, _ = read_message(view.workspace, turn)
    stored = [_stored(view, name) for name in operation.entries]
    exchanges = tuple(_exchange(one, entry) for entry in stored)
    tag = operation.tag or ("event" if operation.due else "knowledge")
    statement = dated(batch, one) if operation.text and not stored else ""
    said = exchanges[0].said if exchanges else operation.wrong
    correction = Correction(said, operation.right, exchanges, statement, "" if stored else one.answers, tag)
    source = recall_validator.read_source(view.workspace, Told(heard, triage(heard.text, patterns)))
    return correct.make_correction(view, correction, source, name=one.name(batch), agent=VALIDATOR)


def _exchange(one: Decided, entry: Stored) -> Exchange:
    """Return what becomes of an entry: its wrong value is exchanged where it has it once, else all of it."""
    found = places(entry.text, one.operation.wrong)
    said = entry.text[slice(*found[0])] if len(found) == 1 else entry.text
    return Exchange(entry, said, one.operation.right, checks.mend(one.operation, entry.text))


def _stored(view: View, name: str) -> Stored:
    line = next((line for line in correct.list_correctable(view.workspace) if line.id == name), None)
    if line is None:
        raise memory_changed(f"there is no entry {name} any more", fix=READ_AGAIN)
    return Stored(line.id, in_force.read_words(line))


def edited(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change of one line of the soul. Raises ClawgitError where the line is gone, or the cap is passed."""
    operation = one.operation
    path, text = operation.file, one_line(operation.text)
    before = view.read(path) or ""
    if operation.line:
        old = _line(batch, before, path, operation.line)
        after = replace_entry(before, old, text) if text else remove_lines(before, [(old.start, old.end)])
    elif any(normalise(each.text) == normalise(text) for each in entries(before)):
        raise already_set(f"{path} says so already", fix=Advice("leave it out"))
    else:
        after = add_bullet(before, operation.section, text)
    cap = view.workspace.trust.cap(path, view.workspace.config.value("soul_max_tokens"))
    if count(after) > cap and count(after) > count(before):
        raise budget_exceeded(f"{path} would exceed its {cap} tokens", fix=Advice("sharpen a line instead"))
    subject = f"{file_roles.room(path)}: {shorten_subject(text or f'drop: {operation.reason}')}"
    rows = (make_row(view.workspace, batch, one, one.name(batch), path, text, "skill"),) if text else ()
    return make_change(view.workspace, batch, one, subject, (Edit(path, before, after),), rows, KEEPER)


def lesson(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that lists a lesson on how work is done: in `lessons_file`, else among the memories.

    Raises ClawgitError where it stands there already.
    """
    path, text = str(view.workspace.config.value("lessons_file")), one_line(one.operation.text)
    if not path or view.workspace.config.soul_policy == "locked":
        return added(view, batch, one)
    before = view.read(path)
    if any(normalise(each.text) == normalise(text) for each in entries(before or "")):
        raise already_set(f"{path} says so already", fix=Advice("leave it out"))
    whole = before if before is not None else f"# {path.removesuffix('.md')}\n"
    after = append_under(whole, LESSONS, bullet(text), create=True)
    row = make_row(view.workspace, batch, one, one.name(batch), path, text, "skill")
    subject = f"{file_roles.room(path)}: {shorten_subject(text)}"
    return make_change(view.workspace, batch, one, subject, (Edit(path, before, after),), (row,), MINER)


def _line(batch: Batch, text: str, path: str, number: int) -> Entry:
    """Return the entry that was line `number` when the batch was made, wherever it stands by now."""
    shown = next(one for one in batch.soul if (one.file, one.line) == (path, number))
    same = [entry for entry in entries(text) if one_line(entry.text) == shown.text]
    if not same:
        raise memory_changed(f"line {number} of {path} is not what it was", fix=READ_AGAIN)
    return min(same, key=lambda one: abs(one.start - number))
