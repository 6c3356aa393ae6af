"""Moves lines of journals to core memory."""

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from itertools import takewhile
from pathlib import Path, PurePosixPath
from textwrap import dedent
from typing import Literal, get_args

from msgspec import Struct, convert, field
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import ClawgitError, Command, UsageError, path_role
from clawgit.git import history, paths
from clawgit.language import detect
from clawgit.memory.in_force import find_rule, rules_of
from clawgit.memory.view import find_gravest
from clawgit.safety import hidden_text, secrets
from clawgit.search import recall_log
from clawgit.text import confidence, document
from clawgit.text.edit import append_under, bullet, remove_lines
from clawgit.text.entry import Entry, digest, entries, entry_id, new_id
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.evidence_pointer import format as format_pointer
from clawgit.text.similarity import sense
from clawgit.workspace import manifest, records
from clawgit.workspace.change import Change, Edit, Origin
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import SECTIONS, require_readable
from clawgit.workspace.memory_lines import MemoryLine, list_lines
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


class Weight(Struct, frozen=True):
    """A confidence from 0 to 1, the category of the line's trigger, and its parts."""

    confidence: float
    category: Category | None = None
    parts: tuple[tuple[str, float], ...] = ()


@cache
def read_kinds() -> Mapping[Category, Kind]:
    """Return the categories, in the order in which a line with triggers of several goes."""
    return convert(tomllib.loads(_DATA.read_text("utf-8")), dict[Category, Kind])


@lru_cache(maxsize=1024)  # journals repeat themselves
def weigh(text: str, sessions: int = 0) -> Weight:
    """Return the confidence in a line: the score of its trigger, and the sessions that were shown it."""
    category, word = find_category(text)
    parts = [(f"“{word}” ({category})", read_kinds()[category].score)] if category else []
    if sessions >= MIN_SESSIONS:
        parts.append((f"shown in {sessions} sessions", min(_FIRST + _MORE * (sessions - MIN_SESSIONS), MAX_CONFIDENCE)))
    return Weight(round(min(sum(value for _, value in parts), MAX_CONFIDENCE), 2), category, tuple(parts))


def find_category(text: str) -> tuple[Category | None, str]:
    """Return the first category of which a line has a trigger, with the word."""
    for name in CATEGORIES:
        if match := _compile_triggers(name).search(text):
            return name, match[0]
    return None, ""


@cache
def _compile_triggers(name: Category) -> "re.Pattern[str]":
    return re.compile("|".join(map(_write_pattern, read_kinds()[name].triggers)))


def _write_pattern(trigger: str) -> str:
    """Return the pattern of a trigger: a word of letters with spaces between its edges, or in the plural."""
    if detect.eastern(trigger) or not trigger[0].isalpha():
        return re.escape(trigger)
    if trigger.endswith(" N"):
        return rf"(?i:(?<!\w){re.escape(trigger[:-2])} (?:\d+|[ivx]+)(?!\w))"
    return rf"(?<!\w){trigger}(?!\w)" if trigger != trigger.lower() else rf"(?i:(?<!\w){trigger}s?(?!\w))"


AGENT = "memory-compactor"
"""Whose rights it has: to move notes between tiers is the compactor's."""
DAYS, MIN_CONFIDENCE = 7, 0.4
REVIEW = "promotion-review"
_PLAIN_TAG = "knowledge"
_MAX_NOTE_CHARS = 1000
_CLOCK = re.compile(r"\A\d\d:\d\d (?=\S)")
"""What clawgit puts before a note of the day."""
_LEADS = (":", "\uff1a", ":**", ":*", "\uff1a**")
_ISO_DAY = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_FIX = Command("clawgit memory promote --target memory/legal.md")
_NO_WEIGHT = Weight(0.0)


