"""Jobs as processes: orders and outcomes."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal

from msgspec import Struct, field, to_builtins

from clawgit.errors import ClawgitError, Command, quote_shell

Result = Literal["done", "nothing", "stopped", "failed", "killed"]


class Order(Struct, frozen=True):
    """A job to be done in the workspace at `root`, at the moment `now` (ISO 8601), within bounds.

    `since` is when the job was first seen, in seconds since 1970. `seconds` and `tokens` are its limits, and
    `memory_mb` its memory (0: as much as there is).
    """

    job: str
    root: str
    now: str
    since: float
    seconds: float
    tokens: int
    memory_mb: int = 0


class Did(Struct):
    """The outcome of a job.

    "nothing": there was nothing to do; "stopped": it was asked to end; "killed": it took longer than it may. `again`:
    there is more to do soon; `noted`: the run is in the ledger already.
    """

    result: Result = "nothing"
    commits: list[str] = field(default_factory=list)
    waiting: int = 0
    cost: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    error: str = ""
    fix: str = ""
    again: bool = False
    noted: bool = False


class StoppedError(ClawgitError):
    """A run was asked to end; its results stay, and the next one goes on from there."""


def require_going(stop: Callable[[], bool], job: str) -> None:
    """Raise StoppedError if a job was asked to end."""
    if stop():
        raise StoppedError("stopped", "it was asked to end", fix=Command("clawgit run {} --apply", job))


GRACE_OF_WORKER = 10.0
"""Seconds that a job has to end after the commit at hand."""
_LOOK = 0.2
_TAIL = 2_000

WORKER = (sys.executable, "-P", "-m", "clawgit.schedule.worker")
"""What does a job; with -P no module is taken from the folder at hand."""

Stop = Callable[[], bool]
Work = Callable[[Order, Stop], Did]


class Hand:
    """Does jobs, one process for each: a job that hangs, leaks or crashes takes nothing else along.

    `lease` is inherited, so that no second runner begins while a job of a killed one still ends.
    """

    def __init__(self, lease: int, environ: Mapping[str, str], words: Sequence[str] = WORKER) -> None:
        self._lease, self._environ, self._words = lease, environ, words

    def __call__(self, order: Order, stop: Stop) -> Did:
        """Do one job. Asked to stop, or past its seconds, it ends after the commit at hand, and else is killed."""
        with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
            started = subprocess.Popen(
                [*self._words],
                cwd="/",
                env=dict(self._environ),
                stdin=subprocess.PIPE,
                stdout=stdout,
                stderr=stderr,
                pass_fds=(self._lease,),
                # In a session of its own a job gets no ^C from the terminal.
                start_new_session=True,
            )
            assert started.stdin is not None
            try:
                with contextlib.suppress(BrokenPipeError):
                    started.stdin.write(json.dumps(to_builtins(order)).encode() + b"\n")
                    started.stdin.flush()
                reason = _wait(started, order.seconds, stop)
            finally:
                _kill(started)
                started.wait()
                with contextlib.suppress(OSError):
                    started.stdin.close()
            return _read_outcome(order, stdout, stderr, started.returncode, reason)


def _kill(started: "subprocess.Popen[bytes]") -> None:
    """Kill a process with all its children, also those that lead a group of their own, such as a model's command."""
    # The children are listed first: those of a dead process belong to another one.
    family = list(_list_descendants(started.pid)) if started.poll() is None else []
    for number in family:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(number, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(started.pid, signal.SIGKILL)


def _list_descendants(number: int) -> Iterator[int]:
    """Yield the descendants of a process, as far as the system lists them."""
    for place in Path(f"/proc/{number}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, place.read_text("ascii").split()):
                yield child
                yield from _list_descendants(child)


def _wait(started: "subprocess.Popen[bytes]", seconds: float, stop: Stop) -> str:
    """Wait for a process, asking it to end when its time is over; return why it was asked, "" if it was not."""
    deadline, reason = time.monotonic() + seconds, ""
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            started.wait(_LOOK)
            return reason
        late = time.monotonic() >= deadline
        if reason and late:
            return reason
        if not reason and (late or stop()):
            reason, deadline = ("late" if late else "stopped"), time.monotonic() + GRACE_OF_WORKER
            with contextlib.suppress(ProcessLookupError):
                started.terminate()


def _read_outcome(order: Order, stdout: IO[bytes], stderr: IO[bytes], code: int, cause: str) -> Did:
    """Return the answer of a process; for a killed or broken one, that outcome."""
    stdout.seek(0)
    try:
        did = Did(**json.loads(stdout.read()))
    except (ValueError, TypeError, RecursionError):
        did = Did("failed", error=f"{order.job} ended with {code} and no answer{_read_last_line(stderr)}")
        did.result = "stopped" if cause == "stopped" else "failed"
    if cause == "late" and did.result in ("failed", "stopped"):
        did.result, did.error = "killed", f"it took longer than {order.seconds:g} seconds"
        did.fix = f"clawgit -C {quote_shell(order.root)} schedule run --once {order.job}"
    return did


def _read_last_line(stderr: IO[bytes]) -> str:
    size = stderr.seek(0, os.SEEK_END)
    stderr.seek(max(0, size - _TAIL))
    lines = stderr.read().decode("utf-8", "replace").strip().splitlines()
    return f": {lines[-1]}" if lines else ""
