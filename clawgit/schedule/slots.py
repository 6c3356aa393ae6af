"""When a job is to run."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from msgspec import Struct

_BACK = 9
"""So many days back lies the latest slot of a week, whatever a zone does to its days."""
_SECOND = timedelta(seconds=1)


class Daily(Struct, frozen=True):
    """Once a day."""

    at: time


class Weekly(Struct, frozen=True):
    """Once a week; Monday is 0."""

    day: int
    at: time


class Every(Struct, frozen=True):
    """Again after so many seconds."""

    seconds: float


When = Daily | Weekly | Every


class Slot(Struct, frozen=True):
    """A moment at which a job is to run, in seconds since 1970; `key` names the day or week that it stands for.

    A slot is known by its key: when its time is changed it stays the slot of that day. Intervals have no key.
    """

    at: float
    key: str = ""


def moment(day: date, at: time, zone: tzinfo) -> datetime:
    """Return when a clock on the wall shows this time on this day, in UTC.

    Of a time that comes twice the first; instead of one that is left out, the moment at which the clock is put forward.
    """
    wall = datetime.combine(day, at)
    before, after = (_offset(wall.replace(tzinfo=zone, fold=fold)) for fold in (0, 1))
    if after <= before:
        return (wall - before).replace(tzinfo=UTC)
    low, high = (wall - after).replace(tzinfo=UTC), (wall - before).replace(tzinfo=UTC)
    while high - low > _SECOND:
        middle = low + (high - low) / 2
        if _offset(middle.astimezone(zone)) == before:
            low = middle
        else:
            high = middle
    return high.replace(microsecond=0)


def _offset(moment: datetime) -> timedelta:
    return moment.utcoffset() or timedelta()


def key(when: Daily | Weekly, day: date) -> str:
    """Return what the slot of this day is known by; keys of one kind sort by time."""
    if isinstance(when, Daily):
        return day.isoformat()
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def latest(when: Daily | Weekly, now: datetime, zone: tzinfo) -> Slot | None:
    """Return the slot that came last."""
    today = now.astimezone(zone).date()
    found = (slot for slot in _around(when, today, range(1, -_BACK, -1), zone) if slot.at <= now.timestamp())
    return next(found, None)


def coming(when: Daily | Weekly, now: datetime, zone: tzinfo) -> Iterator[Slot]:
    """Yield the slots that are yet to come, for two weeks and more."""
    today = now.astimezone(zone).date()
    yield from (slot for slot in _around(when, today, range(-1, 2 * _BACK), zone) if slot.at > now.timestamp())


def _around(when: Daily | Weekly, today: date, steps: range, zone: tzinfo) -> Iterator[Slot]:
    for step in steps:
        day = today + timedelta(days=step)
        if isinstance(when, Daily) or day.weekday() == when.day:
            yield Slot(moment(day, when.at, zone).timestamp(), key(when, day))
