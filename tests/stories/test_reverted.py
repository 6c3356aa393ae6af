"""What agents commit from an older reading takes nothing of ours away for good."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.amounts import amount

RIG = Path(__file__).parents[2] / "benchmarks/writes/reverted.py"
ZERO = ("missing_in_head", "missing_on_disk", "doubled", "rows_missing", "of_unknown_origin")


def races(*arguments):
    command = [sys.executable, RIG, *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=250)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(not (shutil.which("cc") or shutil.which("gcc")), reason="a C compiler; get it: apt install gcc")
@pytest.mark.parametrize("kind", ["add", "rebase"][: amount(2, 1)])
def test_beside_a_git_that_is_slow_to_lock_its_index_every_line_stays_ours(kind):
    """Each line is in HEAD and on disk, once, with its row; and no commit says that it came from nobody knows whom."""
    (found,) = races(kind, "--writes", "15", "--slow", "index.lock")
    assert {key: found[key] for key in ZERO} == dict.fromkeys(ZERO, 0), found
    assert found["fsck"] == ""
    assert found["their_failures"] > 0


@pytest.mark.parametrize("kind", ["commit-path", "stash"][: amount(2, 1)])
def test_beside_an_agent_who_tries_again_every_line_stays_ours(kind):
    (found,) = races(kind, "--writes", "15", "--slow", "")
    assert {key: found[key] for key in ZERO} == dict.fromkeys(ZERO, 0), found
    assert found["fsck"] == ""
