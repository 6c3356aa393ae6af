"""Events at each named point of a write: a kill, or somebody else's write."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from clawgit.git import worktree_files
from tests.promises.desk import Desk

KILLED = -signal.SIGKILL


@contextmanager
def call_at_each_step(act: Callable[[int, str], None]) -> Iterator[None]:
    """Call `act(number, step)` at each point of the writes within; numbers count from 0."""
    steps: list[str] = []

    def observe(step: str) -> None:
        steps.append(step)
        act(len(steps) - 1, step)

    worktree_files.observe(observe)
    try:
        yield
    finally:
        worktree_files.stop_observing(observe)


def run_and_kill(desk: Desk, number: int, *arguments: str, beside: Callable[[str], None] | None = None) -> str:
    """Run a command in a process of its own that is killed at a point; return that point, "" when it ended before.

    `beside` is called with the name of each point up to there.
    """
    ours, theirs = os.pipe()

    def kill(point: int, step: str) -> None:
        if beside:
            beside(step)
        if point == number:
            os.write(theirs, step.encode())
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if not child:
        with call_at_each_step(kill):
            code = desk.call(*arguments).code
        os._exit(code)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        point = pipe.read()
    _, status = os.waitpid(child, 0)
    assert bool(point) == (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL)
    return point


def assert_settled(desk: Desk) -> None:
    """Check that two captures leave nothing of a write: no lock, no displaced file, no difference from HEAD."""
    for _ in range(2):  # the first may find an edit and write
        time.sleep(0.06)  # whoever had found a file before it was replaced may open it for so long
        desk.run("capture")
    assert desk.git("fsck", "--no-dangling", "--no-progress") == ""
    assert desk.git("status", "--porcelain") == ""
    assert list((desk.root / ".git").glob("**/*.lock")) == []
    assert "pending" not in desk.git("for-each-ref", "refs/clawgit")
    assert [*(desk.root / ".git/clawgit/displaced").iterdir()] == []
    assert [*desk.root.rglob(".*.clawgit-*")] == []


def open_in_editor(desk: Desk, path: str = "MEMORY.md", *words: str) -> IO[str]:
    """Run a write during which an editor opens the file that is about to be replaced; return the editor's handle."""
    handles: list[IO[str]] = []

    def open_file(_: int, step: str) -> None:
        if step.startswith("exchange") and not handles:
            handles.append((desk.root / path).open("r+"))

    with call_at_each_step(open_file):
        desk.run(*(words or ("remember", "The lamps are rated at 400 watts.")))
    return handles[0]


def save(handle: IO[str], text: str) -> None:
    """Replace the text of an open file, and close it."""
    handle.seek(0)
    handle.truncate()
    handle.write(text)
    handle.close()


def reset_unawares(desk: Desk, revision: str) -> None:
    """Do the same as a reset that looked HEAD up before the last commit and took the lock after it."""
    desk.git("reset", "--hard", "--quiet", revision)
    log = desk.root / ".git/logs/refs/heads/main"
    log.write_text(log.read_text().replace(f"reset: moving to {revision}\n", "reset: moving to HEAD\n"))
