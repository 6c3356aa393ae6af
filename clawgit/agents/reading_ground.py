"""Gathers a batch and the ground of its checks."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.agents import requested_memories
from clawgit.agents.kept_readings import Kept
from clawgit.agents.running import View
from clawgit.git import repository
from clawgit.memory import in_force
from clawgit.memory.in_force import Rule
from clawgit.messages.triage import MINER, VALIDATOR, Pattern, triage
from clawgit.reading import backlog, operations, prompt, turns
from clawgit.reading.backlog import Backlog, Exchange
from clawgit.reading.checks import Decided, Ground
from clawgit.reading.operations import Answer, Operation
from clawgit.reading.turns import Batch, Turn
from clawgit.safety.redaction import redacted
from clawgit.sessions.chat_store import ChatStore
from clawgit.sessions.envelope import Session
from clawgit.text.similarity import Known as Index
from clawgit.text.similarity import is_same_note
from clawgit.text.tokens import count
from clawgit.workspace import manifest
from clawgit.workspace.memory_lines import list_lines
from clawgit.workspace.workspace import Workspace

KEEPER = "soul-keeper"


def find_closed(workspace: Workspace) -> str:
    """Return the reason that nothing may be proposed for the soul, "" for none."""
    if workspace.config.soul_policy == "locked":
        return f"soul_policy is locked: {KEEPER} proposes nothing"
    is_there = (workspace.read(file_roles.SOUL) or "").strip()
    return "" if is_there else f"there is no {file_roles.SOUL} here: {KEEPER} makes none"


def has_own_soul(workspace: Workspace, session: Session) -> bool:
    """Return whether the agent that talks in a session has a soul of its own, which nobody keeps but the operator."""
    has_name = session.agent and session.agent not in manifest.WRITERS and "/" not in session.agent
    return bool(has_name) and (workspace.root / f"agents/{session.agent}/SOUL.md").is_file()


_TOKEN_LETTERS = 4
_MAX_RULES = 40
_MAX_ORDER_DAYS = 180
"""Age of a standing order from which on it is not proposed by itself."""


class Gatherer(Struct, frozen=True):
    """Makes batches for an agent with some roles.

    `is_alone`: an exchange is read by itself, with the one before it. `by_rules`: no model reads, and only explicit
    requests of the operator count.
    """

    workspace: Workspace
    store: ChatStore
    agent: str
    roles: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    unread: Backlog
    is_alone: bool = False
    by_rules: bool = False

    def gather(self, exchanges: tuple[Exchange, ...]) -> Kept:
        """Return the batch of some exchanges, in the order of time, with its context."""
        workspace = self.workspace
        turn_list = turns.number_turns(tuple(self._list_turns(exchanges)))
        now = workspace.now()
        rules = in_force.read_rules(one.record for one in View(workspace).corrections())[-_MAX_RULES:]
        corrections = tuple(Rule(one.id, *map(redacted, (one.subject, one.wrong, one.right))) for one in rules)
        is_keeping = bool({"soul", "lesson"} & set(operations.list_acts(self.roles)))
        batch = Batch(
            self.agent,
            self.roles,
            now.date().isoformat(),
            str(now.tzinfo or ""),
            turn_list,
            () if self.by_rules else prompt.read_entries(workspace, turn_list),
            prompt.read_soul(workspace) if is_keeping else (),
            () if self.by_rules else corrections,
            prompt.count_free(workspace),
        )
        places: defaultdict[str, set[int]] = defaultdict(set)
        for exchange in exchanges:
            places[exchange.session].update(range(exchange.first, exchange.last + 1))
        talks = {name: talk for name in places if name and (talk := self.unread.find_talk(name))}
        read = {name: backlog.make_spans(talk, places[name]) for name, talk in talks.items()}
        last_flag = next((exchange.flag for exchange in reversed(exchanges) if exchange.flag), "")
        return Kept(batch, read, now.isoformat(), last_flag, by_rules=self.by_rules)

    def _list_turns(self, exchanges: Sequence[Exchange]) -> Iterator[Turn]:
        began: dict[tuple[str, str], str] = {}
        with_turns = sorted((item for item in exchanges if item.turns), key=lambda item: item.turns[0].time)
        for exchange in with_turns:
            time = exchange.turns[0].time
            began.setdefault((time[:10], exchange.session), time)

        def order(item: Exchange) -> tuple[str, str, int]:
            return began[item.turns[0].time[:10], item.session], item.session, item.first

        ordered = sorted(with_turns, key=order)
        for number, exchange in enumerate(ordered):
            last = ordered[number - 1] if number else None
            follows = last and (last.session, last.last + 1) == (exchange.session, exchange.first)
            if not follows and exchange.session and not self.by_rules:
                yield from self.unread.list_before(exchange, whole=self.is_alone)
            yield from (replace(turn, asked=self.is_asked(turn)) for turn in exchange.turns)

    def is_asked(self, turn: Turn) -> bool:
        """Return whether a turn of the operator's asks for something outright, or sounds like a correction."""
        if not turn.may_cite:
            return False
        if self._requests_of(turn):
            return True
        routes = {match.route for match in triage(turn.text, self.patterns).matches}
        if self.by_rules:
            return MINER in self.roles and MINER in routes
        return VALIDATOR in self.roles and VALIDATOR in routes

    def read_ground(self, batch: Batch) -> Ground:
        """Return the present state of the workspace that the checks of a batch need."""
        workspace = self.workspace
        texts = {line.id: line.text for line in list_lines(workspace, "memory") if line.status != "superseded"}
        index: Index[str] = Index()
        for name, text in texts.items():
            index.add(name, text)
        rules = in_force.read_rules(record.record for record in View(workspace).corrections())

        def find_same(text: str) -> str:
            return next((name for name in index.near(text) if is_same_note(text, texts[name])), "")

        def find_overruled(text: str) -> str:
            rule = in_force.find_rule(text, rules)
            return f"you corrected that: not '{rule.wrong}' but '{rule.right}'" if rule else ""

        committer = repository.identity(workspace.repo)
        requests = (
            operation.text for n in batch.asked if (turn := batch.turn(n)) for operation in self._requests_of(turn)
        )
        sessions = [summary.session for summary in self.store.sessions()]
        return Ground(
            held=texts,
            direct=frozenset(session.id for session in sessions if session.kind in ("direct", "unknown")),
            groups=frozenset(session.id for session in sessions if session.kind == "group"),
            apart=frozenset(session.id for session in sessions if has_own_soul(workspace, session)),
            requests=frozenset(requests),
            speakers=frozenset((*workspace.called, *(committer[:1] if committer else ()))),
            identity=self._read_identity(batch),
            overruled=find_overruled,
            same=find_same,
        )

    def _requests_of(self, turn: Turn) -> tuple[Operation, ...]:
        if MINER in self.roles:
            return requested_memories.list_operations(turn, self.patterns)
        age = self.workspace.now().date() - turn.day if turn.day else timedelta()
        is_wanted = self.by_rules and (self.unread.start is not None or age.days <= _MAX_ORDER_DAYS)
        return requested_memories.list_orders(turn) if is_wanted else ()

    def _read_identity(self, batch: Batch) -> dict[str, int]:
        """Return how many characters each file of the soul may grow."""
        workspace = self.workspace
        if workspace.config.soul_policy == "locked":
            return {}
        cap = workspace.config.value("soul_max_tokens")
        return {
            path: max(0, workspace.trust.cap(path, cap) - count(workspace.read(path) or "")) * _TOKEN_LETTERS
            for path in {line.file for line in batch.soul}
        }

    def list_requests(self, batch: Batch, decided: Sequence[Decided], answer: Answer) -> tuple[Operation, ...]:
        """Return the requests of the operator's that no operation covers and no reason answers, word for word."""
        if self.by_rules:
            turns = (turn for n in batch.asked if (turn := batch.turn(n)))
            return tuple(operation for turn in turns for operation in self._requests_of(turn))
        if MINER not in self.roles:
            return ()
        fit = [decision.operation for decision in decided if decision.state != "refused"]
        corrects = [operation for operation in fit if operation.act == "correct"]
        open_turns = [turn for n in batch.asked if n not in answer.reasons and (turn := batch.turn(n))]
        return tuple(
            operation
            for turn in open_turns
            for operation in requested_memories.find_uncovered(turn, fit, self.patterns)
            if not any(
                correction.wrong and turn.n < max(correction.turns) and correction.wrong in turn.text
                for correction in corrects
            )
        )
