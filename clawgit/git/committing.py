"""Whether a commit of somebody's is open."""

import os
import time
from pathlib import Path

from clawgit.git.repository import Repository

LONGEST_SECONDS = 600.0
"""An editor that stays open longer is waited for no more."""
_STARTED = 19  # of the fields of /proc/PID/stat that follow the program's name


def commit_open(repo: Repository) -> bool:
    """Tell whether a `git commit` still runs that began a short while ago, as a rule with its editor open.

    The pre-commit hook wrote down git's line of /proc, or its number alone where there is no /proc.
    """
    place = repo.room / "committing"
    try:
        said = place.read_bytes()
        if not 0 <= time.time() - place.stat().st_mtime < LONGEST_SECONDS:
            return False
        number = int(said.split()[0])
        return _started(_running(number)) == _started(said)
    except (OSError, ValueError, IndexError):
        return False


def _running(number: int) -> bytes:
    """Return what /proc says of a process, its number alone where there is no /proc. Raises OSError for none."""
    if Path("/proc/self/stat").exists():
        return Path(f"/proc/{number}/stat").read_bytes()
    os.kill(number, 0)
    return str(number).encode()


def _started(said: bytes) -> bytes:
    """Return when a process began, in ticks; its number where only that is known."""
    _, name, fields = said.rpartition(b")")
    return fields.split()[_STARTED] if name else said.strip()
