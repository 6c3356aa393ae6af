"""This machine's clock, and its id."""

import contextlib
import os
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command
from clawgit.git import locks, repository
from clawgit.git.local_notes import read_local_note, save_local_note
from clawgit.git.repository import Oid, Repository
from clawgit.store.database import StateStore

SLACK = 25 * 3600.0
"""Seconds that a clock may go apart: a day, and the hour by which a day of a wall clock can be longer."""
_DAY = 86_400.0
_OFTEN = 3600.0
_BOOT, _UPTIME = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/uptime")
FIX = Command("clawgit doctor --clock-is-right", note="after a look at: date")


class ClockError(ClawgitError):
    """The clock may be wrong, and nothing is removed by its age."""


class Watched(Protocol):
    """An open workspace, for the comparison with its clock."""

    repo: Repository

    @property
    def clock(self) -> Callable[[], datetime]:
        """The function that returns the present moment."""
        ...


class Mark(Struct, frozen=True):
    """A moment: the time of the clock, and the seconds since the machine's boot.

    Sleep counts. `boot` is "" if the system does not report it.
    """

    at: float
    uptime: float = 0.0
    boot: str = ""


class Jump(Struct, frozen=True):
    """A jump of the clock: when it was seen first, and last, by the clock as it is since.

    `measured`: the machine's uptime contradicts the clock; else the machine was restarted in between.
    """

    first: float
    last: Mark
    measured: bool


class Known(Struct, frozen=True):
    """The record of the clock: it went on without a jump from `since` up to `good`.

    `confirmed` is the commit at HEAD when the operator last confirmed the clock.
    """

    good: Mark
    since: float
    jump: Jump | None = None
    confirmed: Oid = ""


_CLOCK = "clock"


def note(store: StateStore, now: datetime) -> None:
    """Note the time, at most once an hour unless it jumped. Best effort."""
    before, mark = store.read_document(_CLOCK, Known), _mark(now)
    state = followed(before, mark)
    is_same = before and (before.jump is None) == (state.jump is None) and before.since == state.since
    last = (before.jump.last if before.jump else before.good) if before else mark
    if not is_same or abs(mark.at - last.at) >= _OFTEN:
        _save(store, state)


def followed(known: Known | None, mark: Mark) -> Known:
    """Return the record of the clock after a look at `mark`.

    A jump that the uptime contradicts is accepted when the operator confirms it, or the clock is back. One during a
    restart of the machine may have been idle time, and is accepted once a day has gone by since.
    """
    if known is None:
        return Known(mark, mark.at)
    if _goes_on(known.good, mark):
        return replace(known, good=mark, jump=None)
    jump = known.jump
    if jump is None or not _goes_on(jump.last, mark):
        return replace(known, jump=Jump(mark.at, mark, _measured(known.good, mark)))
    if not jump.measured and mark.at - jump.first >= _DAY:
        return Known(mark, jump.first)
    return replace(known, jump=replace(jump, last=mark))


def doubt(workspace: Watched) -> ClockError | None:
    """Return the reason that the clock cannot be trusted, None if it can.

    It can if it agrees, to a day, with the newest commit, or ran for a day; and did not jump.
    """
    before, mark = _store(workspace).read_document(_CLOCK, Known), _mark(workspace.clock())
    state = followed(before, mark)
    if before and state.jump:
        started = "" if state.jump.measured else ", and was started anew since"
        return _error(f"this machine's clock says {_day(mark.at)}; it was last seen at {_day(state.good.at)}{started}")
    head = repository.head(workspace.repo)
    if head is None or head == state.confirmed:
        return None
    newest = repository.committed_at(workspace.repo, head)
    is_confirmed = before is not None and mark.at - state.since >= _DAY
    if newest - mark.at > SLACK or (mark.at - newest > SLACK and not is_confirmed):
        return _error(f"this machine's clock says {_day(mark.at)}, and the newest commit is of {_day(newest)}")
    return None


def require(workspace: Watched) -> None:
    """Raise ClockError if the clock cannot be trusted, before something is removed by its age."""
    if problem := doubt(workspace):
        raise problem


def confirm(workspace: Watched) -> None:
    """Note that the operator confirms the clock."""
    mark = _mark(workspace.clock())
    _save(_store(workspace), Known(mark, mark.at, confirmed=repository.head(workspace.repo) or ""))


def _error(words: str) -> ClockError:
    return ClockError("clock-unsure", f"{words}: nothing is removed by its age until that is cleared up", fix=FIX)


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


def _store(workspace: Watched) -> StateStore:
    return StateStore(workspace.repo.commondir / "clawgit")


def _save(store: StateStore, known: Known) -> None:
    with contextlib.suppress(ClawgitError):
        store.save_document(_CLOCK, known)


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
