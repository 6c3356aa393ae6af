"""An open commit is known by git's process, and no other is taken for it."""

import os
import subprocess
import sys
import time

import pytest

from clawgit.git.git_state import LONGEST_SECONDS, commit_open
from clawgit.git.repository import find


@pytest.fixture
def noted(repo):
    """Write down a process as the hook would, and ask."""
    found = find(repo)
    found.room.mkdir()
    place = found.room / "committing"

    def ask(said, age=0.0):
        place.write_bytes(said if isinstance(said, bytes) else said.encode())
        moment = time.time() - age
        os.utime(place, (moment, moment))
        return commit_open(found)

    return ask


@pytest.fixture
def child():
    """A process that waits."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def stat(process):
    with open(f"/proc/{process.pid}/stat", "rb") as file:  # noqa: PTH123 - read like the hook does
        return file.read()


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="/proc; get it: Linux")  # noqa: PTH110
def test_a_process_counts_while_it_runs_and_not_too_long(noted, child):
    said = stat(child)
    assert noted(said)
    assert noted(said.replace(b" S ", b" R ", 1))
    assert not noted(said, age=LONGEST_SECONDS + 1)
    assert not noted(said, age=-60)
    before, name, fields = said.rpartition(b")")
    other = fields.split()
    other[19] = str(int(other[19]) - 1).encode()
    assert not noted(before + name + b" " + b" ".join(other))
    child.kill()
    child.wait()
    assert not noted(said)


@pytest.mark.parametrize("said", ["", "\n", "x", "-1", "0", "99999999999999999999", "1 (git", "1 (git) S", b"\xff"])
def test_what_cannot_be_read_is_nothing_open(noted, said):
    assert not noted(said)
