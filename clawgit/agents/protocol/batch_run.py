"""Runs an agent that has a voice, batch by batch."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents.protocol import batch_decision, comparison, destructive, kept_batches, turn_spans
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.batch_decision import POOR, Judge, Part
from clawgit.agents.protocol.batch_landing import Landed, Lander
from clawgit.agents.protocol.batching import Gathered, Gatherer
from clawgit.agents.protocol.kept_batches import Kept
from clawgit.agents.protocol.operations import Answer, Verdict
from clawgit.agents.protocol.prompt_text import Exchange as Talking
from clawgit.agents.protocol.unread_turns import Exchange, Unread
from clawgit.llm.model import ModelError
from clawgit.llm.speaker import StoppedError
from clawgit.messages import message_flags
from clawgit.messages.patterns import MINER, VALIDATOR, Pattern
from clawgit.messages.triage import triage
from clawgit.workspace import waiting_batches
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.workspace import Workspace

GOES_ON = "the next run goes on with the rest"
_FRESH = timedelta(hours=1)
_EMPTY = 10
_RETRIES = 5


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
        self.read += len(kept.batch.pairs) or sum(turn.by == "operator" for turn in kept.batch.turns)
        self.verdicts += landed.verdicts
        self.applied += landed.applied
        self.note(*{verdict.why for verdict in landed.verdicts if verdict.why == POOR})
        self.note(*(f"refused: {words}" for words in kept.unreadable))
        self.note(*landed.notes, *(f"turn {n} asked for something: {why}" for n, why in (kept.waits or {}).items()))

    def note(self, *notes: str) -> None:
        """Keep notes, each once."""
        self.notes += [one for one in dict.fromkeys(notes) if one and one not in self.notes]


class Reading(Struct, frozen=True):
    """What a run is made of; `most` batches are read at the most, None for all that the budget holds.

    `since` is from when on memories are compared, None for the last day; `closed` says why nothing may be proposed.
    `beside` is the run of an agent that is to read the same turns: one answer serves both, and what is decided for the
    other waits for its run to land it. One that is `hasty` reads what was flagged within the hour: the rest is in what
    the memory miner reads, which corrects by the way.
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
    beside: "Reading | None" = None
    hasty: bool = False

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
        if left := self._left():
            found.note(f"memory-miner reads what was flagged more than an hour ago: {left} with its next run")
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

    def _left(self) -> int:
        """Return how many flagged messages are left to the memory miner, which has not read them yet."""
        if not self.hasty:
            return 0
        since = self.workspace.now() - _FRESH
        some = (flag for flag in flags(self.workspace, MINER, self.gatherer.patterns) if flag.text)
        late = (one for one in some if datetime.fromisoformat(one.at) < since)
        return sum(
            any(match.route == VALIDATOR for match in triage(one.text, self.gatherer.patterns).matches) for one in late
        )

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
            if not any(exchange.turns for exchange in exchanges):
                self._pass(exchanges)
                continue
            return self._handed_out(self._kept(exchanges)[0])
        return None

    def _handed_out(self, kept: Kept) -> Kept:
        kept = replace(kept, out=True)
        kept_batches.save(self.workspace.store, kept)
        return kept

    def decide(self, kept: Kept, answer: Answer, *, keep: bool = True) -> Kept:
        """Return a batch with what is decided on an answer, which is kept unless `keep` says otherwise."""
        (done,) = self._decide([Part(kept, self.judge, answer)])
        if keep:
            kept_batches.save(self.workspace.store, done)
        return done

    def _decide(self, parts: Sequence[Part]) -> list[Kept]:
        return batch_decision.decide(self.workspace, parts, self.talking, self.gatherer.patterns)

    def _replay(self, found: Outcome) -> None:
        kept_batches.hold(self.workspace.store, self.agent, self.unread, self.workspace.now())
        for kept in self._open():
            if kept.decided is not None:
                found.take(kept, self.lander.land(kept, replayed=True))

    def _open(self) -> list[Kept]:
        return list(kept_batches.every(self.workspace.store, self.agent))

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
            if not any(exchange.turns for exchange in exchanges):
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
            kept_batches.save(self.workspace.store, kept)
            if done := self._asked(kept, found):
                yield done
            else:
                self._wait(kept, found)

    def _answered(self, exchanges: Sequence[Exchange], found: Outcome) -> Iterator[Kept]:
        """Ask for an answer to a batch; where none is of use for each half, and what is left waits."""
        kept, gathered = self._kept(exchanges)
        found.note(*gathered.notes)
        if done := self._asked(kept, found, self._too(exchanges)):
            yield done
            return
        spoken = [exchange for exchange in exchanges if exchange.turns]
        if len(spoken) == 1:
            self._wait(kept, found)
            return
        waiting_batches.drop(self.workspace.store, kept.batch.id)
        middle = exchanges.index(spoken[len(spoken) // 2])
        for half in (exchanges[:middle], exchanges[middle:]):
            part, _ = self._kept(half)
            if done := self._asked(part, found, self._too(half)):
                yield done
            else:
                self._wait(part, found)

    def _wait(self, kept: Kept, found: Outcome) -> None:
        kept_batches.save(self.workspace.store, replace(kept, failed=kept.failed + 1))
        found.waiting += 1
        found.note("a batch waits: the model gave no answer of use, also to its halves")

    def _asked(self, kept: Kept, found: Outcome, too: Kept | None = None) -> Kept | None:
        """Return a batch with what was decided on its answer; None where no answer is of use. Raises StoppedError.

        `too` is the batch of the agent beside: what is decided on it is kept first, and lands when that agent runs.
        """
        assert self.talking is not None
        both = sorted(filter(None, (kept, too)), key=lambda one: one.batch.agent != MINER)
        batches = [one.batch for one in both]
        try:
            answer = self.talking.read(*batches)
            if isinstance(answer, Answer) and _is_odd(kept.batch, answer):
                more = self.talking.read(*batches)
                answer = more if isinstance(more, Answer) else answer
            if isinstance(answer, str):
                return None
            shares = batch_decision.share(answer, [batch.agent for batch in batches])
            done = self._decide([Part(*one) for one in zip(both, map(self._judge, both), shares, strict=True)])
            for one in sorted(done, key=lambda each: each.batch.agent == self.agent):
                kept_batches.save(self.workspace.store, one)
            return next(one for one in done if one.batch.agent == self.agent)
        except StoppedError:
            if not kept.failed:
                waiting_batches.drop(self.workspace.store, kept.batch.id)  # it is gathered again as it comes
            raise
        except ModelError as exc:  # just this was refused: a half of it may not be
            found.note(exc.message)
            return None

    def _judge(self, kept: Kept) -> Judge:
        return self.judge if kept.batch.agent == self.agent or self.beside is None else self.beside.judge

    def _too(self, exchanges: Sequence[Exchange]) -> Kept | None:
        """Return the batch in which the agent beside reads these turns, too; None where some are not for it to read."""
        other = self.beside
        if other is None or not all(other.unread.is_open(exchange) for exchange in exchanges if exchange.turns):
            return None
        return kept_batches.of(other.gatherer.gather(exchanges, self.unread), other.unread, self.workspace.now())

    def _kept(self, exchanges: Sequence[Exchange]) -> tuple[Kept, Gathered]:
        gathered = self.gatherer.gather(exchanges, self.unread)
        kept = kept_batches.of(gathered, self.unread, self.workspace.now())
        kept_batches.save(self.workspace.store, kept)
        return kept, gathered

    def _pass(self, exchanges: Sequence[Exchange]) -> None:
        """Note as read what is not for this agent."""
        gathered = self.gatherer.gather(exchanges, self.unread)
        kept = kept_batches.of(gathered, self.unread, self.workspace.now())
        kept_batches.finish(self.workspace, kept, self.unread, {"landed": 0, "commits": []})

    def _coming(self) -> Iterator[tuple[Exchange, ...]]:
        for one in filter(None, (self, self.beside)):
            kept_batches.hold(self.workspace.store, one.agent, one.unread, self.workspace.now())
        some = flags(self.workspace, self.agent, self.gatherer.patterns)
        if self.hasty:
            since = self.workspace.now() - _FRESH
            fresh = (one for one in some if datetime.fromisoformat(one.at) >= since)
            return self.gatherer.share(self.unread.flagged(fresh))
        flagged = self.unread.flagged(some)
        return self.gatherer.share(chain(flagged, self.unread.coming()))


def flags(workspace: Workspace, agent: str, patterns: Sequence[Pattern]) -> Iterator[message_flags.Flag]:
    """Yield the flags that an agent has not answered."""
    if agent not in (MINER, VALIDATOR):
        return
    some = list(message_flags.flags(workspace.store))
    names = [one.id for one in some]
    last = turn_spans.load(workspace, agent).answered or turn_spans.rules_progress(workspace, agent).answered
    for flag in some[names.index(last) + 1 if last in names else 0 :]:
        if agent == MINER or any(match.route == VALIDATOR for match in triage(flag.text, patterns).matches):
            yield flag


def _is_odd(batch: Batch, answer: Answer) -> bool:
    """Return whether a batch is read once more: one in ten of those that end empty, and might not."""
    if batch.pairs and not any(pair.must for pair in batch.pairs):
        return False
    return not answer.operations and int(batch.id[:8], 16) % _EMPTY == 0
