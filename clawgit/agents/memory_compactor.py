"""The memory compactor: makes room, and loses nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby, islice
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents import overdue_errands
from clawgit.agents.compacting import journal_archive, memory_curation, memory_hygiene, topic_files
from clawgit.agents.compacting.journal_archive import NAME, YOUNGEST, Before, Form, Journal, Left, before
from clawgit.agents.compacting.memory_hygiene import Faded, Held, Record, Twins
from clawgit.agents.compacting.memory_pieces import MemoryPieces, Standing
from clawgit.agents.compacting.narration import OwnWords, Teller
from clawgit.agents.compacting.topic_files import Topic
from clawgit.agents.line_claims import Say
from clawgit.agents.running import Learnt, Proposal, View
from clawgit.errors import ClawgitError, quoted
from clawgit.messages.patterns import BUILT_IN, Pattern
from clawgit.safety.normalise import operator_names
from clawgit.text import evidence_pointer
from clawgit.text.entry import new_id
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import clock, file_roles, memory, records
from clawgit.workspace.change import Change, Edit, Origin
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.config import Config

__all__ = ["NAME", "YOUNGEST", "Eligible", "MemoryCompactor", "Plan", "of_config"]

LARGEST = 1 << 20
"""Bytes of an archive; OpenClaw reads no more than twice as many."""
_MOST = 1000
ENABLE = "clawgit config set compaction chronicle"
_CITED = 100


class Plan(Struct, frozen=True):
    """What a run does: journals older than `days` go into archives of a `form`, with `remove` they leave.

    `tend` has it look after the memory file and the corrections too. Without `enabled` it only shows what it would do.
    """

    form: Form
    days: int
    remove: bool
    tend: bool = True
    enabled: bool = True


def of_config(config: Config) -> Plan:
    """Return what `compaction` of CONFIG.md says; "off" is what a chronicle would be."""
    value, days = str(config.value("compaction")), int(config.value("compaction_age_days"))
    if value == "quarterly":
        return Plan("quarterly", max(days, journal_archive.QUARTERLY), remove=False)
    return Plan("chronicle", max(days, YOUNGEST), remove=True, enabled=value == "chronicle")


class Eligible(NamedTuple):
    """A journal that is old enough, and the archive that it belongs to."""

    path: str
    day: date
    archive: str


class MemoryCompactor:
    """Moves old journals into archives, and has what faded leave the memory file (spec P5).

    Of each archive two changes are proposed: what it holds is committed before anything is removed. `applying` tells
    that what is proposed will be written: then nothing is, unless the plan is enabled. `eligible` are the journals that
    were looked at.
    """

    name = NAME

    def __init__(
        self,
        plan: Plan,
        tell: Teller | None = None,
        *,
        applying: bool = True,
        say: Say | None = None,
        patterns: Sequence[Pattern] = BUILT_IN,
    ) -> None:
        self._say, self._patterns = say, patterns
        self._plan, self._tell, self._applying = plan, tell or OwnWords(), applying
        self._notes: list[str] = []
        self.eligible: list[Eligible] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what is worth telling."""
        return (*dict.fromkeys(self._notes), *self._tell.notes)

    @property
    def usage(self) -> Mapping[str, float]:
        """What a model was asked, empty without one."""
        return self._tell.usage

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield the changes, the archive of each period before the removal of what it tells."""
        if not self._plan.enabled:
            self._notes.append(f"compaction is off; to have it done: {ENABLE}")
            if self._applying:
                yield Proposal(skipped={"compaction is off": 1})
                return
        if self._plan.remove or self._plan.tend:
            self._look_at_clock(view)
        left, past, today = Left(), before(view.workspace), now.date()
        yield from self._journals(view, today, past, left)
        if self._plan.tend:
            yield from self._memory(view, today, past, left)
            yield from self._corrections(view, today, past, left)
        self._notes += left.notes
        yield Proposal(skipped=left.taken())

    def _look_at_clock(self, view: View) -> None:
        """Raise ClawgitError where the clock may be wrong: what is young would be old. A preview only says so."""
        try:
            clock.require(view.workspace)
        except ClawgitError as exc:
            if self._applying:
                raise
            self._notes.append(f"{exc.message}: {exc.fix}")

    def _journals(self, view: View, today: date, past: Before, left: Left) -> Iterator[Proposal]:
        found = journal_archive.old(view, today, self._plan.days, left)
        wanted = list(islice((one for one in found if not _back(past, one, left)), _MOST))
        self.eligible = [Eligible(one.path, one.day, self._archive(one)) for one in wanted]
        if len(found) > _MOST:
            self._notes.append(f"{_MOST} journals are looked at in one run; call it once more for the rest")
        for path, group in groupby(wanted, key=self._archive):
            try:
                yield from self._period(view, path, list(group), today, past, left)
            except ClawgitError as exc:
                left.out("the archive cannot be read", f"{exc.message}; its journals stay")

    def _archive(self, one: Journal) -> str:
        return journal_archive.path(one.day, self._plan.form)

    def _period(
        self, view: View, path: str, some: list[Journal], today: date, past: Before, left: Left
    ) -> Iterator[Proposal]:
        """Yield what becomes of the journals of one archive."""
        if journal_archive.staged(view, path):
            left.out("staged by hand", f"{path} has changes staged by hand; its journals stay")
            return
        there = view.read(path)
        back = [one for one in some if past.taken_back(one, path, there or "")]
        for _ in back:
            left.out("brought back")
        some = [one for one in some if one not in back]
        fresh = _fitting(there or "", journal_archive.missing(there or "", some), left)
        title = path.rpartition("/")[2].removesuffix(".md")
        title = (
            f"archive of {title}" if self._plan.form == "quarterly" else f"chronicle of {journal_archive.title(path)}"
        )
        if fresh:
            told = self._tell(fresh) if self._plan.form == "chronicle" else None
            change = _move_journals_to_archive(view, path, journal_archive.add(there, path, fresh, told), fresh, title)
            yield Proposal(change, _learnt(change, path), len(fresh), left.taken())
        archived = [one for one in some if (one.path, one.blob) in journal_archive.named(view.read(path) or "")]
        if archived and self._plan.remove:
            change = _remove_archived_journals(archived, path, title.partition(" of ")[2], today)
            yield Proposal(change, _learnt(change, path), 0 if fresh else len(archived))

    def _memory(self, view: View, today: date, past: Before, left: Left) -> Iterator[Proposal]:
        """Yield what leaves the memory file: what faded, what is said twice, then what makes it too long."""
        path, rules = view.workspace.memory_file, view.workspace.config.confidence
        if not _written_here(view, path, left):
            return
        standing = memory_hygiene.held(view, path, past, left)
        gone = list(islice(memory_hygiene.faded(standing, today, rules), memory_hygiene.MOST))
        if gone and _takes(view, memory_hygiene.place(today), left):
            change = _archive_faded_entries(view, path, gone, today)
            yield Proposal(change, _learnt(change, path), len(standing))
            standing = memory_hygiene.held(view, path, past, Left())
        pairs = list(islice(memory_hygiene.twins(standing), memory_hygiene.MOST))
        if pairs:
            change = _merge_twins(view, path, pairs)
            yield Proposal(change, _learnt(change, path), len(standing))
            standing = memory_hygiene.held(view, path, past, Left())
        if some := self._topics(view, path, standing, today, past, left):
            change = _move_topics_to_files(view, path, some, standing)
            yield Proposal(change, _learnt(change, path), len(standing))

    def _topics(
        self, view: View, path: str, standing: list[Held], today: date, past: Before, left: Left
    ) -> list[Topic]:
        """Return what makes the memory file short enough for the prompt, as far as its files can be written."""
        workspace = view.workspace
        cap = workspace.host.caps(workspace.root).limits.of(path)
        text = view.read(path) or ""
        if not topic_files.too_long(text, cap):
            return []
        kept = overdue_errands.find_kept(workspace, self._patterns)
        held = Standing(
            tuple(standing),
            past,
            kept,
            frozenset({*workspace.called, *operator_names(view.read("IDENTITY.md") or "")}),
            memory.topic_places(workspace.root),
        )
        known = topic_files.Known(today, workspace.config.confidence, held, view.read)
        if self._say and (some := MemoryPieces(text, held).offered()):
            ordered = memory_curation.order(text, some, topic_files.excess(text, cap), self._say)
            known = replace(known, order=ordered.lines)
            self._notes += [ordered.note] if ordered.note else []
        found = topic_files.topics(text, cap, known)
        return [one for one in found if _takes(view, one.path, left)]

    def _corrections(self, view: View, today: date, past: Before, left: Left) -> Iterator[Proposal]:
        """Yield what moves the records that are old."""
        if not _written_here(view, file_roles.CORRECTIONS, left):
            return
        days = int(view.workspace.config.value("correction_archive_days"))
        text = view.read(file_roles.CORRECTIONS) or ""
        old = islice(memory_hygiene.old(text, today, days, past, left), memory_hygiene.MOST)
        if gone := [one for one in old if _takes(view, one.path, left)]:
            change = _archive_corrections(view, gone)
            yield Proposal(change, _learnt(change, file_roles.CORRECTIONS), len(gone))


def _back(past: Before, one: Journal, left: Left) -> bool:
    if past.took(one):
        left.out("brought back")
        return True
    return False


def _fitting(there: str, some: list[Journal], left: Left) -> list[Journal]:
    """Return the journals that an archive has room for, in their order."""
    room, found = LARGEST - len(there.encode()), list[Journal]()
    for one in some:
        room -= len(one.text.encode())
        if room < 0:
            left.out("the archive is full", f"{one.path} has no room in the archive of its time; it stays")
        else:
            found.append(one)
    return found


def _written_here(view: View, path: str, left: Left) -> bool:
    """Return whether a file is there and can be edited now, and note where not."""
    return _takes(view, path, left) and view.read(path) is not None


def _takes(view: View, path: str, left: Left) -> bool:
    """Return whether a file can be written now, and note where not."""
    try:
        view.read(path)
    except ClawgitError as exc:
        left.out("not fit to be read", f"{exc.message}; it stays")
        return False
    if journal_archive.staged(view, path):
        left.out("staged by hand", f"{path} has changes staged by hand; it stays")
        return False
    return True


def _learnt(change: Change, path: str) -> tuple[Learnt, ...]:
    return (Learnt(change.subject, path, "", "note", evidence=next(iter(change.evidence), None)),)


def _move_journals_to_archive(view: View, path: str, text: str, some: Sequence[Journal], title: str) -> Change:
    """Return the change that puts journals into an archive; they stay for now."""
    days = len({one.day for one in some})
    subject = f"memory: {title}, {days} {'day' if days == 1 else 'days'}"
    why = f"Moves {len(some)} journals into it; they are committed as they were, and each is cited."
    cited = tuple(one.pointer for one in islice(some, _CITED))
    origins = {one.origin for one in records.log(view.workspace, *(one.path for one in some))}
    # In an archive they are no surer than the least trusted of those that wrote to these journals.
    origin: Origin = "agent" if origins and origins <= {"operator", "agent"} else "unknown"
    if "untrusted" in origins:
        origin = "untrusted"
    return Change(subject, why, (Edit(path, view.read(path), text),), cited, origin, NAME)


def _remove_archived_journals(some: Sequence[Journal], archive: str, title: str, today: date) -> Change:
    """Return the change that removes journals which stand in an archive by now, exactly as they went into it."""
    count = f"{len(some)} {'journal' if len(some) == 1 else 'journals'}"
    rows = [
        f"- {one.path}: {(today - one.day).days} days old, told in {archive}; back: clawgit restore {quoted(one.path)}"
        for one in some
    ]
    edits = tuple(Edit(one.path, one.text, None, exact=True) for one in some)
    cited = tuple(one.pointer for one in islice(some, _CITED))
    return Change(f"memory: {count} of {title} removed", "\n".join(rows), edits, cited, "agent", NAME)


def _archive_faded_entries(view: View, path: str, some: list[Faded], today: date) -> Change:
    """Return the change that moves faded entries to the archive."""
    memory, place = view.read(path) or "", memory_hygiene.place(today)
    rows = [
        f"- entry {one.held.id} of {path}: confidence {one.sure:g}, silent for {one.silent} days, now in {place};"
        f" back: clawgit restore {one.held.id}"
        for one in some
    ]
    after = memory_hygiene.without(memory, [one.held for one in some])
    edits = (
        Edit(path, memory, after),
        Edit(place, view.read(place), memory_hygiene.archived(view.read(place), memory, some, today), memory),
    )
    count = f"{len(some)} {'entry' if len(some) == 1 else 'entries'}"
    return Change(
        f"memory: {count} faded, to the archive",
        "\n".join(rows),
        edits,
        _format_line_pointers(path, some),
        "agent",
        NAME,
    )


def _merge_twins(view: View, path: str, some: list[Twins]) -> Change:
    """Return the change that makes one entry of two that say the same."""
    memory, name = view.read(path) or "", new_id()
    rows = [
        f"- entry {one.goes.id} of {path}: says what entry {one.stays.id} says; back: clawgit undo {name}"
        for one in some
    ]
    after = memory_hygiene.without(memory, [one.goes for one in some])
    told = {row.id: row for pair in some for row in memory_hygiene.joined(pair)}
    count = f"{len(some)} {'entry' if len(some) == 1 else 'entries'}"
    return Change(
        f"memory: {count} said twice, merged",
        "\n".join(rows),
        (Edit(path, memory, after),),
        _format_line_pointers(path, [one.goes for one in some]),
        "agent",
        NAME,
        tuple(told.values()),
        id=name,
    )


def _move_topics_to_files(view: View, path: str, some: Sequence[Topic], standing: Sequence[Held]) -> Change:
    """Return the change that moves sections and entries of the memory file to files by topic, and links to each."""
    memory = view.read(path) or ""
    after: dict[str, str] = {}
    for one in some:
        after[one.path] = topic_files.filed(after.get(one.path, view.read(one.path)), memory, one)
    edits = [Edit(path, memory, topic_files.shortened(memory, some))]
    edits += (Edit(place, view.read(place), text) for place, text in after.items())
    rows = [
        f"- entry {held.id} of {path}: now in {one.path}; back: clawgit restore {held.id}"
        for one in some
        for held in one.some
    ]
    name = new_id()
    titles = [(one_line(piece.title), one.path) for one in some for piece in one.pieces if not piece.label]
    rows += [
        f"- section “{title}” of {path}: now in {place}; back: clawgit restore {quoted(f'{path}#{title}')}"
        for title, place in titles
    ]
    labels = [(one_line(piece.title), one.path) for one in some for piece in one.pieces if piece.label]
    rows += [
        f"- {count} part{'' if count == 1 else 's'} of “{title}” of {path}: now in {place}; back: clawgit undo {name}"
        for (title, place), count in Counter(labels).items()
    ]
    every = [held for one in some for held in topic_files.leaving(one, standing)]
    files = f"{len(after)} file{'' if len(after) == 1 else 's'}"
    many = [f"{len(titles)} section{'' if len(titles) == 1 else 's'}"] if titles else []
    many += [f"{len(labels)} part{'' if len(labels) == 1 else 's'}"] if labels else []
    alone = sum(len(one.some) for one in some)
    many += [f"{alone} {'entry' if alone == 1 else 'entries'}"] if alone else []
    told = tuple(row for one in some for row in topic_files.moved(one))
    subject = f"memory: {' and '.join(many)} moved to {files} by topic"
    return Change(
        subject, "\n".join(rows), tuple(edits), _format_line_pointers(path, every), "agent", NAME, told, id=name
    )


def _format_line_pointers(path: str, some: Sequence[Faded | memory_hygiene.Held]) -> tuple[str, ...]:
    entries = [(one.held if isinstance(one, Faded) else one).entry for one in islice(some, _CITED)]
    return tuple(evidence_pointer.format(Pointer("lines", path, entry.start, entry.end)) for entry in entries)


def _archive_corrections(view: View, some: list[Record]) -> Change:
    """Return the change that moves records of corrections to the archive of their month."""
    text = view.read(file_roles.CORRECTIONS) or ""
    rows = [
        f"- correction {one.id} of {file_roles.CORRECTIONS}: of {one.day}, now in {one.path};"
        f" back: clawgit restore {quoted(f'{file_roles.CORRECTIONS}#{one.title}')}"
        for one in some
    ]
    edits = [Edit(file_roles.CORRECTIONS, text, memory_hygiene.without_corrections(text, some))]
    for path in dict.fromkeys(one.path for one in some):
        here = [one for one in some if one.path == path]
        edits.append(Edit(path, view.read(path), memory_hygiene.archived_corrections(view.read(path), here), text))
    cited = tuple(
        evidence_pointer.format(Pointer("correction", path=file_roles.CORRECTIONS, id=one.id))
        for one in islice(some, _CITED)
    )
    count = f"{len(some)} {'correction' if len(some) == 1 else 'corrections'}"
    return Change(f"memory: {count} to the archive", "\n".join(rows), tuple(edits), cited, "agent", NAME)
