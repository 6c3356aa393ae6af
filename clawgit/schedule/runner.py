"""Looks at a workspace and runs its due jobs."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents import agents
from clawgit.clock import record_time
from clawgit.errors import ClawgitError, Command, claim_unknown, job_unknown
from clawgit.git import repository
from clawgit.schedule import job_timetable, runner_state
from clawgit.schedule.job_process import Did, Order, Stop, Work
from clawgit.schedule.job_timetable import Every, Kept, Last, Row, Slot, timetable, zone
from clawgit.schedule.runner_state import Claim, Claims, Place
from clawgit.store.database import StateStore
from clawgit.text.spelling import nearest
from clawgit.workspace import config, run_ledger


class RunnerPlan(Struct, frozen=True):
    """The rows, the zone of their times, and the tokens that one run may take."""

    rows: tuple[Row, ...]
    zone: tzinfo
    zone_name: str
    tokens: int


def read_plan(place: Place, environ: Mapping[str, str]) -> RunnerPlan:
    """Return the present plan. Raises ClawgitError with file:line for an unusable value."""
    configuration = config.load_last_readable(repository.find(place.root))
    timezone, name = zone(configuration, environ)
    rows = timetable(configuration, agents.AGENTS)
    return RunnerPlan(rows, timezone, name, int(configuration.value("run_tokens")))


Clock = Callable[[], datetime]
BLIND = 3600.0
"""After so many seconds an interval's job looks for itself, whatever the stamps of files tell."""
HELD_SECONDS = 20.0
"""A slot that another runner has is looked at again after so many seconds."""
_WELL = ("done", "nothing")
RUN_SECONDS = 1800.0


class Ended(Struct, frozen=True):
    """A job that ran: its slot in ISO 8601 ("" if it was run by name), and its outcome."""

    job: str
    last: Last
    did: Did


class WorkspaceRunner:
    """Looks at one workspace, again and again. The caller has the lease.

    After `blind` seconds an interval's job looks for itself, whatever the stamps of files. With `claims` the slots of a
    day or week are shared with the runners of other machines.
    """

    def __init__(
        self,
        place: Place,
        work: Work,
        clock: Clock,
        stop: Stop,
        environ: Mapping[str, str],
        *,
        blind: float = BLIND,
        claims: Claims | None = None,
    ) -> None:
        self.place, self._work, self._clock, self._stop = place, work, clock, stop
        self._environ, self._blind, self._claims = environ, blind, claims
        self._jobs: dict[str, Kept] = {}
        self._unclaimed: ClawgitError | None = None

    def run(self, names: Collection[str] = (), *, early: Collection[str] = ()) -> Iterator[Ended]:
        """Run the due jobs, else those of these names; yield each as it ends.

        Intervals that are named in `early` do not wait for their time. Each run is noted before the next begins. Raises
        ClawgitError if nothing can be done at all.
        """
        now = self._now()
        self.place.require()
        record_time(StateStore(self.place.home), now)
        plan = read_plan(self.place, self._environ)
        before = runner_state.load(self.place.state)
        # A new job is recorded: it runs from now on.
        self._jobs = {**before, **{row.job: job_timetable.note_seen(before.get(row.job), now) for row in plan.rows}}
        needs_save = self._jobs != before
        rows = _choose_rows(plan, names) if names else plan.rows
        # as if these intervals had not been looked at for long; pauses stay
        hurried = {job: replace(record, looked=0.0) if job in early else record for job, record in self._jobs.items()}
        for row, slot in _order(rows, hurried, now, plan, is_requested=bool(names)):
            if self._stop():
                break
            stamp = runner_state.stamp_job(row.job, self.place, self._environ) if isinstance(row.when, Every) else ""
            record = self._jobs[row.job]
            is_same = stamp and stamp == record.stamp and 0 <= now.timestamp() - record.ran < self._blind
            if is_same and not names:
                self._jobs[row.job], needs_save = replace(record, looked=now.timestamp()), True
                continue
            # Several machines may serve one workspace: PostgreSQL decides who has the slot.
            claim = self._claim(row, slot, now)
            if claim is None or (claim.standing == "ours" or names):
                yield self._run_job(row, slot, plan, stamp, claim)
                needs_save = False
            now = self._now()
        if needs_save:
            runner_state.save(self.place.state, self._jobs)

    def next(self) -> float:
        """Return the seconds until the next due job, without writes before; infinite for none."""
        now = self._now()
        _, rows = read_standing(self.place, now, self._environ)
        return max(0.0, min((row.next.timestamp() for row in rows if row.next), default=inf) - now.timestamp())

    def problems(self) -> tuple[ClawgitError, ...]:
        """Return why rows do not run though the operator wants them to."""
        plan = read_plan(self.place, self._environ)
        wrong = {row.problem.message: row.problem for row in plan.rows if row.problem}
        return (*wrong.values(), *filter(None, (self._unclaimed,)))

    def _now(self) -> datetime:
        now = self._clock().astimezone(UTC)
        job_timetable.require_set(now)
        return now

    def _keep(self, job: str, record: Kept) -> None:
        self._jobs[job] = record
        runner_state.save(self.place.state, self._jobs)

    def _claim(self, row: Row, slot: Slot | None, now: datetime) -> Claim | None:
        """Claim a slot that machines share, and note another owner; None if there is none to claim."""
        if self._claims is None or slot is None or not slot.key:
            return None
        try:
            claim, self._unclaimed = self._claims.take(self.place, row.job, slot.key, RUN_SECONDS), None
        except ClawgitError as exc:
            self._unclaimed = claim_unknown(f"nobody can tell whether {row.job} was done: {exc.message}", fix=exc.fix)
            claim = Claim("held")
        record = self._jobs[row.job]
        if claim.standing == "served":
            self._keep(row.job, job_timetable.note_served(record, slot))
        elif claim.standing == "held":
            # It is looked at again after a pause.
            time = now.timestamp()
            record = replace(record, attempts=max(record.attempts, 1), tried=time, retry=time + HELD_SECONDS)
            self._keep(row.job, record)
        return claim

    def _run_job(self, row: Row, slot: Slot | None, plan: RunnerPlan, stamp: str, claim: Claim | None) -> Ended:
        """Do one job, and note how it went, in its record and in the ledger."""
        self.place.require()
        began = self._now()
        record = job_timetable.note_begin(self._jobs[row.job], began)
        # The begin is noted first, so that the attempts count after a kill.
        self._keep(row.job, record)
        order = Order(row.job, str(self.place.root), began.isoformat(), record.since, RUN_SECONDS, plan.tokens)
        did = self._work(order, self._stop)
        if claim:
            self._unclaimed = claim.end(did.result, well=did.result in _WELL)
        now = self._now()
        slot_time = datetime.fromtimestamp(slot.at, plan.zone).isoformat() if slot else ""
        started, ended = (time.astimezone(plan.zone).replace(microsecond=0).isoformat() for time in (began, now))
        last = Last(slot_time, started, ended, did.result, len(did.commits), dict(did.cost), did.error)
        if did.result in _WELL:
            # Without a stamp the job looks again at its next turn.
            record = job_timetable.note_done(record, slot, now, last, "" if did.again else stamp)
        else:
            record = job_timetable.note_failed(record, now, last)
        self._keep(row.job, record)
        if not did.noted and (did.commits or did.result not in ("nothing", "stopped")):
            commits, notes = tuple(did.commits), tuple(did.notes)
            run = run_ledger.Ran(
                row.job, started, ended, committed=commits, notes=notes, usage=did.cost, error=did.error
            )
            with contextlib.suppress(ClawgitError):  # the ledger of a workspace that is gone by now
                run_ledger.note(StateStore(self.place.home), run)
        return Ended(row.job, last, did)


