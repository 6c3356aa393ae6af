"""Moves lines of journals to core memory."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from functools import cache
from itertools import dropwhile, takewhile
from pathlib import Path, PurePosixPath
from textwrap import dedent
from typing import Literal, get_args

from msgspec import Struct, convert, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, UsageError, path_role
from clawgit.git import history, paths
from clawgit.language import lexicon
from clawgit.memory.in_force import find_rule, rules_of
from clawgit.memory.view import find_gravest
from clawgit.safety import hidden_text, secrets
from clawgit.search import answer
from clawgit.text import confidence, document
from clawgit.text.edit import append_under, bullet, remove_lines
from clawgit.text.entry import entries, hash_entry, new_id
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.evidence_pointer import format as format_pointer
from clawgit.text.similarity import normalise_note
from clawgit.workspace import manifest, records
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.entries import Row
from clawgit.workspace.memory_lines import SECTIONS, MemoryLine, list_lines, require_readable
from clawgit.workspace.workspace import Workspace

Category = Literal["explicit", "decision", "legal", "financial", "architecture", "people", "milestone", "strategy"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
_DATA = Path(__file__).parent / "data" / "categories.toml"
MIN_SESSIONS = 3
"""Shown in so many sessions, a line is a candidate whatever it says (memory tiers: access-frequency promotion)."""
_FIRST, _MORE, MAX_CONFIDENCE = 0.5, 0.1, 0.9


class Kind(Struct, frozen=True):
    """A category: its file ("" for the memory file), the tag of its entries, its score, its triggers."""

    file: str
    tag: str
    score: float
    triggers: tuple[str, ...]


@cache
def read_kinds() -> Mapping[Category, Kind]:
    """Return the categories, in the order in which a line with triggers of several goes."""
    return convert(tomllib.loads(_DATA.read_text("utf-8")), dict[Category, Kind])


def find_category(text: str) -> tuple[Category | None, str]:
    """Return the first category of which a line has a trigger, with the word."""
    for name in CATEGORIES:
        if match := _compile_triggers(name).search(text):
            return name, match[0]
    return None, ""


@cache
def _compile_triggers(name: Category) -> "re.Pattern[str]":
    """Return the pattern of triggers: words of letters with spaces between their edges, or in the plural."""
    patterns = []
    for trigger in read_kinds()[name].triggers:
        if lexicon.eastern(trigger) or not trigger[0].isalpha():
            patterns.append(re.escape(trigger))
        elif trigger.endswith(" N"):
            patterns.append(rf"(?i:(?<!\w){re.escape(trigger[:-2])} (?:\d+|[ivx]+)(?!\w))")
        else:
            is_exact = trigger != trigger.lower()
            patterns.append(rf"(?<!\w){trigger}(?!\w)" if is_exact else rf"(?i:(?<!\w){trigger}s?(?!\w))")
    return re.compile("|".join(patterns))


AGENT = "memory-compactor"
"""Whose rights it has: to move notes between tiers is the compactor's."""
REVIEW = "promotion-review"
_PLAIN_TAG = "knowledge"
_MAX_NOTE_CHARS = 1000
NOTE_CLOCK = re.compile(r"\A\d\d:\d\d (?=\S)")
"""What clawgit puts before a note of the day."""
_ISO_DAY = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_FIX = Command("clawgit memory promote --target memory/legal.md")


class Wanted(Struct, frozen=True):
    """Which notes are asked for: of the last `days`, at least so certain; with `frequency` only those shown often.

    `target` is the file that they go to, "" for the one of their category.
    """

    days: int = 7
    least: float = 0.4
    frequency: bool = False
    target: str = ""


class Candidate(Struct, frozen=True):
    """A bullet or paragraph of a journal on lines `start` to `end`, and its planned place.

    `said` are its words without the time of day that clawgit puts before them, `nested` the lines below it, moved to
    the left. `to` and `tag` are the file and the tag that it would get, `held` is the reason that it waits.
    """

    id: str
    path: str
    day: date
    start: int
    end: int
    said: str
    nested: str = ""
    sessions: int = 0
    category: Category | None = None
    parts: tuple[tuple[str, float], ...] = ()
    to: str = ""
    tag: str = ""
    origin: str = "unknown"
    held: str = ""

    @property
    def confidence(self) -> float:
        """The confidence from 0 to 1: the sum of its `parts`."""
        return round(min(sum(value for _, value in self.parts), MAX_CONFIDENCE), 2)

    @property
    def text(self) -> str:
        """The words with the day of the note before them, unless they name a day of a year themselves."""
        return self.said if _ISO_DAY.search(self.said) else f"{self.day.isoformat()}: {self.said}"


