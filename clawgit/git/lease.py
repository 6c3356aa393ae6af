"""Makes sure nobody is writing a file that we read."""

import errno
import fcntl
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from clawgit.errors import BusyError, ClawgitError, quoted
from clawgit.git import disk, regular_file
from clawgit.git.repository import Repository

QUIET_SECONDS = 0.05
_PAUSE = 0.005
_MOST_HELD = 200
"""A process may hold only so many files open; of a larger group each is leased only while it is read."""


@contextmanager
def leased(
    repo: Repository, paths: Iterable[str], deadline: float
) -> Iterator[tuple[dict[str, disk.DiskFile | None], Callable[[], None]]]:
    """Yield the files at `paths` while nobody else can start to write them, and a way to end that sooner.

    Waits for whoever has one open for writing. Raises BusyError after `deadline` (time.monotonic()).
    """
    wanted = tuple(paths)
    with ExitStack() as stack:
        seen: dict[str, disk.DiskFile | None] = {}
        for path in wanted:
            place = disk.locate(repo, path)
            handle = None if disk.is_folder(place) else wait_for_lease(place, deadline)
            if handle is None:
                seen[path] = disk.present(repo, path)
                continue
            stack.callback(os.close, handle)
            seen[path] = disk.read_handle(handle, path)
            if len(wanted) > _MOST_HELD:
                stack.close()
        yield seen, stack.close


def wait_for_lease(place: Path, deadline: float) -> int | None:
    """Return an open, leased handle on `place`; None when there is no such readable file.

    Closing the handle gives the lease back. Raises BusyError after `deadline`.
    """
    while True:
        try:
            handle = disk.open_quietly(place)
        except OSError:
            return None
        if _quiet(handle):
            return handle
        os.close(handle)
        if time.monotonic() > deadline:
            raise BusyError(f"{place} is open for writing elsewhere", fix=f"lsof {quoted(place)}  # then try again")
        time.sleep(_PAUSE)


def read_closed(place: Path, limit: int = regular_file.LARGEST) -> bytes | None:
    """Return what the file at `place` holds; None where there is none, it is too large, or somebody writes it.

    It does not wait: whoever has it open for writing will close it.
    """
    try:
        handle = disk.open_quietly(place)
    except OSError:
        return None
    try:
        if not _closed(handle):
            return None
        before = os.fstat(handle)
        data = disk.read_handle(handle, place.name, limit).data
        after = os.fstat(handle)
    except (ClawgitError, OSError):
        return None
    finally:
        os.close(handle)
    return data if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns) else None


def _closed(handle: int) -> bool:
    """Tell whether nobody has the file open for writing, as far as the system can tell."""
    if not hasattr(fcntl, "F_SETLEASE"):
        return True
    try:
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as exc:
        return exc.errno != errno.EAGAIN
    return True


def _quiet(handle: int) -> bool:
    """Take a read lease; where there are none, ask for a modification time that lies back."""
    if hasattr(fcntl, "F_SETLEASE"):
        try:
            # The signal of a broken lease would end the process; SIGURG is ignored by default.
            fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except OSError as exc:
            if exc.errno == errno.EAGAIN:
                return False
        else:
            return True
    return time.time() - os.fstat(handle).st_mtime > QUIET_SECONDS


def still(repo: Repository, seen: Mapping[str, disk.DiskFile | None]) -> bool:
    """Tell whether the files at these paths hold what was read."""
    try:
        return all(disk.present(repo, path) == file for path, file in seen.items())
    except ClawgitError:
        return False
