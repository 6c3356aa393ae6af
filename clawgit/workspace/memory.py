"""Memories and journals: reading them, adding one."""

import re
from collections.abc import Mapping
from datetime import date
from itertools import count
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit import errors
from clawgit.errors import Advice
from clawgit.language import due_dates
from clawgit.text import confidence, entry
from clawgit.text.document import lowered
from clawgit.text.edit import append_under, bullet, is_link
from clawgit.text.entry import entry_id, hash_entry, new_id, normalise
from clawgit.text.similarity import normalise_note
from clawgit.workspace import commit_message, manifest, write_guard
from clawgit.workspace.change import Append, Change, Edit, Origin
from clawgit.workspace.entries import Row
from clawgit.workspace.entry_association import by_words, free_id
from clawgit.workspace.workspace import Workspace


def render_journal_head(day: date) -> str:
    """Return how a new journal begins."""
    return f"# {day.isoformat()}\n"


_NOTE_LEVEL = 3
"""The level of headings within an entry of a journal."""


def add_note(workspace: Workspace, text: str, *, title: str = "") -> Change:
    """Return the change that appends a note to today's journal, under `## HH:MM - title`.

    A heading within the text goes below that one: a note is one entry of its author. Raises UsageError for an empty
    text.
    """
    if not text.strip():
        raise errors.text_missing("there is no text to note", fix=Advice('clawgit remember --journal "what happened"'))
    now = workspace.now()
    heading = f"## {now:%H:%M}" + (f" - {commit_message.fold_spaces(title)}" if title.strip() else "")
    block = f"{heading}\n\n{lowered(text.strip(), _NOTE_LEVEL)}\n"
    subject = f"journal: {commit_message.shorten(commit_message.fold_spaces(title or text), 60)}"
    edit = Append(workspace.journal_path(now.date()), block, render_journal_head(now.date()))
    return Change(subject, edits=(edit,), origin="operator")


SECTIONS = {"decision": "Decisions", "knowledge": "Knowledge", "skill": "Skills", "event": "Events"}


class Addition(Struct, frozen=True):
    """A change that adds a memory; `merged_into` names an existing entry with the same words."""

    change: Change
    id: str
    merged_into: str | None = None


HOMES = ("entities", "patterns", "summaries", "events")
"""Folders in `memory/` with one file for each thing (seed 3)."""
_UNFIT = re.compile(r"[^\w]+")


def _make_topic_name(title: str) -> str:
    return _UNFIT.sub("-", title.casefold()).strip("-_")


def find_topic_file(root: Path, title: str) -> str:
    """Return the file of a topic: one of its name in a home of topics, else below memory/; "" if it can have none."""
    name = _make_topic_name(title)
    for home in HOMES if name else ():
        for file in sorted((root / "memory" / home).glob("*.md")):
            path = f"memory/{home}/{file.name}"
            if _make_topic_name(file.stem) == name and file.is_file() and manifest.kind(path) == "memory":
                return path
    path = f"memory/{name}.md"
    return path if name and manifest.kind(path) == "memory" else ""


def _find_twin(workspace: Workspace, text: str, rows: Mapping[str, Row]) -> tuple[entry.Entry, Row] | None:
    """Return the first entry of the memory files that says the same, and its row, or the one it would get."""
    rows_by_words, words = by_words(rows), normalise_note(text)
    for path in workspace.memory_files:
        for item in entry.entries(workspace.read(path) or ""):
            if not is_link(item.text) and normalise_note(item.text) == words:
                row = rows_by_words.get((path, hash_entry(item.text)))
                return item, row or Row(free_id(rows, path, item.text, item.ordinal), path, "")
    return None


def make_addition(
    workspace: Workspace,
    text: str,
    *,
    tag: str | None = None,
    daily: bool = False,
    origin: Origin = "operator",
    evidence: tuple[str, ...] = (),
    agent: str | None = None,
) -> Addition:
    """Return the change that adds `text`, word for word, to the memory file, or with `daily` to today's journal.

    Without a tag it is an event if it names a day to come, else knowledge. A line that says the same already becomes a
    mention of it instead. Raises UsageError for an empty text, ClawgitError if an open code block or comment would
    swallow it.
    """
    tag = tag or ("event" if due_dates.days(text, workspace.now().date()) else "knowledge")
    if not normalise(text):
        raise errors.text_missing("no text to remember", fix=Advice('clawgit remember "what is worth keeping"'))
    write_guard.check_words(text, "the text")
    change = Change(
        f"memory: {commit_message.shorten(commit_message.fold_spaces(text), 60)}",
        evidence=evidence,
        origin=origin,
        agent=agent,
        id=new_id(),
    )
    if daily:
        return _to_journal(workspace, change, text, tag)
    rows = workspace.rows()
    twin, twin_row = _find_twin(workspace, text, rows) or (None, None)
    path = twin_row.file if twin_row else workspace.memory_file
    text = twin.text if twin else text
    key = twin_row.id if twin_row else _find_id(workspace, path, text, rows)
    today = workspace.now().date()
    row = rows.get(key)
    if row is None or row.hash != hash_entry(text):
        row = Row(key, path, hash_entry(text), tag, change.origin, confidence.base(change.origin), today)
    row = replace(row, last=today, mentions=row.mentions | {change.id}, status="live")
    if twin:
        subject = f"memory: mentioned again: {commit_message.shorten(commit_message.fold_spaces(twin.text), 45)}"
        return Addition(replace(change, subject=subject, rows=(row,)), row.id, row.id)
    before = workspace.read(path)
    after = append_under(before or "# Memory\n", SECTIONS[tag], bullet(text, tag), create=True)
    require_readable(path, text, after)
    return Addition(replace(change, edits=(Edit(path, before, after),), rows=(row,)), row.id)


def _find_id(workspace: Workspace, path: str, text: str, rows: Mapping[str, Row]) -> str:
    """Return the id of a new entry: of the row that its words had, else one that no row and no present entry has."""
    with workspace.open_table() as table:
        names = (entry_id(path, text, ordinal) for ordinal in count(1))
        return next(
            name
            for name in names
            if (rows[name].hash == hash_entry(text) if name in rows else not table.find(prefix=name))
        )


def require_readable(path: str, text: str, after: str) -> None:
    """Raise ClawgitError if the memory would be unreadable: in a code block or comment."""
    sentences = (item.text for item in entry.entries(after))
    if not any(normalise(sentence) == normalise(text) for sentence in sentences):
        raise errors.memory_shape(f"{path}: an open code block or comment hides it", fix=Advice(f"close it in {path}"))


def _to_journal(workspace: Workspace, change: Change, text: str, tag: str) -> Addition:
    now = workspace.now()
    path = workspace.journal_path(now.date())
    # Below its own heading: it is no part of the section that ends the file.
    edit = Append(path, f"## {now:%H:%M}\n\n{bullet(text, tag)}\n", render_journal_head(now.date()))
    before = [item.text for item in entry.entries(workspace.read(path) or "")]
    ordinal = 1 + sum(normalise(sentence) == normalise(text) for sentence in before)
    return Addition(replace(change, edits=(edit,)), entry_id(path, text, ordinal))
