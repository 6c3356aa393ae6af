"""Lands the decisions on a batch, as one run."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from clawgit.agents import kept_readings, memory_changes, requested_memories
from clawgit.agents.kept_readings import Kept
from clawgit.agents.running import Result, View
from clawgit.errors import BusyError, ClawgitError, DiskError
from clawgit.git import history
from clawgit.llm.speaker import Speaker
from clawgit.memory.corrected_values import Told
from clawgit.memory.view import try_again
from clawgit.messages.triage import MINER, Pattern, triage
from clawgit.reading import outcomes
from clawgit.reading.backlog import Backlog
from clawgit.reading.checks import Decided
from clawgit.reading.operations import Operation, Verdict
from clawgit.reading.outcomes import UNRELIABLE
from clawgit.reading.turns import Batch
from clawgit.text.entry import make_name
from clawgit.workspace import commit_message, run_ledger
from clawgit.workspace.change import Applied, Change, Edit
from clawgit.workspace.reading_cursors import Cursor
from clawgit.workspace.run_ledger import Ran
from clawgit.workspace.unkept_requests import Unkept
from clawgit.workspace.workspace import Workspace

_CLOCKS = timedelta(days=1)
"""By which the clocks of two machines may differ."""


def judge(decision: Decided, applied: Applied) -> Verdict:
    """Return the verdict on an operation whose change was made, or waits."""
    waits = applied.proposal
    if waits and waits.rejected:
        return Verdict(decision.operation, "refused", f"you rejected it before, as {waits.id}")
    if waits:
        return Verdict(decision.operation, "waits", decision.why or f"clawgit show {waits.id}", proposal=waits.id)
    reason = decision.why or ("" if applied.commit else "already there")
    return Verdict(decision.operation, "landed", reason, applied.commit or "")


class Outcome(Result):
    """The outcome of a run: the answered and unanswered batches, the read turns of the operator's, and verdicts."""

    batches: int = 0
    unanswered: int = 0
    verdicts: list[Verdict] = field(default_factory=list)

    def add(self, other: Result) -> None:
        """Add what another run, or rules, came to."""
        self.read += other.read
        self.applied += other.applied
        self.note(*other.notes)
        if isinstance(other, Outcome):
            self.batches += other.batches
            self.unanswered += other.unanswered
            self.verdicts += other.verdicts
        else:
            self.verdicts += [
                judge(Decided(Operation("correct", text=change.subject)), applied) for change, applied in other.applied
            ]

    def note(self, *notes: str) -> None:
        """Keep notes, each once."""
        self.notes += [text for text in dict.fromkeys(notes) if text and text not in self.notes]


