"""This machine's clock, and its id."""

import contextlib
import os
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
from clawgit.workspace import version_vector
from clawgit.workspace.version_vector import Dot, Vector

SLACK = 25 * 3600.0
"""Seconds that a clock may go apart: a day, and the hour by which a day of a wall clock can be longer."""
_DAY = 86_400.0
_OFTEN = 3600.0
_BOOT, _UPTIME = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/uptime")
FIX = Command("clawgit doctor --clock-is-right", note="after a look at: date")


class ClockError(ClawgitError):
    """The clock may be wrong, and what goes by age is not removed."""


class Watched(Protocol):
    """What the clock is held against: an open workspace."""

    @property
    def clock(self) -> Callable[[], datetime]:
        """What returns the present moment."""
        ...

    @property
    def repo(self) -> Repository:
        """Its repository."""
        ...

    @property
    def store(self) -> StateStore:
        """What git cannot know."""
        ...

    @property
    def head(self) -> Oid | None:
        """The commit at HEAD."""
        ...


class Mark(Struct, frozen=True):
    """A moment: what the clock said, and for how many seconds this boot of the machine had lasted.

    Sleep counts. `boot` is "" where the system does not tell.
    """

    at: float
    uptime: float = 0.0
    boot: str = ""


class Jump(Struct, frozen=True):
    """The clock went on from somewhere else: when that was seen first, and last, by the clock as it is since.

    `measured` tells that the machine's uptime contradicts the clock; else the machine was started anew in between.
    """

    first: float
    last: Mark
    measured: bool


class Known(Struct, frozen=True):
    """What was seen of the clock: it went on without a jump from `since` up to `good`.

    `confirmed` is the commit at HEAD when the operator last said that the clock is right.
    """

    good: Mark
    since: float
    jump: Jump | None = None
    confirmed: Oid = ""


_CLOCK = "clock"


def note(store: StateStore, now: datetime) -> None:
    """Note what the clock says, at most once an hour unless it jumped. Best effort."""
    before, mark = _load(store), _mark(now)
    known = followed(before, mark)
    same = before and (before.jump is None) == (known.jump is None) and before.since == known.since
    last = (before.jump.last if before.jump else before.good) if before else mark
    if not same or abs(mark.at - last.at) >= _OFTEN:
        _save(store, known)


