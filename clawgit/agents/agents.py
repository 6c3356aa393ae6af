"""The agents, each built with what it needs."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from clawgit.agents import (
    contradicted_lines,
    decay_engine,
    memory_compactor,
    miner,
    organizer,
    recall_validation,
    recall_validator,
    retry_lessons,
    soul_keeper,
)
from clawgit.agents.compacting import narration
from clawgit.agents.detecting import conflict_findings, contradiction, past_statements
from clawgit.agents.detecting.conflict_decisions import Corrections, Dated, decide
from clawgit.agents.detecting.contradiction import Held, Pool, clashing
from clawgit.agents.protocol import prompt_text
from clawgit.agents.protocol.line_claims import AskedOnce, asked_once
from clawgit.agents.reading_by_rules import ByRules
from clawgit.agents.running import Agent, Learnt, Proposal, Result, View
from clawgit.errors import Command, agent_unknown
from clawgit.llm.model import Budget
from clawgit.messages.pattern_cache import known
from clawgit.sessions.chat_store import ChatStore
from clawgit.text.entry import digest
from clawgit.text.sameness.note_reading import Known
from clawgit.text.spelling import nearest
from clawgit.workspace import file_roles, rendered_views, run_ledger
from clawgit.workspace.workspace import Workspace

if TYPE_CHECKING:
    from clawgit.agents.reading_by_rules import Reader


AGENTS: Mapping[str, str] = {
    "memory-miner": "Keeps what will still matter in a month, from conversations and flagged messages.",
    "soul-keeper": "Edits the soul, a line at a time, from what the operator says of the agent's conduct.",
    "recall-validator": "Puts right what the operator corrects, and keeps a record of it.",
    "conflict-detector": "Finds memories that contradict each other, and decides where a rule says which holds.",
    "organizer": "Sorts what is remembered by class, with a term, and keeps the index.",
    "decay-engine": "Has facts leave for the archive when their term is over.",
    "lessons": "Notes which calls of tools failed, and what worked instead.",
    "memory-compactor": "Moves old journals into a chronicle, and has what faded leave the memory file.",
}
"""What each does, in a sentence; by name, so that whoever only lists them loads none."""


def find(name: str) -> str:
    """Return the name of an agent. Raises UsageError that names the nearest."""
    if name not in AGENTS:
        near = nearest(name, AGENTS, 1) or list(AGENTS)
        raise agent_unknown(
            f"there is no agent {name}", fix=Command("clawgit run {}", near[0], note="clawgit run --list names all")
        )
    return name


def agent(
    workspace: Workspace,
    store: ChatStore,
    name: str,
    *,
    start: float | None = None,
    path: str | None = None,
    budget: Budget | None = None,
    applying: bool = True,
) -> Agent:
    """Return the agent called `name`.

    `start` has it look at what is from then on (seconds since 1970), whatever was read before; `path` is the soul that
    the soul keeper keeps; `budget` is what it may ask of a model (`run_tokens` of CONFIG.md unless given); `applying`
    tells that its proposals are to be written.
    """
    asking = Asking(workspace, name, budget or Budget(int(workspace.config.value("run_tokens"))))
    built: Mapping[str, Callable[[], Agent]] = {
        miner.NAME: lambda: miner.MemoryMiner(store, asking.reader(), start=start),
        soul_keeper.NAME: lambda: soul_keeper.SoulKeeper(store, path=path or "SOUL.md", start=start),
        recall_validator.NAME: lambda: recall_validation.agent(workspace, store, start),
        NAME: lambda: ConflictDetector(start=_moment(workspace, start)),
        organizer.NAME: lambda: organizer.Organizer(asking.voice(), asking.told()),
        decay_engine.NAME: decay_engine.DecayEngine,
        retry_lessons.NAME: lambda: retry_lessons.RetryLessons(
            store, start=start, say=asking.voice(), told=asking.told()
        ),
        memory_compactor.NAME: lambda: _compactor(workspace, asking, applying=applying),
    }
    return built[name]()


def _moment(workspace: Workspace, start: float | None) -> datetime | None:
    return None if start is None else datetime.fromtimestamp(start, workspace.now().tzinfo)


def _compactor(workspace: Workspace, asking: "Asking", *, applying: bool) -> memory_compactor.MemoryCompactor:
    plan = memory_compactor.of_config(workspace.config)
    patterns = known(workspace.root, workspace.state.parent / "cache").patterns
    voice = asking.voice()
    return memory_compactor.MemoryCompactor(plan, asking.teller(voice), applying=applying, say=voice, patterns=patterns)


def settle(workspace: Workspace, ran: Agent, result: Result) -> list[str]:
    """Do what an agent leaves to be done when it has run; return notes for people."""
    if isinstance(ran, soul_keeper.SoulKeeper) and any(one.commit for _, one in result.applied):
        return [soul_keeper.NOT_YET]
    if isinstance(ran, miner.MemoryMiner):
        return recall_validation.retry(workspace, ran.store) if result.applied else []
    if ran.name == memory_compactor.NAME:
        return rendered_views.render(workspace) if result.applied else []
    return recall_validation.settle(workspace, ran) if isinstance(ran, recall_validator.RecallValidator) else []


class Asking:
    """What an agent asks: the model that is configured, else rules."""

    def __init__(self, workspace: Workspace, name: str, budget: Budget) -> None:
        self._workspace, self._name, self._budget = workspace, name, budget

    def reader(self) -> "Reader":
        """Return what reads messages: where a voice reads, it reads batches, and this is not asked."""
        return ByRules(self._workspace)

    def voice(self) -> AskedOnce | None:
        """Return the voice, None where rules do without."""
        return asked_once(self._workspace, self._budget)

    def told(self) -> str:
        """Return what the agent is told to do."""
        return prompt_text.instructions(self._workspace, self._name)[0]

    def teller(self, voice: AskedOnce | None) -> narration.Teller:
        """Return what tells journals."""
        if voice is None:
            return narration.OwnWords()
        return narration.ByVoice(voice, int(self._workspace.config.value("batch_tokens")), self.told())


NAME = contradicted_lines.DETECTOR
_WINDOW = timedelta(hours=24)
_NEAR = 20


Found = tuple[Held, Held, tuple[str, ...]]


class ConflictDetector:
    """Holds what changed against what is like it, and proposes one change for each contradiction (spec P4).

    What changed since `start` is looked at, else what changed in 24 hours, or since the last run where that is longer
    ago.
    """

    name = NAME
    notes: tuple[str, ...] = ()

    def __init__(self, *, start: datetime | None = None) -> None:
        self._start = start
        self.usage: Mapping[str, float] = {}

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield a proposal for each contradiction, and before them for moot records and for what was corrected."""
        since = self._start or _since(view.workspace, now)
        paths = contradiction.places(view.workspace, min(now - contradiction.JOURNALS, since).date())
        pool = Pool(view, paths)
        every = [one for one in pool if one.in_force]
        before = contradiction.old(view.workspace, paths, since)
        changed = [number for number, one in enumerate(every) if digest(one.entry.text) not in before]
        settled, skipped = past_statements.settled(view), Counter[str]()
        if moot := past_statements.closing(view, now, NAME):
            yield Proposal(moot)
        if said := contradicted_lines.out_of_force(view, (now - contradiction.JOURNALS).date()):
            yield Proposal(said)
        yield Proposal(read=len(changed))
        back = contradicted_lines.taken_back(view)
        for one, other, why in self._pairs(changed, every, settled, skipped):
            standing = [found for held in (one, other) if (found := pool.find(view, held))]
            if standing[1:]:
                proposal = _proposal(view, standing, why, now, back)
                if proposal is None:
                    skipped["taken back before"] += 1
                    continue
                if proposal.change:
                    pool.left(proposal.change)
                yield proposal
            else:
                skipped["superseded meanwhile"] += 1
        yield Proposal(skipped=dict(skipped))

    def _pairs(
        self, changed: Iterable[int], every: Sequence[Held], settled: Mapping[str, str], skipped: Counter[str]
    ) -> Iterator[Found]:
        """Yield the pairs that contradict each other and were neither settled nor recorded before."""
        told_of, near = [one.told for one in every], Known[int]()
        for number, text in enumerate(told_of):
            near.add(number, text)
        seen: set[tuple[int, int]] = set()
        told: set[str] = set()
        for number in changed:
            for other in near.near(told_of[number], _NEAR):
                both = min(number, other), max(number, other)
                if number == other or both in seen:
                    continue
                seen.add(both)
                judged = clashing(every[number], every[other])
                if not judged.contradicts:
                    skipped["alike, no contradiction"] += judged.alike
                    continue
                name = conflict_findings.pair(every[number].key, every[other].key)
                if name in settled:
                    skipped[settled[name]] += 1
                elif name not in told:
                    told.add(name)
                    yield every[number], every[other], judged.reasons


