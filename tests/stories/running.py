"""The runner as a process of its own, with a file for a clock: `running.py WORKSPACE CLOCK`."""

import os
import signal
import sys
from datetime import datetime
from pathlib import Path
from threading import Event

from clawgit.schedule import runner_state
from clawgit.schedule.fleet_runner import FleetRunner, Listeners
from clawgit.schedule.runner_state import find_runner_place
from clawgit.workspace.shared_memory import Home

TICK = 0.05
PATIENCE = 120.0


def main(root: Path, clock: Path) -> None:
    """Run the workspace until SIGTERM; the lease of one that was killed is waited for."""
    stop = Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    place = find_runner_place(root, os.environ)
    listeners = Listeners(
        lambda _, ended: print(ended.job, ended.last.result, ended.last.error, flush=True),  # noqa: T201 - read where the story fails
        lambda _, error: print("trouble", error.message, flush=True),  # noqa: T201
    )
    with runner_state.hold_lease(place.home, PATIENCE) as lease:
        times = {"lease": lease, "tick": TICK, "clock": lambda: datetime.fromisoformat(clock.read_text())}
        FleetRunner(lambda: (Home(("ws",), place.root),), 1, 0, stop, listeners, os.environ, **times).run()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
