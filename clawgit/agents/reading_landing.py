"""Keeps decided batches, and lands each as one run."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents import memory_changes, requested_memories
from clawgit.agents.running import Result, View, note_run
from clawgit.errors import BusyError, ClawgitError, DiskError
from clawgit.git import history
from clawgit.llm.asking import Speaker
from clawgit.memory.corrected_values import Told
from clawgit.memory.view import try_again
from clawgit.messages.triage import MINER, Pattern, triage
from clawgit.reading import backlog
from clawgit.reading.backlog import Backlog, Span
from clawgit.reading.checks import Decided
from clawgit.reading.operations import Batch, Operation, Verdict
from clawgit.reading.outcomes import UNRELIABLE
from clawgit.store.database import StateStore
from clawgit.store.item import Item
from clawgit.text.entry import make_name
from clawgit.workspace import commit_message, waiting_batches
from clawgit.workspace.change import Applied, Change, Edit
from clawgit.workspace.reading_cursors import Cursor
from clawgit.workspace.workspace import Workspace

_CLOCKS = timedelta(days=1)
"""By which the clocks of two machines may differ."""


class Kept(Struct, frozen=True):
    """A batch, its context, and its decisions: None as long as there is no answer.

    `answered` is the last flag that it answers. `reasons` are those of asked turns without an operation, `problems`
    sentences on unreadable operations. `by_rules`: no model reads it.
    """

    batch: Batch
    read: dict[str, tuple[Span, ...]]
    made: str
    answered: str = ""
    decided: tuple[Decided, ...] | None = None
    reasons: dict[int, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    voice: str = ""
    by_rules: bool = False

    def is_out(self, now: datetime) -> bool:
        """Return whether it is handed out to a reader that may still answer."""
        return self.decided is None and waiting_batches.is_out(self.made, now)


def save(store: StateStore, record: Kept) -> None:
    """Save a batch: after a kill its decisions land without another question. Raises ClawgitError."""
    store.save_document(f"{waiting_batches.BATCH}{record.batch.id}", record)


def load_all(store: StateStore) -> dict[str, Kept]:
    """Return all batches by their ids, the oldest first; unreadable ones are left out."""
    return store.read_documents(waiting_batches.BATCH, Kept)


def judge_change(decision: Decided, applied: Applied) -> Verdict:
    """Return the verdict on an operation whose change was made, or waits."""
    waits = applied.proposal
    if waits and waits.rejected:
        return Verdict(decision.operation, "refused", f"you rejected it before, as {waits.id}")
    if waits:
        return Verdict(decision.operation, "waits", decision.why or f"clawgit show {waits.id}", proposal=waits.id)
    reason = decision.why or ("" if applied.commit else "already there")
    return Verdict(decision.operation, "landed", reason, applied.commit or "")


class Outcome(Result):
    """The outcome of a run: the answered batches, the read turns of the operator's, and verdicts."""

    batches: int = 0
    verdicts: list[Verdict] = field(default_factory=list)

    def add(self, other: Result) -> None:
        """Add the outcome of a part: of a batch, or of an agent without a model."""
        self.read += other.read
        self.applied += other.applied
        self.note(*other.notes)
        if isinstance(other, Outcome):
            self.batches += other.batches
            self.verdicts += other.verdicts
        else:
            corrections = ((Operation("correct", text=change.subject), applied) for change, applied in other.applied)
            self.verdicts += [judge_change(Decided(operation), applied) for operation, applied in corrections]

    def count_proposals(self) -> int:
        """Return the number of operations."""
        return len(self.verdicts)


def start_outcome(agent: str, record: Kept) -> Outcome:
    """Return the outcome of a batch before any of its operations."""
    outcome = Outcome(agent, sum(turn.by == "operator" for turn in record.batch.turns), batches=1)
    outcome.note(*(f"refused: {problem}" for problem in record.problems))
    return outcome


