"""Puts a batch together."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.explicit_requests import extract
from clawgit.agents.protocol import prompt_text, surroundings
from clawgit.agents.protocol.batch import Batch, Turn
from clawgit.agents.protocol.unread_turns import OVERHEAD, Exchange, Unread
from clawgit.agents.running import View
from clawgit.messages.patterns import MINER, VALIDATOR, Pattern
from clawgit.messages.triage import triage
from clawgit.text.tokens import count
from clawgit.workspace import file_roles
from clawgit.workspace.workspace import Workspace

_FILLED = 0.85
"""What of a batch its turns may take; the rest is for what stands already."""
_LEAST, _LITTLE = 2_000, 400


class Gathered(Struct, frozen=True):
    """A batch, and what was read when it is answered: places by session, the last flag, and the exchanges themselves.

    `notes` are sentences for people.
    """

    batch: Batch
    read: Mapping[str, frozenset[int]]
    answered: str
    exchanges: tuple[Exchange, ...]
    notes: tuple[str, ...] = ()


class Gatherer(Struct, frozen=True):
    """Makes batches for an agent; `path` is the soul that it keeps, `spare` the tokens that it leaves to another."""

    workspace: Workspace
    agent: str
    patterns: Sequence[Pattern]
    path: str = file_roles.SOUL
    spare: int = 0

    def share(self, coming: Iterable[Exchange]) -> Iterator[tuple[Exchange, ...]]:
        """Yield exchanges by the batch: as many as its tokens hold, at least one; those without turns cost nothing."""
        room = self._room()
        some: list[Exchange] = []
        size = 0
        for one in coming:
            if size and size + one.tokens > room:
                yield tuple(some)
                some, size = [], 0
            some.append(one)
            size += one.tokens
        if some:
            yield tuple(some)

    def gather(self, exchanges: Sequence[Exchange], unread: Unread) -> Gathered:
        """Return the batch of these exchanges, in the order of time: what is flagged is marked, and not torn out."""
        read: defaultdict[str, set[int]] = defaultdict(set)
        for one in exchanges:
            if one.session:
                read[one.session].update(range(one.first, one.last + 1))
        answered = next((exchange.flag for exchange in reversed(exchanges) if exchange.flag), "")
        turns = tuple(self._turns(exchanges, unread))
        told, note = prompt_text.instructions(self.workspace, self.agent)
        view = View(self.workspace)
        now = self.workspace.now()
        keeper, miner = self.agent == "soul-keeper", self.agent == MINER
        likeness = "correction_similarity" if self.agent == VALIDATOR else "dedupe_similarity"
        batch = Batch(
            self.agent,
            told,
            now.date().isoformat(),
            str(now.tzinfo or ""),
            turns,
            tuple(turn.n for turn in turns if turn.priority) if self.agent in (MINER, VALIDATOR) else (),
            () if keeper else surroundings.entries(self.workspace, turns, self._rest(turns), likeness),
            surroundings.sections(self.workspace) if miner else {},
            surroundings.corrections(view),
            surroundings.waiting(self.workspace),
            surroundings.observations(self.workspace.store, self.agent) if keeper else (),
            surroundings.soul(self.workspace, self.path) if keeper else (),
            surroundings.room(self.workspace) if miner else None,
        )
        places = {name: frozenset(some) for name, some in read.items()}
        return Gathered(batch, places, answered, tuple(exchanges), (note,) if note else ())

    def wants(self, exchange: Exchange) -> bool:
        """Return whether an exchange is for this agent: the validator is called by triage, the others hear all.

        The miner corrects what it hears by the way.
        """
        said = [turn for turn in exchange.turns if turn.may_cite]
        if self.agent != VALIDATOR:
            return bool(said)
        return any(self._routes(one) & {VALIDATOR} for one in said)

    def _whole(self) -> int:
        """Return the tokens of a batch without what is the same in each."""
        told, _ = prompt_text.instructions(self.workspace, self.agent)
        whole = int(self.workspace.config.value("batch_tokens"))
        return whole - count(told) - count(prompt_text.answering(self.agent)) - self.spare

    def _room(self) -> float:
        return max(_LEAST, _FILLED * self._whole())

    def _rest(self, turns: Sequence[Turn]) -> float:
        """Return the tokens that these turns leave for what stands already."""
        return max(_LITTLE, (self._whole() - sum(count(turn.text) + OVERHEAD for turn in turns)) * _FILLED)

    def _turns(self, exchanges: Sequence[Exchange], unread: Unread) -> Iterator[Turn]:
        n = 0
        ordered = sorted((exchange for exchange in exchanges if exchange.turns), key=_order)
        for at, one in enumerate(ordered):
            last = ordered[at - 1] if at else None
            follows = last and (last.session, last.last + 1) == (one.session, one.first)
            before = () if follows or not one.session else unread.before(one, whole=self.agent == VALIDATOR)
            for turn in (*before, *one.turns):
                n += 1
                yield replace(turn, n=n, priority=turn not in before and self._flags(turn))

    def _flags(self, turn: Turn) -> bool:
        if self._routes(turn) & ({VALIDATOR} if self.agent == VALIDATOR else {MINER}):
            return True
        return self.agent == MINER and turn.may_cite and bool(extract(turn.text).findings)

    def _routes(self, turn: Turn) -> set[str]:
        found = triage(turn.text, self.patterns) if turn.may_cite else None
        return {match.route for match in found.matches} if found else set()


def _order(one: Exchange) -> tuple[str, str, int]:
    """Return what orders exchanges: by day, and of a day each session in one piece, as it was spoken."""
    return one.turns[0].time[:10], one.session, one.first
