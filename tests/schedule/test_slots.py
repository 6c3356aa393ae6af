"""When the clock on the wall shows a time."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.schedule import job_timetable
from clawgit.schedule.job_timetable import Timed, moment

YEARS = (datetime.fromisoformat("2020-01-09"), datetime.fromisoformat("2035-12-01"))
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca", "UTC")


@pytest.mark.parametrize(
    ("zone", "day", "at", "when"),
    [
        ("Europe/Berlin", "2026-01-10", "02:30", "2026-01-10T01:30"),
        ("Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T01:30"),  # there is none: 03:30
        ("Europe/Berlin", "2026-03-29", "03:00", "2026-03-29T01:00"),
        ("Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T00:30"),  # twice: the first
        ("America/New_York", "2026-03-08", "02:30", "2026-03-08T07:30"),
        ("America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30"),
        ("Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:45"),  # half an hour is left out
        ("Pacific/Apia", "2011-12-30", "06:00", "2011-12-30T16:00"),  # a whole day is left out
    ],
)
def test_a_time_that_is_left_out_comes_later_and_one_that_comes_twice_is_its_first(
    zone: str, day: str, at: str, when: str
) -> None:
    found = moment(date.fromisoformat(day), time.fromisoformat(at), ZoneInfo(zone))
    assert found == datetime.fromisoformat(when).replace(tzinfo=UTC)


@given(
    st.sampled_from(ZONES),
    st.dates(date(2020, 1, 1), date(2035, 12, 31)),
    st.times().map(lambda at: at.replace(second=0, microsecond=0)),
)
def test_the_moment_shows_that_time_or_comes_after_a_jump(zone: str, day: date, at: time) -> None:
    here = ZoneInfo(zone)
    found = moment(day, at, here)
    shown = found.astimezone(here)
    before = (found - timedelta(hours=1)).astimezone(here)
    jump = (shown.utcoffset() or timedelta()) - (before.utcoffset() or timedelta())
    assert shown.replace(tzinfo=None) - jump == datetime.combine(day, at) or shown.time() == at
    assert shown.fold == 0


@given(
    st.sampled_from(ZONES),
    st.datetimes(*YEARS),
    st.times().map(lambda at: at.replace(second=0, microsecond=0)),
    st.one_of(st.none(), st.integers(0, 6)),
)
def test_the_latest_slot_and_the_coming_one_lie_around_the_present(
    zone: str, now: datetime, at: time, day: int | None
) -> None:
    here, moment_now = ZoneInfo(zone), now.replace(tzinfo=UTC)
    when = Timed(at, day)
    last, coming = job_timetable.latest(when, moment_now, here), list(job_timetable.coming(when, moment_now, here))
    assert last is not None
    assert last.at <= moment_now.timestamp() < coming[0].at
    assert last.key < coming[0].key
    keys = [one.key for one in coming]
    assert keys == sorted(set(keys))
    most = 86_400 * (1 if day is None else 7) + 2 * 3600
    assert coming[0].at - last.at <= most