def followed(known: Known | None, mark: Mark) -> Known:
    """Return what is known once the clock was seen to say `mark`.

    A jump that the uptime contradicts is believed when the operator says so, or the clock is back. One during which
    the machine was started anew may have been idle time, and is believed once a day has gone by since.
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
    """Return why the clock cannot be believed, None where it can.

    It can where it agrees, to a day, with the newest commit, or was seen to go on for a day; and did not jump.
    """
    before, mark = _load(workspace.store), _mark(workspace.clock())
    known = followed(before, mark)
    if before and known.jump:
        started = "" if known.jump.measured else ", and was started anew since"
        return _error(f"this machine's clock says {_day(mark.at)}; it was last seen at {_day(known.good.at)}{started}")
    head = workspace.head
    if head is None or head == known.confirmed:
        return None
    newest = repository.committed_at(workspace.repo, head)
    seen = before is not None and mark.at - known.since >= _DAY
    if newest - mark.at > SLACK or (mark.at - newest > SLACK and not seen):
        return _error(f"this machine's clock says {_day(mark.at)}, and the newest commit is of {_day(newest)}")
    return None


def require(workspace: Watched) -> None:
    """Raise ClockError where the clock cannot be believed, before something is removed by its age."""
    if found := doubt(workspace):
        raise found


def confirm(workspace: Watched) -> None:
    """Note that the operator says that the clock is right."""
    mark = _mark(workspace.clock())
    _save(workspace.store, Known(mark, mark.at, confirmed=workspace.head or ""))


def _error(words: str) -> ClockError:
    return ClockError("clock-unsure", f"{words}: nothing is removed by its age until that is cleared up", fix=FIX)


def _goes_on(before: Mark, after: Mark) -> bool:
    passed = after.uptime - before.uptime if _measured(before, after) else 0.0
    return abs(after.at - before.at - passed) <= SLACK


def _measured(before: Mark, after: Mark) -> bool:
    return bool(after.boot) and before.boot == after.boot and after.uptime >= before.uptime


def _mark(now: datetime) -> Mark:
    with contextlib.suppress(OSError, ValueError, IndexError):
        # Read from a file: whoever moves a process's clock moves what it is told of its uptime along.
        return Mark(now.timestamp(), float(_UPTIME.read_text("ascii").split()[0]), _BOOT.read_text("ascii").strip())
    return Mark(now.timestamp())


def _load(store: StateStore) -> Known | None:
    return store.read_document(_CLOCK, Known)


def _save(store: StateStore, known: Known) -> None:
    with contextlib.suppress(ClawgitError):
        store.save_document(_CLOCK, known)


def _day(at: float) -> str:
    with contextlib.suppress(ValueError, OverflowError, OSError):
        return f"{datetime.fromtimestamp(at, UTC).astimezone():%Y-%m-%d %H:%M}"
    return "a time that no calendar has"


MACHINE_NOTE = "machine"


class KnownMachine(Struct, frozen=True):
    """What is kept of an id: the highest number that was given out, and the highest that is in a commit of ours."""

    id: str = ""
    issued: int = 0
    landed: int = 0
    place: str = ""


class MachineId:
    """Gives out the numbers of the rows that are written here; call it under the lock of the repository.

    An id belongs to one row of writes, each of which had read the one before. So a new one is taken where that cannot
    be vouched for: in a clone, in a copied folder, after `.git/clawgit` was deleted, and when the file that is written
    lacks our last row, as after a reset or on another branch.
    """

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self._given: int | None = None

    def issue(self, there: Vector, count: int) -> Dot:
        """Return the first of `count` new dots for a file that tells of the dots `there`."""
        known = self._known()
        last = there.get(known.id, 0)
        if not known.id or not known.landed <= last <= version_vector.LAST // 2:
            known = self._new_known(there)
            last = 0
        first = max(known.issued, last) + 1
        self._given = first + count - 1
        self._keep(KnownMachine(known.id, self._given, max(known.landed, last), known.place))
        return known.id, first

    def name(self) -> str:
        """Return the id that the next row gets if nothing came in between; a new one where none is kept."""
        known = self._known()
        if not known.id:
            known = self._new_known({})
            self._keep(known)
        return known.id

    def kept(self) -> str:
        """Return the id that is kept, "" for none; nothing is written."""
        return self._known().id

    def land(self) -> None:
        """Note that the rows with the numbers that were given out last are in a commit on the branch.

        Best effort: the commit stands, and what the file holds counts as well.
        """
        if self._given is not None:
            known, given = self._known(), self._given
            self._given = None
            if known.issued == given:
                with contextlib.suppress(OSError):
                    self._keep(KnownMachine(known.id, given, given, known.place))

    def _known(self) -> KnownMachine:
        """Return what is kept, nothing where it was copied from elsewhere."""
        known = read_local_note(self._repo, MACHINE_NOTE, KnownMachine) or KnownMachine()
        whole = version_vector.dots(f"{known.id}:1") and 0 <= known.landed <= known.issued < version_vector.LAST // 2
        return known if whole and known.place == locks.mark_folder(self._repo) else KnownMachine()

    def _keep(self, known: KnownMachine) -> None:
        save_local_note(self._repo, MACHINE_NOTE, known)

    def _new_known(self, there: Vector) -> KnownMachine:
        locks.sign_folder(self._repo)
        return KnownMachine(_new_id(there), place=locks.mark_folder(self._repo))


def _new_id(there: Vector) -> str:
    while True:
        found = "".join(chr(ord("k") + byte % 16) for byte in os.urandom(8))
        if found not in there:
            return found
