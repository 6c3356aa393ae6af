"""One runner for one workspace."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clawgit.errors import BusyError, ClawgitError, quoted

FILE = "schedule.lock"
_LOOK = 0.05


@contextmanager
def held(home: Path, patience: float = 0.0) -> Iterator[int]:
    """Hold the lease of the workspace whose local folder is `home` (`.git/clawgit`); yield its handle.

    Whoever inherits the handle holds it on, so that no second runner begins beside a job that survived the first.
    Raises BusyError when another one has it, and keeps it for `patience` seconds.
    """
    try:
        home.mkdir(exist_ok=True)
        handle = os.open(home / FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as exc:
        raise ClawgitError(f"{home} cannot be written: {exc.strerror}", fix=f"ls -ld {quoted(home.parent)}") from exc
    try:
        _take(handle, home, time.monotonic() + patience)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield handle
    finally:
        os.close(handle)


def holder(home: Path) -> str | None:
    """Return the number of the process that runs the workspace, None where none does."""
    try:
        handle = os.open(home / FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _number(handle)
    finally:
        os.close(handle)
    return None


def _take(handle: int, home: Path, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                number = _number(handle)
                raise BusyError(
                    f"a runner is at work on {home.parent.parent} already: process {number}",
                    fix=f"clawgit schedule status   # or end it: kill {number}",
                ) from None
            time.sleep(_LOOK)
        else:
            return


def _number(handle: int) -> str:
    return os.pread(handle, 20, 0).decode("ascii", "replace").strip() or "unknown"
