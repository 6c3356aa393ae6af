"""One look at a workspace: what is due is done."""

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime

from msgspec import Struct

from clawgit.errors import ClawgitError, UsageError
from clawgit.schedule import due, kept, stamps
from clawgit.schedule.due import Kept, Last
from clawgit.schedule.hand import Stop, Work
from clawgit.schedule.order import Did, Order
from clawgit.schedule.place import Place
from clawgit.schedule.plan import Plan, Reading
from clawgit.schedule.slots import Every, Slot
from clawgit.schedule.timetable import Row
from clawgit.text.similarity import nearest
from clawgit.workspace import machine_clock, runs

Clock = Callable[[], datetime]
BLIND = 3600.0
"""After so many seconds an interval's job looks for itself, whatever the stamps of files tell."""
_WELL = ("done", "nothing", "capped")


class Ended(Struct, frozen=True):
    """A job that ran: its slot in ISO 8601 ("" where it was asked for by name), and what it came to."""

    job: str
    last: Last
    did: Did


class Turn:
    """Looks at one workspace, again and again. Whoever calls it holds the lease."""

    def __init__(self, place: Place, work: Work, clock: Clock, stop: Stop, environ: Mapping[str, str]) -> None:
        self.place, self._work, self._clock, self._stop = place, work, clock, stop
        self._environ = environ
        self._reading = Reading(place, environ)

    def run(self, names: Collection[str] = ()) -> Iterator[Ended]:
        """Do what is due, else the jobs of these names; yield each as it ends.

        What ran is noted before the next begins. Raises ClawgitError where nothing can be done at all.
        """
        now = self._now()
        self.place.require()
        machine_clock.note(self.place.home / "state", now)
        plan = self._reading.plan(now.timestamp())
        jobs = self._known(plan, now)
        chosen = _named(plan, names) if names else plan.rows
        passed = False
        for row, slot in _order(chosen, jobs, now, plan, asked=bool(names)):
            if self._stop():
                break
            stamp = stamps.stamp(row.job, self.place, self._environ) if isinstance(row.when, Every) else ""
            if not names and _nothing_new(jobs[row.job], stamp, now):
                jobs[row.job], passed = due.looked(jobs[row.job], now), True
                continue
            yield self._one(row, slot, plan, jobs, stamp)
            now = self._now()
        if passed:
            kept.save(self.place.state, jobs)

    def problems(self) -> tuple[ClawgitError, ...]:
        """Return why rows do not run though the operator wants them to."""
        plan = self._reading.plan(self._now().timestamp())
        return tuple({row.problem.message: row.problem for row in plan.rows if row.problem}.values())

    def _now(self) -> datetime:
        now = self._clock().astimezone(UTC)
        due.require_set(now)
        return now

    def _known(self, plan: Plan, now: datetime) -> dict[str, Kept]:
        """Return what is kept of each job. One that is seen for the first time is noted: it runs from now on."""
        before = kept.load(self.place.state)
        jobs = {**before, **{row.job: due.seen(before.get(row.job), now) for row in plan.rows}}
        if jobs != before:
            kept.save(self.place.state, jobs)
        return jobs

    def _one(self, row: Row, slot: Slot | None, plan: Plan, jobs: dict[str, Kept], stamp: str) -> Ended:
        """Do one job, and note how it went."""
        self.place.require()
        began = self._now()
        jobs[row.job] = due.begun(jobs[row.job], began)
        kept.save(self.place.state, jobs)
        order = Order(
            row.job,
            str(self.place.root),
            began.isoformat(),
            jobs[row.job].since,
            plan.seconds,
            plan.commits,
            plan.tokens,
        )
        did = self._work(order, self._stop)
        now = self._now()
        named = datetime.fromtimestamp(slot.at, plan.zone).isoformat() if slot else ""
        last = Last(named, _iso(began, plan), _iso(now, plan), did.result, len(did.commits), dict(did.cost), did.error)
        if did.result in _WELL:
            jobs[row.job] = due.ended(jobs[row.job], slot, now, last, "" if did.again else stamp)
        else:
            jobs[row.job] = due.failed(jobs[row.job], now, last)
        kept.save(self.place.state, jobs)
        self._note(row.job, last, did)
        return Ended(row.job, last, did)

    def _note(self, job: str, last: Last, did: Did) -> None:
        """Note a run in the ledger, unless it noted itself or there was nothing to do."""
        if did.noted or (did.result in ("nothing", "stopped") and not did.commits):
            return
        ran = runs.Ran(
            job,
            last.started,
            last.ended,
            committed=tuple(did.commits),
            notes=tuple(did.notes),
            usage=did.cost,
            error=did.error,
        )
        with contextlib.suppress(OSError):  # the ledger of a workspace that is gone by now
            runs.note(self.place.home / "state", ran)


def _iso(moment: datetime, plan: Plan) -> str:
    return moment.astimezone(plan.zone).replace(microsecond=0).isoformat()


def _nothing_new(known: Kept, stamp: str, now: datetime) -> bool:
    """Tell whether an interval's job would find what it found the last time."""
    return bool(stamp) and stamp == known.stamp and 0 <= now.timestamp() - known.ran < BLIND


def _order(
    rows: Collection[Row], jobs: Mapping[str, Kept], now: datetime, plan: Plan, *, asked: bool
) -> list[tuple[Row, Slot | None]]:
    """Return what is to run: intervals first, then by slot, the earliest first; of those asked for all, as asked."""
    found = [(row, due.due(row.when, jobs[row.job], now, plan.zone) if row.when else None) for row in rows]
    return found if asked else sorted((one for one in found if one[1]), key=_rank)


def _rank(one: tuple[Row, Slot | None]) -> tuple[bool, float]:
    row, slot = one
    return not isinstance(row.when, Every), slot.at if slot else 0.0


def _named(plan: Plan, names: Collection[str]) -> list[Row]:
    """Return the rows of these names, in the order of the timetable. Raises UsageError that names the nearest."""
    known = [row.job for row in plan.rows]
    for name in names:
        if name not in known:
            near = nearest(name, known, 1) or known
            raise UsageError(
                f"there is no job {name}", fix=f"clawgit schedule once {near[0]}   # all: clawgit schedule status"
            )
    return [row for row in plan.rows if row.job in names]
