"""The notes of journals that core memory should have."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents.promoting import journal_notes, promotion_order
from clawgit.agents.promoting.journal_notes import Core, Note
from clawgit.agents.promoting.promotion_categories import OFTEN, SIGNS, Category, Said, Weight, asks, kinds, weigh
from clawgit.agents.promoting.promotion_order import Chosen, Ordered
from clawgit.agents.protocol import check_result
from clawgit.agents.protocol.line_claims import Say
from clawgit.agents.protocol.operations import Operation
from clawgit.language import logic
from clawgit.safety import secrets
from clawgit.search import recall_log
from clawgit.text.entry import normalise
from clawgit.workspace.workspace import Workspace

DAYS, LEAST = 7, 0.4
LEFT = "the voice leaves it in its journal"
CLOSED = "its journal holds a secret, and cannot be changed until that is gone"
UNREAD = "the voice had no room to read it: ask for fewer days"
FRAGMENT = "not sure to hold and to be understood alone; a voice could word it, or: clawgit memory add"
_HALF = 0.5
_ISO = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_ENDS = re.compile(r"[.!\u2026\u3002\uff01][\W_]*\Z")

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

    `chosen` is what a voice says of it, None where none was asked or it does not name it.
    """

    note: Note
    weight: Weight
    to: str
    tag: str
    origin: str
    sessions: int = 0
    held: str = ""
    chosen: Chosen | None = None

    @property
    def category(self) -> Category | None:
        """What it is: what the voice takes it for, unless it was asked for or the voice does not say."""
        if self.weight.category == "explicit" or not (self.chosen and self.chosen.category):
            return self.weight.category
        return None if self.chosen.category == promotion_order.NONE else self.chosen.category

    @property
    def words(self) -> str:
        """What will stand in core memory: the sentence of the voice where it loses nothing, else the note as it is."""
        return (self.chosen and self.chosen.sentence) or self.note.said

    @property
    def entry(self) -> str:
        """The words with the day of the note before them, unless they name a day of a year themselves."""
        return dated(self.words, self.note.day)


def dated(words: str, day: date) -> str:
    """Return words of a day with it before them, as a note of that day is read; unless they name a day themselves."""
    return words if _ISO.search(words) else f"{day.isoformat()}: {words}"


def whole(note: Note) -> bool:
    """Tell whether a note is one sentence that is understood alone, as far as its form tells: it ends like one, too."""
    return _formed(note) and _ENDS.search(note.said) is not None


def _formed(note: Note) -> bool:
    """Tell whether a note has the form of a memory (agents.md, check 9); an open task is an errand."""
    claim = Operation("add", text=note.said, tag="knowledge")
    return note.entry.checked is None and check_result.fault(claim) is None


def _stands(one: Candidate) -> bool:
    """Tell whether a candidate can stand by itself for good.

    A checked sentence of a voice does; so does a note that a voice left as it is, if its form allows it. Else it has to
    be whole. Where neither a voice chose it, nor the operator asked for it, nor a category claims it, it has to hold
    from now on, stand on several days or be found again and again, and to name neither of the two that talk.
    """
    if one.chosen:
        return bool(one.chosen.sentence) or (_formed(one.note) if not one.chosen.doubt else whole(one.note))
    text = one.note.said
    if not whole(one.note) or asks(text) or one.weight.category not in {None, "explicit"}:
        return whole(one.note)
    persons = logic.finder(logic.phrases(logic.languages(text), "persons"))
    on = any(what.startswith(SIGNS["on"]) for what, _ in one.weight.parts)
    return (on or one.weight.again) and persons.search(text.casefold()) is None


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
        return [one for one in self.candidates if not one.held]

    @property
    def offered(self) -> list[Candidate]:
        """Those that the operator may want to look at: also what does not stand by itself as it is."""
        return [one for one in self.candidates if one.held in {"", FRAGMENT}]


def gather(workspace: Workspace, wanted: Wanted, now: datetime, say: Say | None = None) -> Found:
    """Return what the journals hold that core memory should have (memory tiers: promotion).

    Without a voice the score finds and orders. One that `say` asks orders what the score found, the rest of the notes
    behind it as far as a batch holds them, and explains; what it does not name, or could not read, waits, but for what
    was asked for.
    """
    found, often = Found(), _sessions(workspace)
    filling = say is not None and wanted.least <= LEAST and not wanted.frequency
    weighed = _weighed(workspace, wanted, now.date(), often, found)
    some = [one for one in weighed if filling or _flagged(one, wanted)]
    taken = list(_taken(workspace, sorted(some, key=lambda one: (not _flagged(one, wanted), _first(one))), found))
    origins = journal_notes.Origins(workspace, (note.path for note, _, _ in taken))
    texts = {path: journal_notes.read(workspace, path, []) for path in {note.path for note, _, _ in taken}}
    closed = {
        path
        for path, text in texts.items()
        if any(secret.fingerprint not in workspace.leaked for secret in secrets.scan(text))
    }
    for bare, weight, sessions in taken:
        note = origins.with_headings(bare, texts[bare.path])
        origin = origins.of(note)
        held = journal_notes.held(note, origin) or (CLOSED if note.path in closed else "")
        found.candidates.append(_candidate(workspace, wanted, note, weight, sessions, origin, held))
    found.candidates.sort(key=lambda one: -one.weight.confidence)
    if say and found.candidates:
        _order(workspace, wanted, found, say, now)
    else:
        _narrow(wanted, found)
    found.candidates = [one if one.held or _stands(one) else replace(one, held=FRAGMENT) for one in found.candidates]
    found.candidates.sort(key=lambda one: bool(one.held))
    return found


