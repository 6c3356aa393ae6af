"""What may happen at each named point of a write: a kill, or somebody else's write."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from clawgit.git import write_steps
from tests.promises.desk import Desk

KILLED = -signal.SIGKILL


@contextmanager
def at_each_step(act: Callable[[int, str], None]) -> Iterator[None]:
    """Call `act(number, step)` at each point of the writes within; numbers count from 0."""
    steps: list[str] = []

    def observe(step: str) -> None:
        steps.append(step)
        act(len(steps) - 1, step)

    write_steps.observe(observe)
    try:
        yield
    finally:
        write_steps.forget(observe)


def run_and_kill(desk: Desk, number: int, *arguments: str) -> bool:
    """Run a command in a process of its own that is killed at a point; False when it ended before it got there."""

    def kill(reached: int, _: str) -> None:
        if reached == number:
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if not child:
        with at_each_step(kill):
            code = desk.call(*arguments).code
        os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
