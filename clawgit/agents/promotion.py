"""Moves notes of journals to core memory."""

import contextlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import takewhile
from pathlib import PurePosixPath
from textwrap import dedent

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents.running import try_again
from clawgit.errors import ClawgitError, Command, UsageError, path_role
from clawgit.git import history, paths
from clawgit.memory.in_force import Rule, find_rule, rules_of
from clawgit.memory.promotion_categories import MIN_SESSIONS, Category, Weight, read_kinds, weigh
from clawgit.safety import hidden_text, secrets
from clawgit.search import recall_log
from clawgit.store.database import StateStore
from clawgit.text import confidence, document, line_edits
from clawgit.text.edit import append_under, bullet
from clawgit.text.entry import Entry, digest, entries, entry_id, new_id, normalise
from clawgit.text.evidence_pointer import Pointer
from clawgit.text.evidence_pointer import format as format_pointer
from clawgit.text.similarity import Known, compare
from clawgit.workspace import dumped_text, file_roles, manifest, records, rendered_views, run_ledger
from clawgit.workspace.change import Append, Applied, Change, Edit, Origin
from clawgit.workspace.entries import Row
from clawgit.workspace.memory import SECTIONS
from clawgit.workspace.memory_lines import MemoryLine, list_lines
from clawgit.workspace.workspace import Workspace

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
_GRAVITY: tuple[Origin, ...] = ("operator", "agent", "unknown", "untrusted")
_MIN_SHARE = 0.5
"""Of a note in a passage that was found, or of the passage in the note: beside it is not found."""
_FIX = Command("clawgit memory promote --target memory/legal.md")

Sessions = Mapping[str, Mapping[str, set[str]]]


class Wanted(Struct, frozen=True):
    """Which notes are asked for: of the last `days`, at least so certain; with `frequency` only those shown often.

    `target` is the file that they go to, "" for the one of their category.
    """

    days: int = DAYS
    least: float = MIN_CONFIDENCE
    frequency: bool = False
    target: str = ""


class Note(Struct, frozen=True):
    """A bullet or paragraph of a journal with its lines; `nested` are the lines below it, moved to the left.

    `said` are its words without the time of day that clawgit puts before them.
    """

    path: str
    day: date
    entry: Entry
    said: str
    end: int
    nested: str = ""
    id: str = ""

    @property
    def start(self) -> int:
        """Its first line, from 1."""
        return self.entry.start


class Candidate(Struct, frozen=True):
    """A note, its weight, the file and the tag it would get, its origin, and why it waits."""

    note: Note
    weight: Weight
    to: str
    tag: str
    origin: Origin
    sessions: int = 0
    held: str = ""

    @property
    def category(self) -> Category | None:
        """The category whose trigger it has."""
        return self.weight.category

    @property
    def entry(self) -> str:
        """The words with the day of the note before them, unless they name a day of a year themselves."""
        return add_day(self.note.said, self.note.day)


class Found(Struct):
    """The candidates, the best first; how many notes were looked at, and what was left out, by reason."""

    candidates: list[Candidate] = field(default_factory=list)
    read: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)

    @property
    def ready(self) -> list[Candidate]:
        """Those that nothing holds back."""
        return [candidate for candidate in self.candidates if not candidate.held]


class Reviewed(Struct, frozen=True):
    """How many notes one review found; `at` is its moment."""

    at: datetime
    notes: int = 0


def add_day(words: str, day: date) -> str:
    """Return words with their day before them, unless they name one of a year themselves."""
    return words if _ISO_DAY.search(words) else f"{day.isoformat()}: {words}"


def check_target(workspace: Workspace, path: str) -> str:
    """Return the file that everything is to go to. Raises UsageError for what is no core memory."""
    try:
        place = paths.check(path)
    except ClawgitError as exc:
        raise UsageError(exc.key, f"--target: {exc.message}", fix=_FIX) from exc
    if not place.endswith(".md") or manifest.kind(place, workspace.memory_file) != "memory":
        raise path_role(f"--target: {place} is not core memory: the memory file, or undated below memory/", fix=_FIX)
    workspace.read(place)
    return place


