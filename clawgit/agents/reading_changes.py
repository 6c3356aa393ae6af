"""Makes the changes of a reading."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents import conflict_detector, identity_changes, memory_changes
from clawgit.agents.kept_readings import Kept
from clawgit.agents.running import View
from clawgit.errors import ClawgitError
from clawgit.git import history
from clawgit.messages.patterns import Pattern
from clawgit.reading.checks import Decided
from clawgit.reading.operations import Act, Verdict
from clawgit.reading.outcomes import UNRELIABLE
from clawgit.reading.turns import Batch
from clawgit.text.entry import named
from clawgit.workspace import commit_message
from clawgit.workspace.change import Applied, Change, Edit
from clawgit.workspace.planning import MovedError
from clawgit.workspace.reading_cursors import Cursor
from clawgit.workspace.workspace import Workspace

_ATTEMPTS = 5
_CLOCKS = timedelta(days=1)
"""By which the clocks of two machines may differ."""
_MAKERS: Mapping[Act, Callable[[View, Batch, Decided], Change]] = {
    "add": memory_changes.added,
    "replace": memory_changes.reworded,
    "merge": memory_changes.reworded,
    "retire": memory_changes.retired,
    "soul": identity_changes.edited,
    "lesson": identity_changes.lesson,
    "conflict": conflict_detector.record_of_reading,
}


class Changes(Struct, frozen=True):
    """The changes of a decided batch in a workspace as it is now."""

    workspace: Workspace
    kept: Kept
    patterns: tuple[Pattern, ...]

    def make(self, one: Decided, cursors: tuple[Cursor, ...] = ()) -> Change:
        """Return the change of an operation. Raises ClawgitError where it cannot be made."""
        change = replace(self._make(View(self.workspace), one), cursors=cursors)
        return replace(change, held=True) if one.state == "waits" else change

    def _make(self, view: View, one: Decided) -> Change:
        batch = self.kept.batch
        if one.same:
            return memory_changes.mentioned(view, batch, one)
        if one.operation.act == "correct":
            return identity_changes.corrected(view, batch, one, self.patterns)
        return _MAKERS[one.operation.act](view, batch, one)

    def make_together(self, waiting: Sequence[Decided]) -> Change:
        """Return one change of several operations, which waits; what cannot be made beside the others is left out."""
        view, made = View(self.workspace), list[Change]()
        before: dict[str, str | None] = {}
        for one in waiting:
            try:
                change = self._make(view, one)
            except ClawgitError:
                continue
            before |= {path: view.read(path) for path in change.paths if path not in before}
            view.take(change)
            made.append(change)
        rows = {row.id: row for change in made for row in change.rows}
        agents = {change.agent for change in made}
        day = self.kept.batch.turns[-1].time[:10] if self.kept.batch.turns else self.kept.batch.today
        count = f"{len(made)} claims" if len(made) > 1 else "1 claim"
        return Change(
            f"{count} of {day}: {UNRELIABLE}",
            "\n".join(f"- {commit_message.one_line(change.subject)}" for change in made),
            tuple(Edit(path, text, view.read(path)) for path, text in before.items()),
            tuple(dict.fromkeys(pointer for change in made for pointer in change.evidence)),
            "agent",
            agents.pop() if len(agents) == 1 else None,
            rows=tuple(rows.values()),
            drops=tuple(dict.fromkeys(name for change in made for name in change.drops if name not in rows)),
            held=True,
            id=named(f"unreliable\0{self.kept.batch.id}"),
        )

    def find_landed(self) -> dict[str, str]:
        """Return the changes of this batch that landed before a kill, with their commits; undone ones too."""
        wanted = {one.name(self.kept.batch) for one in self.kept.decided or ()}
        since = (datetime.fromisoformat(self.kept.made) - _CLOCKS).isoformat()
        found: dict[str, str] = {}
        for commit in history.log(self.workspace.repo, since=since, named=False):
            change = commit_message.parse(commit.message).get(commit_message.CHANGE)
            if change in wanted:
                found.setdefault(change, commit.id)
        return found


def apply(workspace: Workspace, make: Callable[[], Change]) -> tuple[Change, Applied]:
    """Make a change and apply it, anew where somebody else changes the same place meanwhile."""
    for attempt in range(_ATTEMPTS):
        change = make()
        try:
            return change, workspace.apply(change)
        except MovedError:
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError


def judge(one: Decided, applied: Applied) -> Verdict:
    """Return the verdict on an operation whose change was made, or waits."""
    waits = applied.proposal
    if waits and waits.rejected:
        return Verdict(one.operation, "refused", f"you rejected it before, as {waits.id}")
    if waits:
        return Verdict(one.operation, "waits", one.why or f"clawgit show {waits.id}", proposal=waits.id)
    return Verdict(
        one.operation, "landed", one.why or ("" if applied.commit else "already there"), applied.commit or ""
    )
