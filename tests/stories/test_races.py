"""Nothing is lost beside other writers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

RIG = Path(__file__).parents[2] / "benchmarks" / "races.py"
ZERO = (
    "ours_missing_in_head",
    "ours_missing_on_disk",
    "ours_doubled",
    "ours_removed_by_a_commit",
    "ours_swallowed_by_others",
    "theirs_missing",
)


def race(kind, writes, pause):
    command = [sys.executable, RIG, kind, "--writes", str(writes), "--pause", str(pause), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=250)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)[0]


@pytest.mark.race
def test_eight_of_our_processes_lose_nothing_to_each_other():
    """400 changes by eight processes to the same memory file and journal are all in HEAD, once."""
    found = race("crowd", 50, 0)
    assert found["writes"] == 400
    assert {key: found[key] for key in ZERO} == dict.fromkeys(ZERO, 0)
    assert (found["fsck"], found["theirs_appended_missing"]) == ("", 0)


@pytest.mark.race
@pytest.mark.parametrize("kind", ["add", "add-all", "commit-a", "checkout", "rebase", "status", "stash"])
def test_a_second_writer_loses_nothing_and_takes_nothing(kind):
    """Beside somebody's loop of git commands and an appender, no line of anyone is lost from HEAD and disk.

    A stash loop loses appended lines by itself; of those nothing is promised.
    """
    found = race(kind, 115, 0.02)
    assert {key: found[key] for key in ZERO} == dict.fromkeys(ZERO, 0), found
    assert found["fsck"] == ""
    if kind != "stash":
        assert found["theirs_appended_missing"] == 0