class Lander:
    """Lands batches of an agent; `require_going` is called before each change.

    `made` holds the corrections that landed, by the candidates that their messages may be.
    """

    def __init__(
        self,
        workspace: Workspace,
        agent: str,
        patterns: tuple[Pattern, ...],
        unread: Backlog,
        require_going: Callable[[], None],
        speaker: Speaker | None,
    ) -> None:
        self.workspace, self.agent, self.patterns, self.unread = workspace, agent, patterns, unread
        self.speaker, self._require_going, self.made = speaker, require_going, dict[str, str]()

    def land(self, record: Kept, *, replayed: bool = False) -> Outcome:
        """Land the decisions as one run, and return the outcome; `replayed`: some may have landed before a kill.

        Raises ClawgitError if nothing can be written now: then the batch stays, and is landed by the next run.
        """
        decided, outcome = record.decided or (), start_outcome(self.agent, record)
        commits = self._find_landed(record) if replayed else {}
        with note_run(self.workspace, outcome, self.speaker, commits.values()):
            last = next((decision for decision in reversed(decided) if decision.state == "landed"), None)
            for decision in decided:
                commit = commits.get(decision.name(record.batch), "")
                if decision.state == "refused" or commit:
                    outcome.verdicts.append(Verdict(decision.operation, decision.state, decision.why, commit))
                elif decision.why != UNRELIABLE:
                    self._apply(record, decision, outcome, is_last=decision is last)
            self._apply_together(record, outcome)
            for item in self._list_unkept(record, outcome.verdicts):
                self.workspace.store.open_item(item)
            self.finish(record)
            outcome.skipped.update("refused" for verdict in outcome.verdicts if verdict.state == "refused")
        return outcome

    def show(self, record: Kept) -> Outcome:
        """Return an outcome with a preview of each operation; nothing is written."""
        outcome = start_outcome(self.agent, record)
        for decision in record.decided or ():
            state, reason = decision.state, decision.why
            try:
                reason = reason or self._make(View(self.workspace), record, decision).subject
            except ClawgitError as exc:
                state, reason = "refused", exc.message
            outcome.verdicts.append(Verdict(decision.operation, state, reason))
        return outcome

    def finish(self, record: Kept) -> None:
        """Note that the turns of a batch are read, and take it away. Raises ClawgitError."""
        for role in record.batch.roles:
            # Turns that a model has read need no reading by rules, but the reverse is not true.
            for by_rules in (True,) if record.by_rules else (True, False):
                reader = backlog.name_reader(role, by_rules=by_rules)
                read = backlog.load_read(self.workspace, reader).spans
                spans: dict[str, tuple[Span, ...]] = {}
                for name in record.read:
                    if talk := self.unread.find_talk(name):
                        places = backlog.find_places(talk.events, (*read.get(name, ()), *record.read[name]))
                        spans[name] = backlog.make_spans(talk, places)
                backlog.save_read(self.workspace, reader, spans, record.answered)
        waiting_batches.remove_batch(self.workspace.store, record.batch.id)

    def _list_cursors(self, record: Kept) -> Iterator[Cursor]:
        """Yield how far the miner has read the conversations without a gap once a batch is read."""
        read = backlog.load_read(self.workspace, MINER).spans
        for name, spans in record.read.items() if MINER in record.batch.roles else ():
            if talk := self.unread.find_talk(name):
                places = backlog.find_places(talk.events, (*read.get(name, ()), *spans))
                if start := next((place for place in range(len(places)) if place not in places), len(places)):
                    yield Cursor(name, talk.events[start - 1], max(talk.times[:start]))

    def _make(self, view: View, record: Kept, decision: Decided) -> Change:
        """Return the change of an operation. Raises ClawgitError if it cannot be made."""
        return memory_changes.make_change(view, record.batch, decision, self.patterns)

    def _apply(self, record: Kept, decision: Decided, outcome: Outcome, *, is_last: bool) -> None:
        self._require_going()

        def act() -> tuple[Change, Applied]:
            change = self._make(View(self.workspace), record, decision)
            cursors = tuple(self._list_cursors(record)) if is_last else ()
            change = replace(change, cursors=cursors, held=change.held or decision.state == "waits")
            return change, self.workspace.apply(change)

        try:
            change, applied = try_again(act)  # anew where somebody else changes the same place meanwhile
        except (BusyError, DiskError):
            # No other change could be written now, either, so the batch stays for the next run.
            raise
        except ClawgitError as exc:
            outcome.verdicts.append(Verdict(decision.operation, "refused", exc.message))
            return
        outcome.note(*applied.notes)
        if applied.commit and decision.operation.act == "correct":
            # The questions about these messages are settled at the end of the run.
            for turn in memory_changes.find_cited(record.batch, decision):
                message = memory_changes.read_message(self.workspace, turn)
                self.made[Told(message, triage("", ())).name] = change.id
        if applied.commit or (applied.proposal and not applied.proposal.rejected):
            outcome.applied.append((change, applied))
        outcome.verdicts.append(judge_change(decision, applied))

    def _apply_together(self, record: Kept, outcome: Outcome) -> None:
        """Have all that an unreliable judge left undecided wait as one item."""
        if waiting := [decision for decision in record.decided or () if decision.why == UNRELIABLE]:
            self._require_going()
            change = self._make_together(record, waiting)
            applied = self.workspace.apply(change)
            outcome.applied.append((change, applied))
            outcome.verdicts += [judge_change(decision, applied) for decision in waiting]
            outcome.note(f"{record.voice} was not a reliable judge: {change.subject}")

    def _make_together(self, record: Kept, waiting: Sequence[Decided]) -> Change:
        """Return one waiting change of several operations; those that cannot be made beside the others are left out."""
        view, changes = View(self.workspace), list[Change]()
        before: dict[str, str | None] = {}
        for decision in waiting:
            try:
                change = self._make(view, record, decision)
            except ClawgitError:
                continue
            # The edit of a file begins from its text before the first of these changes.
            before |= {path: view.read(path) for path in change.paths if path not in before}
            view.take(change)
            changes.append(change)
        rows = {row.id: row for change in changes for row in change.rows}
        agents = {change.agent for change in changes}
        day = record.batch.turns[-1].time[:10] if record.batch.turns else record.batch.today
        return Change(
            f"{len(changes)} claim{'s' * (len(changes) > 1)} of {day}: {UNRELIABLE}",
            "\n".join(f"- {commit_message.fold_spaces(change.subject)}" for change in changes),
            tuple(Edit(path, text, view.read(path)) for path, text in before.items()),
            tuple(dict.fromkeys(pointer for change in changes for pointer in change.evidence)),
            "agent",
            agents.pop() if len(agents) == 1 else None,
            rows=tuple(rows.values()),
            drops=tuple(dict.fromkeys(name for change in changes for name in change.drops if name not in rows)),
            held=True,
            id=make_name(f"unreliable\0{record.batch.id}"),
        )

    def _find_landed(self, record: Kept) -> dict[str, str]:
        """Return the changes of this batch that landed before a kill, with their commits; undone ones too."""
        names = {decision.name(record.batch) for decision in record.decided or ()}
        since = (datetime.fromisoformat(record.made) - _CLOCKS).isoformat()
        commits = history.walk_log(self.workspace.repo, since=since, named=False)
        pairs = [
            (commit_message.parse_message(commit.message).get(commit_message.CHANGE), commit.id) for commit in commits
        ]
        return {name: commit for name, commit in reversed(pairs) if name in names}

    def _list_unkept(self, record: Kept, verdicts: Sequence[Verdict]) -> Iterator[Item]:
        """Yield the items for the requests of the operator that nothing was kept of, with the reason."""
        fit = {n for verdict in verdicts if verdict.state != "refused" for n in verdict.operation.turns}
        refusals = {n: verdict.why for verdict in verdicts for n in verdict.operation.turns}
        for n in record.batch.asked if MINER in record.batch.roles else ():
            turn = record.batch.turn(n)
            if turn and n not in fit:
                reason = record.reasons.get(n) or refusals.get(n) or "nothing was made of it"
                for operation in requested_memories.list_operations(turn, self.patterns):
                    is_dropped, now = n in record.reasons, self.workspace.now()
                    yield requested_memories.make_item(turn, operation.text, reason, now, dropped=is_dropped)