def _order(workspace: Workspace, wanted: Wanted, found: Found, say: Say, now: datetime) -> None:
    """Have a voice order the candidates; what is held back is not shown to it."""
    free = found.ready
    tokens = int(workspace.config.value("batch_tokens"))
    memory = journal_notes.outline(workspace, workspace.memory_file)
    notes = [one.note for one in free]
    said = promotion_order.order(notes, say, tokens, now.date().isoformat(), memory) if free else Ordered()
    found.notes += [said.note] if said.note else []
    found.asked = said.read
    if not said.asked:
        _narrow(wanted, found)
        return
    named = [_named(workspace, wanted, free[one.place], one) for one in said.chosen]
    places = {one.place for one in said.chosen}
    rest = [
        one if one.weight.category == "explicit" else replace(one, held=LEFT if at < said.read else UNREAD)
        for at, one in enumerate(free)
        if at not in places
    ]
    others = [*rest, *(one for one in found.candidates if one.held)]
    found.candidates = [*named, *(one for one in others if one.weight.parts and one.weight.confidence >= wanted.least)]


def _named(workspace: Workspace, wanted: Wanted, one: Candidate, chosen: Chosen) -> Candidate:
    """Return a candidate that a voice names; where it goes follows from its category."""
    found = replace(one, chosen=chosen)
    return replace(found, to=_place(workspace, wanted, found.category), tag=_tag(one.note, found.category))


def _narrow(wanted: Wanted, found: Found) -> None:
    found.candidates = [one for one in found.candidates if _sure(one.weight, wanted)]


def _flagged(weighed: Weighed, wanted: Wanted) -> bool:
    return _sure(weighed[1], wanted)


def _sure(weight: Weight, wanted: Wanted) -> bool:
    return bool(weight.parts) and weight.confidence >= wanted.least


def _taken(workspace: Workspace, weighed: Iterable[Weighed], found: Found) -> Iterator[Weighed]:
    """Yield what neither stands in core memory, nor with another that is taken, nor says the same as one."""
    core = Core(workspace)
    taken: dict[str, set[int]] = defaultdict(set)
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


def _first(weighed: Weighed) -> tuple[str, int]:
    note = weighed[0]
    return note.path, note.start


def _weighed(workspace: Workspace, wanted: Wanted, today: date, often: Sessions, found: Found) -> Iterator[Weighed]:
    """Yield the notes of the days that are asked for, with their weight and in how many sessions they were hits."""
    since = today - timedelta(wanted.days - 1)
    notes: list[tuple[Note, int]] = []
    ours: defaultdict[str, set[str]] = defaultdict(set)
    for row in workspace.rows().values():
        ours[row.file].add(row.hash)
    for day, path in journal_notes.paths(workspace):
        if day > today:
            found.skipped["of a day to come"] += 1
        elif path in often or (since <= day and not wanted.frequency):
            text = journal_notes.read(workspace, path, found.unread)
            for note in journal_notes.notes(path, day, text, ours.get(path, ())):
                many = len(_hits(note, often.get(path, {})))
                if many < OFTEN and (wanted.frequency or day < since):
                    continue
                notes.append((note, many))
    found.read += len(notes)
    days: defaultdict[str, set[date]] = defaultdict(set)
    for note, _ in notes:
        days[normalise(note.entry.text)].add(note.day)
    for note, many in notes:
        one = note.entry
        yield note, weigh(Said(one.text, one.checked, many, len(days[normalise(one.text)]))), many


def _candidate(
    workspace: Workspace, wanted: Wanted, note: Note, weight: Weight, sessions: int, origin: str, held: str
) -> Candidate:
    to, tag = _place(workspace, wanted, weight.category), _tag(note, weight.category)
    return Candidate(note, weight, to, tag, origin, sessions, held)


def _place(workspace: Workspace, wanted: Wanted, category: Category | None) -> str:
    return wanted.target or (kinds()[category].file if category else "") or workspace.memory_file


def _tag(note: Note, category: Category | None) -> str:
    return note.entry.tag or (kinds()[category].tag if category else "knowledge")


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