class Wanted(Struct, frozen=True):
    """Which notes are asked for: of the last `days`, at least so certain; with `frequency` only those shown often.

    `target` is the file that they go to, "" for the one of their category.
    """

    days: int = DAYS
    least: float = MIN_CONFIDENCE
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
    entry: Entry
    said: str
    end: int
    nested: str = ""
    sessions: int = 0
    weight: Weight = _NO_WEIGHT
    to: str = ""
    tag: str = ""
    origin: Origin = "unknown"
    held: str = ""

    @property
    def start(self) -> int:
        """Its first line, from 1."""
        return self.entry.start

    @property
    def category(self) -> Category | None:
        """The category of its trigger."""
        return self.weight.category

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
    result, core = Found(), _Core(workspace)
    numbers_taken: defaultdict[str, set[int]] = defaultdict(set)
    candidates: list[Candidate] = []
    for candidate in _weigh_notes(workspace, wanted, now.date(), result):
        numbers = set(range(candidate.start, candidate.end + 1))
        reason = "nested in another" if numbers_taken[candidate.path] & numbers else core.find_reason(candidate)
        if reason:
            result.skipped[reason] += 1
            continue
        candidates.append(candidate)
        numbers_taken[candidate.path] |= numbers
        core.add(candidate.said)
    files = tuple({candidate.path for candidate in candidates})
    lines = {(line.path, line.line): line for line in (list_lines(workspace, "journal", paths=files) if files else ())}
    origins = _find_origins(workspace, lines.values())
    for choice in candidates:
        inside = [line for number in range(choice.start, choice.end + 1) if (line := lines.get((choice.path, number)))]
        origin = find_gravest(origins[line.path, line.line] for line in inside)
        kind = read_kinds()[choice.category] if choice.category else None
        target = wanted.target or (kind.file if kind else "") or workspace.memory_file
        tag = choice.entry.tag or (kind.tag if kind else _PLAIN_TAG)
        name = inside[0].id if inside else choice.id
        placement = replace(choice, id=name, to=target, tag=tag, origin=origin, held=_find_obstacle(choice, origin))
        result.candidates.append(placement)
    result.candidates.sort(key=lambda item: (bool(item.held), -item.weight.confidence, item.path, item.start))
    return result


def _weigh_notes(workspace: Workspace, wanted: Wanted, today: date, found: Found) -> Iterator[Candidate]:
    """Yield the notes of the days that are asked for that are certain enough, in the order of their files."""
    since = today - timedelta(wanted.days - 1)
    passages = recall_log.read_passages(workspace.store)
    ours: defaultdict[str, set[str]] = defaultdict(set)
    for row in workspace.rows().values():
        ours[row.file].add(row.hash)
    for path in sorted(place.relative_to(workspace.root).as_posix() for place in workspace.root.glob("memory/**/*.md")):
        day = None if path.startswith("memory/archive/") else file_roles.journal_day(path)
        if day is None or (path not in passages and (day < since or wanted.frequency)):
            continue
        if day > today:
            found.skipped["of a day to come"] += 1
            continue
        for note in _read_notes(path, day, _read_journal(workspace, path, found.unread), ours[path]):
            times = recall_log.count_sessions(note.entry.text, passages.get(path, {}))
            if times < MIN_SESSIONS and (wanted.frequency or day < since):
                continue
            found.read += 1
            weight = weigh(note.entry.text, times)
            if weight.parts and weight.confidence >= wanted.least:
                yield replace(note, sessions=times, weight=weight)


def _read_journal(workspace: Workspace, path: str, reasons: list[str]) -> str:
    """Return the text of a journal, "" of a conversation that OpenClaw left there, or with the reason in `unread`.

    Nothing can be taken out of a journal with a secret that history does not have yet.
    """
    try:
        text = workspace.read(path) or ""
    except ClawgitError as exc:
        reasons.append(exc.message)
        return ""
    if any(secret.fingerprint not in workspace.leaked for secret in secrets.scan(text)):
        reasons.append(f"{path} holds a secret, and its notes cannot be moved until that is gone")
        return ""
    return "" if file_roles.is_dump(path, text.encode()) else text


def _read_notes(path: str, day: date, text: str, ours: set[str]) -> Iterator[Candidate]:
    """Yield the bullets and paragraphs of a journal. Tables and very long ones are passed over.

    `ours` are the hashes of the lines that clawgit wrote there: the time of day before these is none of their words.
    """
    rows, all_entries = document.split(text), entries(text)
    for number, entry in enumerate(all_entries):
        is_code = entry.kind == "paragraph" and rows[entry.start - 1][:1].isspace()
        if entry.kind == "row" or is_code or len(entry.text) > _MAX_NOTE_CHARS or document.CLIPPED.search(entry.text):
            continue
        later = all_entries[number + 1 :] if entry.kind == "bullet" else ()
        nested_entries = takewhile(lambda other: other.kind == "bullet" and other.depth > entry.depth, later)  # noqa: B023
        end = max((other.end for other in nested_entries), default=entry.end)
        nested = dedent("".join(rows[entry.end : end]))
        if entry.text.endswith(_LEADS) and not nested:
            continue  # it says nothing without the list or table that follows
        words = _CLOCK.sub("", entry.text) if digest(entry.text) in ours else entry.text
        yield Candidate(entry_id(path, entry.text, entry.ordinal), path, day, entry, words, end, nested)


