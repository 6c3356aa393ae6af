"""The process in which a job is done."""

import contextlib
import json
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import to_builtins

from clawgit.errors import ClawgitError
from clawgit.schedule.job_process import Did, Order

GRACE = 60.0
"""So long after its time a process ends itself, in case that nobody is left to end it."""


def main() -> None:
    """Do the job with the order on the first line of stdin; print its outcome as one line of JSON.

    The end of stdin, which is also that of the runner, and SIGTERM ask it to end after the present commit.
    """
    order = Order(**json.loads(sys.stdin.buffer.readline()))
    # SIGALRM has no handler here, and so ends the process.
    signal.setitimer(signal.ITIMER_REAL, order.seconds + GRACE)
    if order.memory_mb:
        resource.setrlimit(resource.RLIMIT_DATA, (order.memory_mb << 20, order.memory_mb << 20))
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    threading.Thread(target=_listen, args=(stop,), daemon=True).start()
    code = 1
    try:
        print(json.dumps(to_builtins(do_job(order, stop.is_set))), flush=True)  # noqa: T201 - read by the runner
        code = 0
    except OSError as exc:
        with contextlib.suppress(OSError):
            os.write(2, f"its answer could not be written: {exc.strerror}\n".encode())
    finally:
        os._exit(code)  # whatever still waits for stdin


def _listen(stop: threading.Event) -> None:
    sys.stdin.buffer.read()
    stop.set()


def do_job(order: Order, stop: Callable[[], bool]) -> Did:
    """Do a job, and return its outcome, whatever happens."""
    did = Did()
    try:
        from clawgit.git import repository  # noqa: PLC0415 - an import that fails is an answer, too
        from clawgit.schedule.jobs import JobInput, run_job  # noqa: PLC0415
        from clawgit.workspace.workspace import Workspace  # noqa: PLC0415

        with Workspace(repository.find(Path(order.root)), _clock(order), attended=False) as workspace:
            run_job(JobInput(workspace, order, stop), did)
    except ClawgitError as exc:
        did.result, did.error, did.fix = "failed", exc.message, str(exc.fix)
    except MemoryError:
        did.result, did.error = "failed", f"it wanted more memory than the {order.memory_mb:,} MB that it may take"
        did.fix = "raise memory_mb in fleet.yaml"
    except Exception as exc:  # noqa: BLE001 - whatever it is, the other jobs go on
        did.result, did.error = "failed", f"{type(exc).__name__}: {exc}"
        did.fix = f"clawgit --debug -C {order.root} run {order.job}"
    return did


def _clock(order: Order) -> Callable[[], datetime]:
    """Return the runner's clock, which goes on from the moment of the order."""
    began, moment = time.monotonic(), datetime.fromisoformat(order.now)
    return lambda: moment + timedelta(seconds=time.monotonic() - began)


if __name__ == "__main__":
    main()
