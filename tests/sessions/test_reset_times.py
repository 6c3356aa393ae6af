"""When a conversation is over by its age, also where clocks change: covers A8."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.sessions.life.reset_times import Due, Resets, due

ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
    "Pacific/Apia",
    "America/Sao_Paulo",
)
moments = st.integers(1_293_840_000, 1_893_456_000).map(
    lambda seconds: datetime.fromtimestamp(seconds, UTC)
)  # 2011 to 2030
DAILY = Resets()


def at(text, zone="Europe/Berlin"):
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


@pytest.mark.parametrize(
    ("last", "now", "over"),
    [
        ("2026-05-04T23:00", "2026-05-05T03:59", False),
        ("2026-05-04T23:00", "2026-05-05T04:00", True),
        ("2026-05-05T04:00", "2026-05-05T23:59", False),
        ("2026-05-05T03:59:59", "2026-05-05T04:00", True),
        ("2026-05-04T23:00", "2026-05-09T12:00", True),  # the machine slept
        ("2026-05-06T23:00", "2026-05-05T12:00", False),  # a clock that was put back
        ("2026-03-28T23:00", "2026-03-29T03:59", False),  # clocks go forward
        ("2026-03-28T23:00", "2026-03-29T04:00", True),
        ("2026-10-24T23:00", "2026-10-25T03:59", False),  # and back
        ("2026-10-24T23:00", "2026-10-25T04:00", True),
    ],
)
def test_a_day_ends_at_four_on_the_operators_clock(last, now, over):
    found = due(at(last), at(now), ZoneInfo("Europe/Berlin"), DAILY)
    assert (found.by == "daily") is over
    assert (found.since is not None, found.next is None) == (over, over)


def test_a_time_that_is_left_out_comes_later_and_one_that_comes_twice_counts_once():
    zone, rules = ZoneInfo("Europe/Berlin"), Resets(at=time(2, 30))
    gap = due(at("2026-03-28T12:00"), at("2026-03-29T12:00"), zone, rules)
    assert gap.since.astimezone(UTC) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert due(at("2026-10-24T12:00"), at("2026-10-25T12:00"), zone, rules).since.astimezone(UTC) == first
    assert due(first, first + timedelta(hours=1), zone, rules).by == ""


def test_idle_and_both():
    zone, last = UTC, datetime(2026, 5, 4, 1, tzinfo=UTC)
    idle = Resets("idle", idle=30)
    assert due(last, last + timedelta(minutes=29), zone, idle) == Due(next=last + timedelta(minutes=30))
    assert due(last, last + timedelta(minutes=30), zone, idle).by == "idle"
    assert due(last, last + timedelta(days=9), zone, Resets("daily+idle", idle=240)).by == "daily"
    assert due(last, last + timedelta(days=9), zone, Resets("daily+idle", idle=60)).by == "idle"
    assert due(last, last + timedelta(days=9), zone, Resets("off")) == Due()


@given(moments, moments, st.sampled_from(ZONES), st.times())
def test_it_is_over_when_the_clock_has_shown_the_time_since(last, now, name, at_time):
    zone = ZoneInfo(name)
    at_time = at_time.replace(microsecond=0, fold=0)
    found = due(last, now, zone, Resets(at=at_time))
    end = (found.since or found.next).astimezone(UTC)
    assert last < end <= last + timedelta(hours=49)
    assert (found.by == "daily") is (end <= now)
    shown = end.astimezone(zone)
    exact = shown.replace(tzinfo=None).time() == at_time
    changed = zone.utcoffset((end - timedelta(hours=26)).astimezone(zone).replace(tzinfo=None)) != shown.utcoffset()
    assert exact or changed
