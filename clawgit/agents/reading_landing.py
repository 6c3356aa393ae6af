"""Keeps decided batches, and lands each as one run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct, field, to_builtins
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
from clawgit.reading.operations import Operation, Verdict
from clawgit.reading.outcomes import UNRELIABLE
from clawgit.reading.turns import Batch
from clawgit.store.database import StateStore
from clawgit.text.entry import make_name
from clawgit.workspace import commit_message, waiting_batches
from clawgit.workspace.change import Applied, Change, Edit
from clawgit.workspace.reading_cursors import Cursor
from clawgit.workspace.unkept_requests import Unkept
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
    """Save a batch. Raises ClawgitError."""
    store.save_document(f"{waiting_batches.BATCH}{record.batch.id}", record)


def load_all(store: StateStore) -> dict[str, Kept]:
    """Return all batches by their ids, the oldest first; unreadable ones are left out."""
    return store.read_documents(waiting_batches.BATCH, Kept)


def find_cursors(workspace: Workspace, record: Kept, unread_turns: Backlog) -> Iterator[Cursor]:
    """Yield how far the miner has read the conversations without a gap once a batch is read."""
    read = backlog.load_read(workspace, MINER)
    for name, spans in record.read.items():
        if talk := unread_turns.find_talk(name):
            places = backlog.find_places(talk.events, (*read.spans.get(name, ()), *spans))
            if start := next((place for place in range(len(places)) if place not in places), len(places)):
                yield Cursor(name, talk.events[start - 1], max(talk.times[:start]))


def finish(workspace: Workspace, record: Kept, unread_turns: Backlog) -> None:
    """Note that the turns of a batch are read, and take it away. Raises ClawgitError."""
    talks = {name: talk for name in record.read if (talk := unread_turns.find_talk(name))}
    for role in record.batch.roles:
        # Turns that a model has read need no reading by rules, but the reverse is not true.
        for by_rules in (True,) if record.by_rules else (True, False):
            reader = backlog.name_reader(role, by_rules=by_rules)
            read = backlog.load_read(workspace, reader)
            spans: dict[str, tuple[Span, ...]] = {}
            for name, talk in talks.items():
                places = backlog.find_places(talk.events, (*read.spans.get(name, ()), *record.read[name]))
                spans[name] = backlog.make_spans(talk, places)
            backlog.save_read(workspace, reader, spans, record.answered)
    waiting_batches.drop(workspace.store, record.batch.id)


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

    def add_rules(self, other: Result) -> None:
        """Add the outcome of an agent without a model."""
        self.read += other.read
        self.applied += other.applied
        self.note(*other.notes)
        self.verdicts += [
            judge(Decided(Operation("correct", text=change.subject)), applied) for change, applied in other.applied
        ]

    def count(self, record: Kept) -> None:
        """Count a batch that was decided."""
        self.batches += 1
        self.read += sum(turn.by == "operator" for turn in record.batch.turns)
        self.note(*(f"refused: {problem}" for problem in record.problems))

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

    def land(self, record: Kept, outcome: Outcome, *, replayed: bool = False) -> None:
        """Land the decisions, and note the run; changes that landed before a kill are recognised.

        Raises ClawgitError if nothing can be written now: then the batch stays, and is landed by the next run.
        """
        decided, number = record.decided or (), len(outcome.verdicts)
        before = self._find_landed(record) if replayed else {}

        def describe() -> Mapping[str, Any]:
            refused = sum(verdict.state == "refused" for verdict in outcome.verdicts[number:])
            usage = to_builtins(self.speaker.used) if self.speaker else {}
            count = sum(turn.by == "operator" for turn in record.batch.turns)
            return {
                "read": count,
                "proposed": len(decided),
                "skipped": {"refused": refused} if refused else {},
                "usage": usage,
            }

        with note_run(self.workspace, self.agent, outcome.applied, describe, before.values()):
            cursors = find_cursors(self.workspace, record, self.unread) if MINER in record.batch.roles else ()
            last = next((decision for decision in reversed(decided) if decision.state == "landed"), None)
            for decision in decided:
                if decision.state == "refused" or (name := decision.name(record.batch)) in before:
                    commit = "" if decision.state == "refused" else before[name]
                    outcome.verdicts.append(Verdict(decision.operation, decision.state, decision.why, commit))
                elif decision.why != UNRELIABLE:
                    self._apply(record, decision, tuple(cursors) if decision is last else (), outcome)
            self._apply_together(record, outcome)
            for request in self._list_unkept(record, outcome.verdicts[number:]):
                self.workspace.store.open_item(request.as_item())
            finish(self.workspace, record, self.unread)
        outcome.count(record)

    def show(self, record: Kept, outcome: Outcome) -> Outcome:
        """Return an outcome with a preview of each operation; nothing is written."""
        for decision in record.decided or ():
            try:
                reason = decision.why or self._make(View(self.workspace), record, decision).subject
                outcome.verdicts.append(Verdict(decision.operation, decision.state, reason))
            except ClawgitError as exc:
                outcome.verdicts.append(Verdict(decision.operation, "refused", exc.message))
        outcome.count(record)
        return outcome

    def _make(self, view: View, record: Kept, decision: Decided) -> Change:
        """Return the change of an operation. Raises ClawgitError if it cannot be made."""
        return memory_changes.make_change(view, record.batch, decision, self.patterns)

    def _apply(self, record: Kept, decision: Decided, cursors: tuple[Cursor, ...], outcome: Outcome) -> None:
        self.require_going()

        def act() -> tuple[Change, Applied]:
            change = self._make(View(self.workspace), record, decision)
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
                message, _ = memory_changes.read_message(self.workspace, turn)
                self.made[Told(message, triage("", ())).name] = change.id
        if applied.commit or (applied.proposal and not applied.proposal.rejected):
            outcome.applied.append((change, applied))
        outcome.verdicts.append(judge(decision, applied))

    def _apply_together(self, record: Kept, outcome: Outcome) -> None:
        """Have all that an unreliable judge left undecided wait as one item."""
        waiting = [decision for decision in record.decided or () if decision.why == UNRELIABLE]
        if not waiting:
            return
        self.require_going()
        change = self._make_together(record, waiting)
        applied = self.workspace.apply(change)
        outcome.applied.append((change, applied))
        outcome.verdicts += [judge(decision, applied) for decision in waiting]
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
            id=make_name(f"unreliable\0{record.batch.id}"),
        )

    def _find_landed(self, record: Kept) -> dict[str, str]:
        """Return the changes of this batch that landed before a kill, with their commits; undone ones too."""
        change_ids = {decision.name(record.batch) for decision in record.decided or ()}
        since = (datetime.fromisoformat(record.made) - _CLOCKS).isoformat()
        commits: dict[str, str] = {}
        for commit in history.log(self.workspace.repo, since=since, named=False):
            change = commit_message.parse(commit.message).get(commit_message.CHANGE)
            if change in change_ids:
                commits.setdefault(change, commit.id)
        return commits

    def _list_unkept(self, record: Kept, verdicts: Sequence[Verdict]) -> Iterator[Unkept]:
        """Yield the requests of the operator that nothing was kept of, with the reason."""
        fit = {n for verdict in verdicts if verdict.state != "refused" for n in verdict.operation.turns}
        refusals = {n: verdict.why for verdict in verdicts for n in verdict.operation.turns}
        for n in record.batch.asked if MINER in record.batch.roles else ():
            turn = record.batch.turn(n)
            if turn and n not in fit:
                reason = record.reasons.get(n) or refusals.get(n) or "nothing was made of it"
                for operation in requested_memories.list_operations(turn, self.patterns):
                    is_dropped, now = n in record.reasons, self.workspace.now()
                    yield requested_memories.make_unkept(turn, operation.text, reason, now, dropped=is_dropped)
