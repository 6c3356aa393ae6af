"""The notes of the journals that core memory should have."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta

from msgspec import Struct, field

from clawgit.agents.promoting import journals, whose
from clawgit.agents.promoting.journals import Note
from clawgit.agents.promoting.known import Core
from clawgit.agents.promoting.triggers import KINDS
from clawgit.agents.promoting.weighing import OFTEN, Said, Weight, weigh
from clawgit.search import recalled
from clawgit.text.identity import normalise
from clawgit.workspace.workspace import Workspace

DAYS, LEAST = 7, 0.4
_ALIKE = 24

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
    """A note, how sure it is that it should stay and why, the file it goes to, whose words it is, why it waits."""

    note: Note
    weight: Weight
    to: str
    tag: str
    origin: str
    sessions: int = 0
    held: str = ""


class Found(Struct):
    """The candidates, the surest first; what was looked at, and what was left out of it, by reason."""

    candidates: list[Candidate] = field(default_factory=list)
    read: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    unread: list[str] = field(default_factory=list)

    @property
    def ready(self) -> list[Candidate]:
        """Those that nothing holds back."""
        return [one for one in self.candidates if not one.held]


def gather(workspace: Workspace, wanted: Wanted, now: datetime) -> Found:
    """Return what the journals hold that core memory should have (memory tiers: promotion)."""
    found, often = Found(), _sessions(workspace)
    chosen = list(_chosen(workspace, _weighed(workspace, wanted, now.date(), often, found), found))
    origins = whose.Origins(workspace, (note.path for note, _, _ in chosen))
    for note, weight, sessions in chosen:
        origin = origins.of(note)
        held = whose.held(note, origin)
        found.candidates.append(_candidate(workspace, wanted, note, weight, sessions, origin, held))
    found.candidates.sort(key=lambda one: -one.weight.confidence)
    return found


def _chosen(workspace: Workspace, weighed: Iterable[Weighed], found: Found) -> Iterator[Weighed]:
    """Yield what neither stands in core memory, nor below another that is taken, nor says the same as one."""
    core = Core(workspace)
    taken: dict[str, set[int]] = defaultdict(set)
    for one in sorted(weighed, key=_first):
        note = one[0]
        lines = set(range(note.start, note.end + 1))
        reason = "nested in another" if taken[note.path] & lines else core.barred(note.said)
        if reason:
            found.skipped[reason] += 1
            continue
        yield one
        taken[note.path] |= lines
        core.put(note.said)


def _first(weighed: Weighed) -> tuple[str, int]:
    note = weighed[0]
    return note.path, note.start


def _weighed(workspace: Workspace, wanted: Wanted, today: date, often: Sessions, found: Found) -> Iterator[Weighed]:
    """Yield the notes that are sure enough, with the number of sessions that they were shown in."""
    since = today - timedelta(wanted.days - 1)
    for day, path in journals.paths(workspace):
        if day > today:
            found.skipped["of a day to come"] += 1
        elif path in often or (since <= day and not wanted.frequency):
            for note in journals.notes(path, day, journals.read(workspace, path, found.unread)):
                many = len(_shown(note, often.get(path, {})))
                if many < OFTEN and (wanted.frequency or day < since):
                    continue
                found.read += 1
                one = note.entry
                weight = weigh(Said(one.text, one.section, one.tag, one.checked, many))
                if weight.parts and weight.confidence >= wanted.least:
                    yield note, weight, many


def _candidate(
    workspace: Workspace, wanted: Wanted, note: Note, weight: Weight, sessions: int, origin: str, held: str
) -> Candidate:
    kind = KINDS[weight.category] if weight.category else None
    to = wanted.target or (kind.file if kind else "") or workspace.memory_file
    return Candidate(note, weight, to, note.entry.tag or (kind.tag if kind else "knowledge"), origin, sessions, held)


def _sessions(workspace: Workspace) -> Sessions:
    """Return which passages of each file were shown, and to which sessions."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in recalled.shown(workspace.state):
        if text := normalise(one.text):
            found[one.path][text].add(one.session)
    return found


def _shown(note: Note, passages: Mapping[str, set[str]]) -> set[str]:
    """Return the sessions that were shown a note: as a passage of its own, or in one."""
    said = normalise(note.entry.text)
    return {
        session
        for text, sessions in passages.items()
        if said in text or (len(text) >= _ALIKE and text in said)
        for session in sessions
    }
