"""The conflict detector: finds memories that contradict each other."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from clawgit.agents import contradicted_lines
from clawgit.agents.detecting import conflict_findings, contradiction, past_statements
from clawgit.agents.detecting.conflict_decisions import Corrections, Dated, decide
from clawgit.agents.detecting.contradiction import Held, Pool, clashing
from clawgit.agents.running import Learnt, Proposal, View
from clawgit.text.entry import digest
from clawgit.text.sameness.note_reading import Known
from clawgit.workspace import file_roles, run_ledger
from clawgit.workspace.workspace import Workspace

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
    done = (one.started for one in run_ledger.ledger(workspace.store) if one.agent == NAME and not one.error)
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
