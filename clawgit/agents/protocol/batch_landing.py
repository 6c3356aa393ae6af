"""Lands the operations of a batch as one run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents import messages_to_read
from clawgit.agents.protocol import (
    conflict_operations,
    destructive,
    identity_changes,
    kept_batches,
    memory_changes,
    requested_memories,
    surroundings,
)
from clawgit.agents.protocol.batch import Batch, Observation
from clawgit.agents.protocol.check_result import Checked, Ground
from clawgit.agents.protocol.checked_operation import Decided, cited, days
from clawgit.agents.protocol.kept_batches import Kept
from clawgit.agents.protocol.operations import Act, Operation, Verdict
from clawgit.agents.protocol.unread_turns import Unread
from clawgit.agents.running import View
from clawgit.errors import BusyError, ClawgitError, DiskError
from clawgit.git import history
from clawgit.messages.patterns import MINER, Pattern
from clawgit.text.entry import digest
from clawgit.text.sameness.note_comparison import compare
from clawgit.workspace import commit_message, run_ledger, unkept_requests
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.planning import MovedError
from clawgit.workspace.run_ledger import Ran
from clawgit.workspace.unkept_requests import Unkept
from clawgit.workspace.workspace import Workspace


def budgeted(found: tuple[Checked, ...], ground: Ground) -> tuple[Checked, ...]:
    """Return what the checks say with what goes beyond the budget waiting, or aside; the first ones have the room.

    What an earlier operation of the same answer says is refused.
    """
    spent = _Spent(ground)
    return tuple(spent.take(one) if one.state == "fits" else one for one in found)


class _Spent:
    """Counts what the operations of an answer use up."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._left = destructive.limit(ground.total or len(ground.held)) - ground.removed
        self._free = ground.room.free if ground.room else None
        self._steps = ground.step
        self._grown = dict(ground.identity)
        self._said: list[str] = []

    def take(self, one: Checked) -> Checked:
        """Return an operation that fits, as the budget leaves it."""
        operation = one.operation
        if one.same:
            return one
        if any(compare(operation.text, said).relation == "same" for said in self._said if operation.text):
            return replace(one, state="refused", why="another operation of this answer says so", needs_support=False)
        if operation.text:
            self._said.append(operation.text)
        if operation.act == "soul":
            return self._identity(one)
        if count := destructive.taken(operation):
            if count > self._left:
                return replace(one, state="waits", why="a run takes at most 5 entries, or 5 % of them, away")
            self._left -= count
        return replace(one, aside=self._aside(operation)) if operation.act == "add" else one

    def _aside(self, operation: Operation) -> bool:
        """Return whether a line goes to the file of its topic: a detail nobody asked to keep; all, where it is full."""
        if operation.detail and not self._ground.explicit & set(operation.turns):
            return True
        if self._free is None:
            return False
        self._free -= len(operation.text) + 3
        return self._free < 0

    def _identity(self, one: Checked) -> Checked:
        operation = one.operation
        grown = self._grown.get(operation.file, 0) - len(operation.text)
        if self._steps < 1 or grown < 0:
            return replace(
                one, state="waits", why="the identity changes by few lines at a time, and stays within its cap"
            )
        self._steps -= 1
        self._grown[operation.file] = grown
        return one


_ATTEMPTS = 5
_CLOCKS = timedelta(days=1)  # by which those of two machines may differ
_MAKERS: Mapping[Act, Callable[[View, Batch, Decided], Change]] = {
    "add": memory_changes.added,
    "replace": memory_changes.reworded,
    "merge": memory_changes.reworded,
    "retire": memory_changes.retired,
    "soul": identity_changes.edited,
    "lesson": identity_changes.lesson,
    "conflict": conflict_operations.recorded,
}


