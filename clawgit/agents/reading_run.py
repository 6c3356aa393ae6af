"""Reads batch by batch, with a model or without one."""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from errno import EISDIR
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from clawgit import errors, file_roles
from clawgit.agents import conflict_detector, reading_landing, recall_validator, requested_memories, running
from clawgit.agents.memory_changes import KEEPER
from clawgit.agents.reading_landing import Kept, Lander, Outcome
from clawgit.agents.running import MAX_OPEN_ITEMS, View, count_open_items
from clawgit.errors import Advice, Command
from clawgit.git import regular_file, repository
from clawgit.llm import model
from clawgit.llm.asking import Speaker, StoppedError, Voice
from clawgit.llm.model import Budget, ModelError
from clawgit.memory import in_force
from clawgit.memory.corrected_values import Told
from clawgit.memory.in_force import Rule
from clawgit.messages.triage import MINER, VALIDATOR, Flag, list_unanswered, read_patterns, triage
from clawgit.reading import backlog, operations, outcomes, prompt
from clawgit.reading.backlog import Backlog, Exchange
from clawgit.reading.checks import Decided, Ground
from clawgit.reading.operations import ROLES, Answer, Batch, Operation, Turn
from clawgit.safety.redaction import redact
from clawgit.sessions.chat_store import ChatStore
from clawgit.sessions.envelope import Session
from clawgit.text.similarity import NoteIndex as Index
from clawgit.text.similarity import is_same_note
from clawgit.text.tokens import count
from clawgit.workspace import manifest
from clawgit.workspace.memory_lines import list_lines
from clawgit.workspace.workspace import Workspace

MAX_ANSWER_TOKENS = 6_000
_MAX_REPEATED_CHARS = 4_000
BY_RULES = (MINER, KEEPER)
"""Agents that without a model keep what the operator asks for in so many words."""
_RULES_TOKENS = 200_000
"""Tokens of a batch that no model reads."""
_TOKEN_LETTERS = 4
_MAX_RULES = 40
_MAX_ORDER_DAYS = 180
"""Age of a standing order from which on it is not proposed by itself."""
_BATCH_SCHEMA = 2


def _find_closed(workspace: Workspace) -> str:
    """Return the reason that nothing may be proposed for the soul, "" for none."""
    if workspace.config.soul_policy == "locked":
        return f"soul_policy is locked: {KEEPER} proposes nothing"
    is_there = (workspace.read(file_roles.SOUL) or "").strip()
    return "" if is_there else f"there is no {file_roles.SOUL} here: {KEEPER} makes none"


def _has_own_soul(workspace: Workspace, session: Session) -> bool:
    """Return whether the agent that talks in a session has a soul of its own, which nobody keeps but the operator."""
    has_name = session.agent and session.agent not in manifest.WRITERS and "/" not in session.agent
    return bool(has_name) and (workspace.root / f"agents/{session.agent}/SOUL.md").is_file()


def _is_running(workspace: Workspace, role: str) -> bool:
    key = f"cron_{role.replace('-', '_')}"
    return role == VALIDATOR or not str(workspace.config.value(key)).endswith("off")


