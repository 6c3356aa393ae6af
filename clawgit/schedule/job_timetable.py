"""When each job is to run (spec §11)."""

import zoneinfo
from collections.abc import Container, Mapping
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.clock import local_zone
from clawgit.errors import ClawgitError, Command, clock_invalid, time_zone
from clawgit.workspace import settings
from clawgit.workspace.config import Config


def zone(config: Config, environ: Mapping[str, str]) -> tuple[tzinfo, str]:
    """Return the zone of CONFIG.md, else the machine's by TZ and `/etc/localtime`, else UTC; and its name.

    Raises ClawgitError if CONFIG.md names one that is not known here.
    """
    setting = config.shown(settings.KEYS["timezone"])
    if setting.value in ("UTC", "Etc/UTC"):  # also where this machine knows no other
        return UTC, "UTC"
    if setting.problem and not zoneinfo.available_timezones():
        raise time_zone(
            f"this machine has no time zone data, and CONFIG.md:{setting.line} names {setting.value!r}",
            fix=Command("apt-get install tzdata", note="or, where clawgit is installed: pip install tzdata"),
        )
    if setting.problem:
        raise setting.problem
    if setting.value:
        return zoneinfo.ZoneInfo(str(setting.value)), str(setting.value)
    is_utc = environ.get("TZ", "").removeprefix(":") in ("UTC", "Etc/UTC", "UTC0")
    return (None if is_utc else local_zone(environ)) or (UTC, "UTC")


_BACK = 9
"""So many days back lies the latest slot of a week, whatever a zone does to its days."""


class Timed(Struct, frozen=True):
    """Once a day, or, on a `day`, once a week; Monday is 0."""

    at: time
    day: int | None = None


class Every(Struct, frozen=True):
    """Again after so many seconds."""

    seconds: float


When = Timed | Every


class Slot(Struct, frozen=True):
    """A moment at which a job is to run, in seconds since 1970; `key` is its day or week.

    A slot is identified by its key: when its time is changed it stays the slot of that day. Intervals have no key.
    """

    at: float
    key: str = ""


def resolve_wall_time(day: date, wall_time: time, zone: tzinfo) -> datetime:
    """Return when a clock on the wall shows this time on this day, in UTC.

    Of a time that comes twice the first; one that is left out comes as much later as the clock is put forward.
    """
    # fold=0: of two 02:30 the first; a missing one has the offset before the change, and comes an hour later.
    return datetime.combine(day, wall_time, zone).astimezone(UTC)


def key(timing: Timed, day: date) -> str:
    """Return the key of the slot of this day; keys of one kind sort by time."""
    if timing.day is None:
        return day.isoformat()
    # The last days of December may be in week 1 of the next year, so the year is that of the week.
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def list_slots(timing: Timed, now: datetime, zone: tzinfo) -> list[Slot]:
    """Return the slots around a moment, in their order: the last one before it, and those of the next two weeks."""
    today = now.astimezone(zone).date()
    days = (today + timedelta(days=step) for step in range(-_BACK, 2 * _BACK))
    return [
        Slot(resolve_wall_time(day, timing.at, zone).timestamp(), key(timing, day))
        for day in days
        if timing.day in (None, day.weekday())
    ]


CAPTURE, IMPORT, VALIDATOR, INDEX = "capture", "session-import", "recall-validator", "index"
HYGIENE, HOUSEKEEPING, DIGEST, REVIEW = "vector-hygiene", "housekeeping", "digest", "promotion-review"
SYNC = "sync"

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
AGENTS = {
    "soul-keeper": "cron_soul_keeper",
    "memory-compactor": "cron_compactor_weekly",
    **dict.fromkeys(("decay-engine", "lessons"), "cron_times"),
    "memory-miner": "cron_memory_miner",
    "organizer": "cron_times",
    "conflict-detector": "cron_conflict_detector",
}
"""The agents that have a time, in their order, and the key that says which."""
POLL_SECONDS = 300.0
_HOUR = 3600.0


class Row(Struct, frozen=True):
    """One job: `when` is None for one that does not run; `problem` is the reason, unless the operator wants it so."""

    job: str
    when: When | None
    problem: ClawgitError | None = None


def timetable(config: Config, agents: Container[str]) -> tuple[Row, ...]:
    """Return the rows, of the existing agents, in the order of their runs if several are due.

    A value that cannot be used costs its own row only. Raises ClawgitError if CONFIG.md cannot be read at all.
    """
    rows = [Row(job, Every(POLL_SECONDS)) for job in (CAPTURE, IMPORT, VALIDATOR)]
    rows.append(Row(INDEX, Every(_HOUR)))
    rows += [_timed(config, job) for job in AGENTS if job in agents]
    embedder, tier = (config.shown(settings.KEYS[name]).value for name in ("embedder", "search_tier"))
    rows += [_timed(config, HYGIENE)] if embedder and tier != "core" else []
    rows += [_timed(config, HOUSEKEEPING)]
    rows += [_timed(config, REVIEW)]
    rows += [row for row in (_timed(config, SYNC),) if row.when or row.problem]
    return (*rows, _timed(config, DIGEST))


