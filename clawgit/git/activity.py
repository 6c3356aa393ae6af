"""Whether git is at work in a working tree."""

import os
import time
from pathlib import Path

from clawgit.git import processes
from clawgit.git.operation import operation_under_way
from clawgit.git.processes import Process
from clawgit.git.repository import Repository

PATIENCE_SECONDS = 600.0
"""So long a git process, or an operation such as a rebase, is left alone; whatever takes longer has been left lying."""
_PROC = Path("/proc")
_STARTED = 19  # of the fields of /proc/PID/stat that follow the program's name


def git_at_work(repo: Repository) -> str:
    """Return what git is doing in this working tree just now, in words; "" where it is at rest.

    A git process that runs there, or an operation that was begun or went on a few minutes ago.
    """
    for found in processes.at_work(repo) or ():
        if _seconds(found) < PATIENCE_SECONDS:
            return f"{found} is running"
    obstacle = operation_under_way(repo)
    if obstacle is not None and 0 <= time.time() - obstacle.since < PATIENCE_SECONDS:
        return obstacle.message
    return ""


def _seconds(found: Process) -> float:
    """Return for how long a process has run; 0 where that cannot be told."""
    try:
        uptime = float((_PROC / "uptime").read_text().split()[0])
        fields = (_PROC / str(found.number) / "stat").read_bytes().rpartition(b")")[2].split()
        return uptime - int(fields[_STARTED]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0
