"""Tells what is due, and what becomes of it."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.schedule import slots
from clawgit.schedule.slots import Every, Slot, When

EARLIEST, LATEST = datetime(2026, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
"""A clock that tells an earlier time than the first, or a later one than the other, has not been set."""
AHEAD = timedelta(days=8)
"""What is said to have been done further ahead than this was said by a clock that was wrong."""
_KEPT = 32
_PAUSE, _LONGEST = 300.0, 6 * 3600.0
_KILLS = 3


class Last(Struct, frozen=True):
    """How the last run of a job went, times in ISO 8601; `slot` is "" for one that was asked for by name."""

    slot: str
    started: str
    ended: str
    result: str
    commits: int = 0
    cost: dict[str, Any] = field(default_factory=dict)
    error: str = ""


class Kept(Struct, frozen=True):
    """What is known of a job between runs, times in seconds since 1970.

    `since` is when it was first seen, `done` names the slots that were served, `looked` is when an interval was last
    served and `ran` when there was something to do. `attempts` counts the runs since the last one that ended well, the
    newest of them begun at `tried`; before `retry` there is no other. `stamp` tells what there was to do then.
    """

    since: float
    done: tuple[str, ...] = ()
    looked: float = 0.0
    ran: float = 0.0
    attempts: int = 0
    tried: float = 0.0
    retry: float = 0.0
    stamp: str = ""
    last: Last | None = None


def require_set(now: datetime) -> None:
    """Raise ClawgitError where the clock has not been set."""
    if not EARLIEST <= now < LATEST:
        words = f"the clock says {now:%Y-%m-%d}; nothing runs before it is set"
        raise ClawgitError(words, fix="timedatectl set-ntp true   # or: date -s …")


def due(when: When, kept: Kept, now: datetime, zone: tzinfo) -> Slot | None:
    """Return the slot that is to be served now: of several that were missed the latest, none that was served before.

    A slot that lies before the job was first seen is nobody's.
    """
    at = now.timestamp()
    if kept.attempts and kept.tried <= at < kept.retry:
        return None
    if isinstance(when, Every):
        return None if 0 <= at - kept.looked < when.seconds else Slot(at)
    slot = slots.latest(when, now, zone)
    return slot if slot and slot.at > kept.since and not _served(when, kept, slot, now, zone) else None


def following(when: When, kept: Kept, now: datetime, zone: tzinfo) -> float | None:
    """Return when the job runs next if nothing is due before, in seconds since 1970."""
    at = now.timestamp()
    if kept.attempts and kept.tried <= at < kept.retry:
        return kept.retry
    if due(when, kept, now, zone):
        return at
    if isinstance(when, Every):
        return kept.looked + when.seconds
    open_slots = (one for one in slots.coming(when, now, zone) if not _served(when, kept, one, now, zone))
    return next((one.at for one in open_slots if one.at > kept.since), None)


def _served(when: slots.Daily | slots.Weekly, kept: Kept, slot: Slot, now: datetime, zone: tzinfo) -> bool:
    """Tell whether a slot, or a later one that stood in for it, was served."""
    horizon = slots.key(when, (now + AHEAD).astimezone(zone).date())
    return slot.key in kept.done or any(slot.key < key <= horizon for key in kept.done)


def seen(kept: Kept | None, now: datetime) -> Kept:
    """Return what is kept of a job that is looked at; one that is new, or was seen by a wrong clock, is seen now."""
    at = now.timestamp()
    if kept is None:
        return Kept(at)
    return replace(kept, since=at) if kept.since > (now + AHEAD).timestamp() else kept


def begun(kept: Kept, now: datetime) -> Kept:
    """Note that a run begins: whoever is killed again and again waits longer and longer."""
    at = now.timestamp()
    return replace(kept, attempts=kept.attempts + 1, tried=at, retry=at + _pause(kept.attempts + 1 - _KILLS))


def looked(kept: Kept, now: datetime) -> Kept:
    """Note that there was nothing to do."""
    return replace(kept, looked=now.timestamp())


def ended(kept: Kept, slot: Slot | None, now: datetime, last: Last, stamp: str = "") -> Kept:
    """Note that a run ended well."""
    at, key = now.timestamp(), slot.key if slot else ""
    done = (*(one for one in kept.done if one != key), key)[-_KEPT:] if key else kept.done
    return replace(kept, done=done, looked=at, ran=at, attempts=0, retry=0.0, stamp=stamp, last=last)


def failed(kept: Kept, now: datetime, last: Last) -> Kept:
    """Note that a run failed; its slot stays open, and is tried again after five minutes, ten, twenty, up to six hours.

    What was stopped is no failure, and is tried again at once.
    """
    at = now.timestamp()
    if last.result == "stopped":
        return replace(kept, attempts=max(kept.attempts - 1, 0), retry=0.0, last=last)
    return replace(kept, looked=at, retry=at + _pause(kept.attempts), last=last)


def _pause(number: int) -> float:
    return 0.0 if number < 1 else float(min(_PAUSE * 2 ** (min(number, _KEPT) - 1), _LONGEST))
