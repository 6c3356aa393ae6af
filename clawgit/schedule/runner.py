"""Looks at a workspace: what is due is done."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from math import inf
from threading import Event

import schedule
from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents import agents
from clawgit.errors import ClawgitError, Command, claim_unknown, job_unknown, system_error
from clawgit.git import repository
from clawgit.schedule import job_timetable, runner_state
from clawgit.schedule.job_order import Did, Order
from clawgit.schedule.job_process import Stop, Work
from clawgit.schedule.job_timetable import Every, Kept, Last, Row, Slot, timetable, zone
from clawgit.schedule.runner_state import GoneError, Place
from clawgit.schedule.slot_claims import Claim, Claims
from clawgit.store.database import StateStore
from clawgit.text.spelling import nearest
from clawgit.workspace import config, run_ledger
from clawgit.workspace.clock import note


class Plan(Struct, frozen=True):
    """The rows, the zone that their times are meant in, and what one run may take."""

    rows: tuple[Row, ...]
    zone: tzinfo
    zone_name: str
    seconds: float
    tokens: int
    quiet: float


def read(place: Place, environ: Mapping[str, str]) -> Plan:
    """Return the plan as it is now. Raises ClawgitError with file:line for what cannot be used."""
    found = config.load_last_readable(repository.find(place.root))
    here, name = zone(found, environ)
    rows = timetable(found, agents.AGENTS)
    value = found.value
    most = float(value("run_seconds")), int(value("run_tokens"))
    return Plan(rows, here, name, *most, found.value("capture_quiet_seconds"))


Clock = Callable[[], datetime]
BLIND = 3600.0
"""After so many seconds an interval's job looks for itself, whatever the stamps of files tell."""
HELD_SECONDS = 20.0
"""A slot that another runner has is looked at again after so many seconds."""
_WELL = ("done", "nothing")


class Ended(Struct, frozen=True):
    """A job that ran: its slot in ISO 8601 ("" where it was asked for by name), and what it came to."""

    job: str
    last: Last
    did: Did


