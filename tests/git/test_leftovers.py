"""The leavings of a dead git stop nobody for good: the printed commands remove them."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from clawgit.errors import ClawgitError
from clawgit.git import git_state, repository
from clawgit.git.transaction import Written
from tests.connect.openclaw.conftest import until

Git = Callable[..., str]
Write = Callable[..., Written]
Prepare = Callable[[Path, Git], None]


def begin_merge(repo: Path, git: Git, *, conflict: bool = False) -> None:
    git("checkout", "-qb", "theirs")
    (repo / ("first.md" if conflict else "theirs.md")).write_text("theirs\n")
    git("add", "-A")
    git("commit", "-qm", "theirs")
    git("checkout", "-q", "main")
    (repo / ("first.md" if conflict else "ours.md")).write_text("ours\n")
    git("add", "-A")
    git("commit", "-qm", "ours")
    subprocess.run(["git", "merge", "-q", "--no-commit", "theirs"], cwd=repo, check=False, capture_output=True)


def picked(repo: Path, git: Git) -> None:
    begin_merge(repo, git, conflict=True)
    git("merge", "--abort")
    subprocess.run(["git", "cherry-pick", "theirs"], cwd=repo, check=False, capture_output=True)


def sequenced(repo: Path, git: Git) -> None:
    picked(repo, git)
    git("cherry-pick", "--abort")
    git("checkout", "-q", "theirs")
    git("commit", "-q", "--allow-empty", "-m", "one more")
    git("checkout", "-q", "main")
    words = ["git", "cherry-pick", "--allow-empty", "theirs~1", "theirs"]
    subprocess.run(words, cwd=repo, check=False, capture_output=True)
    git("checkout", "-q", "--theirs", "first.md")
    git("commit", "-qam", "resolved")


def reverted(repo: Path, git: Git) -> None:
    git("commit", "-q", "--allow-empty", "-m", "empty")
    git("revert", "--no-commit", "HEAD~1")


def rebased(repo: Path, git: Git) -> None:
    begin_merge(repo, git, conflict=True)
    git("merge", "--abort")
    subprocess.run(["git", "rebase", "-q", "theirs"], cwd=repo, check=False, capture_output=True)


def applied(repo: Path, git: Git) -> None:
    begin_merge(repo, git, conflict=True)
    git("merge", "--abort")
    patch = git("format-patch", "-1", "--stdout", "theirs")
    subprocess.run(["git", "am", "-q"], cwd=repo, input=patch, text=True, check=False, capture_output=True)


LEFT: dict[str, Prepare] = {
    "a rebase in conflict": rebased,
    "an am in conflict": applied,
    "a merge that waits to be committed": begin_merge,
    "a merge in conflict": lambda repo, git: begin_merge(repo, git, conflict=True),
    "a cherry-pick in conflict": picked,
    "several cherry-picks, one committed": sequenced,
    "a revert that waits to be committed": reverted,
    "a bisect": lambda repo, git: git("bisect", "start") and None,
}


@pytest.mark.parametrize("left", LEFT, ids=list(LEFT))
def test_every_printed_command_works_and_then_a_write_does(repo: Path, git: Git, write: Write, left: str) -> None:
    """One after the other, as they are printed, until nothing stands in the way."""
    LEFT[left](repo, git)
    commands: list[str] = []
    while True:
        for place in (repo / ".git").rglob("*"):
            os.utime(place, (1, 1), follow_symlinks=False)
        try:
            write({"second.md": "ours\n"}, patience=0.2)
            break
        except ClawgitError as exc:
            if str(exc.fix) in commands:
                raise
            commands.append(str(exc.fix))
            run(repo, str(exc.fix))
    assert commands
    assert git("show", "HEAD:second.md") == "ours\n"


def run(repo: Path, command: str) -> None:
    words = command.partition("   #")[0]
    finished = subprocess.run(["sh", "-c", words], cwd=repo, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, (command, finished.stderr, finished.stdout)


def test_leftovers_that_stop_nobody_are_let_alone(repo: Path, write: Write) -> None:
    for name in ("MERGE_MSG", "SQUASH_MSG", "ORIG_HEAD", "BISECT_LOG", "AUTO_MERGE", "MERGE_RR"):
        (repo / ".git" / name).write_text("")
    assert write({"second.md": "ours\n"}).commits


def git_at_work(repo: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    """A real git that waits for its editor, which says so with a file `.git/editing`."""
    editor = "touch .git/editing; sleep 30 #"
    return subprocess.Popen(
        ["git", *arguments],
        cwd=repo,
        env=os.environ | {"GIT_EDITOR": editor, "GIT_SEQUENCE_EDITOR": editor},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="/proc; get it: Linux")
def test_what_still_runs_is_named_and_not_called_left(repo: Path, git: Git, write: Write) -> None:
    git("commit", "-q", "--allow-empty", "-m", "second")
    with git_at_work(repo, "rebase", "-q", "-i", "HEAD~1") as running:
        try:
            until((repo / ".git/editing").exists)  # git writes no more there
            os.utime(repo / ".git/rebase-merge", (1, 1))
            with pytest.raises(ClawgitError) as caught:
                write({"second.md": "ours\n"})
        finally:
            os.killpg(running.pid, signal.SIGKILL)  # its editor too
    assert caught.value.key == "git-operation"
    assert f"{running.pid} (git rebase" in caught.value.message
    operation = git_state.operation_under_way(repository.find(repo))
    assert operation
    assert "kill" not in str(operation.fix)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="/proc; get it: Linux")
def test_a_git_that_is_at_work_is_named_before_anybody_removes_its_lock(repo: Path, git: Git) -> None:
    repository_here, lock = repository.find(repo), repo / ".git/index.lock"
    lock.touch()
    with subprocess.Popen(["git", "cat-file", "--batch"], cwd=repo, stdin=subprocess.PIPE) as running:
        busy = git_state.find_live_lock(repository_here, "main")
        assert busy
        words = f"wait for process {running.pid} (git cat-file --batch), or: kill {running.pid}"
        assert str(busy.fix) == words
    assert str(busy.fix).startswith("if no git is at work: rm ")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="/proc; get it: Linux")
def test_a_lock_is_left_only_when_no_git_is_at_work_here_and_nobody_holds_it(repo: Path, git: Git) -> None:
    repository_here, lock = repository.find(repo), repo / ".git/index.lock"
    lock.touch()
    assert git_state.find_dead_lock(repository_here, "main") is None
    os.utime(lock, (1, 1))
    lock_error = git_state.find_dead_lock(repository_here, "main")
    assert lock_error
    assert (lock_error.key, lock_error.lock) == ("git-operation", lock)
    assert str(lock_error.fix).split() == ["clawgit", "doctor", "--fix"]
    with lock.open("rb"):
        script = f"import time; handle = open({str(lock)!r}); print('open', flush=True); time.sleep(30)"
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as holder:
            assert holder.stdout
            holder.stdout.readline()
            assert git_state.find_dead_lock(repository_here, "main") is None
            git_state.remove_left(repository_here, lock)
            holder.kill()
    assert lock.exists()
    lock.unlink()
    with git_at_work(repo, "commit", "--allow-empty") as running:
        try:
            until((repo / ".git/editing").exists)  # git has taken its own lock, and given it back
            lock.touch()
            os.utime(lock, (1, 1))
            assert git_state.find_dead_lock(repository_here, "main") is None
        finally:
            os.killpg(running.pid, signal.SIGKILL)  # its editor too
    git_state.remove_left(repository_here, lock)
    assert not lock.exists()