def _timed(config: Config, job: str) -> Row:
    key = AGENTS.get(job, "cron_times")
    setting = config.shown(settings.KEYS[key])
    if setting.problem:
        return Row(job, None, setting.problem)
    value = {**settings.OTHER_JOBS, **setting.value}[job] if key == "cron_times" else setting.value
    return Row(job, parse_time(str(value)))


def parse_time(text: str) -> Timed | None:
    """Return the meaning of a value of CONFIG.md: "06:00", "Sunday 03:00"; None for "off"."""
    day, _, clock = text.rpartition(" ")
    if clock == "off":
        return None
    wall_time = time.fromisoformat(clock)
    return Timed(wall_time, DAYS.index(day) if day else None)


EARLIEST, LATEST = datetime(2026, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)
"""A clock that tells an earlier time than the first, or a later one than the other, has not been set."""
AHEAD = timedelta(days=8)
"""What is said to have been done further ahead than this was said by a clock that was wrong."""
_MAX_SLOTS = 32
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
    """The record of a job between runs, times in seconds since 1970.

    `since` is when it was first seen, `done` names the slots that were served, `looked` is when an interval was last
    served and `ran` when there was something to do. `attempts` counts the runs since the last one that ended well, the
    newest of them begun at `tried`; before `retry` there is no other. `stamp` is that of the work to do then.
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
    """Raise ClawgitError if the clock has not been set."""
    if not EARLIEST <= now < LATEST:
        words = f"the clock says {now:%Y-%m-%d}; nothing runs before it is set"
        raise clock_invalid(words, fix=Command("timedatectl set-ntp true", note="or: date -s …"))


def find_due_slot(timing: When, record: Kept, now: datetime, zone: tzinfo) -> Slot | None:
    """Return the slot to be served now: of several missed ones the latest, none that was served before.

    A slot before the job was first seen does not count.
    """
    timestamp = now.timestamp()
    # A clock that went back ends the pause.
    if record.attempts and record.tried <= timestamp < record.retry:
        return None
    if isinstance(timing, Every):
        return None if 0 <= timestamp - record.looked < timing.seconds else Slot(timestamp)
    past = [slot for slot in list_slots(timing, now, zone) if slot.at <= timestamp]
    slot = past[-1] if past else None
    return slot if slot and slot.at > record.since and not _is_served(timing, record, slot, now, zone) else None


def find_next_run(timing: When, record: Kept, now: datetime, zone: tzinfo) -> float | None:
    """Return when the job runs next if nothing is due before, in seconds since 1970."""
    timestamp = now.timestamp()
    if record.attempts and record.tried <= timestamp < record.retry:
        return record.retry
    if find_due_slot(timing, record, now, zone):
        return timestamp
    if isinstance(timing, Every):
        return record.looked + timing.seconds
    future = (slot for slot in list_slots(timing, now, zone) if slot.at > max(timestamp, record.since))
    return next((slot.at for slot in future if not _is_served(timing, record, slot, now, zone)), None)


def _is_served(timing: Timed, record: Kept, slot: Slot, now: datetime, zone: tzinfo) -> bool:
    """Return whether a slot, or a later one that replaced it, was served."""
    # A slot far in the future was noted by a clock that was wrong: it does not count.
    horizon = key(timing, (now + AHEAD).astimezone(zone).date())
    return slot.key in record.done or any(slot.key < key <= horizon for key in record.done)


def note_seen(record: Kept | None, now: datetime) -> Kept:
    """Return the record of a job after a look; a new one, or one seen by a wrong clock, is first seen now."""
    timestamp = now.timestamp()
    if record is None:
        return Kept(timestamp)
    return replace(record, since=timestamp) if record.since > (now + AHEAD).timestamp() else record


def note_begin(record: Kept, now: datetime) -> Kept:
    """Record the begin of a run: after repeated kills the pauses get longer and longer."""
    timestamp = now.timestamp()
    return replace(
        record, attempts=record.attempts + 1, tried=timestamp, retry=timestamp + _pause(record.attempts + 1 - _KILLS)
    )


def note_served(record: Kept, slot: Slot | None) -> Kept:
    """Note that a slot was served, here or by another machine."""
    slot_keys = record.done
    if slot and slot.key:
        slot_keys = (*(slot_key for slot_key in slot_keys if slot_key != slot.key), slot.key)[-_MAX_SLOTS:]
    return replace(record, done=slot_keys, attempts=0, retry=0.0)


def note_done(record: Kept, slot: Slot | None, now: datetime, last: Last, stamp: str = "") -> Kept:
    """Note that a run ended well."""
    return replace(note_served(record, slot), looked=now.timestamp(), ran=now.timestamp(), stamp=stamp, last=last)


def note_failed(record: Kept, now: datetime, last: Last) -> Kept:
    """Record a failed run; its slot stays open, and is tried again after five minutes, ten, twenty, up to six hours.

    A stopped run is no failure, and is tried again at once.
    """
    timestamp = now.timestamp()
    if last.result == "stopped":
        return replace(record, attempts=max(record.attempts - 1, 0), retry=0.0, last=last)
    return replace(record, looked=timestamp, retry=timestamp + _pause(record.attempts), last=last)


def _pause(number: int) -> float:
    return 0.0 if number < 1 else float(min(_PAUSE * 2 ** (min(number, _MAX_SLOTS) - 1), _LONGEST))
