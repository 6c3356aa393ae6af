"""One decision at a time."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clawgit.errors import BusyError, ClawgitError, quoted

_PATIENCE = 10.0
_PAUSE = 0.01


@contextmanager
def turn(state: Path) -> Iterator[None]:
    """Hold the lock of the desk, so that what is decided twice is decided once; the system drops it at the end.

    Raises BusyError when somebody else is at it for too long.
    """
    place = state / "desk.lock"
    try:
        state.mkdir(parents=True, exist_ok=True)
        handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as exc:
        raise ClawgitError(f"{place} cannot be written: {exc.strerror}", fix=f"ls -ld {quoted(state)}") from exc
    try:
        _wait(handle, time.monotonic() + _PATIENCE)
        yield
    finally:
        os.close(handle)


def _wait(handle: int, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise BusyError("somebody else is deciding a proposal", fix="try again in a moment") from None
            time.sleep(_PAUSE)
        else:
            return