class Reading(Lander):
    """A run of an agent; in its `slot` it keeps the operations of all agents that run, and starts if enough is unread.

    `told` are the only messages that it reads, each alone with its exchange. Without a `voice` it hands out batches,
    and takes answers; if `by_rules`, no model reads, and only explicit requests of the operator count.
    `closed` is the reason why this agent may read nothing, or "".
    """

    def __init__(
        self,
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
    ) -> None:
        reason, is_own = _find_closed(workspace), agent == KEEPER and not slot
        running_roles = [role for role in ROLES if role == agent or _is_running(workspace, role)]
        self.roles = tuple(role for role in running_roles if role != KEEPER or not reason) if slot else (agent,)
        self._readers = [backlog.name_reader(role, by_rules=by_rules) for role in self.roles]
        unread = Backlog(
            store,
            [backlog.load_read(workspace, reader) for reader in self._readers],
            workspace.now(),
            start=start,
            is_own=by_rules,
            is_wanted=lambda session: not (is_own and _has_own_soul(workspace, session)),
        )
        recorder = model.make_recorder(workspace.store, voice.name, workspace.now) if voice else None
        speaker = Speaker(voice, budget or Budget(), noted=recorder) if voice and recorder else None
        patterns = tuple(read_patterns(workspace.config).patterns)
        super().__init__(workspace, agent, patterns, unread, require_going, speaker)
        self._store, self._told, self._by_rules, self._slot = store, told, by_rules, slot
        self.closed = reason if agent == KEEPER else ""

    def run(self, outcome: Outcome) -> None:
        """Read and land, batch by batch; decisions before a kill land first, without another request."""
        if self.closed:
            outcome.note(self.closed)
            return
        self._hold_batches()
        for record in self._list_decided():
            outcome.add(self.land(record, replayed=True))
        waiting = self.unread.list_unread(self._list_flags()) if self._slot else []
        if self._slot and not self.unread.is_due(waiting):
            outcome.note(f"nothing to read yet: {len(waiting)} unread turns of yours wait for a reading")
            return
        try:
            for record in self._decide_all(outcome):
                reading_landing.save(self.workspace.store, record)
                outcome.add(self.land(record))
        except ModelError as exc:
            outcome.note(exc.message)

    def preview(self) -> Outcome:
        """Return a preview of the next batch; its answer is kept, so that to apply it asks nothing.

        Without a model an order ends a batch: then of as many batches as there may be items.
        """
        outcome, count = Outcome(self.agent), MAX_OPEN_ITEMS if self._by_rules else 1
        outcome.note(self.closed)
        try:
            for record in () if self.closed else self._list_decided()[:1] or islice(self._decide_all(outcome), count):
                if not self._by_rules:
                    reading_landing.save(self.workspace.store, record)
                outcome.add(self.show(record))
        except ModelError as exc:
            outcome.note(exc.message)
        return outcome

    # ---- a reader of the operator's own

    def export(self, place: Path) -> Kept | None:
        """Write the next batch to a file that its owner alone can read, and return it; None if nothing is unread.

        A batch that is out already comes again. `instructions` and `material` are the prompt for a model; `turns` are
        the turns in it by themselves; `answer` is the schema of the answer. Raises ClawgitError if the file cannot be
        written.
        """
        record = None if self.closed else self._find_next()
        if record is None:
            return None
        document = {
            "id": record.batch.id,
            "schema": _BATCH_SCHEMA,
            "agent": self.agent,
            "instructions": prompt.write_rules(self.workspace, self.roles)[0],
            "material": prompt.write_material(self.workspace, record.batch),
            "turns": [
                {"n": turn.n, "time": turn.time, "by": turn.by, "asked": turn.asked, "text": turn.text}
                for turn in record.batch.turns
            ],
            "answer": operations.make_schema(self.roles),
        }
        data = (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace")
        try:
            if place.is_dir():  # an empty one would give way
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
            regular_file.replace_state(place, data, durable=True)
        except OSError as exc:
            fix = Advice("name another file")
            raise errors.file_unwritable(f"cannot write {place}: {exc.strerror}", fix=fix) from exc
        return record

    def _find_next(self) -> Kept | None:
        """Return the batch that is handed out already, else the next one."""
        now = self.workspace.now()
        for record in reading_landing.load_all(self.workspace.store).values():
            if record.batch.agent == self.agent and record.is_out(now):
                return record
        for exchanges in self._list_batches():
            if not self._pass_over(exchanges):
                record = self._gather(exchanges)
                reading_landing.save(self.workspace.store, record)
                return record
        return None

    def read_answer(self, place: Path) -> Kept:
        """Return the batch that a file answers, decided.

        The answer is one JSON object in the form given in the batch, with the `id` of the batch. Raises ClawgitError
        for one that is no answer, or is to another batch.
        """
        try:
            text = place.read_bytes().decode("utf-8", "replace")
        except OSError as exc:
            fix = Advice("name another file")
            raise errors.file_unreadable(f"cannot read {place}: {exc.strerror}", fix=fix) from exc
        answer = operations.parse_answer(text, self.roles)
        if isinstance(answer, str):
            fix = Advice("answer as the key `answer` of the batch says")
            raise errors.answer_invalid(f"{place}: {answer}", fix=fix)
        record = reading_landing.load_all(self.workspace.store).get(answer.id)
        if record is None or record.batch.agent != self.agent:
            words = (
                f"no batch {answer.id} waits for an answer here" if answer.id else 'the answer has no "id" of a batch'
            )
            raise errors.batch_unknown(words, fix=Command("clawgit run {} --export batch.json", self.agent))
        if record.decided is not None:
            words = f"batch {record.batch.id} was answered already, and lands next"
            raise errors.batch_answered(words, fix=Command("clawgit run {} --apply", self.agent))
        return self._decide(record, answer)

    def land_answer(self, record: Kept) -> Outcome:
        """Land the decisions on an answer; they are kept first, so that a kill loses nothing."""
        reading_landing.save(self.workspace.store, record)
        outcome = self.land(record)
        _settle(self.workspace, outcome)
        return outcome

    # ---- decisions

    def _list_decided(self) -> list[Kept]:
        """Return the batches of this agent that were decided and did not land."""
        records = reading_landing.load_all(self.workspace.store).values()
        return [record for record in records if record.batch.agent == self.agent and record.decided is not None]

    def _hold_batches(self) -> None:
        """Leave out the batches that were decided or handed out for one of the roles."""
        now = self.workspace.now()
        for record in reading_landing.load_all(self.workspace.store).values():
            if {*record.batch.roles}.intersection(self.roles) and (record.decided is not None or record.is_out(now)):
                for name, spans in record.read.items():
                    self.unread.hold(name, spans)

    def _pass_over(self, exchanges: tuple[Exchange, ...]) -> bool:
        """Return whether some exchanges have no words of the operator: then they are read."""
        if any(exchange.turns for exchange in exchanges):
            return False
        self.finish(self._gather(exchanges))
        return True

    def _decide_all(self, outcome: Outcome) -> Iterator[Kept]:
        """Yield batches on which something was decided; one without an answer of use is read in halves."""
        for exchanges in self._list_batches():
            if self._by_rules:
                open_items = count_open_items(View(self.workspace), self.agent)
                if MINER not in self.roles and open_items >= MAX_OPEN_ITEMS:
                    outcome.note(f"{MAX_OPEN_ITEMS} items wait in the inbox: the rest is read when you have decided")
                    return
                # Without a model, the requests in the turns are the only operations.
                yield self._decide(self._gather(exchanges), Answer())
            elif not self._pass_over(exchanges):
                with_turns = [exchange for exchange in exchanges if exchange.turns]
                if record := self._ask(exchanges, outcome):
                    yield record
                elif len(with_turns) > 1:
                    middle = exchanges.index(with_turns[len(with_turns) // 2])
                    halves = (exchanges[:middle], exchanges[middle:])
                    yield from filter(None, (self._ask(half, outcome) for half in halves))

    def _ask(self, exchanges: tuple[Exchange, ...], outcome: Outcome) -> Kept | None:
        """Return a batch with the decisions on its answer, None without one. Raises StoppedError."""
        assert self.speaker is not None
        record = self._gather(exchanges)
        rules, notes = prompt.write_rules(self.workspace, self.roles)
        outcome.note(*notes)
        material = prompt.write_material(self.workspace, record.batch)
        try:
            reply = self.speaker.say(rules, material, MAX_ANSWER_TOKENS)
            answer = operations.parse_answer(reply.text, self.roles)
            # A reply that reached its limit would reach it again.
            if isinstance(answer, str) and not reply.cut:
                last = model.fenced(reply.text[:_MAX_REPEATED_CHARS])
                fault = f"That is of no use: {answer}. Give the whole JSON object, and nothing else."
                repeated = f"{material}\n\nTo this you said:\n{last}\n{fault}"
                answer = operations.parse_answer(self.speaker.answer(rules, repeated, MAX_ANSWER_TOKENS), self.roles)
            if isinstance(answer, Answer):
                return self._decide(record, answer)
            outcome.note(f"the model's answer is refused, and its turns stay unread: {answer}")
        except StoppedError:
            raise
        except ModelError as exc:  # just this was refused: a half of it may not be
            outcome.note(f"{exc.message}; its turns stay unread")
        return None

    def _decide(self, record: Kept, answer: Answer) -> Kept:
        """Return a batch with the decisions on an answer. Raises ModelError if the judge fails."""
        batch, ground = record.batch, self._read_ground(record.batch)
        decided = outcomes.decide(batch, answer.operations, ground, self.speaker.answer if self.speaker else None)
        if requests := self._list_requests(batch, decided, answer):
            decided = (*decided, *outcomes.decide(batch, requests, ground, None))
        decided = tuple(replace(decision, n=n) for n, decision in enumerate(decided))
        voice = self.speaker.name if self.speaker else "" if self._by_rules else "a reader"
        return replace(record, decided=decided, reasons=dict(answer.reasons), problems=answer.problems, voice=voice)

    # ---- the next batches

    def _list_batches(self) -> Iterator[tuple[Exchange, ...]]:
        self._hold_batches()
        if self._told is not None:
            now = self.workspace.now()
            for remark in self._told:
                moment = backlog.to_moment(remark.heard.time, now) or now.isoformat()
                flag = Flag("", moment, remark.heard.session, remark.heard.text)
                yield from ((exchange,) for exchange in self.unread.find_flagged([flag]))
        elif not self._by_rules:
            yield from self.unread.list_batches(self._list_flags(), prompt.BATCH_TOKENS)
        elif MINER in self.roles:
            yield from self.unread.list_batches(self._list_flags(), _RULES_TOKENS)
        else:
            # An exchange that orders something for always ends its batch: only a few items may wait.
            batch: list[Exchange] = []
            for exchanges in self.unread.list_batches(self._list_flags(), 0):
                batch += exchanges
                if any(self._is_asked(turn) for exchange in exchanges for turn in exchange.turns):
                    yield tuple(batch)
                    batch = []
            if batch:
                yield tuple(batch)

    def _list_flags(self) -> list[Flag]:
        """Return the flags that were not answered."""
        if MINER not in self.roles and VALIDATOR not in self.roles:
            return []
        names = [backlog.load_read(self.workspace, reader).answered for reader in self._readers]
        return list_unanswered(self.workspace.store, names)

    def _gather(self, exchanges: Sequence[Exchange]) -> Kept:
        """Return the batch of some exchanges, in the order of time, with its context."""
        workspace, now = self.workspace, self.workspace.now()
        turns = tuple(replace(turn, n=n) for n, turn in enumerate(self._list_turns(exchanges), 1))
        rules = () if self._by_rules else self._read_rules()[-_MAX_RULES:]
        is_keeping = bool({"soul", "lesson"} & set(operations.list_acts(self.roles)))
        batch = Batch(
            self.agent,
            self.roles,
            now.date().isoformat(),
            str(now.tzinfo or ""),
            turns,
            () if self._by_rules else prompt.read_entries(workspace, turns),
            prompt.read_soul(workspace) if is_keeping else (),
            tuple(Rule(rule.id, *map(redact, (rule.subject, rule.wrong, rule.right))) for rule in rules),
            prompt.count_free(workspace),
        )
        places: defaultdict[str, set[int]] = defaultdict(set)
        for exchange in exchanges:
            places[exchange.session].update(range(exchange.first, exchange.last + 1))
        talks = ((self.unread.find_talk(name), spots) for name, spots in places.items() if name)
        read = {talk.name: backlog.make_spans(talk, spots) for talk, spots in talks if talk}
        last_flag = next((exchange.flag for exchange in reversed(exchanges) if exchange.flag), "")
        return Kept(batch, read, now.isoformat(), last_flag, by_rules=self._by_rules)

    def _list_turns(self, exchanges: Sequence[Exchange]) -> Iterator[Turn]:
        """Yield the turns of each day, session by session, in the order in which these began on it."""
        began: dict[tuple[str, str], int] = {}
        by_time = sorted((item for item in exchanges if item.turns), key=lambda item: item.turns[0].time)
        for exchange in by_time:
            began.setdefault((exchange.day, exchange.session), len(began))
        end = ("", 0)
        for exchange in sorted(by_time, key=lambda item: (began[item.day, item.session], item.first)):
            # After a gap in a conversation, the turns before the exchange give its context.
            if exchange.session and end != (exchange.session, exchange.first) and not self._by_rules:
                yield from self.unread.list_before(exchange, whole=self._told is not None)
            yield from (replace(turn, asked=self._is_asked(turn)) for turn in exchange.turns)
            end = exchange.session, exchange.last + 1

    def _is_asked(self, turn: Turn) -> bool:
        """Return whether a turn of the operator's asks for something outright, or sounds like a correction."""
        if not turn.may_cite or self._list_requests_of(turn):
            return turn.may_cite
        matches = triage(turn.text, self.patterns).matches if VALIDATOR in self.roles and not self._by_rules else ()
        return any(match.route == VALIDATOR for match in matches)

    def _list_requests_of(self, turn: Turn) -> tuple[Operation, ...]:
        if MINER in self.roles:
            return requested_memories.list_operations(turn, self.patterns)
        age = self.workspace.now().date() - turn.day if turn.day else timedelta()
        is_wanted = self._by_rules and (self.unread.start is not None or age.days <= _MAX_ORDER_DAYS)
        return requested_memories.list_orders(turn) if is_wanted else ()

    def _list_requests(self, batch: Batch, decided: Sequence[Decided], answer: Answer) -> tuple[Operation, ...]:
        """Return the requests of the operator's that no operation covers and no reason answers, word for word."""
        asked_turns = [turn for n in batch.asked if (turn := batch.turn(n))]
        if self._by_rules:
            return tuple(request for turn in asked_turns for request in self._list_requests_of(turn))
        fit = [decision.operation for decision in decided if decision.state != "refused"]
        corrects = [operation for operation in fit if operation.act == "correct" and operation.wrong]
        return tuple(
            request
            for turn in (asked_turns if MINER in self.roles else ())
            if turn.n not in answer.reasons
            # A later turn has corrected this request.
            and not any(turn.n < max(correction.turns) and correction.wrong in turn.text for correction in corrects)
            for request in requested_memories.find_uncovered(turn, fit, self.patterns)
        )

    # ---- the ground of the checks

    def _read_rules(self) -> Sequence[Rule]:
        return in_force.read_rules(record.record for record in View(self.workspace).corrections())

    def _read_ground(self, batch: Batch) -> Ground:
        """Return the present state of the workspace that the checks of a batch need."""
        workspace, rules = self.workspace, self._read_rules()
        texts = {line.id: line.text for line in list_lines(workspace, "memory") if line.status != "superseded"}
        index: Index[str] = Index()
        for name, text in texts.items():
            index.add(name, text)

        def find_same(text: str) -> str:
            return next((name for name in index.near(text) if is_same_note(text, texts[name])), "")

        def find_overruled(text: str) -> str:
            rule = in_force.find_rule(text, rules)
            return f"you corrected that: not '{rule.wrong}' but '{rule.right}'" if rule else ""

        committer = repository.identity(workspace.repo)
        asked_turns = [turn for n in batch.asked if (turn := batch.turn(n))]
        sessions = [summary.session for summary in self._store.sessions()]
        cap = workspace.config.value("soul_max_tokens")
        soul_files = {line.file for line in batch.soul} if workspace.config.soul_policy != "locked" else ()
        free = {path: workspace.trust.cap(path, cap) - count(workspace.read(path) or "") for path in soul_files}
        return Ground(
            held=texts,
            direct=frozenset(session.id for session in sessions if session.kind in ("direct", "unknown")),
            apart=frozenset(session.id for session in sessions if _has_own_soul(workspace, session)),
            requests=frozenset(request.text for turn in asked_turns for request in self._list_requests_of(turn)),
            speakers=frozenset((*workspace.called, *(committer[:1] if committer else ()))),
            identity={path: max(0, tokens) * _TOKEN_LETTERS for path, tokens in free.items()},
            overruled=find_overruled,
            same=find_same,
        )


def run_reading(workspace: Workspace, store: ChatStore, agent: str, voice: Voice | None, **options: Any) -> Outcome:
    """Let an agent read, with a model or by rules, and settle the outcome; `options` are those of a Reading.

    A correction is decided by the rule without a model first; one that it cannot decide is read at once, each alone.
    Contradictions are looked for by rules as well.
    """
    outcome, remarks, validator, shown_ids = Outcome(agent), None, None, list[str]()
    start, require_going = options.get("start"), options.get("require_going", lambda: None)
    if agent == VALIDATOR:
        validator = recall_validator.RecallValidator(store, start)
        outcome.add(running.apply(validator, workspace, require_going))
        remarks = tuple(remark for _, remark in validator.asked)
    elif agent == conflict_detector.NAME:
        outcome.add(running.apply(conflict_detector.ConflictDetector(start=start), workspace, require_going))
    reading = Reading(workspace, store, agent, voice, told=remarks, by_rules=voice is None, **options)
    reading.run(outcome)
    recall_validator.settle_questions(workspace, reading.made)
    if MINER in reading.roles and outcome.applied:
        outcome.note(*recall_validator.retry_open_questions(workspace, store))
    if validator:
        # A remark needs no question if the reading has made its correction, and chosen among its lines.
        made = [item for item, _ in validator.asked if item.id in reading.made]
        shown_ids += [name for item in made for name in item.details.get("choices", ())]
        validator.asked = [pair for pair in validator.asked if pair[0].id not in reading.made]
        outcome.note(*recall_validator.settle_run(workspace, validator))
    _settle(workspace, outcome, shown_ids)
    return outcome


def preview(workspace: Workspace, store: ChatStore, agent: str, voice: Voice | None, **options: Any) -> Outcome:
    """Return a preview of the next batch of an agent; for the validator, of the messages that rules leave undecided."""
    remarks = None
    if agent == VALIDATOR:
        validator = recall_validator.RecallValidator(store, options.get("start"))
        running.preview(validator, workspace)
        remarks = tuple(remark for _, remark in validator.asked)
    return Reading(workspace, store, agent, voice, told=remarks, by_rules=voice is None, **options).preview()


def _settle(workspace: Workspace, outcome: Outcome, shown_ids: Sequence[str] = ()) -> None:
    """Do the remaining work after an agent's run."""
    changes = [change for change, result in outcome.applied if result.commit]
    if names := [change.id for change in changes if change.agent == VALIDATOR]:
        outcome.note(*recall_validator.ask_about_rest(workspace, *names, shown_ids=shown_ids))
    if any(file_roles.self_description(path) for change in changes for path in change.paths):
        outcome.note("a session that runs keeps the old text of the soul until it begins anew")
