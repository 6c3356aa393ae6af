"""The schedule runs each slot once: not twice, and one that was missed is caught up."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.promises.desk import Desk

MUTATION = (
    "schedule/job_timetable.py",
    "ran=now.timestamp(), stamp=stamp, last=last)",
    "ran=now.timestamp(), stamp=stamp)",
)


def test_a_job_that_ran_is_noted_and_others_are_not(desk: Desk) -> None:
    before = read_last_run(desk, "index")
    desk.run("schedule", "once", "capture")
    assert read_last_run(desk, "capture") is not None
    assert read_last_run(desk, "index") == before


def test_a_failed_job_ends_no_other(desk: Desk) -> None:
    desk.write("memory/odd.md", b"\xff\xfe")
    desk.call("schedule", "once", "index")
    desk.run("schedule", "once", "capture")
    assert read_last_run(desk, "capture") is not None


def read_last_run(desk: Desk, job: str) -> object:
    """Return when a job ran last, None for never."""
    return next(row["last"] for row in desk.run("schedule", "status") if row["job"] == job)


def test_an_unknown_job_is_refused(desk: Desk) -> None:
    desk.refuse("schedule", "once", "nothing-such", key="job-unknown", code=2)


def test_a_slot_is_not_run_twice(desk: Desk) -> None:
    assert desk.run("schedule", "run", "--once")
    assert desk.run("schedule", "run", "--once") == []


class Runner:
    """The runner of a workspace as a process, by a clock that the test moves; it prints each job that ended."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self.desk, self.clock, self.said = desk, folder / "clock", folder / "said"
        self.said.touch()
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, moment: str) -> None:
        self.set_clock(moment)
        with self.said.open("a") as log:
            command = [sys.executable, str(RUNNING), str(self.desk.root), str(self.clock)]
            self.process = subprocess.Popen(command, stdout=log, stderr=log)

    def set_clock(self, moment: str) -> None:
        """Set its clock in one step: it may be read at any moment."""
        new_clock = self.clock.with_suffix(".new")
        new_clock.write_text(moment)
        new_clock.replace(self.clock)

    def end(self, number: int = signal.SIGTERM) -> None:
        if self.process:
            self.process.send_signal(number)
            self.process.wait(PATIENCE_SECONDS)

    def count(self, job: str) -> int:
        return sum(line.split()[0] == job for line in self.said.read_text().splitlines())

    def wait(self, job: str, times: int) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.count(job) < times:
            assert time.monotonic() < deadline, self.said.read_text()
            time.sleep(0.05)

    def let_pass(self, minutes: int) -> None:
        """Let time pass, six minutes at a time, until the runner has looked: captures run every five."""
        times, step = self.count("capture") + 1, timedelta(minutes=6)
        moment = datetime.fromisoformat(self.clock.read_text()) + timedelta(minutes=minutes)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.count("capture") < times:
            assert time.monotonic() < deadline, self.said.read_text()
            self.set_clock(moment.isoformat())
            moment += step
            time.sleep(2)


RUNNING = Path(__file__).resolve().parents[1] / "stories/running.py"
PATIENCE_SECONDS = 120.0


@pytest.fixture
def runner(desk: Desk, tmp_path: Path) -> Iterator[Runner]:
    runner = Runner(desk, tmp_path)
    yield runner
    runner.end(signal.SIGKILL)


@pytest.mark.slow
def test_a_slot_is_run_once_and_a_missed_one_is_caught_up_once(runner: Runner) -> None:
    """The runner is killed, and later asked to end."""
    runner.start("2026-05-04T02:20:00+00:00")
    runner.wait("capture", 1)
    runner.set_clock("2026-05-04T02:31:00+00:00")
    runner.wait("soul-keeper", 1)
    runner.end(signal.SIGKILL)
    runner.start("2026-05-04T02:50:00+00:00")
    runner.let_pass(minutes=20)
    assert runner.count("soul-keeper") == 1
    runner.end()
    runner.start("2026-05-07T12:00:00+00:00")
    runner.wait("conflict-detector", 1)
    runner.let_pass(minutes=20)
    assert runner.count("soul-keeper") == TWO_SLOTS
    assert runner.count("conflict-detector") == 1


TWO_SLOTS = 2