class Turn:
    """Looks at one workspace, again and again. Whoever calls it holds the lease.

    After `blind` seconds an interval's job looks for itself, whatever the stamps of files tell. With `claims` the slots
    of a day or week are shared with the runners of other machines.
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
        """Do what is due, else the jobs of these names; yield each as it ends.

        Intervals that are named in `early` do not wait for their time. What ran is noted before the next begins. Raises
        ClawgitError where nothing can be done at all.
        """
        now = self._now()
        self.place.require()
        note(StateStore(self.place.home), now)
        plan = read(self.place, self._environ)
        self._note_new(plan, now)
        chosen = _named(plan, names) if names else plan.rows
        # as if these intervals had not been looked at for long; pauses stay
        hurried = {job: replace(one, looked=0.0) if job in early else one for job, one in self._jobs.items()}
        passed = False
        for row, slot in _order(chosen, hurried, now, plan, asked=bool(names)):
            if self._stop():
                break
            stamp = runner_state.stamp(row.job, self.place, self._environ) if isinstance(row.when, Every) else ""
            known = self._jobs[row.job]
            is_same = stamp and stamp == known.stamp and 0 <= now.timestamp() - known.ran < self._blind
            if is_same and not names:
                self._jobs[row.job], passed = job_timetable.looked(known, now), True
                continue
            claim = self._claim(row, slot, plan, now)
            if claim is None or (claim.standing == "ours" or names):
                yield self._one(row, slot, plan, stamp, claim)
            now = self._now()
        if passed:
            runner_state.save(self.place.state, self._jobs)

    def next(self) -> float:
        """Return in how many seconds something is due, if nothing is written before; infinite where nothing is."""
        now = self._now()
        _, rows = standing(self.place, now, self._environ)
        return max(0.0, min((row.next.timestamp() for row in rows if row.next), default=inf) - now.timestamp())

    def problems(self) -> tuple[ClawgitError, ...]:
        """Return why rows do not run though the operator wants them to."""
        plan = read(self.place, self._environ)
        wrong = {row.problem.message: row.problem for row in plan.rows if row.problem}
        return (*wrong.values(), *filter(None, (self._unclaimed,)))

    def _now(self) -> datetime:
        now = self._clock().astimezone(UTC)
        job_timetable.require_set(now)
        return now

    def _note_new(self, plan: Plan, now: datetime) -> None:
        """Load what is kept of each job. One that is seen for the first time is noted: it runs from now on."""
        before = runner_state.load(self.place.state)
        self._jobs = {**before, **{row.job: job_timetable.seen(before.get(row.job), now) for row in plan.rows}}
        if self._jobs != before:
            runner_state.save(self.place.state, self._jobs)

    def _keep(self, job: str, kept: Kept) -> None:
        self._jobs[job] = kept
        runner_state.save(self.place.state, self._jobs)

    def _claim(self, row: Row, slot: Slot | None, plan: Plan, now: datetime) -> Claim | None:
        """Claim a slot that machines share, and note whose it is otherwise; None where there is none to claim."""
        if self._claims is None or slot is None or not slot.key:
            return None
        try:
            claim, self._unclaimed = self._claims.take(self.place, row.job, slot.key, plan.seconds), None
        except ClawgitError as exc:
            self._unclaimed = claim_unknown(f"nobody can tell whether {row.job} was done: {exc.message}", fix=exc.fix)
            claim = Claim("held")
        if claim.standing == "served":
            self._keep(row.job, job_timetable.served(self._jobs[row.job], slot))
        elif claim.standing == "held":
            self._keep(row.job, job_timetable.held(self._jobs[row.job], now, HELD_SECONDS))
        return claim

    def _one(self, row: Row, slot: Slot | None, plan: Plan, stamp: str, claim: Claim | None) -> Ended:
        """Do one job, and note how it went."""
        self.place.require()
        began = self._now()
        kept = job_timetable.begun(self._jobs[row.job], began)
        self._keep(row.job, kept)
        order = Order(row.job, str(self.place.root), began.isoformat(), kept.since, plan.seconds, plan.tokens)
        did = self._work(order, self._stop)
        if claim:
            self._unclaimed = claim.end(did.result, well=did.result in _WELL)
        now = self._now()
        named = datetime.fromtimestamp(slot.at, plan.zone).isoformat() if slot else ""
        last = Last(named, _iso(began, plan), _iso(now, plan), did.result, len(did.commits), dict(did.cost), did.error)
        if did.result in _WELL:
            kept = job_timetable.ended(kept, slot, now, last, "" if did.again else stamp)
        else:
            kept = job_timetable.failed(kept, now, last)
        self._keep(row.job, kept)
        self._note(row.job, last, did)
        return Ended(row.job, last, did)

    def _note(self, job: str, last: Last, did: Did) -> None:
        """Note a run in the ledger, unless it noted itself or there was nothing to do."""
        if did.noted or (did.result in ("nothing", "stopped") and not did.commits):
            return
        ran = run_ledger.Ran(
            job,
            last.started,
            last.ended,
            committed=tuple(did.commits),
            notes=tuple(did.notes),
            usage=did.cost,
            error=did.error,
        )
        with contextlib.suppress(ClawgitError):  # the ledger of a workspace that is gone by now
            run_ledger.note(StateStore(self.place.home), ran)


def _iso(moment: datetime, plan: Plan) -> str:
    return moment.astimezone(plan.zone).replace(microsecond=0).isoformat()


def _order(
    rows: Collection[Row], jobs: Mapping[str, Kept], now: datetime, plan: Plan, *, asked: bool
) -> list[tuple[Row, Slot | None]]:
    """Return what is to run: intervals first, then by slot, the earliest first; of those asked for all, as asked."""
    found = [(row, job_timetable.due(row.when, jobs[row.job], now, plan.zone) if row.when else None) for row in rows]
    if asked:
        return found
    due = [(not isinstance(row.when, Every), slot.at, row, slot) for row, slot in found if slot]
    return [(row, slot) for *_, row, slot in sorted(due, key=lambda one: one[:2])]


def _named(plan: Plan, names: Collection[str]) -> list[Row]:
    """Return the rows of these names, in the order of the timetable. Raises UsageError that names the nearest."""
    known = [row.job for row in plan.rows]
    for name in names:
        if name not in known:
            near = nearest(name, known, 1) or known
            raise job_unknown(
                f"there is no job {name}",
                fix=Command("clawgit schedule once {}", near[0], note="all: clawgit schedule status"),
            )
    return [row for row in plan.rows if row.job in names]


TICK = 30.0
"""Seconds between two looks."""


def run(
    turn: Turn,
    stop: Event,
    ended: Callable[[Ended], object],
    trouble: Callable[[ClawgitError], object],
    tick: float = TICK,
) -> None:
    """Do what is due, now and every `tick` seconds, until `stop` is set.

    A job that `ended`, and the `trouble` of a workspace that cannot be run as it is, are told. Raises GoneError when
    the workspace is gone.
    """
    told = frozenset[str]()  # the trouble that was told last, so that it is told once

    def look() -> None:
        nonlocal told
        found: tuple[ClawgitError, ...]
        try:
            for one in turn.run():
                ended(one)
            found = turn.problems()
        except GoneError:
            raise
        except ClawgitError as exc:
            found = (exc,)
        except OSError as exc:
            words = f"{exc.filename or turn.place.root}: {exc.strerror}"
            found = (system_error(words, fix=Command("df -h", note="or: mount")),)
        told = tell_new(told, found, trouble)

    # Only the rhythm is the library's: what is due is told by what was noted.
    scheduler = schedule.Scheduler()
    scheduler.every(tick).seconds.do(look)  # type: ignore[arg-type] # it takes parts of a second, too
    scheduler.run_all()
    while not stop.is_set():
        scheduler.run_pending()
        idle = scheduler.idle_seconds
        if idle is None or idle > tick:  # the machine's clock was put back, and the library waits for it to return
            scheduler.run_all()
        else:
            stop.wait(max(idle, 0.0))


def tell_new(
    told: frozenset[str], found: Iterable[ClawgitError], tell: Callable[[ClawgitError], object]
) -> frozenset[str]:
    """Tell of the trouble that was not told since a look found none, and return all that is told by now."""
    trouble = {error.message: error for error in found}
    for words in trouble.keys() - told:
        tell(trouble[words])
    return told | trouble.keys() if trouble else frozenset()


class Standing(Struct, frozen=True):
    """A row with what is kept of it, and when it runs next; None where it does not."""

    row: Row
    kept: Kept
    next: datetime | None


def standing(place: Place, now: datetime, environ: Mapping[str, str]) -> tuple[Plan, tuple[Standing, ...]]:
    """Return the plan and how its rows stand; nothing is written, and no lease is needed.

    Raises ClawgitError where the clock has not been set.
    """
    job_timetable.require_set(now)
    found, known = read(place, environ), runner_state.load(place.state)
    rows = []
    for row in found.rows:
        kept = job_timetable.seen(known.get(row.job), now)
        at = job_timetable.following(row.when, kept, now, found.zone) if row.when else None
        rows.append(Standing(row, kept, None if at is None else datetime.fromtimestamp(at, found.zone)))
    return found, tuple(rows)
