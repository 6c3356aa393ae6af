"""The memory compactor: makes room, and loses nothing."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from itertools import groupby, islice
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.compacting import compaction_changes, journal_archive, memory_curation, memory_hygiene, topic_files
from clawgit.agents.compacting.journal_archive import NAME, YOUNGEST, Before, Form, Journal, Left, before
from clawgit.agents.compacting.memory_hygiene import Held, Twins
from clawgit.agents.compacting.memory_pieces import MemoryPieces, Standing
from clawgit.agents.compacting.narration import OwnWords, Teller
from clawgit.agents.compacting.topic_files import Topic
from clawgit.agents.protocol import destructive, judgement, surroundings
from clawgit.agents.protocol.line_claims import Say
from clawgit.agents.running import Learnt, Proposal, View
from clawgit.errors import ClawgitError
from clawgit.messages.patterns import BUILT_IN, Pattern
from clawgit.safety.normalise import operator_names
from clawgit.workspace import clock, file_roles, memory
from clawgit.workspace.change import Change
from clawgit.workspace.config import Config

__all__ = ["NAME", "YOUNGEST", "Eligible", "MemoryCompactor", "Plan", "of_config"]

LARGEST = 1 << 20
"""Bytes of an archive; OpenClaw reads no more than twice as many."""
_MOST = 1000
ENABLE = "clawgit config set compaction chronicle"


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
            text = self._told(there, path, fresh)
            change = compaction_changes.archive(view, path, text, fresh, title)
            yield Proposal(change, _learnt(change, path), len(fresh), left.taken())
        told = [one for one in some if (one.path, one.blob) in journal_archive.named(view.read(path) or "")]
        if told and self._plan.remove:
            change = compaction_changes.removal(told, path, title.partition(" of ")[2], today)
            yield Proposal(change, _learnt(change, path), 0 if fresh else len(told))

    def _told(self, there: str | None, path: str, some: list[Journal]) -> str:
        """Return the archive with the journals: word for word in that of a quarter, as far as no voice tells them."""
        told = self._tell(some) if self._plan.form == "chronicle" else None
        return journal_archive.add(there, path, some, told)

    def _memory(self, view: View, today: date, past: Before, left: Left) -> Iterator[Proposal]:
        """Yield what leaves the memory file: what faded, what is said twice, then what makes it too long."""
        path, rules = view.workspace.memory_file, view.workspace.config.confidence
        if not _written_here(view, path, left):
            return
        standing = memory_hygiene.held(view, path, past, left)
        gone = list(islice(memory_hygiene.faded(standing, today, rules), memory_hygiene.MOST))
        if gone and _takes(view, memory_hygiene.place(today), left):
            change = compaction_changes.forgetting(view, path, gone, today)
            yield Proposal(change, _learnt(change, path), len(standing))
            standing = memory_hygiene.held(view, path, past, Left())
        pairs = list(islice(memory_hygiene.twins(standing), memory_hygiene.MOST))
        if pairs or (pairs := self._told_twice(view, standing)):
            change = compaction_changes.merging(view, path, pairs)
            yield Proposal(change, _learnt(change, path), len(standing))
            standing = memory_hygiene.held(view, path, past, Left())
        if some := self._topics(view, path, standing, today, past, left):
            change = compaction_changes.shortening(view, path, some, standing)
            yield Proposal(change, _learnt(change, path), len(standing))

    def _told_twice(self, view: View, standing: list[Held]) -> list[Twins]:
        """Return what a voice finds to be said twice, where rules find nothing any more."""
        if self._say is None:
            return []
        workspace = view.workspace
        guarded = partial(judgement.held, workspace, list(surroundings.standing(workspace)), self._patterns)
        found, note = memory_curation.twins(standing, guarded, self._say)
        self._notes += [note] if note else []
        return found

    def _topics(
        self, view: View, path: str, standing: list[Held], today: date, past: Before, left: Left
    ) -> list[Topic]:
        """Return what makes the memory file short enough for the prompt, as far as its files can be written."""
        workspace = view.workspace
        cap = workspace.host.caps(workspace.root).limits.of(path)
        text = view.read(path) or ""
        if not topic_files.too_long(text, cap):
            return []
        asked = judgement.held(workspace, surroundings.standing(workspace), self._patterns)
        held = Standing(
            tuple(standing),
            past,
            frozenset(name for name, one in asked.items() if destructive.kept(one)),
            frozenset({*workspace.called, *operator_names(view.read("IDENTITY.md") or "")}),
            memory.topic_places(workspace.root),
        )
        known = topic_files.Known(today, workspace.config.confidence, held, view.read)
        if self._say and (some := MemoryPieces(text, held).offered()):
            ordered = memory_curation.pieces(text, some, topic_files.excess(text, cap), self._say)
            known = replace(known, order=ordered.lines, says=ordered.says)
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
            change = compaction_changes.archiving(view, gone)
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
    """Tell whether a file is there and can be edited now, and note where not."""
    return _takes(view, path, left) and view.read(path) is not None


def _takes(view: View, path: str, left: Left) -> bool:
    """Tell whether a file can be written now, and note where not."""
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
