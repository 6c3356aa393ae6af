"""Many workspaces in one process: they cost little while nothing happens, and each write is kept."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clawgit.schedule import runner_state
from clawgit.schedule.job_timetable import Kept
from tests import moulds
from tests.amounts import amount

COUNT, CALM = amount(200, 80), amount(10, 4)
POLLED = ("capture", "session-import", "recall-validator", "index")
DAILY = (
    *("soul-keeper", "memory-compactor", "decay-engine", "lessons", "memory-miner", "organizer"),
    *("conflict-detector", "housekeeping", "promotion-review", "digest"),
)
TICK = os.sysconf("SC_CLK_TCK")


@pytest.fixture
def environ(tmp_path, monkeypatch):
    for name, folder in (("XDG_STATE_HOME", "state"), ("OPENCLAW_STATE_DIR", "oc")):
        monkeypatch.setenv(name, str(tmp_path / folder))
    return dict(os.environ)


@pytest.fixture
def roots(tmp_path, environ):
    """Workspaces after their first day: every job has run, and no file changed since."""
    mould = moulds.managed(tmp_path / "mould", "# Soul\n\n- Be kind.\n")
    (tmp_path / "fleet").mkdir()
    folders = [moulds.copied(mould, tmp_path / f"fleet/agent{number:03}") for number in range(COUNT)]
    now = time.time()
    for root in folders:
        place = runner_state.find_runner_place(root, environ)
        records = {
            job: Kept(now, looked=now, ran=now, stamp=runner_state.stamp_job(job, place, environ)) for job in POLLED
        }
        runner_state.save(place.state, {**records, **{job: Kept(now) for job in DAILY}})
    return folders


def spent(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICK


def rate(pid, seconds):
    before = spent(pid)
    time.sleep(seconds)
    return (spent(pid) - before) / seconds


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the kernel tells what a process costs")
def test_many_rest_in_one_process_and_each_write_is_kept(roots, tmp_path, environ):
    (tmp_path / "fleet.yaml").write_text("openclaw: false\nworkspaces: [fleet/*]\n")
    command = [Path(sys.executable).with_name("clawgit"), "fleet", "run"]
    environ = environ | {"CLAWGIT_FLEET": str(tmp_path / "fleet.yaml")}
    running = subprocess.Popen(command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        start = time.monotonic()
        while (rate(running.pid, 2.0) > 0.05 or spent(running.pid) < 1) and time.monotonic() < start + 90:
            pass  # it starts, and reads them all once
        before, start = spent(running.pid), time.monotonic()
        time.sleep(CALM)
        share = (spent(running.pid) - before) / (time.monotonic() - start)
        resident = int(Path(f"/proc/{running.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        sample = roots[::30]
        for root in sample:
            (root / "MEMORY.md").write_text("# Memory\n\n- The relay is in Porto.\n")
        waiting, end = set(sample), time.monotonic() + 60
        while waiting and time.monotonic() < end:
            waiting = {root for root in waiting if "MEMORY.md" not in tracked(root)}
            time.sleep(0.5)
    finally:
        running.terminate()
        running.wait(60)
    assert not waiting
    assert share < 0.05
    assert resident < 500 << 20


def tracked(root):
    return subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout
