"""Decides on an answer: checks, one repair, one judgement."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.agents.protocol import checked_operation, conflict_operations, existing_statements, requested_memories
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.check_result import Checked
from clawgit.agents.protocol.kept_batches import Kept
from clawgit.agents.protocol.operations import OPERATIONS, Answer, Operation
from clawgit.agents.protocol.prompt_text import Exchange as Talking
from clawgit.llm.model import ModelError
from clawgit.messages.patterns import MINER, Pattern
from clawgit.workspace import waiting_batches
from clawgit.workspace.workspace import Workspace

Say = Callable[[str, str, int], str]
"""Asks a voice a short question: the rules it is told, the material, how many tokens an answer may have."""
POOR = "most of what this model said of the last three batches was refused: so it waits"


class Judge(Protocol):
    """Checks what a reader proposes; without a voice `say` is None."""

    def check(self, batch: Batch, answer: Answer) -> Sequence[Checked]:
        """Return what code says of each operation."""

    def support(self, batch: Batch, found: Sequence[Checked], say: Say | None) -> Sequence[Checked]:
        """Return it once it is judged whether the cited words bear it out. Raises ModelError where the voice fails."""


class Part(Struct):
    """A batch of one agent, and its share of an answer; `found` is what is said of its operations so far."""

    kept: Kept
    judge: Judge
    answer: Answer
    found: list[Checked] = field(default_factory=list)
    reasons: dict[int, str] = field(default_factory=dict)

    @property
    def batch(self) -> Batch:
        """What was read."""
        return self.kept.batch

    @property
    def refused(self) -> list[tuple[Operation, str]]:
        """What does not fit, with the reason."""
        return [(one.operation, one.why) for one in self.found if one.state == "refused"]

    @property
    def mendable(self) -> list[tuple[Operation, str]]:
        """What is worth being said again: what does not fit, and of whose turns nothing else that fits tells."""
        fit = [set(one.operation.turns) for one in self.found if one.state != "refused"]

        def said(one: Operation) -> bool:
            """Return whether its turns are told by operations of these alone: one that cites more speaks of more."""
            wanted = set(one.turns)
            return wanted <= {n for turns in fit if turns <= wanted for n in turns}

        return [(one, why) for one, why in self.refused if not said(one)]

    @property
    def open(self) -> list[int]:
        """The turns that must have an operation or a reason, and have neither."""
        had = {*self._had(), *self.reasons}
        return [n for n in self.batch.must if n not in had and not self.corrected(n)]

    def corrected(self, n: int) -> bool:
        """Return whether a later turn corrects this one: the right value is kept, and not the wrong one."""
        turn = self.batch.turn(n)
        fit = (one.operation for one in self.found if one.state != "refused" and one.operation.act == "correct")
        return any(turn and n < max(one.turns) and existing_statements.stands(one.wrong, turn.text) for one in fit)

    def _had(self) -> set[int]:
        return {n for one in self.found if one.state != "refused" for n in one.operation.turns}

    def take(self, answer: Answer) -> None:
        """Check what is answered, and keep what was not said before."""
        self.reasons |= answer.reasons
        for one in self.judge.check(self.batch, answer):
            if not any(one.operation == other.operation for other in self.found):
                self.found.append(one)

    def dropped(self) -> dict[int, str]:
        """Return the reasons for which nothing comes of a turn that asks for something."""
        had = self._had()
        return {n: why for n, why in self.reasons.items() if n in self.batch.must and n not in had}


def share(answer: Answer, agents: Sequence[str]) -> list[Answer]:
    """Return the share of each agent in an answer: an operation is the first one's that may propose it."""
    found: list[Answer] = []
    taken: set[int] = set()
    for agent in agents:
        mine = {at for at, one in enumerate(answer.operations) if one.act in OPERATIONS[agent]} - taken
        taken |= mine
        operations = tuple(one for at, one in enumerate(answer.operations) if at in mine)
        found.append(Answer(operations, answer.reasons, answer.problems if agent == agents[0] else ()))
    return found