def _since(workspace: Workspace, now: datetime) -> datetime:
    """Return from when on changes are looked at: nothing is passed over because a day's run was missed."""
    done = (one.started for one in run_ledger.ledger(workspace.state) if one.agent == NAME and not one.error)
    last = max((datetime.fromisoformat(one) for one in done), default=now)
    return min(last, now - _WINDOW)


def _proposal(
    view: View, some: Iterable[Held], why: tuple[str, ...], now: datetime, back: Collection[tuple[str, str]]
) -> Proposal | None:
    """Return what comes of a pair; None where a correction decides it and somebody took that `back` before."""
    dated = (Dated(one, contradiction.dated(view.workspace, one)) for one in some)
    older, newer = sorted(dated, key=lambda one: (one.day, one.held.path, one.held.entry.start))
    decision = decide(older, newer, Corrections(view.corrections))
    sides = {(one.held.path, digest(one.held.entry.text)) for one in (older, newer)}
    if decision.rule == "correction" and not sides.isdisjoint(back):
        return None
    record = conflict_findings.record(older, newer, why, decision, now, NAME)
    change = conflict_findings.change(view, record, older, newer, decision, NAME)
    told = f"{record.a.text} / {record.b.text}"
    learnt = Learnt(told, file_roles.CONFLICTS, "", "note", record.id, change.evidence[1], older.held.row.id)
    return Proposal(change, (learnt,))
