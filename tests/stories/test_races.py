"""Nothing is lost beside other writers."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.amounts import amount

RIG = Path(__file__).parents[2] / "benchmarks/writes/races.py"
ZERO = (
    "ours_missing_in_head",
    "ours_missing_on_disk",
    "ours_doubled",
    "ours_removed_by_a_commit",
    "ours_swallowed_by_others",
    "theirs_missing",
)

KINDS = ["add-all", "rebase", "stash", "commit-a", "checkout", "add", "status"][: amount(7, 3)]


def race(kind, writes, pause, folder):
    command = [sys.executable, RIG, kind, "--writes", str(writes), "--pause", str(pause), "--json"]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen(command, env={**os.environ, "TMPDIR": str(folder)}, **options) as rig:
        try:
            output, failed = rig.communicate(timeout=250)
        except subprocess.TimeoutExpired:
            os.killpg(rig.pid, signal.SIGKILL)  # nobody who works beside it may go on
            raise
    assert rig.returncode in (0, 1), failed
    return json.loads(output)[0]


def test_eight_of_our_processes_lose_nothing_to_each_other(tmp_path):
    """The lines of eight processes in the same memory file and journal are all in HEAD, once."""
    writes = amount(50, 5)
    counts = race("crowd", writes, 0, tmp_path)
    assert counts["writes"] == 8 * writes
    assert {key: counts[key] for key in ZERO} == dict.fromkeys(ZERO, 0)
    assert (counts["fsck"], counts["theirs_appended_missing"]) == ("", 0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_writer_loses_nothing_and_takes_nothing(kind, disk, tmp_path):
    """Beside somebody's loop of git commands and an appender, no line of anyone is lost from HEAD and disk.

    A stash loop loses appended lines by itself; of those nothing is promised. One kind waits for a real disk.
    """
    counts = race(kind, amount(115, 10), 0.02, disk if kind == "add-all" else tmp_path)
    assert {key: counts[key] for key in ZERO} == dict.fromkeys(ZERO, 0), counts
    assert counts["fsck"] == ""
    if kind != "stash":
        assert counts["theirs_appended_missing"] == 0
