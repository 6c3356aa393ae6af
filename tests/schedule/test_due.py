"""Each slot is served once, or by a later one that stands in for it."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.schedule import job_timetable
from clawgit.schedule.job_timetable import Daily, Every, Kept, Last, Weekly, When

BERLIN = ZoneInfo("Europe/Berlin")
SIX = Daily(time(6))
LAST = Last("", "", "", "done")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN)


class Job:
    """One job that is looked at now and then, and always ends well."""

    def __init__(self, first: datetime, when: When = SIX) -> None:
        self.when, self.kept, self.served = when, job_timetable.seen(None, first), list[str]()

    def look(self, now: datetime) -> bool:
        self.kept = job_timetable.seen(self.kept, now)
        slot = job_timetable.due(self.when, self.kept, now, BERLIN)
        if slot:
            self.kept = job_timetable.ended(job_timetable.begun(self.kept, now), slot, now, LAST)
            self.served.append(slot.key)
        return slot is not None


def test_nothing_runs_that_was_due_before_the_first_look() -> None:
    """After adopting or cloning at noon, the first run is tomorrow's."""
    job = Job(at("2026-05-04T12:00"))
    assert [job.look(at(when)) for when in ("2026-05-04T12:00", "2026-05-05T05:59", "2026-05-05T06:00")] == [
        False,
        False,
        True,
    ]


def test_a_week_asleep_is_caught_up_with_once() -> None:
    job = Job(at("2026-05-04T12:00"))
    assert job.look(at("2026-05-12T09:00"))
    assert not job.look(at("2026-05-12T09:01"))
    assert job.served == ["2026-05-12"]
    assert job.look(at("2026-05-13T06:00"))


@pytest.mark.parametrize("back", [{"minutes": 10}, {"hours": 5}, {"days": 3}])
def test_a_clock_that_is_put_back_repeats_nothing(back: dict[str, float]) -> None:
    job = Job(at("2026-05-01T12:00"))
    job.look(at("2026-05-04T06:00"))  # two days stood open, and this run was for all of them
    wrong = at("2026-05-04T06:00") - timedelta(**back)
    assert not any(job.look(wrong + timedelta(minutes=10 * step)) for step in range(6 * 24))


def test_a_clock_that_was_far_ahead_stops_nothing_for_good() -> None:
    job = Job(at("2026-05-01T12:00"))
    assert job.look(at("2050-01-01T12:00"))
    assert job.look(at("2026-05-02T06:00"))
    assert not job.look(at("2026-05-02T07:00"))


def test_a_job_first_seen_by_a_wrong_clock_is_seen_again() -> None:
    job = Job(at("2050-01-01T12:00"))
    assert not job.look(at("2026-05-02T12:00"))
    assert job.look(at("2026-05-03T06:00"))


@pytest.mark.parametrize(
    ("now", "changed", "runs"),
    [
        ("2026-05-05T07:00", "08:00", []),  # today's has run
        ("2026-05-05T07:00", "05:00", []),
        ("2026-05-05T05:00", "04:00", ["2026-05-05T05:00"]),  # today's is due by the new time
        ("2026-05-05T05:00", "09:00", ["2026-05-05T09:00"]),
    ],
)
def test_a_changed_time_moves_the_slot_of_the_day_and_makes_no_second(now: str, changed: str, runs: list[str]) -> None:
    job = Job(at("2026-05-03T12:00"))
    job.look(at("2026-05-04T06:00"))
    if now > "2026-05-05T06":
        job.look(at("2026-05-05T06:00"))
    job.when = Daily(time.fromisoformat(changed))
    day = [at(now) + timedelta(minutes=minute) for minute in range(0, 24 * 60 - 7 * 60, 10)]
    assert [f"{one:%Y-%m-%dT%H:%M}" for one in day if one.date() == date(2026, 5, 5) and job.look(one)] == runs


@given(
    st.dates(date(2026, 1, 2), date(2027, 12, 1)),
    st.times().map(lambda clock: clock.replace(second=0, microsecond=0)),
    st.one_of(st.none(), st.integers(0, 6)),
    st.lists(st.floats(0.01, 400), min_size=1, max_size=80),
)
def test_slots_are_served_in_order_none_twice_and_never_early(
    first: date, clock: time, day: int | None, hours: list[float]
) -> None:
    when: When = Daily(clock) if day is None else Weekly(day, clock)
    now = datetime.combine(first, time(12), BERLIN).astimezone(UTC)
    job = Job(now, when)
    for step in hours:
        now += timedelta(hours=step)
        job.look(now)
        assert job_timetable.due(when, job.kept, now, BERLIN) is None
        coming = job_timetable.following(when, job.kept, now, BERLIN)
        assert coming is not None
        assert coming > now.timestamp()
    assert job.served == sorted(set(job.served))


@given(st.lists(st.floats(-200, 200), min_size=1, max_size=80))
def test_whatever_the_clock_does_no_day_is_served_twice(steps: list[float]) -> None:
    """Steps in hours, forth and back within what a clock is off by; a kept key is one of the last."""
    now = at("2026-05-04T12:00")
    job = Job(now)
    for step in steps:
        now = min(max(now + timedelta(hours=step), at("2026-05-01T00:00")), at("2026-05-28T00:00"))
        job.look(now)
    recent = job.served
    assert len(recent) == len(set(recent))


def test_an_interval_goes_on_when_the_clock_is_put_back() -> None:
    job = Job(at("2026-05-04T12:00"), Every(300))
    assert job.look(at("2026-05-04T12:00"))
    assert not job.look(at("2026-05-04T12:04"))
    assert job.look(at("2026-05-04T12:05"))
    assert job.look(at("2026-05-04T09:00"))


def test_a_failure_keeps_the_slot_open_and_is_tried_again_ever_later() -> None:
    now, tried = at("2026-05-04T06:00"), list[float]()
    kept = job_timetable.seen(None, at("2026-05-03T12:00"))
    start = now
    while now < at("2026-05-05T05:00"):
        if job_timetable.due(SIX, kept, now, BERLIN):
            tried.append((now - start).total_seconds() / 60)
            kept = job_timetable.failed(job_timetable.begun(kept, now), now, Last("", "", "", "failed"))
        now += timedelta(minutes=1)
    assert tried == [0, 5, 15, 35, 75, 155, 315, 635, 995, 1355]


def test_what_was_stopped_is_tried_again_at_once_and_so_is_what_was_killed_once() -> None:
    now = at("2026-05-04T06:00")
    kept = job_timetable.seen(None, at("2026-05-03T12:00"))
    assert job_timetable.due(SIX, job_timetable.begun(kept, now), now, BERLIN)
    stopped = job_timetable.failed(job_timetable.begun(kept, now), now, Last("", "", "", "stopped"))
    assert job_timetable.due(SIX, stopped, now, BERLIN)
    for _ in range(4):
        kept = job_timetable.begun(kept, now)
    assert job_timetable.due(SIX, kept, now, BERLIN) is None
    assert job_timetable.due(SIX, kept, now + timedelta(minutes=5), BERLIN)


def test_what_waits_for_its_time_says_so() -> None:
    now = at("2026-05-04T06:00")
    kept = job_timetable.failed(job_timetable.begun(Kept(0.0), now), now, Last("", "", "", "failed"))
    assert job_timetable.following(SIX, kept, now, BERLIN) == now.timestamp() + 300
