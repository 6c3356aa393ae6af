"""A run that reads with a model: batch by batch it asks, checks, and lands."""

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from clawgit.agents import (
    conflict_detector,
    kept_readings,
    operation_evidence,
    overdue_errands,
    reading_changes,
    recall_validation,
    requested_memories,
    running,
    soul_keeper,
    standing_corrections,
)
from clawgit.agents.kept_readings import Kept
from clawgit.agents.messages_to_read import Told
from clawgit.agents.running import Agent, Result, View
from clawgit.errors import BusyError, ClawgitError, DiskError
from clawgit.git import repository
from clawgit.llm import model, voice_record, voices
from clawgit.llm.asking import Voice
from clawgit.llm.model import Budget, ModelError
from clawgit.llm.speaker import Speaker, StoppedError
from clawgit.messages import message_flags
from clawgit.messages.pattern_cache import known
from clawgit.messages.patterns import MINER, VALIDATOR, Pattern
from clawgit.messages.triage import triage
from clawgit.reading import backlog, operations, outcomes, prompt, turns
from clawgit.reading.backlog import Backlog, Exchange
from clawgit.reading.checks import Decided, Ground
from clawgit.reading.operations import ROLES, Answer, Operation, Verdict
from clawgit.reading.turns import Batch, Rule, Turn
from clawgit.safety.redaction import redacted
from clawgit.sessions.chat_store import ChatStore
from clawgit.sessions.envelope import Session
from clawgit.text.sameness.note_comparison import compare
from clawgit.text.sameness.note_reading import Known as Index
from clawgit.text.tokens import count
from clawgit.workspace import file_roles, manifest, run_ledger, unkept_requests
from clawgit.workspace.change import Applied, Change
from clawgit.workspace.memory import memories
from clawgit.workspace.run_ledger import Ran
from clawgit.workspace.unkept_requests import Unkept
from clawgit.workspace.workspace import Workspace

MAX_ANSWER_TOKENS = 6_000
_MAX_REPEATED_CHARS = 4_000
_TOKEN_LETTERS = 4
GOES_ON = "the next run goes on with the rest"
NO_ANSWER = "the model gave no answer of use: its turns stay unread"


