"""Reads batch by batch, with a model or without one."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec.structs import replace

from clawgit import file_roles
from clawgit.agents import conflict_detector, kept_readings, reading_ground, recall_validator, running
from clawgit.agents.kept_readings import Kept
from clawgit.agents.reading_ground import KEEPER, Gatherer
from clawgit.agents.reading_landing import Lander, Outcome
from clawgit.agents.running import MAX_OPEN_ITEMS, View, count_open_items
from clawgit.llm import model, voice_record
from clawgit.llm.asking import Voice
from clawgit.llm.model import Budget, ModelError
from clawgit.llm.speaker import Speaker, StoppedError
from clawgit.memory.corrected_values import Told
from clawgit.messages import message_flags
from clawgit.messages.triage import MINER, VALIDATOR
from clawgit.messages.workspace_patterns import read_patterns
from clawgit.reading import backlog, operations, outcomes, prompt
from clawgit.reading.backlog import Backlog, Exchange
from clawgit.reading.operations import ROLES, Answer
from clawgit.sessions.chat_store import ChatStore
from clawgit.workspace import waiting_batches
from clawgit.workspace.workspace import Workspace

MAX_ANSWER_TOKENS = 6_000
_MAX_REPEATED_CHARS = 4_000
BY_RULES = (MINER, KEEPER)
"""Agents that without a model keep what the operator asks for in so many words."""
_RULES_TOKENS = 200_000
"""Tokens of a batch that no model reads."""


class Reading(Gatherer, frozen=True, kw_only=True):
    """The parts of a run.

    Without a `speaker` it hands out batches, and takes answers. `told` are the only messages that it reads, each alone
    with its exchange. `closed` is the reason that nothing may be proposed. `slot`: it starts only if enough is unread.
    """

    lander: Lander
    speaker: Speaker | None = None
    told: tuple[Told, ...] | None = None
    closed: str = ""
    slot: bool = False

    def run(self) -> Outcome:
        """Read and land, batch by batch; decisions before a kill land first, without another request."""
        outcome = Outcome(self.agent)
        if self.closed:
            outcome.note(self.closed)
            return outcome
        store = self.workspace.store
        readings = kept_readings.load_all(store)
        waiting_batches.drop_all(store, but=tuple(readings))  # what an earlier version kept is read anew
        kept_readings.hold(store, self.roles, self.unread, self.workspace.now())
        for reading in readings.values():
            if reading.batch.agent == self.agent and reading.decided is not None:
                self.lander.land(reading, outcome, replayed=True)
        waiting = self.unread.list_unread(self._list_flags()) if self.slot else []
        if self.slot and not self.unread.is_due(waiting):
            outcome.note(f"nothing to read yet: {len(waiting)} unread turns of yours wait for a reading")
            return outcome
        try:
            for reading in self._decide_all(outcome):
                if self.by_rules:
                    kept_readings.save(store, reading)
                self.lander.land(reading, outcome)
        except ModelError as exc:
            outcome.note(exc.message)
        return outcome

    def preview(self) -> Outcome:
        """Return a preview of the next batch; its answer is kept, so that to apply it asks nothing."""
        outcome = Outcome(self.agent)
        if self.closed:
            outcome.note(self.closed)
            return outcome
        saved = kept_readings.load_all(self.workspace.store).values()
        decided = [reading for reading in saved if reading.batch.agent == self.agent and reading.decided is not None]
        try:
            for reading in decided[:1] or islice(self._decide_all(outcome), 1):
                self.lander.show(reading, outcome)
        except ModelError as exc:
            outcome.note(exc.message)
        return outcome

    def next_batch(self) -> Kept | None:
        """Return the batch that is handed out already, else the next one; None if nothing is unread."""
        store, now = self.workspace.store, self.workspace.now()
        readings = kept_readings.load_all(store).values()
        open_readings = (reading for reading in readings if reading.batch.agent == self.agent and reading.is_out(now))
        if self.closed:
            return None
        if reading := next(open_readings, None):
            return reading
        for exchanges in self._list_batches():
            if not self._pass_over(exchanges):
                reading = self.gather(exchanges)
                kept_readings.save(store, reading)
                return reading
        return None

    def _pass_over(self, exchanges: tuple[Exchange, ...]) -> bool:
        """Return whether some exchanges have no words of the operator: then they are read."""
        if any(exchange.turns for exchange in exchanges):
            return False
        kept_readings.finish(self.workspace, self.gather(exchanges), self.unread)
        return True

    def decide(self, kept: Kept, answer: Answer) -> Kept:
        """Return a batch with the decisions on an answer. Raises ModelError if the judge fails."""
        batch = kept.batch
        ground = self.read_ground(batch)
        say = self.speaker.answer if self.speaker else None
        of_answer = outcomes.decide(batch, answer.operations, ground, say)
        own = self.list_requests(batch, of_answer, answer)
        requests = outcomes.decide(batch, own, ground, None) if own else ()
        decided = tuple(replace(decision, n=n) for n, decision in enumerate((*of_answer, *requests)))
        voice = self.speaker.name if self.speaker else "" if self.by_rules else "a reader"
        return replace(kept, decided=decided, reasons=dict(answer.reasons), problems=answer.problems, voice=voice)

    def _decide_all(self, found: Outcome) -> Iterator[Kept]:
        """Yield batches on which something was decided; one without an answer of use is read in halves."""
        for exchanges in self._list_batches():
            if self.by_rules:
                open_items = count_open_items(View(self.workspace), self.agent)
                if MINER not in self.roles and open_items >= MAX_OPEN_ITEMS:
                    found.note(f"{MAX_OPEN_ITEMS} items wait in the inbox: the rest is read when you have decided")
                    return
                yield self.decide(self.gather(exchanges), Answer())
                continue
            if self._pass_over(exchanges):
                continue
            with_turns = [exchange for exchange in exchanges if exchange.turns]
            reading = self._ask(exchanges, found)
            if reading:
                yield reading
            elif len(with_turns) > 1:
                middle = exchanges.index(with_turns[len(with_turns) // 2])
                halves = (exchanges[:middle], exchanges[middle:])
                yield from filter(None, (self._ask(half, found) for half in halves))

    def _ask(self, exchanges: Sequence[Exchange], found: Outcome) -> Kept | None:
        """Return a batch with the decisions on its answer, None without one. Raises StoppedError."""
        assert self.speaker is not None
        kept = self.gather(tuple(exchanges))
        rules, notes = prompt.write_rules(self.workspace, self.roles)
        found.note(*notes)
        material = prompt.write_material(self.workspace, kept.batch)
        try:
            reply = self.speaker.say(rules, material, MAX_ANSWER_TOKENS)
            answer = operations.parse(reply.text, self.roles)
            if isinstance(answer, str) and not reply.cut:
                last = model.fenced(reply.text[:_MAX_REPEATED_CHARS])
                fault = f"That is of no use: {answer}. Give the whole JSON object, and nothing else."
                repeated = f"{material}\n\nTo this you said:\n{last}\n{fault}"
                answer = operations.parse(self.speaker.answer(rules, repeated, MAX_ANSWER_TOKENS), self.roles)
            if isinstance(answer, Answer):
                kept = self.decide(kept, answer)
                kept_readings.save(self.workspace.store, kept)
                return kept
            found.note(f"the model's answer is refused, and its turns stay unread: {answer}")
        except StoppedError:
            raise
        except ModelError as exc:  # just this was refused: a half of it may not be
            found.note(f"{exc.message}; its turns stay unread")
        found.unanswered += 1
        return None

    def _list_batches(self) -> Iterator[tuple[Exchange, ...]]:
        kept_readings.hold(self.workspace.store, self.roles, self.unread, self.workspace.now())
        if self.told is not None:
            now = self.workspace.now()
            for remark in self.told:
                moment = backlog.to_moment(remark.heard.time, now) or now.isoformat()
                flag = message_flags.Flag("", moment, remark.heard.session, remark.heard.text, {})
                yield from ((exchange,) for exchange in self.unread.find_flagged([flag]))
        elif self.by_rules:
            yield from self._list_requests()
        else:
            yield from self.unread.list_batches(self._list_flags(), prompt.BATCH_TOKENS)

    def _list_requests(self) -> Iterator[tuple[Exchange, ...]]:
        """Yield exchanges in large batches; one that orders something for always ends its batch."""
        batch: list[Exchange] = []
        most = _RULES_TOKENS if MINER in self.roles else 0
        for exchanges in self.unread.list_batches(self._list_flags(), most):
            batch += exchanges
            turns = (turn for exchange in exchanges for turn in exchange.turns)
            if MINER in self.roles or any(map(self.is_asked, turns)):
                yield tuple(batch)
                batch = []
        if batch:
            yield tuple(batch)

    def _list_flags(self) -> list[message_flags.Flag]:
        """Return the flags that were not answered."""
        if MINER not in self.roles and VALIDATOR not in self.roles:
            return []
        readers = [backlog.name_reader(role, by_rules=self.by_rules) for role in self.roles]
        flags = [backlog.load_read(self.workspace, reader).answered for reader in readers]
        return message_flags.list_unanswered(self.workspace.store, flags)


def make_reading(
    workspace: Workspace,
    store: ChatStore,
    agent: str,
    voice: Voice | None,
    *,
    start: float | None = None,
    budget: Budget | None = None,
    require_going: Callable[[], None] = lambda: None,
    told: Sequence[Told] | None = None,
    slot: bool = False,
    by_rules: bool = False,
) -> Reading:
    """Return a run of an agent; in its `slot` it keeps the operations of all agents that run.

    `told` are the only messages that it reads. Without a model it hands out batches, or reads `by_rules`.
    """
    reason = reading_ground.find_closed(workspace)
    running = [role for role in ROLES if role == agent or _runs(workspace, role)]
    roles = tuple(role for role in running if role != KEEPER or not reason) if slot else (agent,)
    patterns = tuple(read_patterns(workspace.config).patterns)
    is_own = agent == KEEPER and not slot
    readers = [agent] if by_rules else [backlog.name_reader(role, by_rules=False) for role in roles]
    unread_turns = Backlog(
        store,
        [backlog.load_read(workspace, reader) for reader in readers],
        workspace.now(),
        start=start,
        is_own=by_rules,
        is_wanted=lambda session: not (is_own and reading_ground.has_own_soul(workspace, session)),
    )
    recorder = voice_record.noting(workspace.store, voice.name, workspace.now) if voice else None
    speaker = Speaker(voice, budget or Budget(), noted=recorder) if voice and recorder else None
    return Reading(
        workspace,
        store,
        agent,
        roles,
        patterns,
        unread_turns,
        is_alone=told is not None,
        by_rules=by_rules,
        lander=Lander(workspace, agent, patterns, unread_turns, require_going, speaker),
        speaker=speaker,
        told=None if told is None else tuple(told),
        closed=reason if agent == KEEPER else "",
        slot=slot,
    )


def _runs(workspace: Workspace, role: str) -> bool:
    key = f"cron_{role.replace('-', '_')}"
    return role == VALIDATOR or not str(workspace.config.value(key)).endswith("off")


def read(
    workspace: Workspace,
    store: ChatStore,
    agent: str,
    voice: Voice | None,
    **options: Any,
) -> Outcome:
    """Let an agent read, with a model or by rules, and settle the outcome; `options` are those of `make_reading`.

    A correction is decided by the rule without a model first; one that it cannot decide is read at once, each alone.
    Contradictions are looked for by rules as well.
    """
    found, told, require_going = Outcome(agent), None, options.get("require_going", lambda: None)
    validator = recall_validator.RecallValidator(store, options.get("start")) if agent == VALIDATOR else None
    if validator:
        found.add(running.apply(validator, workspace, require_going))
        told = tuple(validator.unsettled)
    elif agent == conflict_detector.NAME:
        detector = conflict_detector.ConflictDetector(start=options.get("start"))
        found.add(running.apply(detector, workspace, require_going))
    reading = make_reading(workspace, store, agent, voice, told=told, by_rules=voice is None, **options)
    found.add(reading.run())
    recall_validator.answer(workspace, reading.lander.made)
    if MINER in reading.roles and found.applied:
        found.note(*recall_validator.retry(workspace, store))
    if validator:
        validator.items = [item for item in validator.items if item.id not in reading.lander.made]
        found.note(*recall_validator.settle(workspace, validator))
    settle(workspace, found)
    return found


def preview(workspace: Workspace, store: ChatStore, agent: str, voice: Voice | None, **options: Any) -> Outcome:
    """Return a preview of the next batch of an agent; for the validator, of the messages that rules leave undecided."""
    remarks = None
    if agent == VALIDATOR:
        validator = recall_validator.RecallValidator(store, options.get("start"))
        running.preview(validator, workspace)
        remarks = validator.unsettled
    return make_reading(workspace, store, agent, voice, told=remarks, by_rules=voice is None, **options).preview()


def settle(workspace: Workspace, found: Outcome) -> None:
    """Do the remaining work after an agent's run."""
    changes = [change for change, result in found.applied if result.commit]
    if names := [change.id for change in changes if change.agent == VALIDATOR]:
        found.note(*recall_validator.finish(workspace, *names))
    if any(file_roles.self_description(path) for change in changes for path in change.paths):
        found.note("a session that runs keeps the old text of the soul until it begins anew")
