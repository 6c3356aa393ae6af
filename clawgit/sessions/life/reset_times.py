"""When a session is over by its age."""

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta, tzinfo
from typing import Any, Literal

from msgspec import Struct

Mode = Literal["off", "daily", "idle", "daily+idle"]


class Resets(Struct, frozen=True):
    """When sessions begin anew: each day at a time of day, after so many idle minutes, or both (spec A8)."""

    mode: Mode = "daily"
    at: time = time(4)
    idle: int = 60


def of_config(value: Callable[[str], Any]) -> Resets:
    """Return what keys of CONFIG.md say."""
    return Resets(value("reset_mode"), time.fromisoformat(value("reset_at")), int(value("idle_minutes")))


class Due(Struct, frozen=True):
    """Whether a session is over: by what ("" for not yet), since when, and when it will be if nobody says anything.

    `next` is None where nothing ends it.
    """

    by: Literal["", "daily", "idle"] = ""
    since: datetime | None = None
    next: datetime | None = None


def due(last: datetime, now: datetime, zone: tzinfo, rules: Resets) -> Due:
    """Return whether a session in which somebody spoke `last` is over `now`; both with an offset.

    A day ends at `rules.at` on the clock of `zone`, and counts as ended also for a machine that slept over it. A time
    that a change of clocks leaves out comes as much later; of one that comes twice, the first counts. Of two reasons
    the earlier one is given.
    """
    ends: list[tuple[datetime, Literal["daily", "idle"]]] = []
    if "daily" in rules.mode:
        ends.append((_next(last, rules.at, zone), "daily"))
    if "idle" in rules.mode:
        ends.append((last.astimezone(UTC) + timedelta(minutes=rules.idle), "idle"))
    if not ends:
        return Due()
    first, by = min(ends)
    if first <= now:
        return Due(by, first.astimezone(zone))
    return Due(next=first.astimezone(zone))


def _next(after: datetime, at: time, zone: tzinfo) -> datetime:
    """Return the first moment after `after` at which the clock of `zone` says `at`, in UTC.

    Times with one zone are compared by what the clock says, whatever changed between them: hence UTC.
    """
    day = after.astimezone(zone).date() - timedelta(days=1)
    while True:
        moment = datetime.combine(day, at, zone).astimezone(UTC)
        if moment > after:
            return moment
        day += timedelta(days=1)