class Lander(Struct, frozen=True):
    """Lands batches of an agent; `require_going` is called before each change.

    `made` holds the corrections that landed, by the candidates that their messages may be.
    """

    workspace: Workspace
    agent: str
    patterns: tuple[Pattern, ...]
    unread: Backlog
    require_going: Callable[[], None] = lambda: None
    speaker: Speaker | None = None
    made: dict[str, str] = field(default_factory=dict)

    def land(self, kept: Kept, found: Outcome, *, replayed: bool = False) -> None:
        """Land the decisions, and note the run; changes that landed before a kill are recognised.

        Raises ClawgitError if nothing can be written now: then the batch stays, and is landed by the next run.
        """
        assert kept.decided is not None
        started, error, number = self.workspace.now().isoformat(), "", len(found.verdicts)
        before = self._find_landed(kept) if replayed else {}
        first = len(found.applied)
        cursors = kept_readings.find_cursors(self.workspace, kept, self.unread)
        try:
            fit = [decision for decision in kept.decided if decision.state == "landed"]
            for decision in kept.decided:
                if decision.state == "refused" or (name := decision.name(kept.batch)) in before:
                    commit = "" if decision.state == "refused" else before[name]
                    found.verdicts.append(Verdict(decision.operation, decision.state, decision.why, commit))
                elif decision.why != outcomes.UNRELIABLE:
                    self.require_going()
                    is_last = MINER in kept.batch.roles and bool(fit) and decision is fit[-1]
                    make = partial(self._make, kept, decision, cursors if is_last else ())
                    self._apply(make, kept.batch, decision, found)
            self._apply_together(kept, found)
            for request in self._list_unkept(kept, found.verdicts[number:]):
                self.workspace.store.open_item(request.as_item())
            kept_readings.finish(self.workspace, kept, self.unread)
        except BaseException as exc:
            error = exc.message if isinstance(exc, ClawgitError) else type(exc).__name__
            raise
        finally:
            applied = [one for _, one in found.applied[first:]]
            refused = sum(one.state == "refused" for one in found.verdicts[number:])
            ran = Ran(
                self.agent,
                started,
                self.workspace.now().isoformat(),
                sum(turn.by == "operator" for turn in kept.batch.turns),
                len(kept.decided or ()),
                (*before.values(), *(one.commit for one in applied if one.commit)),
                tuple(one.proposal.id for one in applied if one.proposal),
                {"refused": refused} if refused else {},
                usage=to_builtins(self.speaker.used) if self.speaker else {},
                error=error,
            )
            run_ledger.note(self.workspace.store, ran)
        self._count(kept, found)

    def show(self, kept: Kept, found: Outcome) -> Outcome:
        """Return an outcome with a preview of each operation; nothing is written."""
        for decision in kept.decided or ():
            try:
                reason = decision.why or self._make(kept, decision).subject
                found.verdicts.append(Verdict(decision.operation, decision.state, reason))
            except ClawgitError as exc:
                found.verdicts.append(Verdict(decision.operation, "refused", exc.message))
        self._count(kept, found)
        return found

    def _count(self, kept: Kept, found: Outcome) -> None:
        found.batches += 1
        found.read += sum(turn.by == "operator" for turn in kept.batch.turns)
        found.note(*(f"refused: {problem}" for problem in kept.problems))

    def _apply(self, make: Callable[[], Change], batch: Batch, decision: Decided, found: Outcome) -> None:

        def act() -> tuple[Change, Applied]:
            change = make()
            return change, self.workspace.apply(change)

        try:
            change, applied = try_again(act)  # anew where somebody else changes the same place meanwhile
        except (BusyError, DiskError):
            raise
        except ClawgitError as exc:
            found.verdicts.append(Verdict(decision.operation, "refused", exc.message))
            return
        found.notes += applied.notes
        if applied.commit and decision.operation.act == "correct":
            for turn in memory_changes.find_cited(batch, decision):
                message, _ = memory_changes.read_message(self.workspace, turn)
                self.made[Told(message, triage("", ())).name] = change.id
        if applied.commit or (applied.proposal and not applied.proposal.rejected):
            found.applied.append((change, applied))
        found.verdicts.append(judge(decision, applied))

    def _apply_together(self, kept: Kept, found: Outcome) -> None:
        """Have all that an unreliable judge left undecided wait as one item."""
        waiting = [decision for decision in kept.decided or () if decision.why == outcomes.UNRELIABLE]
        if not waiting:
            return
        self.require_going()
        change = self._make_together(kept, waiting)
        applied = self.workspace.apply(change)
        found.applied.append((change, applied))
        found.verdicts += [judge(decision, applied) for decision in waiting]
        found.note(f"{kept.voice} was not a reliable judge: {change.subject}")

    def _make(self, kept: Kept, decision: Decided, cursors: tuple[Cursor, ...] = ()) -> Change:
        """Return the change of an operation. Raises ClawgitError if it cannot be made."""
        view = View(self.workspace)
        change = replace(memory_changes.make_change(view, kept.batch, decision, self.patterns), cursors=cursors)
        return replace(change, held=True) if decision.state == "waits" else change

    def _make_together(self, kept: Kept, waiting: Sequence[Decided]) -> Change:
        """Return one waiting change of several operations; those that cannot be made beside the others are left out."""
        view, changes = View(self.workspace), list[Change]()
        before: dict[str, str | None] = {}
        for decision in waiting:
            try:
                change = memory_changes.make_change(view, kept.batch, decision, self.patterns)
            except ClawgitError:
                continue
            before |= {path: view.read(path) for path in change.paths if path not in before}
            view.take(change)
            changes.append(change)
        rows = {row.id: row for change in changes for row in change.rows}
        agents = {change.agent for change in changes}
        day = kept.batch.turns[-1].time[:10] if kept.batch.turns else kept.batch.today
        count = f"{len(changes)} claims" if len(changes) > 1 else "1 claim"
        return Change(
            f"{count} of {day}: {UNRELIABLE}",
            "\n".join(f"- {commit_message.fold_spaces(change.subject)}" for change in changes),
            tuple(Edit(path, text, view.read(path)) for path, text in before.items()),
            tuple(dict.fromkeys(pointer for change in changes for pointer in change.evidence)),
            "agent",
            agents.pop() if len(agents) == 1 else None,
            rows=tuple(rows.values()),
            drops=tuple(dict.fromkeys(name for change in changes for name in change.drops if name not in rows)),
            held=True,
            id=make_name(f"unreliable\0{kept.batch.id}"),
        )

    def _find_landed(self, kept: Kept) -> dict[str, str]:
        """Return the changes of this batch that landed before a kill, with their commits; undone ones too."""
        change_ids = {decision.name(kept.batch) for decision in kept.decided or ()}
        since = (datetime.fromisoformat(kept.made) - _CLOCKS).isoformat()
        commits: dict[str, str] = {}
        for commit in history.log(self.workspace.repo, since=since, named=False):
            change = commit_message.parse(commit.message).get(commit_message.CHANGE)
            if change in change_ids:
                commits.setdefault(change, commit.id)
        return commits

    def _list_unkept(self, kept: Kept, verdicts: Sequence[Verdict]) -> Iterator[Unkept]:
        """Yield the requests of the operator that nothing was kept of, with the reason."""
        if MINER not in kept.batch.roles:
            return
        fit = [verdict.operation for verdict in verdicts if verdict.state != "refused"]
        refused = (verdict for verdict in verdicts if verdict.state == "refused")
        refusals = {n: verdict.why for verdict in refused for n in verdict.operation.turns}
        now = self.workspace.now()
        for n in kept.batch.asked:
            turn = kept.batch.turn(n)
            if turn is None or any(n in operation.turns for operation in fit):
                continue
            texts = [operation.text for operation in requested_memories.list_operations(turn, self.patterns)]
            reason = kept.reasons.get(n) or refusals.get(n) or "nothing was made of it"
            for text in texts:
                yield requested_memories.make_unkept(turn, text, reason, now, dropped=n in kept.reasons)
