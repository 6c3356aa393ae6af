"""The conflict detector: finds entries that contradict each other."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta

from clawgit.agents.running import MAX_OPEN_ITEMS, Agent, Progress, View
from clawgit.errors import ClawgitError, Command, already_decided, memory_changed
from clawgit.memory import conflicts, correct, in_force
from clawgit.memory.conflicts import DETECTOR
from clawgit.reading.checks import Decided
from clawgit.reading.turns import Batch
from clawgit.safety.redaction import redacted
from clawgit.workspace import correction_records, file_roles, run_ledger, write_guard
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.memory_lines import MEMORY_ROLES, MemoryLine, list_lines
from clawgit.workspace.workspace import Workspace

NAME = DETECTOR
_WINDOW = timedelta(hours=24)
_JOURNALS = timedelta(days=14)


class ConflictDetector(Agent, kw_only=True):
    """Compares what changed with what is like it, and proposes one change for each contradiction (spec P4).

    What changed since `start` (seconds since 1970) is looked at, else what changed in 24 hours, or since the last run
    where that is longer ago. At most five contradictions wait a day.
    """

    name = NAME
    start: float | None = None

    def propose(self, view: View, now: datetime) -> Iterator[Change | Progress]:
        """Yield a change for each contradiction, and before them for moot records and for what was corrected."""
        workspace = view.workspace
        since = _find_start(workspace, now) if self.start is None else datetime.fromtimestamp(self.start, now.tzinfo)
        days = min(now - _JOURNALS, since).date()
        settled, skipped = conflicts.read_settled(view), Counter[str]()
        if moot := conflicts.close_moot(view):
            yield moot
        if arrivals := in_force.list_arrivals(workspace, days):
            yield correct.refute_arrivals(view, arrivals, NAME)
        lines = [
            line for line in correct.list_correctable(workspace) if (file_roles.journal_day(line.path) or days) >= days
        ]
        with workspace.open_table() as table:
            fresh, known = ({row.id for row in rows} for rows in (table.list_changed(since), table.list_rows()))
        changed = frozenset(line.id for line in lines if line.id in fresh or line.id not in known)
        opened = 0
        gone: set[str] = set()
        for one, other, reasons in conflicts.list_pairs(lines, changed):
            name = conflicts.name_pair(conflicts.show_text(one), conflicts.show_text(other))
            if name in settled:
                skipped[settled[name]] += 1
            elif {one.id, other.id} & gone:
                skipped["superseded meanwhile"] += 1
            elif opened >= MAX_OPEN_ITEMS:
                skipped["more than five a day"] += 1
            else:
                change = conflicts.make_record(view, (one, other), reasons)
                gone |= {row.id for row in change.rows}
                opened += not change.rows
                yield change
        yield Progress(len(changed), skipped)


def _find_start(workspace: Workspace, now: datetime) -> datetime:
    """Return from when on changes are looked at: nothing is passed over because a day's run was missed."""
    done = (one.started for one in run_ledger.ledger(workspace.store) if one.agent == NAME and not one.error)
    last = max((datetime.fromisoformat(one) for one in done), default=now)
    return min(last, now - _WINDOW)


def record_of_reading(view: View, batch: Batch, one: Decided) -> Change:
    """Return the change that records a conflict which a reading found, and takes the side out that gives way by a rule.

    Raises ClawgitError where a side is gone, reworded or out of force, or the pair was recorded or taken back before.
    """
    lines = [_find_shown(view, batch, name) for name in one.operation.entries]
    name = conflicts.name_pair(*(conflicts.show_text(line) for line in lines))
    if known := conflicts.read_settled(view).get(name):
        raise already_decided(f"this pair is {known}", fix=Command("clawgit show {}", name))
    reason = write_guard.cleaned(one_line(one.operation.reason))
    reasons = [reason] if reason else []
    return conflicts.make_record(view, (lines[0], lines[1]), reasons, change=one.name(batch))


def _find_shown(view: View, batch: Batch, name: str) -> MemoryLine:
    """Return the entry that a reading was shown under an id. Raises ClawgitError where it changed."""
    fix = Command("clawgit run conflict-detector")
    shown = batch.entry(name)
    line = next((line for line in list_lines(view.workspace, *MEMORY_ROLES) if shown and line.id == name), None)
    if shown is None or line is None or redacted(one_line(in_force.read_words(line))) != one_line(shown.text):
        raise memory_changed(f"entry {name} is gone, or says something else by now", fix=fix)
    if in_force.is_superseded(line):
        raise memory_changed(f"entry {name} gave way to another one meanwhile", fix=fix)
    return line


def hold(workspace: Workspace) -> tuple[Applied, tuple[str, ...]] | None:
    """Take out of force what memory and the journals of two days say in the very words that were corrected.

    Records that others removed from CORRECTIONS.md stay in force, and an item asks about each. Others write there as
    they like. Returns what became of it, and the files; None for nothing.
    """
    with suppress(ClawgitError):  # who captures tells what is in the way of a commit
        correction_records.note_records(workspace)
        yesterday = workspace.now().date() - timedelta(days=1)
        if arrivals := in_force.list_arrivals(workspace, yesterday):
            change = correct.refute_arrivals(View(workspace), arrivals, NAME)
            return workspace.apply(change), tuple(dict.fromkeys(line.path for line, _ in arrivals))
    return None