def gather(workspace: Workspace, wanted: Wanted, now: datetime) -> Found:
    """Return what the journals hold that core memory should have (memory tiers: promotion)."""
    found, sessions, core = Found(), _read_sessions(workspace), Core(workspace)
    weighed = sorted(
        _weigh_notes(workspace, wanted, now.date(), sessions, found), key=lambda one: (one[0].path, one[0].start)
    )
    taken: defaultdict[str, set[int]] = defaultdict(set)
    chosen: list[tuple[Note, Weight, int]] = []
    for note, weight, times in weighed:
        numbers = set(range(note.start, note.end + 1))
        reason = "nested in another" if taken[note.path] & numbers else core.find_reason(note)
        if reason:
            found.skipped[reason] += 1
            continue
        chosen.append((note, weight, times))
        taken[note.path] |= numbers
        core.add(note.said)
    lines = _list_lines_of(workspace, {note.path for note, _, _ in chosen})
    origins, ids = find_origins(workspace, lines), {(line.path, line.line): line.id for line in lines}
    for note, weight, times in chosen:
        known = (origins.get((note.path, number)) for number in range(note.start, note.end + 1))
        origin = find_gravest(origin for origin in known if origin)
        held = find_obstacle(note, origin)
        kind = read_kinds()[weight.category] if weight.category else None
        to = wanted.target or (kind.file if kind else "") or workspace.memory_file
        tag = note.entry.tag or (kind.tag if kind else _PLAIN_TAG)
        named = replace(note, id=ids.get((note.path, note.start), note.id))
        found.candidates.append(Candidate(named, weight, to, tag, origin, times, held))
    found.candidates.sort(key=lambda one: (bool(one.held), -one.weight.confidence, one.note.path, one.note.start))
    return found


def _weigh_notes(
    workspace: Workspace, wanted: Wanted, today: date, sessions: Sessions, found: Found
) -> Iterator[tuple[Note, Weight, int]]:
    """Yield the notes of the days that are asked for, with their weight and the number of sessions that found them."""
    since = today - timedelta(wanted.days - 1)
    ours: defaultdict[str, set[str]] = defaultdict(set)
    for row in workspace.rows().values():
        ours[row.file].add(row.hash)
    for day, path in list_journals(workspace):
        if day > today:
            found.skipped["of a day to come"] += 1
            continue
        if path not in sessions and (day < since or wanted.frequency):
            continue
        for note in read_notes(path, day, _read_journal(workspace, path, found.unread), ours[path]):
            times = _count_sessions(note, sessions.get(path, {}))
            if times < MIN_SESSIONS and (wanted.frequency or day < since):
                continue
            found.read += 1
            weight = weigh(note.entry.text, times)
            if weight.parts and weight.confidence >= wanted.least:
                yield note, weight, times


def list_journals(workspace: Workspace) -> list[tuple[date, str]]:
    """Return the journals with their days, the oldest first; archives are none."""
    files = (place.relative_to(workspace.root).as_posix() for place in workspace.root.glob("memory/**/*.md"))
    dated = ((file_roles.journal_day(path), path) for path in files if not path.startswith("memory/archive/"))
    return sorted((day, path) for day, path in dated if day)


def _read_journal(workspace: Workspace, path: str, unread: list[str]) -> str:
    """Return the text of a journal, "" of a conversation that OpenClaw left there, or with the reason in `unread`.

    Nothing can be taken out of a journal with a secret that history does not have yet.
    """
    try:
        text = workspace.read(path) or ""
    except ClawgitError as exc:
        unread.append(exc.message)
        return ""
    if any(secret.fingerprint not in workspace.leaked for secret in secrets.scan(text)):
        unread.append(f"{path} holds a secret, and its notes cannot be moved until that is gone")
        return ""
    return "" if dumped_text.is_dump(path, text.encode()) else text


def read_notes(path: str, day: date, text: str, ours: Iterable[str] = ()) -> Iterator[Note]:
    """Yield the bullets and paragraphs of a journal. Tables and very long ones are passed over.

    `ours` are the hashes of the lines that clawgit wrote there: the time of day before these is none of their words.
    """
    rows, every, own = document.split(text), entries(text), set(ours)
    for number, entry in enumerate(every):
        is_code = entry.kind == "paragraph" and rows[entry.start - 1][:1].isspace()
        if entry.kind == "row" or is_code or len(entry.text) > _MAX_NOTE_CHARS or document.is_clipped(entry.text):
            continue
        below = _list_below(entry, every[number + 1 :])
        end = max((inner.end for inner in below), default=entry.end)
        nested = dedent("".join(rows[entry.end : end])) if below else ""
        if entry.text.endswith(_LEADS) and not nested:
            continue  # it says nothing without the list or table that follows
        said = _CLOCK.sub("", entry.text) if digest(entry.text) in own else entry.text
        yield Note(path, day, entry, said, end, nested, entry_id(path, entry.text, entry.ordinal))