def _order(
    rows: Collection[Row], jobs: Mapping[str, Kept], now: datetime, plan: RunnerPlan, *, is_requested: bool
) -> list[tuple[Row, Slot | None]]:
    """Return the jobs to run: intervals first, then by slot, the earliest first; requested ones all, in their order."""
    pairs = [
        (row, job_timetable.find_due_slot(row.when, jobs[row.job], now, plan.zone) if row.when else None)
        for row in rows
    ]
    if is_requested:
        return pairs
    due = [(not isinstance(row.when, Every), slot.at, row, slot) for row, slot in pairs if slot]
    return [(row, slot) for *_, row, slot in sorted(due, key=lambda entry: entry[:2])]


def _choose_rows(plan: RunnerPlan, names: Collection[str]) -> list[Row]:
    """Return the rows of these names, in the order of the timetable. Raises UsageError that names the nearest."""
    job_names = [row.job for row in plan.rows]
    for name in names:
        if name not in job_names:
            matches = nearest(name, job_names, 1) or job_names
            raise job_unknown(
                f"there is no job {name}",
                fix=Command("clawgit schedule run --once {}", matches[0], note="all: clawgit schedule status"),
            )
    return [row for row in plan.rows if row.job in names]


def tell_new(
    messages: frozenset[str], problems: Iterable[ClawgitError], tell: Callable[[ClawgitError], object]
) -> frozenset[str]:
    """Report errors that were not reported since a look found none, and return all reported ones."""
    trouble = {error.message: error for error in problems}
    for words in trouble.keys() - messages:
        tell(trouble[words])
    return messages | trouble.keys() if trouble else frozenset()


class Standing(Struct, frozen=True):
    """A row with its record, and its next run; None for none."""

    row: Row
    kept: Kept
    next: datetime | None


def read_standing(place: Place, now: datetime, environ: Mapping[str, str]) -> tuple[RunnerPlan, tuple[Standing, ...]]:
    """Return the plan and the state of its rows; nothing is written, and no lease is needed.

    Raises ClawgitError if the clock has not been set.
    """
    job_timetable.require_set(now)
    plan, records = read_plan(place, environ), runner_state.load(place.state)
    rows = []
    for row in plan.rows:
        record = job_timetable.note_seen(records.get(row.job), now)
        timestamp = job_timetable.find_next_run(row.when, record, now, plan.zone) if row.when else None
        rows.append(Standing(row, record, None if timestamp is None else datetime.fromtimestamp(timestamp, plan.zone)))
    return plan, tuple(rows)