class Outcome(Struct):
    """What a run came to: the batches that were answered, the turns of the operator's that were read, and verdicts."""

    agent: str
    batches: int = 0
    read: int = 0
    verdicts: list[Verdict] = field(default_factory=list)
    applied: list[tuple[Change, Applied]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    usage: dict[str, Any] = field(default_factory=dict)

    def take(self, other: "Outcome | Result") -> None:
        """Add what another run, or rules, came to."""
        self.read += other.read
        self.applied += other.applied
        self.note(*other.notes)
        if isinstance(other, Outcome):
            self.batches += other.batches
            self.verdicts += other.verdicts
            self.usage = other.usage
        else:
            self.verdicts += [
                reading_changes.judge(Decided(Operation("correct", text=change.subject)), applied)
                for change, applied in other.applied
            ]

    def note(self, *notes: str) -> None:
        """Keep notes, each once."""
        self.notes += [one for one in dict.fromkeys(notes) if one and one not in self.notes]


class Reading(Struct, frozen=True):
    """What a run is made of.

    `agent` runs; the operations of `roles` are kept. Without a `speaker` it hands out batches, and takes answers. With
    `start` (seconds since 1970) all is read from there on. `path` is the soul that is kept. `landing` is called before
    each change. `told` are the only messages that it reads, each alone with its exchange. `closed` says why nothing may
    be proposed. `slot`: it starts only if enough is unread. `made` holds the corrections that landed, by the candidates
    that their messages may be.
    """

    workspace: Workspace
    store: ChatStore
    agent: str
    roles: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    unread: Backlog
    speaker: Speaker | None = None
    path: str = file_roles.SOUL
    landing: Callable[[], None] = lambda: None
    told: tuple[Told, ...] | None = None
    closed: str = ""
    slot: bool = False
    made: dict[str, str] = field(default_factory=dict)

    @property
    def usage(self) -> dict[str, Any]:
        """What was asked of the model so far."""
        used: dict[str, Any] = to_builtins(self.speaker.used) if self.speaker else {}
        return used

    def run(self) -> Outcome:
        """Read and land, batch by batch; what was decided before a kill lands first, and nothing is asked for it."""
        found = Outcome(self.agent)
        if self._is_closed(found):
            return found
        kept_readings.hold(self.workspace.store, self.roles, self.unread, self.workspace.now())
        for kept in list(kept_readings.load_all(self.workspace.store)):
            if kept.batch.agent == self.agent and kept.decided is not None:
                self.land(kept, found, replayed=True)
        if self.slot and not self.unread.is_due():
            found.note(f"nothing to read yet: {self.unread.count_unread()} unread turns of yours wait for a reading")
            return found
        try:
            for kept in self._decide_all(found):
                self.land(kept, found)
        except ModelError as exc:
            found.note(exc.message)
        found.usage = self.usage
        return found

    def preview(self) -> Outcome:
        """Return what the next batch would come to; its answer is kept, so that to apply it asks nothing."""
        found = Outcome(self.agent)
        if self._is_closed(found):
            return found
        kept = next(
            (
                one
                for one in kept_readings.load_all(self.workspace.store)
                if one.batch.agent == self.agent and one.decided is not None
            ),
            None,
        )
        try:
            kept = kept or next(self._decide_all(found), None)
        except ModelError as exc:
            found.note(exc.message)
        if kept:
            self.show(kept, found)
        return found

    def _is_closed(self, found: Outcome) -> bool:
        found.note(self.closed)
        return bool(self.closed)

    def next_batch(self) -> Kept | None:
        """Return the batch that is handed out already, else the next one; None if nothing is unread."""
        store, now = self.workspace.store, self.workspace.now()
        out = (one for one in kept_readings.load_all(store) if one.batch.agent == self.agent and one.is_out(now))
        if self.closed or (kept := next(out, None)):
            return None if self.closed else kept
        exchanges = next(self._list_batches(), None)
        if exchanges is None:
            return None
        kept = replace(self._gather(exchanges), out=True)
        kept_readings.save(store, kept)
        return kept

    def decide(self, kept: Kept, answer: Answer) -> Kept:
        """Return a batch with what becomes of an answer. Raises ModelError where the judge fails."""
        batch = kept.batch
        ground = self._read_ground(batch)
        say = self._say if self.speaker else None
        outcome = outcomes.decide(batch, answer.operations, ground, say)
        own = self._list_requests(batch, outcome.decided, answer)
        added = outcomes.decide(batch, own, ground, None).decided if own else ()
        decided = tuple(replace(one, n=n) for n, one in enumerate((*outcome.decided, *added)))
        voice = self.speaker.name if self.speaker else "a reader"
        return replace(
            kept,
            decided=decided,
            reasons=dict(answer.reasons),
            problems=answer.problems,
            voice=voice,
            out=False,
            reliable=outcome.reliable,
        )

    def _say(self, rules: str, material: str, tokens: int) -> str:
        assert self.speaker is not None
        return self.speaker.say(rules, material, tokens).text

    def _decide_all(self, found: Outcome) -> Iterator[Kept]:
        """Yield batches on which something was decided; one without an answer of use is read in halves."""
        for exchanges in self._list_batches():
            spoken = [exchange for exchange in exchanges if exchange.turns]
            kept = self._ask(exchanges, found)
            if kept or len(spoken) < 2:  # noqa: PLR2004 - no half of one
                yield from (kept,) if kept else ()
                continue
            middle = exchanges.index(spoken[len(spoken) // 2])
            for half in (exchanges[:middle], exchanges[middle:]):
                kept = self._ask(half, found)
                yield from (kept,) if kept else ()

    def _ask(self, exchanges: Sequence[Exchange], found: Outcome) -> Kept | None:
        """Return a batch with what was decided on its answer, None without one. Raises StoppedError."""
        assert self.speaker is not None
        kept = self._gather(tuple(exchanges))
        rules, notes = prompt.write_rules(self.workspace, self.roles)
        found.note(*notes)
        text = prompt.write_prompt(self.workspace, kept.batch, rules)
        try:
            said = self.speaker.say(rules, text.material, MAX_ANSWER_TOKENS)
            answer = operations.parse(said.text, self.roles)
            if isinstance(answer, str) and not said.cut:
                said = self.speaker.say(rules, _ask_again(text.material, said.text, answer), MAX_ANSWER_TOKENS)
                answer = operations.parse(said.text, self.roles)
            if isinstance(answer, Answer):
                kept = self.decide(kept, answer)
                kept_readings.save(self.workspace.store, kept)
                return kept
        except StoppedError:
            raise
        except ModelError as exc:  # just this was refused: a half of it may not be
            found.note(exc.message)
        found.note(NO_ANSWER)
        return None

    def _list_batches(self) -> Iterator[tuple[Exchange, ...]]:
        kept_readings.hold(self.workspace.store, self.roles, self.unread, self.workspace.now())
        most = int(self.workspace.config.value("batch_tokens"))
        if self.told is not None:
            now = self.workspace.now()
            for heard in (told.heard for told in self.told):
                at = backlog.to_moment(heard.time, now) or now.isoformat()
                flag = message_flags.Flag("", at, heard.session, heard.text, {})
                yield from ((exchange,) for exchange in self.unread.find_flagged([flag]))
        else:
            yield from self.unread.list_batches(self._list_flags(), most)

    def _list_flags(self) -> list[message_flags.Flag]:
        """Return the flags that were not answered."""
        if MINER not in self.roles and VALIDATOR not in self.roles:
            return []
        flags = list(message_flags.flags(self.workspace.store))
        names = [flag.id for flag in flags]
        answered = [backlog.load_read(self.workspace, role).answered for role in self.roles]
        first = min((names.index(name) + 1 if name in names else 0 for name in answered), default=0)
        return flags[first:]

    def _gather(self, exchanges: tuple[Exchange, ...]) -> Kept:
        """Return the batch of some exchanges, in the order of time."""
        workspace = self.workspace
        spoken = turns.number_turns(tuple(self._list_turns(exchanges)))
        now = workspace.now()
        is_keeping = bool({"soul", "lesson"} & set(operations.list_acts(self.roles)))
        batch = Batch(
            self.agent,
            self.roles,
            now.date().isoformat(),
            str(now.tzinfo or ""),
            spoken,
            prompt.read_entries(workspace, spoken),
            prompt.read_soul(workspace, self.path) if is_keeping else (),
            self._read_corrections(),
            prompt.read_room(workspace),
        )
        return kept_readings.keep(batch, exchanges, self.unread, now)

    def _list_turns(self, exchanges: Sequence[Exchange]) -> Iterator[Turn]:
        ordered = sorted(
            (exchange for exchange in exchanges if exchange.turns),
            key=lambda one: (one.turns[0].time[:10], one.session, one.first),
        )
        for number, exchange in enumerate(ordered):
            last = ordered[number - 1] if number else None
            follows = last and (last.session, last.last + 1) == (exchange.session, exchange.first)
            if not follows and exchange.session:
                yield from self.unread.list_before(exchange, whole=self.told is not None)
            yield from (replace(turn, asked=self._is_asked(turn)) for turn in exchange.turns)

    def _is_asked(self, turn: Turn) -> bool:
        if not turn.may_cite:
            return False
        if MINER in self.roles and requested_memories.list_operations(turn, self.patterns):
            return True
        routes = {match.route for match in triage(turn.text, self.patterns).matches}
        return VALIDATOR in self.roles and VALIDATOR in routes

    def _read_corrections(self) -> tuple[Rule, ...]:
        found = standing_corrections.rules(one.record for one in View(self.workspace).corrections())
        return tuple(Rule(one.id, *map(redacted, (one.subject, one.wrong, one.right))) for one in found[-_MAX_RULES:])

    def _read_ground(self, batch: Batch) -> Ground:
        workspace = self.workspace
        held = {one.id: one.text for one in memories(workspace) if one.status != "superseded"}
        index: Index[str] = Index()
        for name, text in held.items():
            index.add(name, text)
        rules = standing_corrections.rules(one.record for one in View(workspace).corrections())

        def find_same(text: str) -> str:
            return next((name for name in index.near(text) if compare(text, held[name]).relation == "same"), "")

        def find_overruled(text: str) -> str:
            found = standing_corrections.ruling(text, rules)
            return f"you corrected that: not '{found.rule.wrong}' but '{found.rule.right}'" if found else ""

        committer = repository.identity(workspace.repo)
        requests = (
            operation.text for n in batch.asked if (turn := batch.turn(n)) for operation in self._requests_of(turn)
        )
        sessions = [one.session for one in self.store.sessions()]
        return Ground(
            held=held,
            direct=frozenset(session.id for session in sessions if session.kind in ("direct", "unknown")),
            apart=frozenset(session.id for session in sessions if find_soul(workspace, session) != self.path),
            requests=frozenset(requests),
            speakers=frozenset((*workspace.called, *(committer[:1] if committer else ()))),
            identity=self._read_identity(batch),
            overruled=find_overruled,
            same=find_same,
        )

    def _requests_of(self, turn: Turn) -> tuple[Operation, ...]:
        return requested_memories.list_operations(turn, self.patterns)

    def _read_identity(self, batch: Batch) -> dict[str, int]:
        """Return how many characters each file of the soul may grow."""
        workspace = self.workspace
        if workspace.config.soul_policy == "locked":
            return {}
        cap = workspace.config.soul_max_tokens
        return {
            path: max(0, workspace.trust.cap(path, cap) - count(workspace.read(path) or "")) * _TOKEN_LETTERS
            for path in {line.file for line in batch.soul}
        }

    def _list_requests(self, batch: Batch, decided: Sequence[Decided], answer: Answer) -> tuple[Operation, ...]:
        """Return the requests of the operator's that no operation covers and no reason answers, word for word."""
        if MINER not in self.roles:
            return ()
        fit = [one.operation for one in decided if one.state != "refused"]
        corrects = [one for one in fit if one.act == "correct"]
        open_turns = [turn for n in batch.asked if n not in answer.reasons and (turn := batch.turn(n))]
        return tuple(
            operation
            for turn in open_turns
            for operation in requested_memories.find_uncovered(turn, fit, self.patterns)
            if not any(one.wrong and turn.n < max(one.turns) and one.wrong in turn.text for one in corrects)
        )

    # ---- landing

    def land(self, kept: Kept, found: Outcome, *, replayed: bool = False) -> None:
        """Land what was decided, and note the run; what landed before a kill is found again.

        Raises ClawgitError where nothing can be written now: then the batch stays, and is landed by the next run.
        """
        assert kept.decided is not None
        started, error, number = self.workspace.now().isoformat(), "", len(found.verdicts)
        changes = reading_changes.Changes(self.workspace, kept, self.patterns)
        before = changes.find_landed() if replayed else {}
        first = len(found.applied)
        cursors = tuple(one for one, _ in kept_readings.find_cursors(self.workspace, kept, self.unread, MINER))
        try:
            fit = [one for one in kept.decided if one.state == "landed"]
            for one in kept.decided:
                if one.state == "refused" or (name := one.name(kept.batch)) in before:
                    commit = "" if one.state == "refused" else before[name]
                    found.verdicts.append(Verdict(one.operation, one.state, one.why, commit))
                elif one.why != outcomes.UNRELIABLE:
                    self.landing()
                    is_last = MINER in self.roles and bool(fit) and one is fit[-1]
                    make = partial(changes.make, one, cursors if is_last else ())
                    self._apply(make, kept.batch, one, found)
            self._apply_together(changes, kept, found)
            unkept_requests.open_requests(self.workspace.store, self._list_unkept(kept, found.verdicts[number:]))
            kept_readings.finish(self.workspace, kept, self.unread)
        except BaseException as exc:
            error = exc.message if isinstance(exc, ClawgitError) else type(exc).__name__
            raise
        finally:
            ran = self._note_run(kept, found.verdicts[number:], found.applied[first:], before, started, error)
            run_ledger.note(self.workspace.store, ran)
        self._count(kept, found)

    def show(self, kept: Kept, found: Outcome) -> Outcome:
        """Return an outcome with what would become of each operation; nothing is written."""
        changes = reading_changes.Changes(self.workspace, kept, self.patterns)
        for one in kept.decided or ():
            try:
                why = one.why or changes.make(one).subject
                found.verdicts.append(Verdict(one.operation, one.state, why))
            except ClawgitError as exc:
                found.verdicts.append(Verdict(one.operation, "refused", exc.message))
        self._count(kept, found)
        return found

    def _count(self, kept: Kept, found: Outcome) -> None:
        found.batches += 1
        found.read += sum(turn.by == "operator" for turn in kept.batch.turns)
        found.note(*(f"refused: {problem}" for problem in kept.problems))

    def _apply(self, make: Callable[[], Change], batch: Batch, one: Decided, found: Outcome) -> None:
        try:
            change, applied = reading_changes.apply(self.workspace, make)
        except (BusyError, DiskError):
            raise
        except ClawgitError as exc:
            found.verdicts.append(Verdict(one.operation, "refused", exc.message))
            return
        found.notes += applied.notes
        if applied.commit and one.operation.act == "correct":
            for turn in operation_evidence.find_cited(batch, one):
                heard, _ = operation_evidence.read_message(self.workspace, turn)
                self.made[Told(heard, triage("", ())).name] = change.id
        if applied.commit or (applied.proposal and not applied.proposal.rejected):
            found.applied.append((change, applied))
        found.verdicts.append(reading_changes.judge(one, applied))

    def _apply_together(self, changes: reading_changes.Changes, kept: Kept, found: Outcome) -> None:
        """Have all that an unreliable judge left undecided wait as one item."""
        waiting = [one for one in kept.decided or () if one.why == outcomes.UNRELIABLE]
        if not waiting:
            return
        self.landing()
        made = changes.make_together(waiting)
        applied = self.workspace.apply(made)
        found.applied.append((made, applied))
        found.verdicts += [reading_changes.judge(one, applied) for one in waiting]
        found.note(f"{kept.voice} was not a reliable judge: {made.subject}")

    def _list_unkept(self, kept: Kept, verdicts: Sequence[Verdict]) -> Iterator[Unkept]:
        """Yield what the operator asked for and nothing was kept of, with the reason."""
        if MINER not in self.roles:
            return
        fit = [one.operation for one in verdicts if one.state != "refused"]
        refused = {n: one.why for one in verdicts if one.state == "refused" for n in one.operation.turns}
        now = self.workspace.now()
        for n in kept.batch.asked:
            turn = kept.batch.turn(n)
            if turn is None or any(n in one.turns for one in fit):
                continue
            texts = [one.text for one in self._requests_of(turn)]
            why = kept.reasons.get(n) or refused.get(n) or "nothing was made of it"
            for text in texts:
                yield requested_memories.make_unkept(turn, text, why, now, dropped=n in kept.reasons)

    def _note_run(
        self,
        kept: Kept,
        verdicts: Sequence[Verdict],
        applied: Sequence[tuple[Change, Applied]],
        before: dict[str, str],
        started: str,
        error: str,
    ) -> Ran:
        refused = sum(one.state == "refused" for one in verdicts)
        return Ran(
            self.agent,
            started,
            self.workspace.now().isoformat(),
            sum(turn.by == "operator" for turn in kept.batch.turns),
            len(kept.decided or ()),
            (*before.values(), *(one.commit for _, one in applied if one.commit)),
            tuple(one.proposal.id for _, one in applied if one.proposal),
            {"refused": refused} if refused else {},
            usage=self.usage,
            error=error,
        )


_MAX_RULES = 40


def _ask_again(material: str, said: str, problem: str) -> str:
    last = model.fenced(said[:_MAX_REPEATED_CHARS])
    told = f"That is of no use: {problem}. Give the whole JSON object, and nothing else."
    return f"{material}\n\nTo this you said:\n{last}\n{told}"


def make_reading(
    workspace: Workspace,
    store: ChatStore,
    agent: str,
    voice: Voice | None,
    *,
    start: float | None = None,
    path: str = file_roles.SOUL,
    budget: Budget | None = None,
    landing: Callable[[], None] = lambda: None,
    told: Sequence[Told] | None = None,
    slot: bool = False,
) -> Reading:
    """Return a run of an agent; in its `slot` it keeps the operations of all agents that run.

    `told` are the only messages that it reads. Raises UsageError for a file that is no soul.
    """
    if agent == soul_keeper.NAME:
        soul_keeper.require_soul(path)
    closed = _find_closed(workspace, path)
    running = [role for role in ROLES if role == agent or _runs(workspace, role)]
    roles = tuple(role for role in running if role != soul_keeper.NAME or not closed) if slot else (agent,)
    patterns = tuple(known(workspace.root, workspace.store.folder / "cache").patterns)
    is_own = agent == soul_keeper.NAME and not slot
    unread = Backlog(
        store,
        [backlog.load_read(workspace, role) for role in roles],
        workspace.now(),
        start=start,
        is_wanted=lambda session: not is_own or find_soul(workspace, session) == path,
    )
    noted = voice_record.noting(workspace.store, voice.name, workspace.now) if voice else None
    speaker = Speaker(voice, budget or Budget(), noted=noted) if voice and noted else None
    return Reading(
        workspace,
        store,
        agent,
        roles,
        patterns,
        unread,
        speaker,
        path,
        landing,
        None if told is None else tuple(told),
        closed if agent == soul_keeper.NAME else "",
        slot,
    )


def find_voice(workspace: Workspace, agent: str) -> Voice | None:
    """Return the model that an agent reads with, None if rules do. Raises ModelError for half a configuration."""
    return voices.find(workspace.config.value, os.environ, workspace.store) if agent in ROLES else None


def _runs(workspace: Workspace, role: str) -> bool:
    key = f"cron_{role.replace('-', '_')}"
    return role == VALIDATOR or not str(workspace.config.value(key)).endswith("off")


def _find_closed(workspace: Workspace, path: str) -> str:
    """Return why nothing may be proposed for a soul, "" where something may."""
    if workspace.config.soul_policy == "locked":
        return f"soul_policy is locked: {soul_keeper.NAME} proposes nothing"
    return "" if (workspace.read(path) or "").strip() else f"there is no {path} here: {soul_keeper.NAME} makes none"


def find_soul(workspace: Workspace, session: Session) -> str:
    """Return the soul of the agent that talks in a session: its own where it has one."""
    own = f"agents/{session.agent}/SOUL.md"
    named = session.agent and session.agent not in manifest.WRITERS and "/" not in session.agent
    return own if named and (workspace.root / own).is_file() else file_roles.SOUL


def read(
    workspace: Workspace,
    store: ChatStore,
    agent: str,
    voice: Voice,
    *,
    apply_rules: Callable[[Agent], Result],
    **options: Any,
) -> Outcome:
    """Have an agent read with a model, and settle what came of it; `options` are those of `make_reading`.

    A correction is decided by the rule without a model first; what it cannot decide is read at once, each alone. What
    contradicts each other is looked for by rules as well.
    """
    found, told = Outcome(agent), None
    validator = recall_validation.agent(workspace, store, options.get("start")) if agent == VALIDATOR else None
    if validator:
        found.take(apply_rules(validator))
        told = tuple(validator.unsettled)
    elif agent == conflict_detector.NAME:
        start = options.get("start")
        since = None if start is None else datetime.fromtimestamp(start, workspace.now().tzinfo)
        found.take(apply_rules(conflict_detector.ConflictDetector(start=since)))
    reading = make_reading(workspace, store, agent, voice, told=told, **options)
    found.take(reading.run())
    recall_validation.answer(workspace, reading.made)
    if MINER in reading.roles:
        found.applied += overdue_errands.apply(workspace, reading.patterns)
    if validator:
        validator.waiting = [one for one in validator.waiting if one.id not in reading.made]
        found.note(*recall_validation.settle(workspace, validator))
    settle(workspace, found)
    return found


def preview(workspace: Workspace, store: ChatStore, agent: str, voice: Voice, **options: Any) -> Outcome:
    """Return what the next batch of an agent would come to; of the validator, what the rules leave undecided."""
    told = None
    if agent == VALIDATOR:
        validator = recall_validation.agent(workspace, store, options.get("start"))
        running.preview(validator, workspace)
        told = validator.unsettled
    return make_reading(workspace, store, agent, voice, told=told, **options).preview()


def settle(workspace: Workspace, found: Outcome) -> None:
    """Do what is left to be done when an agent has run."""
    changes = [change for change, one in found.applied if one.commit]
    if any(change.agent == VALIDATOR for change in changes):
        found.note(*recall_validation.embed(workspace))
    if any(file_roles.self_description(path) for change in changes for path in change.paths):
        found.note("a session that runs keeps the old text of the soul until it begins anew")