class Found(Struct):
    """The candidates, the best first; the number of notes looked at, and those left out, by reason."""

    candidates: list[Candidate] = field(default_factory=list)
    read: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)

    @property
    def ready(self) -> list[Candidate]:
        """The candidates without an obstacle."""
        return [candidate for candidate in self.candidates if not candidate.held]


class Reviewed(Struct, frozen=True):
    """How many notes the last weekly review found; `at` is its moment."""

    at: datetime
    notes: int = 0


def check_target(workspace: Workspace, path: str) -> str:
    """Return the target file for everything. Raises UsageError if it is no core memory."""
    try:
        place = paths.check(path)
    except ClawgitError as exc:
        raise UsageError(exc.key, f"--target: {exc.message}", fix=_FIX) from exc
    if not place.endswith(".md") or manifest.kind(place, workspace.memory_file) != "memory":
        raise path_role(f"--target: {place} is not core memory: the memory file, or undated below memory/", fix=_FIX)
    workspace.read(place)
    return place


def gather(workspace: Workspace, wanted: Wanted, now: datetime) -> Found:
    """Return the lines of journals that core memory should have (memory tiers: promotion)."""
    result, since = Found(), now.date() - timedelta(wanted.days - 1)
    passages = answer.read_passages(workspace.store)
    texts = dict(_read_journals(workspace, wanted, now.date(), result, passages))
    all_lines = list_lines(workspace, "journal", paths=(*texts,)) if texts else []
    lines = {(line.path, line.line): line for line in all_lines}
    commits = history.read_commits(workspace.repo, {line.changed.commit for line in all_lines if line.changed})
    origins = {oid: records.record(commit).origin for oid, commit in commits.items()}
    find_reason, ours = _make_promotion_filter(workspace), {(row.file, row.hash) for row in workspace.rows().values()}
    for line in lines.values():
        day = file_roles.journal_day(line.path) or since
        sessions = answer.count_sessions(line.text, passages.get(line.path, {}))
        is_wanted = sessions >= MIN_SESSIONS or not (wanted.frequency or day < since)
        if line.kind == "row" or len(line.text) > _MAX_NOTE_CHARS or not is_wanted:
            continue
        result.read += 1
        category, parts = _weigh_line(line.text, sessions)
        start, end, nested = _find_nested(texts[line.path], line) if parts else (line.line, line.line, "")
        words = NOTE_CLOCK.sub("", line.text) if (line.path, hash_entry(line.text)) in ours else line.text
        note = Candidate(line.id, line.path, day, start, end, words, nested, sessions, category, parts)
        if not parts or note.confidence < wanted.least:
            continue
        last = result.candidates[-1] if result.candidates else note
        is_nested = last is not note and last.path == note.path and start <= last.end
        if reason := "nested in another" if is_nested else find_reason(note):
            result.skipped[reason] += 1
            continue
        inside = (lines[line.path, number] for number in range(start, end + 1) if (line.path, number) in lines)
        origin = find_gravest(
            item.origin if item.origin == "untrusted" else origins.get(item.changed.commit if item.changed else "")
            for item in inside
        )
        kind = read_kinds()[note.category] if note.category else Kind("", _PLAIN_TAG, 0.0, ())
        target, obstacle = wanted.target or kind.file or workspace.memory_file, _find_obstacle(note, origin)
        result.candidates.append(replace(note, to=target, tag=line.tag or kind.tag, origin=origin, held=obstacle))
    result.candidates.sort(key=lambda item: (bool(item.held), -item.confidence, item.path, item.start))
    return result


def _weigh_line(text: str, sessions: int) -> tuple[Category | None, tuple[tuple[str, float], ...]]:
    """Return the category of a line, and the parts of its confidence: its trigger, the sessions that were shown it."""
    category, word = find_category(text)
    parts = [(f"“{word}” ({category})", read_kinds()[category].score)] if category else []
    if sessions >= MIN_SESSIONS:
        parts.append((f"shown in {sessions} sessions", min(_FIRST + _MORE * (sessions - MIN_SESSIONS), MAX_CONFIDENCE)))
    return category, tuple(parts)


def _read_journals(
    workspace: Workspace, wanted: Wanted, today: date, found: Found, passages: Container[str]
) -> Iterator[tuple[str, str]]:
    """Yield the journals of the days that are asked for, and those with `passages`, each with its text.

    Conversations that OpenClaw left there are none. Nothing can be taken out of a journal with a secret that history
    does not have yet.
    """
    for path in sorted(place.relative_to(workspace.root).as_posix() for place in workspace.root.glob("memory/**/*.md")):
        day = None if _is_archived(path) else file_roles.journal_day(path)
        is_recent = day is not None and (today - day).days < wanted.days and not wanted.frequency
        if day is None or (path not in passages and not is_recent):
            continue
        try:
            text = workspace.read(path) or ""
        except ClawgitError as exc:
            found.unread.append(exc.message)
            continue
        if day > today:
            found.skipped["of a day to come"] += 1
        elif any(secret.fingerprint not in workspace.leaked for secret in secrets.find_secrets(text)):
            found.unread.append(f"{path} holds a secret, and its notes cannot be moved until that is gone")
        elif not file_roles.is_dump(path, text.encode()):
            yield path, text


