"""A job is a process of its own: the runner survives any end of it."""

import os
import sys
import time
from pathlib import Path

from clawgit.schedule import job_process, runner_state
from clawgit.schedule.job_process import Hand, Order

PATIENCE = 60.0


def has_ended(number):
    """Tell whether a process has ended, waiting for it as long as it takes on a busy machine."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_a_job_that_hangs_is_killed_with_all_that_it_started(tmp_path, monkeypatch):
    """It ignores the request to end, and so does its child."""
    monkeypatch.setattr(job_process, "GRACE_OF_WORKER", 0.2)
    note = tmp_path / "children"
    words = (
        "import os, signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'],"
        " start_new_session=True)\n"
        f"open({str(note)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "time.sleep(600)\n"
    )
    order = Order("capture", "/", "2026-05-04T12:00:00+00:00", 0.0, 2.0, 1000)
    with runner_state.hold_lease(tmp_path / "lease") as handle:
        did = Hand(handle, os.environ, (sys.executable, "-c", words))(order, lambda: False)
    assert (did.result, did.error) == ("killed", "it took longer than 2 seconds")
    assert did.fix == "clawgit -C '/' schedule run --once capture"
    if note.exists():  # on a very busy machine its time was over before it began
        assert all(has_ended(number) for number in note.read_text().split())
