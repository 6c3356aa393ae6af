"""How each job stands."""

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from clawgit.schedule import due, kept, plan
from clawgit.schedule.due import Kept
from clawgit.schedule.place import Place
from clawgit.schedule.plan import Plan
from clawgit.schedule.timetable import Row


class Standing(Struct, frozen=True):
    """A row with what is kept of it, and when it runs next; None where it does not."""

    row: Row
    kept: Kept
    next: datetime | None


def standing(place: Place, now: datetime, environ: Mapping[str, str]) -> tuple[Plan, tuple[Standing, ...]]:
    """Return the plan and how its rows stand; nothing is written, and no lease is needed.

    Raises ClawgitError where the clock has not been set.
    """
    due.require_set(now)
    found, known = plan.read(place, environ), kept.load(place.state)
    return found, tuple(_standing(row, due.seen(known.get(row.job), now), now, found) for row in found.rows)


def _standing(row: Row, known: Kept, now: datetime, found: Plan) -> Standing:
    at = due.following(row.when, known, now, found.zone) if row.when else None
    return Standing(row, known, None if at is None else datetime.fromtimestamp(at, found.zone))
