"""When a conversation is over by its age, also where clocks change: covers A8."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawgit.sessions.life.session_plan import Reset, Rules, plan_reset

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
DAILY = Rules()


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
    found = plan_reset(at(last), at(now), ZoneInfo("Europe/Berlin"), DAILY)
    assert (found.by == "daily") is over
    assert (found.since is not None, found.next is None) == (over, over)


def test_a_time_that_is_left_out_comes_later_and_one_that_comes_twice_counts_once():
    zone, rules = ZoneInfo("Europe/Berlin"), Rules(hour=2)
    gap = plan_reset(at("2026-03-28T12:00"), at("2026-03-29T12:00"), zone, rules)
    assert gap.since.astimezone(UTC) == datetime(2026, 3, 29, 1, tzinfo=UTC)
    first = datetime(2026, 10, 25, 0, tzinfo=UTC)
    assert plan_reset(at("2026-10-24T12:00"), at("2026-10-25T12:00"), zone, rules).since.astimezone(UTC) == first
    assert plan_reset(first, first + timedelta(hours=1), zone, rules).by == ""


def test_idle_and_both():
    zone, last = UTC, datetime(2026, 5, 4, 1, tzinfo=UTC)
    idle = Rules(mode="idle", idle_minutes=30)
    assert plan_reset(last, last + timedelta(minutes=29), zone, idle) == Reset(next=last + timedelta(minutes=30))
    assert plan_reset(last, last + timedelta(minutes=30), zone, idle).by == "idle"
    assert plan_reset(last, last + timedelta(days=9), zone, Rules(mode="daily+idle", idle_minutes=240)).by == "daily"
    assert plan_reset(last, last + timedelta(days=9), zone, Rules(mode="daily+idle", idle_minutes=60)).by == "idle"
    assert plan_reset(last, last + timedelta(days=9), zone, Rules(mode="off")) == Reset()


@given(moments, moments, st.sampled_from(ZONES), st.integers(0, 23))
def test_it_is_over_when_the_clock_has_shown_the_hour_since(last, now, name, hour):
    zone = ZoneInfo(name)
    found = plan_reset(last, now, zone, Rules(hour=hour))
    end = (found.since or found.next).astimezone(UTC)
    assert last < end <= last + timedelta(hours=49)
    assert (found.by == "daily") is (end <= now)
    shown = end.astimezone(zone)
    exact = (shown.hour, shown.minute, shown.second) == (hour, 0, 0)
    changed = zone.utcoffset((end - timedelta(hours=26)).astimezone(zone).replace(tzinfo=None)) != shown.utcoffset()
    assert exact or changed