def decide(
    workspace: Workspace, parts: Sequence[Part], talking: Talking | None, patterns: Sequence[Pattern]
) -> list[Kept]:
    """Return the batches with what is decided on each operation; one call each repairs and judges all of them.

    Raises ModelError where the voice fails to judge.
    """
    for part in parts:
        part.take(part.answer)
    problems: Sequence[str] = [problem for part in parts for problem in part.answer.problems]
    if talking and (problems or any(part.mendable or part.open for part in parts)):
        again = _again(parts, talking, problems)
        # The repair replaces what could not be read: only what is unreadable in it counts.
        problems = again.problems
        for part, answer in zip(parts, share(again, [one.batch.agent for one in parts]), strict=True):
            part.take(answer)
    _support(parts, talking)
    name = talking.name if talking else "a reader"
    first, *others = (_settled(workspace, part, name, patterns) for part in parts)
    return [replace(first, unreadable=tuple(problems)), *others]


def _again(parts: Sequence[Part], talking: Talking, problems: Sequence[str]) -> Answer:
    refused = [one for part in parts for one in part.mendable]
    open_ = sorted({n for part in parts for n in part.open})
    try:
        return talking.again([part.batch for part in parts], refused, problems, open_)
    except ModelError:
        return Answer(problems=tuple(problems))  # what fits already lands all the same


def _support(parts: Sequence[Part], talking: Talking | None) -> None:
    """Have one call judge what the parts claim: the claims of all of them, each with its twin."""
    if not parts:
        return
    first = parts[0]
    every = [one for part in parts for one in part.found]
    judged = list(first.judge.support(first.batch, every, talking.say if talking else None))
    for part in parts:
        part.found, judged = judged[: len(part.found)], judged[len(part.found) :]
    rules = [rule for part in parts for one in part.found if (rule := existing_statements.rule(one, part.batch))]
    for part in parts:
        part.found = [existing_statements.corrected_beside(one, rules) for one in part.found]


def _settled(workspace: Workspace, part: Part, name: str, patterns: Sequence[Pattern]) -> Kept:
    batch = part.batch
    poor = sum(one.state == "refused" for one in part.found) > len(part.found) / 2
    if waiting_batches.fails(workspace.store, batch.agent, name):
        part.found = [replace(one, state="waits", why=POOR) if one.state == "fits" else one for one in part.found]
    part.found += conflict_operations.left_open(batch, part.found, frozenset(part.reasons))
    netted, waits = _netted(part, patterns)
    part.found += netted
    decisions = tuple(checked_operation.of(n, one) for n, one in enumerate(part.found))
    return replace(part.kept, decided=decisions, waits=waits, dropped=part.dropped(), voice=name, out=False, poor=poor)


def _netted(part: Part, patterns: Sequence[Pattern]) -> tuple[list[Checked], dict[int, str]]:
    """Return what the net makes of requests that nothing says: their own sentence; and why it makes nothing."""
    netted: list[Checked] = []
    waits: dict[int, str] = {}
    for n, own in _requests(part, patterns).items():
        checked = part.judge.support(part.batch, part.judge.check(part.batch, Answer(own)), None) if own else ()
        fit = [one for one in checked if one.state != "refused"]
        netted += [replace(one, why=one.why or "in the operator's own words") for one in fit]
        if len(fit) < max(1, len(own)):
            refused = next((one.why for one in checked if one.state == "refused"), "")
            waits[n] = refused or "it got neither an operation nor a reason"
    return netted, waits


def _requests(part: Part, patterns: Sequence[Pattern]) -> Mapping[int, tuple[Operation, ...]]:
    """Return what must have something and has nothing, by turn; () where the request has no words of its own."""
    open_ = part.open
    left: dict[int, tuple[Operation, ...]] = dict.fromkeys(open_, ())
    if part.batch.agent != MINER:
        return left
    for n in part.batch.must:
        turn = part.batch.turn(n)
        own = [one.operation for one in part.found if one.state != "refused" and n in one.operation.turns]
        free = n not in part.reasons and not part.corrected(n)
        some = requested_memories.uncovered(turn, own, patterns) if turn and free else ()
        if some or n in open_:
            left[n] = some
    return left
