"""This machine's clock, its time zone, and its id."""

import contextlib
import os
import re
import zoneinfo
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command
from clawgit.git import locks, repository
from clawgit.git.own_commits import read_local_note, save_local_note
from clawgit.git.repository import Oid, Repository
from clawgit.store.database import StateStore

SLACK = 25 * 3600.0
"""Seconds that a clock may go apart: a day, and the hour by which a day of a wall clock can be longer."""
_DAY = 86_400.0
_OFTEN = 3600.0
_BOOT, _UPTIME = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/uptime")
FIX = Command("clawgit doctor --clock-is-right", note="after a look at: date")


class Mark(Struct, frozen=True):
    """A moment: the time of the clock, and the seconds since the machine's boot.

    Sleep counts. `boot` is "" if the system does not report it.
    """

    at: float
    uptime: float = 0.0
    boot: str = ""


class ClockRecord(Struct, frozen=True):
    """The record of the clock: `good` is the last mark without doubt, `last` a later one, after a jump.

    It goes on without a jump since `since`. `measured`: the machine's uptime contradicts the clock; else the machine
    was restarted in between. `confirmed` is the commit at HEAD when the operator last confirmed the clock.
    """

    good: Mark
    last: Mark
    since: float
    measured: bool = False
    confirmed: Oid = ""

    @property
    def has_jumped(self) -> bool:
        """Whether the clock is in doubt since a jump."""
        return self.good != self.last


_CLOCK = "clock"


def record_time(store: StateStore, now: datetime) -> None:
    """Note the time, at most once an hour unless it jumped. Best effort."""
    before, mark = store.read_document(_CLOCK, ClockRecord), _mark(now)
    record = _follow(before, mark)
    is_same = before and (before.has_jumped, before.since) == (record.has_jumped, record.since)
    if not (before and is_same) or abs(mark.at - before.last.at) >= _OFTEN:
        _save(store, record)


def _follow(before: ClockRecord | None, mark: Mark) -> ClockRecord:
    """Return the record of the clock after a look at `mark`.

    A jump that the uptime contradicts is accepted when the operator confirms it, or the clock is back. One during a
    restart of the machine may have been idle time, and is accepted once a day has gone by since.
    """
    if before is None:
        return ClockRecord(mark, mark, mark.at)
    if _goes_on(before.good, mark):
        return replace(before, good=mark, last=mark, since=mark.at if before.has_jumped else before.since)
    if not before.has_jumped or not _goes_on(before.last, mark):
        return replace(before, last=mark, since=mark.at, measured=_measured(before.good, mark))
    if not before.measured and mark.at - before.since >= _DAY:
        return ClockRecord(mark, mark, before.since)
    return replace(before, last=mark)


def find_clock_fault(repo: Repository, now: datetime) -> ClawgitError | None:
    """Return the reason that the clock cannot be trusted, None if it can.

    It can if it agrees, to a day, with the newest commit, or ran for a day; and did not jump.
    """
    before, mark = _store(repo).read_document(_CLOCK, ClockRecord), _mark(now)
    record = _follow(before, mark)
    if record.has_jumped:
        started = "" if record.measured else ", and was started anew since"
        return _error(f"this machine's clock says {_day(mark.at)}; it was last seen at {_day(record.good.at)}{started}")
    head = repository.head(repo)
    if head is None or head == record.confirmed:
        return None
    newest = repository.committed_at(repo, head)
    has_run_for_a_day = mark.at - record.since >= _DAY
    if newest - mark.at > SLACK or (mark.at - newest > SLACK and not has_run_for_a_day):
        return _error(f"this machine's clock says {_day(mark.at)}, and the newest commit is of {_day(newest)}")
    return None


def require_sound_clock(repo: Repository, now: datetime) -> None:
    """Raise ClawgitError if the clock cannot be trusted, before something is removed by its age."""
    if problem := find_clock_fault(repo, now):
        raise problem


def confirm(repo: Repository, now: datetime) -> None:
    """Note that the operator confirms the clock."""
    mark = _mark(now)
    _save(_store(repo), ClockRecord(mark, mark, mark.at, confirmed=repository.head(repo) or ""))


def _error(words: str) -> ClawgitError:
    return ClawgitError("clock-unsure", f"{words}: nothing is removed by its age until that is cleared up", fix=FIX)


def _goes_on(before: Mark, after: Mark) -> bool:
    elapsed = after.uptime - before.uptime if _measured(before, after) else 0.0
    return abs(after.at - before.at - elapsed) <= SLACK


def _measured(before: Mark, after: Mark) -> bool:
    return bool(after.boot) and before.boot == after.boot and after.uptime >= before.uptime


def _mark(now: datetime) -> Mark:
    with contextlib.suppress(OSError, ValueError, IndexError):
        # Read from a file: whoever moves a process's clock moves what it is told of its uptime along.
        return Mark(now.timestamp(), float(_UPTIME.read_text("ascii").split()[0]), _BOOT.read_text("ascii").strip())
    return Mark(now.timestamp())


def _store(repo: Repository) -> StateStore:
    return StateStore(repo.commondir / "clawgit")


def _save(store: StateStore, record: ClockRecord) -> None:
    with contextlib.suppress(ClawgitError):
        store.save_document(_CLOCK, record)


def _day(at: float) -> str:
    with contextlib.suppress(ValueError, OverflowError, OSError):
        return f"{datetime.fromtimestamp(at, UTC).astimezone():%Y-%m-%d %H:%M}"
    return "a time that no calendar has"


MACHINE_NOTE = "machine"
_MACHINE = re.compile(r"[k-z]{8}")


class KnownMachine(Struct, frozen=True):
    """The record of an id: its folder."""

    id: str = ""
    place: str = ""


def name_machine(repo: Repository) -> str:
    """Return the id of this machine's clone; a copied folder, and one without `.git/clawgit`, take a new one."""
    machine = read_local_note(repo, MACHINE_NOTE, KnownMachine) or KnownMachine()
    if _MACHINE.fullmatch(machine.id) and machine.place == locks.mark_folder(repo):
        return machine.id
    locks.sign_folder(repo)
    new = "".join(chr(ord("k") + byte % 16) for byte in os.urandom(8))
    save_local_note(repo, MACHINE_NOTE, KnownMachine(new, locks.mark_folder(repo)))
    return new


_LOCALTIME = Path("/etc/localtime")
UNNAMED = "local"


def local_zone(environ: Mapping[str, str]) -> tuple[zoneinfo.ZoneInfo, str] | None:
    """Return the zone that TZ names, else that of `/etc/localtime`, with its name; None if both are missing."""
    name = environ.get("TZ", "").removeprefix(":")
    try:
        if name:
            return zoneinfo.ZoneInfo("UTC" if name == "UTC0" else name), name
        link, status = _LOCALTIME.lstat(), _LOCALTIME.stat()
        return _read_zone_file((link.st_ino, link.st_mtime_ns, status.st_ino, status.st_mtime_ns))
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError):
        return None


@lru_cache(maxsize=4)  # each search asks for the time
def _read_zone_file(_stamp: tuple[int, ...]) -> tuple[zoneinfo.ZoneInfo, str]:
    _, separator, path = os.path.realpath(_LOCALTIME).partition("zoneinfo/")
    name = path.removeprefix("posix/") if separator else UNNAMED
    with _LOCALTIME.open("rb") as file:
        return zoneinfo.ZoneInfo.from_file(file, key=name), name


def get_local_time() -> datetime:
    """Return the present moment in the machine's zone, which knows of its other offsets in the year."""
    zone = local_zone(os.environ)
    return datetime.now(zone[0]) if zone else datetime.now().astimezone()