def _list_below(entry: Entry, later: Iterable[Entry]) -> list[Entry]:
    """Return the bullets nested below a bullet."""
    if entry.kind != "bullet":
        return []
    return list(takewhile(lambda other: other.kind == "bullet" and other.depth > entry.depth, later))


def _read_sessions(workspace: Workspace) -> Sessions:
    """Return the passages of each file that searches gave, with the sessions of these searches."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for shown in recall_log.shown(workspace.store):
        if text := normalise(shown.text):
            found[shown.path][text].add(shown.session)
    return found


def _count_sessions(note: Note, passages: Mapping[str, set[str]]) -> int:
    said = normalise(note.entry.text)
    found: set[str] = set()
    for text, sessions in passages.items():
        is_inside = said in text or text in said
        if is_inside and min(len(said), len(text)) >= _MIN_SHARE * max(len(said), len(text)):
            found |= sessions
    return len(found)


def _list_lines_of(workspace: Workspace, names: Iterable[str]) -> list[MemoryLine]:
    wanted = tuple(names)
    return list_lines(workspace, "journal", paths=wanted) if wanted else []


def find_origins(workspace: Workspace, lines: Sequence[MemoryLine]) -> Mapping[tuple[str, int], Origin]:
    """Return the origin of lines by path and number: the graver of its row and its commit."""
    commits = history.several(workspace.repo, {line.changed.commit for line in lines if line.changed})
    sidecar = {(row.file, row.hash): row.origin for row in workspace.rows().values()}
    found: dict[tuple[str, int], Origin] = {}
    for line in lines:
        commit = commits.get(line.changed.commit) if line.changed else None
        known = sidecar.get((line.path, digest(line.text)))
        origin = find_gravest((records.record(commit).origin if commit else None, *([known] if known else [])))
        for number in range(line.line, line.line + line.text.count("\n") + 1):
            found[line.path, number] = origin
    return found


def find_gravest(origins: Iterable[str | None]) -> Origin:
    """Return the least trusted origin, "unknown" for none."""
    ranks = (next((rank for rank, name in enumerate(_GRAVITY) if name == origin), 2) for origin in origins)
    return _GRAVITY[max(ranks, default=2)]


def find_obstacle(note: Note, origin: str) -> str:
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


class Core:
    """The entries of core memory and of the identity, and those that were there once."""

    def __init__(self, workspace: Workspace) -> None:
        self._known: Known[str] = Known()
        self._hashes: set[str] = set()
        for line in list_lines(workspace, "memory", "identity", "instruction"):
            if manifest.kind(line.path, workspace.memory_file) != "archive":
                self.add(line.text)
        rows = workspace.rows().values()
        self._removed = {row.id for row in rows if row.status == "tombstone"}
        core = {row.hash for row in rows if manifest.kind(row.file, workspace.memory_file) == "memory"}
        self._removed_hashes = {row.hash for row in rows if row.status == "tombstone"}
        self._before = core - self._removed_hashes
        self._rules: Sequence[Rule] = rules_of(workspace)

    def add(self, text: str) -> None:
        """Know one entry more."""
        self._hashes.add(digest(text))
        self._known.add(text, text)

    def find_reason(self, note: Note) -> str:
        """Return why a note is not promoted, "" for no reason."""
        ways = {digest(note.said), digest(add_day(note.said, note.day))}
        if ways & self._hashes:
            return "known"
        if ways & self._removed_hashes or note.id in self._removed:
            return "taken back before"
        if ways & self._before:
            return "deleted before"
        if any(compare(note.said, other).relation == "same" for other in self._known.near(note.said, 8)):
            return "known"
        return "corrected" if find_rule(note.said, self._rules) else ""


def build_change(workspace: Workspace, candidates: Iterable[Candidate]) -> Change | None:
    """Return the change that moves candidates out of their journals, each with its id; None without any."""
    name = new_id()
    files, moved = _add_to_files(workspace, [candidate for candidate in candidates if not candidate.held])
    if not moved:
        return None
    gone: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for one in moved:
        gone[one.note.path].append((one.note.start, one.note.end))
    before = {path: workspace.read(path) or "" for path in gone}
    files += [
        Edit(path, before[path], line_edits.without_lines(before[path], some)) for path, some in sorted(gone.items())
    ]
    targets = sorted({one.to for one in moved})
    where = targets[0] if len(targets) == 1 else f"{len(targets)} files"
    return Change(
        f"memory: promoted {len(moved)} note{'' if len(moved) == 1 else 's'} to {where}",
        "Found in the journals as worth keeping for good.",
        tuple(files),
        tuple(format_pointer(Pointer("lines", one.note.path, one.note.start, one.note.end)) for one in moved),
        "agent",
        AGENT,
        tuple(_write_row(one, name) for one in moved),
        id=name,
    )


def _add_to_files(workspace: Workspace, wanted: Iterable[Candidate]) -> tuple[list[Edit | Append], list[Candidate]]:
    """Return the edits of core memory, one for each file, and the candidates that it can hold."""
    before: dict[str, str | None] = {}
    after: dict[str, str] = {}
    moved: list[Candidate] = []
    for one in wanted:
        if one.to not in before:
            before[one.to] = workspace.read(one.to)
        text = after.get(one.to, before[one.to])
        more = _add_note(one, text, is_central=one.to in workspace.memory_files)
        if _list_bullets(text or "") | {normalise(one.entry)} <= _list_bullets(more):
            after[one.to] = more
            moved.append(one)
    return [Edit(path, before[path], text) for path, text in sorted(after.items())], moved


def _add_note(one: Candidate, text: str | None, *, is_central: bool) -> str:
    """Return a file with a note at the end of its section: that of its tag in the memory file."""
    title = "Memory" if is_central else PurePosixPath(one.to).stem.replace("-", " ").title()
    lines = bullet(one.entry, one.tag if one.tag != _PLAIN_TAG else None) + "\n"
    lines += "".join(f"  {row}" if row.strip() else row for row in one.note.nested.splitlines(keepends=True))
    return append_under(text or f"# {title}\n", SECTIONS[one.tag] if is_central else title, lines, create=True)


def _list_bullets(text: str) -> set[str]:
    return {normalise(entry.text) for entry in entries(text) if entry.kind == "bullet"}


def _write_row(one: Candidate, change: str) -> Row:
    note, sure = one.note, confidence.base(one.origin)
    name = frozenset({change})
    return Row(note.id, one.to, digest(one.entry), one.tag, one.origin, sure, note.day, note.day, name)


def apply(workspace: Workspace, wanted: Wanted) -> tuple[Found, Change | None, Applied | None]:
    """Move what is wanted, in one commit; return what was found, and what became of it, None for nothing to do.

    Where somebody else changes the same place meanwhile it is looked for again. It is a run in the ledger, so that
    `clawgit undo --run` takes it back.
    """
    started = workspace.now().isoformat()

    def act() -> tuple[Found, Change | None, Applied | None]:
        found = gather(workspace, wanted, workspace.now())
        change = build_change(workspace, found.candidates)
        return found, change, workspace.apply(change) if change else None

    found, change, applied = try_again(act)
    if change and applied:
        _note_run(workspace, started, found, change, applied)
        there = {row.hash for row in change.rows}
        found.candidates = [
            one if one.held or digest(one.entry) in there else replace(one, held="would not stand as a bullet")
            for one in found.candidates
        ]
    return found, change, applied


def _note_run(workspace: Workspace, started: str, found: Found, change: Change, applied: Applied) -> None:
    """Note the run, and tell of it in the compaction log; it has landed, so that nothing may fail it any more."""
    committed = (applied.commit,) if applied.commit else ()
    ended = workspace.now().isoformat()
    ran = run_ledger.Ran(AGENT, started, ended, found.read, len(change.rows), committed, notes=(change.subject,))
    with contextlib.suppress(OSError, ClawgitError):
        run_ledger.note(workspace.store, ran)
        rendered_views.again(workspace)


def save_review(store: StateStore, at: datetime, notes: int) -> None:
    """Note how many notes a weekly review found, instead of the last one. Raises OSError."""
    store.save_document(REVIEW, Reviewed(at, notes))


def read_review(store: StateStore) -> Reviewed | None:
    """Return what the last review found; None without one that can be read."""
    known = store.read_document(REVIEW, Reviewed)
    with contextlib.suppress(ValueError, OverflowError):
        return known and replace(known, at=known.at.astimezone())
    return None
