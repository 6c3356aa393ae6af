"""The notes of journals that core memory should have."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents.line_claims import Say
from clawgit.agents.promoting import journal_notes
from clawgit.agents.promoting.journal_notes import Core, Note
from clawgit.agents.promoting.promotion_categories import OFTEN, Category, Said, Weight, kinds, weigh
from clawgit.agents.promoting.promotion_order import order
from clawgit.safety import secrets
from clawgit.search import recall_log
from clawgit.text.entry import normalise
from clawgit.workspace.change import Origin
from clawgit.workspace.workspace import Workspace

DAYS, LEAST = 7, 0.4
LEFT = "the voice leaves it in its journal"
CLOSED = "its journal holds a secret, and cannot be changed until that is gone"
UNREAD = "the voice had no room to read it: ask for fewer days"
_HALF = 0.5
_ISO = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")

Sessions = Mapping[str, Mapping[str, set[str]]]
Weighed = tuple[Note, Weight, int]


class Wanted(Struct, frozen=True):
    """Which notes are asked for: of the last `days`, at least so sure; with `frequency` only those shown often.

    `target` is the file they go to, "" the one of their category.
    """

    days: int = DAYS
    least: float = LEAST
    frequency: bool = False
    target: str = ""


class Candidate(Struct, frozen=True):
    """A note, how sure it is that it should stay and why, the file it goes to, whose words it is, why it waits.

    `reason` is what a voice says of it, None where none was asked or it does not name it.
    """

    note: Note
    weight: Weight
    to: str
    tag: str
    origin: Origin
    sessions: int = 0
    held: str = ""
    reason: str | None = None

    @property
    def category(self) -> Category | None:
        """The category whose trigger it has."""
        return self.weight.category

    @property
    def entry(self) -> str:
        """The words with the day of the note before them, unless they name a day of a year themselves."""
        return dated(self.note.said, self.note.day)


def dated(words: str, day: date) -> str:
    """Return words of a day with it before them, as a note of that day is read; unless they name a day themselves."""
    return words if _ISO.search(words) else f"{day.isoformat()}: {words}"


class Found(Struct):
    """The candidates, the best first; what was looked at, and what was left out of it, by reason.

    `notes` are sentences on a voice that gave no answer, `asked` how many notes a voice read.
    """

    candidates: list[Candidate] = field(default_factory=list)
    read: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asked: int = 0

    @property
    def ready(self) -> list[Candidate]:
        """Those that nothing holds back."""
        return [candidate for candidate in self.candidates if not candidate.held]


def gather(workspace: Workspace, wanted: Wanted, now: datetime, say: Say | None = None) -> Found:
    """Return what the journals hold that core memory should have (memory tiers: promotion).

    Without a voice the score finds and orders. One that `say` asks orders what the score found, the rest of the notes
    behind it as far as a batch holds them, and explains; what it does not name, or could not read, waits, but for what
    was asked for.
    """
    found, sessions = Found(), _sessions(workspace)
    every = say is not None and wanted.least <= LEAST and not wanted.frequency
    weighed = [
        one for one in _weighed(workspace, wanted, now.date(), sessions, found) if every or _is_sure(one[1], wanted)
    ]
    weighed.sort(key=lambda one: (not _is_sure(one[1], wanted), one[0].path, one[0].start))
    chosen = list(_chosen(workspace, weighed, found))
    origins = journal_notes.find_origins(workspace, (note.path for note, _, _ in chosen))
    closed = _closed(workspace, {note.path for note, _, _ in chosen})
    for note, weight, times in chosen:
        lines = range(note.start, note.end + 1)
        origin = journal_notes.gravest(origins[note.path, line] for line in lines if (note.path, line) in origins)
        held = journal_notes.held(note, origin) or (CLOSED if note.path in closed else "")
        kind = kinds()[weight.category] if weight.category else None
        to = wanted.target or (kind.file if kind else "") or workspace.memory_file
        tag = note.entry.tag or (kind.tag if kind else "knowledge")
        found.candidates.append(Candidate(note, weight, to, tag, origin, times, held))
    found.candidates.sort(key=lambda one: -one.weight.confidence)
    if say and found.ready:
        _order(workspace, found, say)
    found.candidates = [
        candidate
        for candidate in found.candidates
        if candidate.reason is not None or _is_sure(candidate.weight, wanted)
    ]
    found.candidates.sort(key=lambda one: bool(one.held))
    return found


def _order(workspace: Workspace, found: Found, say: Say) -> None:
    """Have a voice order the candidates; what is held back is not shown to it."""
    ready, held = found.ready, [candidate for candidate in found.candidates if candidate.held]
    answer = order([one.note for one in ready], say, int(workspace.config.value("batch_tokens")))
    found.asked = answer.read
    if answer.choices is None:
        found.notes.append(answer.fault)
        return
    named = [replace(ready[place], reason=why) for place, why in answer.choices.items()]
    rest = [
        one if one.category == "explicit" else replace(one, held=LEFT if place < answer.read else UNREAD)
        for place, one in enumerate(ready)
        if place not in answer.choices
    ]
    found.candidates = [*named, *rest, *held]


def _is_sure(weight: Weight, wanted: Wanted) -> bool:
    return bool(weight.parts) and weight.confidence >= wanted.least


def _closed(workspace: Workspace, paths: Iterable[str]) -> set[str]:
    """Return the journals that hold a secret which history does not have yet: no write of them is possible."""
    texts = {path: journal_notes.read(workspace, path, []) for path in paths}
    return {
        path
        for path, text in texts.items()
        if any(secret.fingerprint not in workspace.leaked for secret in secrets.scan(text))
    }


def _chosen(workspace: Workspace, weighed: Iterable[Weighed], found: Found) -> Iterator[Weighed]:
    """Yield what neither stands in core memory, nor with another that is taken, nor says the same as one."""
    core = Core(workspace)
    taken: defaultdict[str, set[int]] = defaultdict(set)
    for one in weighed:
        note = one[0]
        lines = set(range(note.start, note.end + 1))
        reason = "nested in another" if taken[note.path] & lines else core.barred(note, dated(note.said, note.day))
        if reason:
            found.skipped[reason] += 1
            continue
        yield one
        taken[note.path] |= lines
        core.put(note.said)


def _weighed(workspace: Workspace, wanted: Wanted, today: date, sessions: Sessions, found: Found) -> Iterator[Weighed]:
    """Yield the notes of the days that are asked for, with their weight and in how many sessions they were hits."""
    since = today - timedelta(wanted.days - 1)
    ours: defaultdict[str, set[str]] = defaultdict(set)
    for row in workspace.rows().values():
        ours[row.file].add(row.hash)
    for day, path in journal_notes.paths(workspace):
        if day > today:
            found.skipped["of a day to come"] += 1
        elif path in sessions or (since <= day and not wanted.frequency):
            text = journal_notes.read(workspace, path, found.unread)
            for note in journal_notes.notes(path, day, text, ours.get(path, ())):
                times = len(_hits(note, sessions.get(path, {})))
                if times >= OFTEN or not (wanted.frequency or day < since):
                    found.read += 1
                    yield note, weigh(Said(note.entry.text, times)), times


def _sessions(workspace: Workspace) -> Sessions:
    """Return which passages of each file searches of a session gave back, and which sessions those were."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in recall_log.shown(workspace.store):
        if text := normalise(one.text):
            found[one.path][text].add(one.session)
    return found


def _hits(note: Note, passages: Mapping[str, set[str]]) -> set[str]:
    """Return the sessions whose searches found a note: it is most of the passage, or the passage most of it.

    A line that only stands beside what was found was not retrieved.
    """
    said = normalise(note.entry.text)
    return {
        session
        for text, sessions in passages.items()
        if (said in text or text in said) and min(len(said), len(text)) >= _HALF * max(len(said), len(text))
        for session in sessions
    }
