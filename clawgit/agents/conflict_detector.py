"""The conflict detector: finds entries that contradict each other."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta

from clawgit import file_roles
from clawgit.agents.recall_validator import open_items
from clawgit.agents.running import MAX_OPEN_ITEMS, Agent, Progress, View
from clawgit.errors import ClawgitError, Command, already_decided, memory_changed
from clawgit.memory import conflicts, contradictions, correct, in_force
from clawgit.memory.conflicts import DETECTOR
from clawgit.reading.checks import Decided
from clawgit.reading.operations import Batch
from clawgit.safety.redaction import redact
from clawgit.store.item import Item
from clawgit.workspace import correction_records, file_contents, run_ledger
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.commit_message import fold_spaces
from clawgit.workspace.memory_lines import MEMORY_ROLES, MemoryLine, list_lines
from clawgit.workspace.workspace import Workspace

NAME = DETECTOR
_WINDOW = timedelta(hours=24)
_JOURNALS = timedelta(days=14)
_ALL_AT_ONCE = 10_000
"""So many entries are compared with each other, in some six seconds."""
_TOO_MANY = "more than five a day"


class ConflictDetector(Agent, kw_only=True):
    """Compares changed lines with similar ones, and proposes one change for each contradiction (spec P4).

    It looks at lines changed since `start` (seconds since 1970), else in 24 hours, or since the last run if that is
    longer ago; at all of them in its first run, and as long as more contradict each other than may wait. At most five
    contradictions wait a day.
    """

    name = NAME
    start: float | None = None

    def propose(self, view: View, now: datetime) -> Iterator[Change | Progress]:
        """Yield a change for each contradiction, and before them for moot records and for what was corrected."""
        workspace = view.workspace
        since = _find_start(workspace, now) if self.start is None else datetime.fromtimestamp(self.start, now.tzinfo)
        days = min(now - _JOURNALS, since or now).date()
        settled_pairs, skipped = conflicts.read_settled(view), Counter[str]()
        if moot := conflicts.close_moot(view):
            yield moot
        if arrivals := in_force.list_arrivals(workspace, days):
            yield correct.refute_arrivals(view, arrivals, NAME)
        lines = correct.list_correctable(workspace)
        lines = [line for line in lines if (file_roles.journal_day(line.path) or days) >= days]
        with workspace.open_table() as table:
            is_all = since is None and len(lines) <= _ALL_AT_ONCE
            fresh = {row.id for row in table.list_changed(since or now - _WINDOW)}
            stored_ids = {row.id for row in table.find()}
        changed = frozenset(line.id for line in lines if is_all or line.id in fresh or line.id not in stored_ids)
        open_count, superseded_ids = 0, set[str]()
        for entry, other, reason in contradictions.list_pairs(lines, changed):
            name = conflicts.name_pair(entry, other)
            if name in settled_pairs:
                skipped[settled_pairs[name]] += 1
            elif {entry.id, other.id} & superseded_ids:
                skipped["superseded meanwhile"] += 1
            elif open_count >= MAX_OPEN_ITEMS:
                skipped[_TOO_MANY] += 1
            else:
                change = conflicts.make_record(view, (entry, other), reason)
                settled_pairs[name] = "settled before" if change.rows else "open already"
                superseded_ids |= {row.id for row in change.rows}
                open_count += not change.rows
                yield change
        yield Progress(len(changed), skipped)


def _find_start(workspace: Workspace, now: datetime) -> datetime | None:
    """Return from when on changes are looked at, None for all: nothing is passed over as a day's run was missed."""
    runs = [run for run in run_ledger.ledger(workspace.store) if run.agent == NAME and not run.error]
    if not runs or runs[-1].skipped.get(_TOO_MANY):
        return None
    return min(datetime.fromisoformat(runs[-1].started), now - _WINDOW)


def record_of_reading(view: View, batch: Batch, decision: Decided) -> Change:
    """Return the change that records a conflict found by a reading, and removes its losing side.

    Raises ClawgitError if a side is gone, reworded or out of force, or the pair was recorded or taken back before.
    """
    present = {line.id: line for line in list_lines(view.workspace, *MEMORY_ROLES)}
    lines = list[MemoryLine]()
    for name in decision.operation.entries:
        entry, line = batch.entry(name), present.get(name)
        is_same = entry and line and redact(fold_spaces(in_force.read_words(line))) == fold_spaces(entry.text)
        if line is None or not is_same or in_force.is_superseded(line):
            fix = Command("clawgit run conflict-detector")
            raise memory_changed(f"entry {name} is gone, or says something else by now", fix=fix)
        lines.append(line)
    name = conflicts.name_pair(*lines)
    if state := conflicts.read_settled(view).get(name):
        raise already_decided(f"this pair is {state}", fix=Command("clawgit show {}", name))
    reason = file_contents.clean_for_writing(fold_spaces(decision.operation.reason))
    return conflicts.make_record(view, (lines[0], lines[1]), reason, change=decision.name(batch))


def supersede_repeated_errors(workspace: Workspace) -> tuple[Applied, tuple[str, ...], str] | None:
    """Take lines of memory and of two days of journals out of force if they repeat the very words that were corrected.

    An item asks whether those of memory files, which stay as they are, are to be corrected there. Records that others
    removed from CORRECTIONS.md stay in force, and an item asks about each. Others may write there freely. Returns the
    outcome, the files and the id of the first item; None for nothing.
    """
    with suppress(ClawgitError):  # who captures tells what is in the way of a commit
        correction_records.note_records(workspace)
        yesterday = workspace.now().date() - timedelta(days=1)
        if arrivals := in_force.list_arrivals(workspace, yesterday):
            applied = workspace.apply(correct.refute_arrivals(View(workspace), arrivals, NAME))
            items: list[Item] = []
            with suppress(ClawgitError):
                items = open_items(workspace, correct.make_arrival_items(workspace, arrivals))
            paths = tuple(dict.fromkeys(line.path for line, _ in arrivals))
            return applied, paths, items[0].id if items else ""
    return None
