"""An open commit is known by git's process, and no other is taken for it."""

import os
import subprocess
import sys
import time

import pytest

from clawgit.git.git_state import LONGEST_SECONDS, commit_open
from clawgit.git.repository import find


@pytest.fixture
def ask_about_process(repo):
    """Write down a process as the hook would, and ask."""
    repository_here = find(repo)
    repository_here.room.mkdir()
    place = repository_here.room / "committing"

    def ask(words, age=0.0):
        place.write_bytes(words if isinstance(words, bytes) else words.encode())
        moment = time.time() - age
        os.utime(place, (moment, moment))
        return commit_open(repository_here)

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
def test_a_process_counts_while_it_runs_and_not_too_long(ask_about_process, child):
    words = stat(child)
    assert ask_about_process(words)
    assert ask_about_process(words.replace(b" S ", b" R ", 1))
    assert not ask_about_process(words, age=LONGEST_SECONDS + 1)
    assert not ask_about_process(words, age=-60)
    before, name, fields = words.rpartition(b")")
    other = fields.split()
    other[19] = str(int(other[19]) - 1).encode()
    assert not ask_about_process(before + name + b" " + b" ".join(other))
    child.kill()
    child.wait()
    assert not ask_about_process(words)


@pytest.mark.parametrize("words", ["", "\n", "x", "-1", "0", "99999999999999999999", "1 (git", "1 (git) S", b"\xff"])
def test_what_cannot_be_read_is_nothing_open(ask_about_process, words):
    assert not ask_about_process(words)