def _is_archived(path: str) -> bool:
    return path.startswith("memory/archive/")


def _find_nested(text: str, line: MemoryLine) -> tuple[int, int, str]:
    """Return the first and the last line of a note with the bullets below it, and these, moved to the left."""
    later = dropwhile(lambda entry: entry.start != line.line, entries(text))
    entry = next(later)
    nested_entries = takewhile(lambda other: entry.kind == other.kind == "bullet" and other.depth > entry.depth, later)
    end = max((other.end for other in nested_entries), default=entry.end)
    return entry.start, end, dedent("".join(document.split(text)[entry.end : end]))


def _make_promotion_filter(workspace: Workspace) -> Callable[[Candidate], str]:
    """Return a function for the reason why a note is not promoted, "" for none; further ones like it are known."""
    core = (line for line in list_lines(workspace, "memory", "identity", "instruction") if not _is_archived(line.path))
    senses, rules, rows = {normalise_note(line.text) for line in core}, rules_of(workspace), workspace.rows().values()
    removals = {name for row in rows if row.status == "tombstone" for name in (row.id, row.hash)}
    before = {row.hash for row in rows if manifest.kind(row.file, workspace.memory_file) == "memory"}

    def find_reason(note: Candidate) -> str:
        hashes = {hash_entry(note.said), hash_entry(note.text)}
        if {normalise_note(note.said), normalise_note(note.text)} & senses:
            return "known"
        if {note.id, *hashes} & removals:
            return "taken back before"
        if hashes & before:
            return "deleted before"
        senses.add(normalise_note(note.said))
        return "corrected" if find_rule(note.said, rules) else ""

    return find_reason


def _find_obstacle(note: Candidate, origin: str) -> str:
    """Return why a note waits for the operator, "" for no reason."""
    text = f"{note.said}\n{note.nested}"
    if origin == "untrusted":
        return "from outside"
    if secrets.find_secrets(text):
        return "holds a secret"
    if hidden_text.find_hidden_text(text):
        return "holds hidden characters"
    try:
        bullet(note.said)
    except ClawgitError:
        return "cannot stand as a bullet"
    return ""


def build_change(workspace: Workspace, candidates: Iterable[Candidate]) -> Change | None:
    """Return the change that moves candidates out of their journals, each with its id; None without any.

    Raises ClawgitError if an open code block or comment would swallow one.
    """
    ready = [candidate for candidate in candidates if not candidate.held]
    if not ready:
        return None
    change, texts = new_id(), dict[str, str]()
    for note in ready:
        texts[note.to] = _add_note(workspace, note, texts.get(note.to) or workspace.read(note.to))
    place = note.to if len(texts) == 1 else f"{len(texts)} files"
    for path in sorted({note.path for note in ready}):
        spans = [(note.start, note.end) for note in ready if note.path == path]
        texts[path] = remove_lines(workspace.read(path) or "", spans)
    mentions = frozenset({change})
    sures = ((note, confidence.base(note.origin)) for note in ready)
    rows = (
        Row(note.id, note.to, hash_entry(note.text), note.tag, note.origin, sure, note.day, note.day, mentions)
        for note, sure in sures
    )
    return Change(
        f"memory: promoted {len(ready)} note{'' if len(ready) == 1 else 's'} to {place}",
        "Found in the journals as worth keeping for good.",
        tuple(Edit(path, workspace.read(path), text) for path, text in texts.items()),
        tuple(format_pointer(Pointer("lines", note.path, note.start, note.end)) for note in ready),
        "agent",
        AGENT,
        tuple(rows),
        id=change,
    )


def _add_note(workspace: Workspace, note: Candidate, text: str | None) -> str:
    """Return a file with a note at the end of its section: that of its tag in the memory file."""
    is_central = note.to in workspace.memory_files
    title = "Memory" if is_central else PurePosixPath(note.to).stem.replace("-", " ").title()
    lines = bullet(note.text, note.tag if note.tag != _PLAIN_TAG else None) + "\n"
    lines += "".join(f"  {row}" if row.strip() else row for row in note.nested.splitlines(keepends=True))
    after = append_under(text or f"# {title}\n", SECTIONS[note.tag] if is_central else title, lines, create=True)
    require_readable(note.to, note.text, after)
    return after
