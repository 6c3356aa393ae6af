"""Lines of memory with their birth, and new memories."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import chain, count, groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit import errors
from clawgit.errors import Advice, Command
from clawgit.git.own_commits import read_own_commits
from clawgit.language import date_mentions
from clawgit.store.entry_table import EntryRow, Moment
from clawgit.text import confidence, entry
from clawgit.text.document import lowered
from clawgit.text.edit import append_under, bullet, is_link
from clawgit.text.entry import entries, entry_id, hash_entry, new_id, normalise
from clawgit.workspace import commit_message, file_contents, manifest
from clawgit.workspace.change import Append, Change, Edit, Origin
from clawgit.workspace.entries import Row, Status
from clawgit.workspace.entry_association import by_words, free_id
from clawgit.workspace.file_contents import read_quietly, remove_markers, to_text
from clawgit.workspace.workspace import Workspace

_PROMPTS = "agents/"  # of the agents of clawgit
MEMORY_ROLES = ("memory", "journal")
ALL_ROLES = (*MEMORY_ROLES, "identity", "instruction")

_MOST_NAMED = 5
_WORD = re.compile(r"\w+")


class MemoryLine(Struct, frozen=True):
    """An entry of memory with its place, birth and mentions; `line` counts from 1.

    `origin` is the operator only if words of his are cited, else the author of the commit that the entry came with;
    `birth` is that commit, None for an entry that is not committed, or older than this clone; `changed` is the one that
    gave it its words. `probable`: it was recognised by words that are not the same. `copies` counts the entries with
    the same words, itself included. `confidence` is today's, which grew with mentions and faded in silence.
    """

    id: str
    text: str
    tag: str | None
    origin: str
    confidence: float
    first: date | None
    last: date | None
    mentions: int
    status: Status
    path: str
    line: int
    kind: str
    section: tuple[str, ...]
    role: str = ""
    birth: Moment | None = None
    changed: Moment | None = None
    probable: bool = False
    copies: int = 1


def list_lines(workspace: Workspace, *roles: str, paths: tuple[str, ...] = ()) -> list[MemoryLine]:
    """Return the entries of these roles (none: of memory), in the order of their files. Raises ClawgitError."""
    with workspace.open_table() as table:
        rows = table.find(roles=roles or MEMORY_ROLES, paths=paths)
    return list(_describe_rows(workspace, rows, roles or MEMORY_ROLES, paths))


def list_bullets(workspace: Workspace) -> list[MemoryLine]:
    """Return the bullets of the memory files and of those by topic, the memory files first."""
    files = workspace.memory_files
    lines = (line for line in list_lines(workspace, "memory") if line.kind == "bullet")
    return sorted(lines, key=lambda line: files.index(line.path) if line.path in files else len(files))


def find_line(workspace: Workspace, prefix: str) -> MemoryLine:
    """Return the entry with an id beginning with `prefix`; of a removed one that came back, the present one.

    Raises ClawgitError for none, or several.
    """
    if not prefix:
        raise errors.id_unknown("an empty id names nothing", fix=Command("clawgit memory list"))
    with workspace.open_table() as table:
        present, removals = (table.find(prefix=prefix, removed=is_removed) for is_removed in (False, True))
    files = (row.file for key, row in workspace.rows().items() if key.startswith(prefix))
    paths = tuple(sorted({*files, *(row.path for row in (*present, *removals))}))
    lines = list_lines(workspace, *ALL_ROLES, paths=paths)
    matches = {line.id: line for line in lines if line.id.startswith(prefix)}
    if not matches:  # of one that was added again the sidecar has another id
        places = {(row.path, row.start) for row in present}
        matches = {line.id: line for line in lines if (line.path, line.line) in places}
    if len(matches) > 1:
        ids = ", ".join(list(matches)[:_MOST_NAMED])
        fix = Advice("type more of it")
        raise errors.id_ambiguous(f"{len(matches):,} memories begin with {prefix}: {ids}", fix=fix)
    former_places = [(row.path, row.key) for row in removals]
    returned_lines = (line for place in former_places for line in lines if (line.path, hash_entry(line.text)) == place)
    if match := next(chain(matches.values(), returned_lines), None):
        return match
    if not removals:
        raise errors.id_unknown(f"no memory has the id {prefix}", fix=Command("clawgit memory list"))
    row = removals[-1]
    day = f" on {row.by.date[:10]}" if row.by else ""
    words = f"{row.id} was removed from {row.path}{day}"
    raise errors.memory_changed(words, fix=Command("clawgit restore {}", row.id))


def find_at_line(workspace: Workspace, path: str, number: int) -> EntryRow | None:
    """Return the entry that is on a line of a file; None for a line between entries, and for another file."""
    role = workspace.find_role(path)
    if role is None:
        return None
    with workspace.open_table() as table:
        rows = _read_entries(path, role, workspace.read_loosely(path), table.find(roles=ALL_ROLES, paths=(path,)))
    return next((row for row in rows if row.start <= number <= row.end), None)


def find_words(workspace: Workspace, words: str) -> list[MemoryLine]:
    """Return the entries that have these words in a row, else those that have all of them; ClawgitError if none has."""
    phrase = normalise(words)
    all_lines = (line for line in list_lines(workspace, *ALL_ROLES) if not line.path.startswith(_PROMPTS))
    texts = [(line, normalise(line.text)) for line in all_lines]
    lines = [line for line, text in texts if phrase and phrase in text]
    needles = {*_WORD.findall(phrase)}
    lines = lines or [line for line, text in texts if needles and needles <= {*_WORD.findall(text)}]
    if not lines:
        fix = Command("clawgit search --deleted {}", words)
        raise errors.text_not_found(f"no line has the words {words!r}", fix=fix)
    return lines


def find_named(workspace: Workspace, prefix: str) -> list[tuple[str, str, str]]:
    """Return the entries with ids beginning with `prefix`, removed ones first: id, path and key of each."""
    with workspace.open_table() as table:
        removals = [(entry.id, entry.path, entry.key) for entry in table.find(prefix=prefix, removed=True)]
        present = table.find(prefix=prefix)
    # Of an entry that was moved out of a memory file that is its first file.
    origins = (
        (row, [path for path in workspace.memory_files if entry_id(path, row.text) == row.id]) for row in present
    )
    return removals + [(row.id, (*paths, row.path)[0], row.key) for row, paths in origins]


def _describe_rows(
    workspace: Workspace, rows: list[EntryRow], roles: tuple[str, ...], paths: tuple[str, ...]
) -> Iterator[MemoryLine]:
    """Yield the entries of the table, and those of files that differ on disk as they are there."""
    today, rules = workspace.now().date(), workspace.config.confidence
    own_commits = read_own_commits(workspace.repo)
    rows_by_words = by_words(workspace.rows())  # of equal entries in a file the first has the row
    from clawgit.workspace.uncommitted import list_uncommitted  # noqa: PLC0415 - it knows what is captured

    by_path = {path: list(group) for path, group in groupby(rows, lambda row: row.path)}
    for path in list_uncommitted(workspace):
        role = workspace.find_role(path)
        if role in roles and (not paths or path in paths):
            data = read_quietly(workspace.repo, path) or b""
            unmarked = remove_markers(workspace.repo, path, data)
            text = to_text(unmarked.data if unmarked else data)
            by_path[path] = _read_entries(path, role or "", text, by_path.get(path, []))
    for row in chain.from_iterable(by_path[path] for path in sorted(by_path)):
        if row.kind == "bullet" and is_link(row.text):
            continue
        sidecar = rows_by_words.pop((row.path, row.key), None)
        line = _describe_row(row, sidecar, today, rules)
        is_claim = line.origin in manifest.WRITERS and line.birth and line.birth.commit not in own_commits
        yield replace(line, origin=f"claims: {line.origin}") if is_claim and not sidecar else line


def _read_entries(path: str, role: str, text: str, committed: list[EntryRow]) -> list[EntryRow]:
    """Return the entries of a text; those that are committed with their births."""
    left: dict[str, list[EntryRow]] = {}
    ids = {row.id for row in committed}
    for row in committed:
        left.setdefault(row.key, []).append(row)
    rows: list[EntryRow] = []
    for item in entries(text):
        key = hash_entry(item.text)
        before = left.get(key, [])
        twin = before.pop(0) if before else None
        place = (path, item.start, item.end, item.kind, item.text, key, item.tag, item.section)
        row = EntryRow(free_id(ids, path, item.text, item.ordinal), role, *place)
        ids.add(row.id)
        names = ("id", "similarity", "copies", "birth", "changed", "source")
        rows.append(replace(row, **{name: getattr(twin, name) for name in names}) if twin else row)
    return rows


def _describe_row(row: EntryRow, sidecar: Row | None, today: date, rules: confidence.Rules) -> MemoryLine:
    author = row.birth.author if row.birth else "unknown"
    birth, changed = (date.fromisoformat(moment.date[:10]) if moment else None for moment in (row.birth, row.changed))
    facts = sidecar or Row(row.id, row.path, row.key, confidence=confidence.INFERRED, first=birth, last=changed)
    is_claim = facts.origin == "unknown" or (facts.origin == "operator" and not facts.mentions)
    return MemoryLine(
        facts.id,
        row.text,
        row.tag or facts.tag or None,
        author if is_claim else facts.origin,
        confidence.current(facts.confidence, len(facts.mentions), facts.last, today, rules),
        facts.first or birth,
        facts.last or changed,
        len(facts.mentions),
        "live" if facts.status == "tombstone" else facts.status,
        row.path,
        row.start,
        row.kind,
        row.section,
        row.role,
        row.birth,
        row.changed,
        row.probable,
        row.copies,
    )


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


def _fold(text: str) -> str:
    """Return the words of an entry without the mark at its end."""
    return entry.normalise(text).rstrip(".!。")


def _find_twin(workspace: Workspace, text: str, rows: Mapping[str, Row]) -> tuple[entry.Entry, Row] | None:
    """Return the first entry of the memory files that says the same, and its row, or the one it would get."""
    rows_by_words, words = by_words(rows), _fold(text)
    for path in workspace.memory_files:
        for item in entry.entries(workspace.read(path) or ""):
            if not is_link(item.text) and _fold(item.text) == words:
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
    tag = tag or ("event" if date_mentions.days(text, workspace.now().date()) else "knowledge")
    if not normalise(text):
        raise errors.text_missing("no text to remember", fix=Advice('clawgit remember "what is worth keeping"'))
    file_contents.check_words(text, "the text")
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