class Landed(Struct):
    """What became of a batch: a verdict for each operation, the changes that were made, and notes for people."""

    verdicts: list[Verdict] = field(default_factory=list)
    applied: list[tuple[Change, Applied]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Lander(Struct, frozen=True):
    """Lands batches in a workspace; `landing` is called before each change."""

    workspace: Workspace
    unread: Unread
    patterns: tuple[Pattern, ...]
    usage: Callable[[], dict[str, Any]] = dict
    landing: Callable[[], None] = lambda: None

    def land(self, kept: Kept, *, replayed: bool = False) -> Landed:
        """Land what was decided, and note the run; what landed before a kill is found again, and not made twice.

        Raises ClawgitError where nothing can be written now: then the batch stays, and is landed by the next run.
        """
        assert kept.decided is not None
        found, started, error = Landed(), self.workspace.now().isoformat(), ""
        before = self._before(kept) if replayed else {}
        try:
            fit = [one for one in kept.decided if one.state == "landed"]
            for one in kept.decided:
                last = bool(fit) and one is fit[-1]
                found.verdicts.append(self._verdict(kept, one, found, before, last=last))
            told = {"landed": len(found.applied), "commits": self._commits(found, before)}
            self._observe(kept, found)
            if kept.batch.agent == MINER:
                self._note(kept, found)
            unkept_requests.open_requests(self.workspace.store, self._unkept(kept, found))
            kept_batches.finish(self.workspace, kept, self.unread, told)
        except BaseException as exc:
            error = exc.message if isinstance(exc, ClawgitError) else type(exc).__name__
            raise
        finally:
            run_ledger.note(self.workspace.store, self._ran(kept, found, before, started, error))
        return found

    def preview(self, kept: Kept) -> Landed:
        """Return what would become of each operation; nothing is written."""
        found = Landed()
        for one in kept.decided or ():
            if one.state == "refused":
                found.verdicts.append(Verdict(one.operation, "refused", one.why))
                continue
            try:
                change = self._change(View(self.workspace), kept, one)
            except ClawgitError as exc:
                found.verdicts.append(Verdict(one.operation, "refused", exc.message))
            else:
                found.verdicts.append(Verdict(one.operation, one.state, one.why or change.subject))
        return found

    def _verdict(self, kept: Kept, one: Decided, found: Landed, before: dict[str, str], *, last: bool) -> Verdict:
        if one.state == "refused":
            return Verdict(one.operation, "refused", one.why)
        name = one.name(kept.batch)
        if name in before:
            return Verdict(one.operation, "landed", one.why, before[name])
        self.landing()
        try:
            change, applied = self._applied(kept, one, last=last)
        except (BusyError, DiskError):
            raise
        except ClawgitError as exc:
            return Verdict(one.operation, "refused", exc.message)
        found.notes += applied.notes
        if applied.commit or (applied.proposal and not applied.proposal.rejected):
            found.applied.append((change, applied))
        return _became(one, applied)

    def _applied(self, kept: Kept, one: Decided, *, last: bool) -> tuple[Change, Applied]:
        for attempt in range(_ATTEMPTS):
            change = self._change(View(self.workspace), kept, one)
            if last and kept.batch.agent == messages_to_read.TRACKED:
                reached = kept_batches.cursors(self.workspace, kept, self.unread)
                change = replace(change, cursors=tuple(cursor for cursor, _ in reached))
            try:
                return change, self.workspace.apply(change)
            except MovedError:
                if attempt == _ATTEMPTS - 1:
                    raise
        raise AssertionError

    def _change(self, view: View, kept: Kept, one: Decided) -> Change:
        change = self._made(view, kept, one)
        return replace(change, held=True) if one.state == "waits" else change

    def _made(self, view: View, kept: Kept, one: Decided) -> Change:
        batch = kept.batch
        if one.same:
            return memory_changes.mentioned(view, batch, one)
        if one.operation.act == "correct":
            return identity_changes.corrected(view, batch, one, self.workspace.now(), self.patterns)
        return _MAKERS[one.operation.act](view, batch, one)

    def _before(self, kept: Kept) -> dict[str, str]:
        """Return the changes of this batch that landed before a kill, with their commits; undone ones too."""
        wanted = {one.name(kept.batch) for one in kept.decided or ()}
        found: dict[str, str] = {}
        since = (datetime.fromisoformat(kept.made) - _CLOCKS).isoformat()
        for commit in history.log(self.workspace.repo, since=since, named=False):
            change = commit_message.parse(commit.message).get(commit_message.CHANGE)
            if change in wanted:
                found.setdefault(change, commit.id)
        return found

    def _commits(self, found: Landed, before: dict[str, str]) -> list[str]:
        return [*before.values(), *(one.commit for _, one in found.applied if one.commit)]

    def _ran(self, kept: Kept, found: Landed, before: dict[str, str], started: str, error: str) -> Ran:
        refused = [verdict for verdict in found.verdicts if verdict.state == "refused"]
        return Ran(
            kept.batch.agent,
            started,
            self.workspace.now().isoformat(),
            len(kept.batch.pairs) or sum(turn.by == "operator" for turn in kept.batch.turns),
            len(kept.decided or ()),
            tuple(self._commits(found, before)),
            tuple(one.proposal.id for _, one in found.applied if one.proposal),
            {"refused": len(refused)} if refused else {},
            tuple(found.notes),
            self.usage(),
            error,
        )

    def _unkept(self, kept: Kept, found: Landed) -> Iterator[Unkept]:
        """Yield what the operator asked for and nothing was kept of, with the reason."""
        if kept.batch.agent != MINER:
            return
        stands = [verdict.operation for verdict in found.verdicts if verdict.state != "refused"]
        said = {
            n: verdict.why for verdict in found.verdicts if verdict.state == "refused" for n in verdict.operation.turns
        }
        now, dropped, waits = self.workspace.now(), kept.dropped or {}, kept.waits or {}
        for n in kept.batch.must:
            turn = kept.batch.turn(n)
            if turn is None:
                continue
            why = dropped.get(n) or waits.get(n) or said.get(n) or "nothing was made of it"
            here = [one for one in stands if n in one.turns]
            texts = [one.text for one in requested_memories.uncovered(turn, here, self.patterns)]
            for text in texts or ([] if here else [""]):
                yield requested_memories.unkept(turn, text, why, now, dropped=n in dropped)

    def _note(self, kept: Kept, found: Landed) -> None:
        """Remember what the miner read together: of these it has corrected what contradicts."""
        rows = (row for change, applied in found.applied if applied.commit for row in change.rows)
        seen = (digest(entry.text) for entry in kept.batch.entries)
        kept_batches.note_reading(self.workspace.store, kept.batch.id, [row.hash for row in rows], seen)

    def _observe(self, kept: Kept, found: Landed) -> None:
        """Keep what was heard of conduct and was no reason for a change yet."""
        verdicts: Sequence[Verdict] = found.verdicts
        surroundings.observe(
            self.workspace.store, kept.batch.agent, list(_observed(kept, kept.decided or (), verdicts))
        )


def _became(one: Decided, applied: Applied) -> Verdict:
    """Return the verdict on an operation whose change was made, or waits."""
    waits = applied.proposal
    if waits and waits.rejected:
        return Verdict(one.operation, "refused", f"the operator rejected it before, as {waits.id}")
    if waits:
        why = one.why or f"the operator decides: clawgit show {waits.id}"
        return Verdict(one.operation, "waits", why, proposal=waits.id)
    why = one.why if applied.commit else one.why or "it stands there already"
    return Verdict(one.operation, "landed", why, applied.commit or "")


def _observed(kept: Kept, decisions: Sequence[Decided], verdicts: Sequence[Verdict]) -> Iterator[Observation]:
    for one, verdict in zip(decisions, verdicts, strict=True):
        if one.operation.act in ("soul", "lesson") and verdict.state != "landed":
            day = days(kept.batch, one.operation)[-1].isoformat()
            said = [turn.text for turn in cited(kept.batch, one.operation)]
            yield from (Observation(day, quote, one.operation.text) for quote in (one.quotes or said)[:1])
