"""Memories and journals: reading them, adding one."""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from datetime import date
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit import errors
from clawgit.errors import Advice
from clawgit.language import due_dates
from clawgit.text import confidence, entry
from clawgit.text.document import lowered
from clawgit.text.edit import append_under, bullet, is_link
from clawgit.text.entry import digest, entry_id, new_id, normalise
from clawgit.workspace import commit_message, file_roles, manifest
from clawgit.workspace.change import Append, Change, Edit, Origin
from clawgit.workspace.entries import Row
from clawgit.workspace.entry_association import by_words, free_id
from clawgit.workspace.workspace import Workspace


def birth(day: date) -> str:
    """Return how a new journal begins."""
    return f"# {day.isoformat()}\n"


_BELOW = 3
"""The level of headings within an entry of a journal."""


def add_note(workspace: Workspace, text: str, *, title: str = "") -> Change:
    """Return the change that appends a note to today's journal, under `## HH:MM - title`.

    A heading within the text goes below that one: who notes something has one entry, and not those of others too.
    Raises UsageError for an empty text.
    """
    if not text.strip():
        raise errors.text_missing("there is no text to note", fix=Advice('clawgit remember --journal "what happened"'))
    now = workspace.now()
    heading = f"## {now:%H:%M}" + (f" - {commit_message.one_line(title)}" if title.strip() else "")
    block = f"{heading}\n\n{lowered(text.strip(), _BELOW)}\n"
    subject = f"journal: {commit_message.shorten(commit_message.one_line(title or text), 60)}"
    edit = Append(workspace.journal_path(now.date()), block, birth(now.date()))
    return Change(subject, edits=(edit,), origin="operator")


SECTIONS = {"decision": "Decisions", "knowledge": "Knowledge", "skill": "Skills", "event": "Events"}


class Addition(Struct, frozen=True):
    """A change that adds a memory; `merged_into` names the entry that said so already."""

    change: Change
    id: str
    merged_into: str | None = None


HOMES = ("entities", "patterns", "summaries", "events")
"""Folders in `memory/` with one file for each thing (seed 3)."""
TopicFile = Callable[[str], str]
"""Gives the file of a topic by its title, "" where it can have none."""
_UNFIT = re.compile(r"[^\w]+")


def _plain(title: str) -> str:
    return _UNFIT.sub("-", title.casefold()).strip("-_")


def topic_places(root: Path) -> TopicFile:
    """Return what gives the file of a topic in a workspace: one of its name in a home of topics, else below memory/."""
    kept = {
        _plain(file.stem): f"memory/{home}/{file.name}"
        for home in reversed(HOMES)
        for file in sorted((root / "memory" / home).glob("*.md"), reverse=True)
        if file.is_file() and manifest.kind(f"memory/{home}/{file.name}") == "memory"
    }

    def place(title: str) -> str:
        name = _plain(title)
        path = kept.get(name, f"memory/{name}.md")
        return path if name and manifest.kind(path) == "memory" else ""

    return place


def _known(
    workspace: Workspace, path: str, rows: Mapping[tuple[str, str], Row], taken: Container[str]
) -> Iterator[tuple[entry.Entry, Row]]:
    """Yield the bullets of a memory file that say something, each with its row, or the one it would have."""
    for found in entry.entries(workspace.read(path) or ""):
        if found.kind == "bullet" and not is_link(found.text):
            row = rows.get((path, digest(found.text)))
            yield found, row or Row(free_id(taken, path, found.text, found.ordinal), path, "")


def journals(workspace: Workspace) -> list[str]:
    """Return the journals, the newest first."""
    places = (place.relative_to(workspace.root).as_posix() for place in workspace.root.glob("memory/**/*.md"))
    return sorted((path for path in places if file_roles.journal_day(path)), reverse=True)


def add(
    workspace: Workspace,
    text: str,
    *,
    tag: str = "knowledge",
    daily: bool = False,
    origin: Origin = "operator",
    evidence: tuple[str, ...] = (),
    agent: str | None = None,
) -> Addition:
    """Return the change that adds `text`, word for word, to the memory file, or with `daily` to today's journal.

    A line that stands there already, normalised, becomes a mention of it instead. Raises UsageError for an empty text,
    ClawgitError where a code block or comment that is left open would swallow it.
    """
    if not normalise(text):
        raise errors.text_missing("no text to remember", fix=Advice('clawgit memory add "what is worth keeping"'))
    change = Change(
        f"memory: {commit_message.shorten(commit_message.one_line(text), 60)}",
        evidence=evidence,
        origin=origin,
        agent=agent,
        id=new_id(),
    )
    if daily:
        return _to_journal(workspace, change, text, tag)
    rows = workspace.rows()
    words = by_words(rows)
    pairs = (pair for path in workspace.memory_files for pair in _known(workspace, path, words, rows))
    there, known = next((pair for pair in pairs if normalise(pair[0].text) == normalise(text)), (None, None))
    path = known.file if known else workspace.memory_file
    key = known.id if known else entry_id(path, text)
    today = workspace.now().date()
    row = rows.get(key)
    if row is None or row.hash != digest(text):
        row = Row(key, path, digest(text), tag, change.origin, confidence.base(change.origin), today)
    row = replace(row, last=today, mentions=row.mentions | {change.id}, status="live")
    if there:
        subject = f"memory: mentioned again: {commit_message.shorten(commit_message.one_line(there.text), 45)}"
        return Addition(replace(change, subject=subject, rows=(row,)), row.id, row.id)
    before = workspace.read(path)
    after = append_under(before or "# Memory\n", SECTIONS[tag], bullet(text, tag), create=True)
    require_readable(path, text, after)
    return Addition(replace(change, edits=(Edit(path, before, after),), rows=(row,)), row.id)


def kind(workspace: Workspace, text: str) -> str:
    """Return the tag of a text that comes without: an event where it names a day to come, else knowledge."""
    return "event" if due_dates.days(text, workspace.now().date()) else "knowledge"


def require_readable(path: str, text: str, after: str) -> None:
    """Raise ClawgitError if nobody could read the memory where it would stand: in a code block or comment."""
    found = (one.text for one in entry.entries(after))
    if not any(normalise(said) == normalise(text) for said in found):
        raise errors.memory_shape(f"{path}: an open code block or comment hides it", fix=Advice(f"close it in {path}"))


def _to_journal(workspace: Workspace, change: Change, text: str, tag: str) -> Addition:
    now = workspace.now()
    path = workspace.journal_path(now.date())
    edit = Append(path, bullet(text, tag) + "\n", birth(now.date()))
    before = [found.text for found in entry.entries(workspace.read(path) or "")]
    ordinal = 1 + sum(normalise(said) == normalise(text) for said in before)
    return Addition(replace(change, edits=(edit,)), entry_id(path, text, ordinal))