def _find_origins(workspace: Workspace, lines: Iterable[MemoryLine]) -> Mapping[tuple[str, int], Origin]:
    """Return the origin of lines by path and number: the graver of its row and its commit."""
    changed = {(line.path, line.line): line.changed.commit for line in lines if line.changed}
    commits = history.read_commits(workspace.repo, set(changed.values()))
    sidecar = {(row.file, row.hash): row.origin for row in workspace.rows().values()}
    origins: defaultdict[tuple[str, int], Origin] = defaultdict(lambda: "unknown")
    for line in lines:
        place = line.path, line.line
        origin = sidecar.get((line.path, digest(line.text)))
        author = records.record(commits[changed[place]]).origin if place in changed else None
        origins[place] = find_gravest([author, *([origin] if origin else [])])
    return origins


def _find_obstacle(note: Candidate, origin: str) -> str:
    """Return why a note waits for the operator, "" for no reason."""
    text = f"{note.said}\n{note.nested}"
    if origin == "untrusted":
        return "from outside"
    if secrets.scan(text):
        return "holds a secret"
    if hidden_text.scan(text):
        return "holds hidden characters"
    try:
        bullet(note.said)
    except ClawgitError:
        return "cannot stand as a bullet"
    return ""


class _Core:
    """The entries of core memory and of the identity, and those that were there once."""

    def __init__(self, workspace: Workspace) -> None:
        self._senses: set[tuple[str, ...]] = set()
        for line in list_lines(workspace, "memory", "identity", "instruction"):
            if manifest.kind(line.path, workspace.memory_file) != "archive":
                self.add(line.text)
        rows = workspace.rows().values()
        self._removed = {name for row in rows if row.status == "tombstone" for name in (row.id, row.hash)}
        self._before = {row.hash for row in rows if manifest.kind(row.file, workspace.memory_file) == "memory"}
        self._rules = rules_of(workspace)

    def add(self, text: str) -> None:
        """Know one entry more."""
        self._senses.add(sense(text))

    def find_reason(self, note: Candidate) -> str:
        """Return why a note is not promoted, "" for no reason."""
        hashes = {digest(note.said), digest(note.text)}
        if {sense(note.said), sense(note.text)} & self._senses:
            return "known"
        if {note.id, *hashes} & self._removed:
            return "taken back before"
        if hashes & self._before:
            return "deleted before"
        return "corrected" if find_rule(note.said, self._rules) else ""


def build_change(workspace: Workspace, candidates: Iterable[Candidate]) -> Change | None:
    """Return the change that moves candidates out of their journals, each with its id; None without any.

    Raises ClawgitError if an open code block or comment would swallow one.
    """
    ready = [candidate for candidate in candidates if not candidate.held]
    if not ready:
        return None
    name = new_id()
    texts: dict[str, str] = {}
    for note in ready:
        texts[note.to] = _add_note(workspace, note, texts.get(note.to) or workspace.read(note.to))
    targets = sorted(texts)
    for path in sorted({note.path for note in ready}):
        spans = [(note.start, note.end) for note in ready if note.path == path]
        texts[path] = remove_lines(workspace.read(path) or "", spans)
    place = targets[0] if len(targets) == 1 else f"{len(targets)} files"
    return Change(
        f"memory: promoted {len(ready)} note{'' if len(ready) == 1 else 's'} to {place}",
        "Found in the journals as worth keeping for good.",
        tuple(Edit(path, workspace.read(path), text) for path, text in texts.items()),
        tuple(format_pointer(Pointer("lines", note.path, note.start, note.end)) for note in ready),
        "agent",
        AGENT,
        tuple(_make_row(note, name) for note in ready),
        id=name,
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


def _make_row(note: Candidate, change: str) -> Row:
    sure, mentions = confidence.base(note.origin), frozenset({change})
    return Row(note.id, note.to, digest(note.text), note.tag, note.origin, sure, note.day, note.day, mentions)
