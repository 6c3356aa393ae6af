"""The runner as a process of its own, whose clock is a file: `running.py WORKSPACE CLOCK`."""

import os
import signal
import sys
from datetime import datetime
from pathlib import Path
from threading import Event

from clawgit.schedule import job_process, runner, runner_state
from clawgit.schedule.runner import Turn
from clawgit.schedule.runner_state import place

TICK = 0.05
PATIENCE = 120.0


def main(root: Path, clock: Path) -> None:
    """Run the workspace until SIGTERM; the lease of one that was killed is waited for."""
    stop = Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    here = place(root, os.environ)
    with runner_state.hold_lease(here.home, PATIENCE) as handle:
        work = job_process.Hand(handle, os.environ)
        turn = Turn(here, work, lambda: datetime.fromisoformat(clock.read_text()), stop.is_set, os.environ)
        runner.run(
            turn,
            stop,
            lambda ended: print(ended.job, ended.last.result, ended.last.error, flush=True),  # noqa: T201 - read where the story fails
            lambda error: print("trouble", error.message, flush=True),  # noqa: T201
            TICK,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
