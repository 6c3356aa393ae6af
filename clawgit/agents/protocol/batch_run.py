"""Runs an agent that has a voice, batch by batch."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents.protocol import (
    checked_operation,
    comparison,
    conflict_operations,
    destructive,
    kept_batches,
    requested_memories,
    turn_spans,
)
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.batch_landing import Landed, Lander
from clawgit.agents.protocol.batching import Gathered, Gatherer
from clawgit.agents.protocol.check_result import Checked
from clawgit.agents.protocol.kept_batches import Kept
from clawgit.agents.protocol.operations import Answer, Operation, Verdict
from clawgit.agents.protocol.prompt_text import Exchange as Talking
from clawgit.agents.protocol.unread_turns import Exchange, Unread
from clawgit.llm.model import ModelError
from clawgit.llm.speaker import StoppedError
from clawgit.messages import inbox
from clawgit.messages.patterns import MINER, VALIDATOR, Pattern
from clawgit.messages.triage import triage
from clawgit.workspace import waiting_batches
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.workspace import Workspace

GOES_ON = "the next run goes on with the rest"
POOR = "most of what this model said of the last three batches was refused: so it waits"
_EMPTY = 10
_RETRIES = 5


Say = Callable[[str, str, int], str]
"""Asks a voice a short question: the rules it is told, the material, how many tokens an answer may have."""


class Judge(Protocol):
    """Checks what a reader proposes; without a voice `say` is None."""

    def check(self, batch: Batch, answer: Answer) -> Sequence[Checked]:
        """Return what code says of each operation."""

    def support(self, batch: Batch, found: Sequence[Checked], say: Say | None) -> Sequence[Checked]:
        """Return it once it is judged whether the cited words bear it out. Raises ModelError where the voice fails."""


class Outcome(Struct):
    """What a run came to: how many batches were read, and messages of the operator or pairs; what became of each.

    `waiting` counts the batches to which no answer was of use.
    """

    agent: str
    batches: int = 0
    read: int = 0
    waiting: int = 0
    verdicts: list[Verdict] = field(default_factory=list)
    applied: list[tuple[Change, Applied]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def unit(self) -> str:
        """What `read` counts."""
        return "pair" if self.agent == comparison.NAME else "message"

    def take(self, kept: Kept, landed: Landed) -> None:
        """Count a batch that was answered."""
        self.batches += 1
        self.read += len(kept.batch.pairs) or sum(one.by == "operator" for one in kept.batch.turns)
        self.verdicts += landed.verdicts
        self.applied += landed.applied
        self.note(*{one.why for one in landed.verdicts if one.why == POOR})
        self.note(*landed.notes, *(f"turn {n} asked for something: {why}" for n, why in (kept.waits or {}).items()))

    def note(self, *notes: str) -> None:
        """Keep notes, each once."""
        self.notes += [one for one in dict.fromkeys(notes) if one and one not in self.notes]


class Reading(Struct, frozen=True):
    """What a run is made of; `most` batches are read at the most, None for all that the budget holds.

    `since` is from when on memories are compared, None for the last day; `closed` says why nothing may be proposed.
    """

    workspace: Workspace
    gatherer: Gatherer
    unread: Unread
    lander: Lander
    judge: Judge
    talking: Talking | None = None
    most: int | None = None
    since: datetime | None = None
    closed: str = ""

    @property
    def agent(self) -> str:
        """Who reads."""
        return self.gatherer.agent

    def run(self) -> Outcome:
        """Read and land, batch by batch, until nothing is left or no more may be asked.

        What was decided before a kill lands first, and nothing is asked for it.
        """
        found = Outcome(self.agent, notes=[self.closed] if self.closed else [])
        if self.closed:
            return found
        self._replay(found)
        if self.agent == comparison.NAME and (closed := comparison.close(self.workspace)):
            found.applied.append(closed)
        try:
            for kept in self._decided(found):
                found.take(kept, self.lander.land(kept))
        except ModelError as exc:
            found.note(exc.message)
        if self.agent == MINER:
            found.applied += destructive.apply(self.workspace, self.gatherer.patterns)
        return found

    def preview(self) -> tuple[Outcome, Kept | None]:
        """Return what the next batch would come to; its answer is kept, so that to apply it asks nothing."""
        found = Outcome(self.agent, notes=[self.closed] if self.closed else [])
        if self.closed:
            return found, None
        kept = next((one for one in self._open() if one.decided is not None), None)
        if kept is None:
            try:
                kept = next(self._decided(found), None)
            except ModelError as exc:
                found.note(exc.message)
        if kept:
            found.take(kept, self.lander.preview(kept))
        return found, kept

    def next_batch(self) -> Kept | None:
        """Return the next batch, kept and handed out, without asking anybody; None where nothing is to be read."""
        if self.closed:
            return None
        if self.agent == comparison.NAME:
            found = next(comparison.batches(self.gatherer, self.unread, self.since), None)
            return self._handed_out(found[0]) if found else None
        for exchanges in self._coming():
            if not any(one.turns for one in exchanges):
                self._pass(exchanges)
                continue
            return self._handed_out(self._kept(exchanges)[0])
        return None

    def _handed_out(self, kept: Kept) -> Kept:
        kept = replace(kept, out=True)
        kept_batches.save(self.workspace.state, kept)
        return kept

    def decide(self, kept: Kept, answer: Answer, *, keep: bool = True) -> Kept:
        """Return a batch with what is decided on an answer, which is kept unless `keep` says otherwise."""
        found = list(self.judge.check(kept.batch, answer))
        reasons = dict(answer.reasons)
        refused = [(one.operation, one.why) for one in found if one.state == "refused"]
        open_ = self._open_turns(kept.batch, found, reasons)
        if self.talking and (refused or answer.problems or open_):
            again = self._again(kept.batch, refused, answer.problems, open_)
            found += [one for one in self.judge.check(kept.batch, again) if not _repeats(one, found)]
            reasons |= again.reasons
        found = list(self.judge.support(kept.batch, found, self.talking.say if self.talking else None))
        poor = sum(one.state == "refused" for one in found) > len(found) / 2
        name = self.talking.name if self.talking else "a reader"
        if waiting_batches.fails(self.workspace.state, self.agent, name):
            found = [replace(one, state="waits", why=POOR) if one.state == "fits" else one for one in found]
        found += conflict_operations.left_open(kept.batch, found, frozenset(reasons))
        netted, waits = self._netted(kept.batch, found, reasons)
        found += netted
        decisions = tuple(checked_operation.of(n, one) for n, one in enumerate(found))
        dropped = self._dropped(kept.batch, found, reasons)
        done = replace(kept, decided=decisions, waits=waits, dropped=dropped, voice=name, out=False, poor=poor)
        if keep:
            kept_batches.save(self.workspace.state, done)
        return done

    def _again(
        self, batch: Batch, refused: Sequence[tuple[Operation, str]], problems: Sequence[str], open_: Sequence[int]
    ) -> Answer:
        assert self.talking is not None
        try:
            return self.talking.again(batch, refused, problems, open_)
        except ModelError:
            return Answer()  # what fits already lands all the same

    def _replay(self, found: Outcome) -> None:
        kept_batches.hold(self.workspace.state, self.agent, self.unread, self.workspace.now())
        for kept in self._open():
            if kept.decided is not None:
                found.take(kept, self.lander.land(kept, replayed=True))

    def _open(self) -> list[Kept]:
        return list(kept_batches.every(self.workspace.state, self.agent))

    def _decided(self, found: Outcome) -> Iterator[Kept]:
        """Yield batches on which something was decided: new ones, then those that wait for an answer of use."""
        waiting = [one for one in self._open() if one.decided is None and not one.out][:_RETRIES]
        count = 0
        if self.agent == comparison.NAME:
            yield from self._compared(found)
        for exchanges in self._coming() if self.agent != comparison.NAME else ():
            if self.most is not None and count >= self.most:
                found.note(f"stopped after {count} batches; {GOES_ON}")
                return
            if not any(one.turns for one in exchanges):
                self._pass(exchanges)
                continue
            count += 1
            yield from self._answered(exchanges, found)
        for kept in waiting:
            if done := self._asked(kept, found):
                yield done
            else:
                found.waiting += 1

    def _compared(self, found: Outcome) -> Iterator[Kept]:
        """Yield what was decided on memories that are alike, batch by batch."""
        for count, (kept, note) in enumerate(comparison.batches(self.gatherer, self.unread, self.since)):
            if self.most is not None and count >= self.most:
                found.note(f"stopped after {count} batches; {GOES_ON}")
                return
            found.note(note)
            kept_batches.save(self.workspace.state, kept)
            if done := self._asked(kept, found):
                yield done
            else:
                self._wait(kept, found)

    def _answered(self, exchanges: Sequence[Exchange], found: Outcome) -> Iterator[Kept]:
        """Ask for an answer to a batch; where none is of use for each half, and what is left waits."""
        kept, gathered = self._kept(exchanges)
        found.note(*gathered.notes)
        if done := self._asked(kept, found):
            yield done
            return
        spoken = [one for one in exchanges if one.turns]
        if len(spoken) == 1:
            self._wait(kept, found)
            return
        waiting_batches.drop(self.workspace.state, kept.batch.id)
        middle = exchanges.index(spoken[len(spoken) // 2])
        for half in (exchanges[:middle], exchanges[middle:]):
            part, _ = self._kept(half)
            if done := self._asked(part, found):
                yield done
            else:
                self._wait(part, found)

    def _wait(self, kept: Kept, found: Outcome) -> None:
        kept_batches.save(self.workspace.state, replace(kept, failed=kept.failed + 1))
        found.waiting += 1
        found.note("a batch waits: the model gave no answer of use, also to its halves")

    def _asked(self, kept: Kept, found: Outcome) -> Kept | None:
        """Return a batch with what was decided on its answer; None where no answer is of use. Raises StoppedError."""
        assert self.talking is not None
        try:
            answer = self.talking.read(kept.batch)
            if isinstance(answer, Answer) and _is_odd(kept.batch, answer):
                more = self.talking.read(kept.batch)
                answer = more if isinstance(more, Answer) else answer
            return None if isinstance(answer, str) else self.decide(kept, answer)
        except StoppedError:
            if not kept.failed:
                waiting_batches.drop(self.workspace.state, kept.batch.id)  # it is gathered again as it comes
            raise
        except ModelError as exc:  # just this was refused: a half of it may not be
            found.note(exc.message)
            return None

    def _netted(
        self, batch: Batch, found: Sequence[Checked], reasons: Mapping[int, str]
    ) -> tuple[list[Checked], dict[int, str]]:
        """Return what the net makes of requests that nothing says: their own sentence; and why it makes nothing."""
        netted: list[Checked] = []
        waits: dict[int, str] = {}
        for n, own in self._requests(batch, found, reasons).items():
            checked = self.judge.support(batch, self.judge.check(batch, Answer(own)), None) if own else ()
            fit = [one for one in checked if one.state != "refused"]
            netted += [replace(one, why=one.why or "in the operator's own words") for one in fit]
            if len(fit) < max(1, len(own)):
                refused = next((one.why for one in checked if one.state == "refused"), "")
                waits[n] = refused or "it got neither an operation nor a reason"
        return netted, waits

    def _requests(
        self, batch: Batch, found: Sequence[Checked], reasons: Mapping[int, str]
    ) -> dict[int, tuple[Operation, ...]]:
        """Return what must have something and has nothing, by turn; () where the request has no words of its own."""
        open_ = dict.fromkeys(self._open_turns(batch, found, reasons), ())
        left: dict[int, tuple[Operation, ...]] = dict(open_)
        if batch.agent != MINER:
            return left
        for n in batch.must:
            turn = batch.turn(n)
            own = [one.operation for one in found if one.state != "refused" and n in one.operation.turns]
            some = requested_memories.uncovered(turn, own, self.gatherer.patterns) if turn and n not in reasons else ()
            if some or n in open_:
                left[n] = some
        return left

    def _open_turns(self, batch: Batch, found: Sequence[Checked], reasons: Mapping[int, str]) -> list[int]:
        """Return the turns that must have an operation or a reason, and have neither."""
        had = {n for one in found if one.state != "refused" for n in one.operation.turns}
        return [n for n in batch.must if n not in had and n not in reasons]

    def _dropped(self, batch: Batch, found: Sequence[Checked], reasons: Mapping[int, str]) -> dict[int, str]:
        """Return the reasons for which nothing comes of a turn that asks for something."""
        had = {n for one in found if one.state != "refused" for n in one.operation.turns}
        return {n: why for n, why in reasons.items() if n in batch.must and n not in had}

    def _kept(self, exchanges: Sequence[Exchange]) -> tuple[Kept, Gathered]:
        gathered = self.gatherer.gather(exchanges, self.unread)
        kept = kept_batches.of(gathered, self.unread, self.workspace.now())
        kept_batches.save(self.workspace.state, kept)
        return kept, gathered

    def _pass(self, exchanges: Sequence[Exchange]) -> None:
        """Note as read what is not for this agent."""
        gathered = self.gatherer.gather(exchanges, self.unread)
        kept = kept_batches.of(gathered, self.unread, self.workspace.now())
        kept_batches.finish(self.workspace, kept, self.unread, {"landed": 0, "commits": []})

    def _coming(self) -> Iterator[tuple[Exchange, ...]]:
        kept_batches.hold(self.workspace.state, self.agent, self.unread, self.workspace.now())
        flagged = self.unread.flagged(flags(self.workspace, self.agent, self.gatherer.patterns))
        return self.gatherer.share(chain(flagged, self.unread.coming()))


def flags(workspace: Workspace, agent: str, patterns: Sequence[Pattern]) -> Iterator[inbox.Flag]:
    """Yield the flags that an agent has not answered."""
    if agent not in (MINER, VALIDATOR):
        return
    some = list(inbox.flags(workspace.state))
    names = [one.id for one in some]
    last = turn_spans.load(workspace, agent).answered or turn_spans.rules_progress(workspace, agent).answered
    for flag in some[names.index(last) + 1 if last in names else 0 :]:
        if agent == MINER or any(one.route == VALIDATOR for one in triage(flag.text, patterns).matches):
            yield flag


def _is_odd(batch: Batch, answer: Answer) -> bool:
    """Tell whether a batch is read once more: one in ten of those that end empty."""
    return not answer.operations and int(batch.id[:8], 16) % _EMPTY == 0


def _repeats(one: Checked, before: Sequence[Checked]) -> bool:
    """Tell whether an operation was said before, in the same words."""
    return any(one.operation == other.operation for other in before)
