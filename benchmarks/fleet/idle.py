"""Runs many workspaces from one process: what it costs while nothing happens, and how soon what is written is kept.

    python benchmarks/fleet/idle.py [--workspaces 1000] [--seconds 300] [--writes 120] [--every 1.0] [--stuck 3]

Each workspace is as it is after its first day: every job has run, and the files have not changed since. First nothing
is written, for so many seconds; then a file of a random workspace every so often, while some workspaces are stuck: the
process of each of their jobs is stopped. Told is the memory and the processor time of the runner with all that it
started, and how long it took from the moment that a file had rested until its commit.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.lib.results import keep
from clawgit.schedule import runner_state
from clawgit.schedule.job_timetable import Kept
from tests import moulds

QUIET = 5.0
JOBS = ("capture", "session-import", "recall-validator", "index")
DAILY = (
    *("soul-keeper", "memory-compactor", "decay-engine", "lessons", "memory-miner", "organizer"),
    *("conflict-detector", "housekeeping", "promotion-review", "digest"),
)
TICK = os.sysconf("SC_CLK_TCK")


def spent(pid: int) -> float:
    """Return the processor seconds of a process and of all that it waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICK


def resident(pid: int) -> float:
    """Return the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def made(home: Path, count: int) -> list[Path]:
    """Make workspaces that have had their first day."""
    mould = moulds.managed(home / "mould", "# Soul\n\n- Be kind.\n")
    (mould / "memory").mkdir(exist_ok=True)
    for day in range(1, 15):
        (mould / f"memory/2026-11-{day:02}.md").write_text("# Day\n\n- Something happened.\n")
    subprocess.run(["git", "add", "-A"], cwd=mould, check=True)
    subprocess.run(["git", "commit", "-qm", "days"], cwd=mould, check=True)
    moulds.packed(mould)
    (home / "fleet").mkdir()
    roots = [moulds.copied(mould, home / f"fleet/agent{number:04}") for number in range(count)]
    now = time.time()
    for root in roots:
        place = runner_state.find_runner_place(root, os.environ)
        kept = {
            job: Kept(now, looked=now, ran=now, stamp=runner_state.stamp_job(job, place, os.environ)) for job in JOBS
        }
        runner_state.save(place.state, {**kept, **{job: Kept(now) for job in DAILY}})
    return roots


class Stopping(threading.Thread):
    """Stops the jobs of some workspaces as soon as they begin."""

    def __init__(self, pid: int, roots: list[Path]) -> None:
        super().__init__(daemon=True)
        self.pid, self.roots, self.stopped = pid, {str(root) for root in roots}, set[int]()

    def run(self) -> None:
        while True:
            for children in Path(f"/proc/{self.pid}/task").glob("*/children"):
                try:
                    for child in map(int, children.read_text().split()):
                        self.stop(child)
                except OSError:
                    continue
            time.sleep(0.05)

    def stop(self, child: int) -> None:
        if b"clawgit.schedule.worker" not in Path(f"/proc/{child}/cmdline").read_bytes():
            return  # no program yet: it holds what its parent holds
        held = {str(item.readlink()) for item in Path(f"/proc/{child}/fd").iterdir()}
        if child not in self.stopped and any(item.startswith(root + "/") for item in held for root in self.roots):
            os.kill(child, signal.SIGSTOP)
            self.stopped.add(child)


def waits(roots: list[Path], writes: int, every: float) -> list[float]:
    """Write, and return how long each file waited from its rest to its commit."""
    dice, waiting, results = random.Random(7), list[tuple[Path, float, int]](), list[float]()
    start = time.time()
    end = start + writes * every + 120
    left = writes
    while (left or waiting) and time.time() < end:
        if left and time.time() >= start + (writes - left) * every:
            left -= 1
            root = dice.choice(roots)
            logs = root / ".git/logs/HEAD"
            size = logs.stat().st_size
            with (root / "memory/2026-11-14.md").open("a") as file:
                file.write(f"- {left} was noted.\n")
            waiting.append((logs, time.time(), size))
        for item in list(waiting):
            logs, index, size = item
            if logs.stat().st_size > size:
                results.append(time.time() - index - QUIET)
                waiting.remove(item)
        time.sleep(0.02)
    return results + [float("inf")] * len(waiting)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workspaces", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--writes", type=int, default=120)
    parser.add_argument("--every", type=float, default=1.0)
    parser.add_argument("--stuck", type=int, default=3)
    options = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="clawgit-fleet-"))
    os.environ.update(HOME=str(home), XDG_STATE_HOME=str(home / "state"), OPENCLAW_STATE_DIR=str(home / "oc"))
    os.environ["CLAWGIT_FLEET"] = str(home / "fleet.yaml")
    try:
        start = time.monotonic()
        roots = made(home, options.workspaces)
        (home / "fleet.yaml").write_text(f"openclaw: false\nworkspaces:\n  - {home}/fleet/*\n")
        figures: dict[str, object] = {"workspaces": options.workspaces, "made_s": round(time.monotonic() - start, 1)}
        command = [Path(sys.executable).with_name("clawgit"), "fleet", "run", "--json"]
        with (home / "out").open("w") as output, (home / "err").open("w") as err:
            runner = subprocess.Popen(command, stdout=output, stderr=err)
            try:
                figures |= measured(runner.pid, roots, options)
            finally:
                runner.send_signal(signal.SIGKILL)
                runner.wait()
        ran = [json.loads(line) for line in (home / "out").read_text().splitlines()]
        figures["jobs"] = len(ran)
        figures["failed"] = [row["job"] for row in ran if row["result"] == "failed"]
        figures["said"] = (home / "err").read_text().splitlines()[:5]
    finally:
        shutil.rmtree(home, ignore_errors=True)
    for name, value in figures.items():
        print(f"{name:28} {value}")
    keep({**figures, "at": datetime.now(UTC).isoformat()})


def measured(pid: int, roots: list[Path], options: argparse.Namespace) -> dict[str, object]:
    time.sleep(15 + len(roots) / 100)  # until each was looked at once
    start, began = spent(pid), time.monotonic()
    limit = 0.0
    while time.monotonic() - began < options.seconds:
        time.sleep(1)
        limit = max(limit, resident(pid))
    idle = (spent(pid) - start) / (time.monotonic() - began)
    stuck = roots[: options.stuck]
    if stuck:
        Stopping(pid, stuck).start()
        for root in stuck:
            (root / "memory/2026-11-14.md").open("a").write("- It hangs.\n")
        time.sleep(QUIET + 3)
    start, began = spent(pid), time.monotonic()
    results = sorted(waits(roots[options.stuck :], options.writes, options.every))
    busy = (spent(pid) - start) / (time.monotonic() - began)
    return {
        "idle_resident_mb": round(limit, 1),
        "idle_percent_of_a_core": round(100 * idle, 2),
        "looked_at_for_s": options.seconds,
        "writes": len(results),
        "stuck": options.stuck,
        "capture_after_rest_s": {
            "median": round(median(results), 2),
            "p95": round(quantiles(results, n=20)[18], 2),
            "worst": round(results[-1], 2),
        },
        "busy_percent_of_a_core": round(100 * busy, 1),
        "busy_resident_mb": round(resident(pid), 1),
    }


if __name__ == "__main__":
    main()
