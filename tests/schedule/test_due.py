"""Each slot is served once, or by a later one that stands in for it."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.schedule import job_timetable
from clawgit.schedule.job_timetable import Last, Timed, When

BERLIN = ZoneInfo("Europe/Berlin")
SIX = Timed(time(6))
LAST = Last("", "", "", "done")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN)


class Job:
    """One job that is looked at now and then, and always ends well."""

    def __init__(self, first: datetime, when: When = SIX) -> None:
        self.when, self.kept, self.served = when, job_timetable.note_seen(None, first), list[str]()

    def look(self, now: datetime) -> bool:
        self.kept = job_timetable.note_seen(self.kept, now)
        slot = job_timetable.due(self.when, self.kept, now, BERLIN)
        if slot:
            self.kept = job_timetable.ended(job_timetable.note_begin(self.kept, now), slot, now, LAST)
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


@given(
    st.dates(date(2026, 1, 2), date(2027, 12, 1)),
    st.times().map(lambda clock: clock.replace(second=0, microsecond=0)),
    st.one_of(st.none(), st.integers(0, 6)),
    st.lists(st.floats(0.01, 400), min_size=1, max_size=80),
)
def test_slots_are_served_in_order_none_twice_and_never_early(
    first: date, clock: time, day: int | None, hours: list[float]
) -> None:
    when: When = Timed(clock, day)
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


def test_a_failure_keeps_the_slot_open_and_is_tried_again_ever_later() -> None:
    now, tried = at("2026-05-04T06:00"), list[float]()
    kept = job_timetable.note_seen(None, at("2026-05-03T12:00"))
    start = now
    while now < at("2026-05-05T05:00"):
        if job_timetable.due(SIX, kept, now, BERLIN):
            tried.append((now - start).total_seconds() / 60)
            kept = job_timetable.failed(job_timetable.note_begin(kept, now), now, Last("", "", "", "failed"))
        now += timedelta(minutes=1)
    assert tried == [0, 5, 15, 35, 75, 155, 315, 635, 995, 1355]
