"""Killed at any moment, a digest is taken at most once, and what is in doubt is told."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from clawgit.findings import digest_delivery

from .hook import Hook, listening
from .space import Space

COMMAND = Path(sys.executable).with_name("clawgit")


def sending(space: Space, hook: Hook) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [COMMAND, "-C", space.root, "digest", "--since", "2001-01-01", "--send"],
        env={**os.environ, **hook.environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def ended(process: "subprocess.Popen[bytes]") -> str:
    said = process.communicate(timeout=120)[0].decode()
    assert process.returncode in (0, -signal.SIGKILL), said
    return said


def test_killed_when_the_message_has_arrived_it_is_not_sent_again(space: Space) -> None:
    space.add("Chose REST over GraphQL.")
    running: list[subprocess.Popen[bytes]] = []

    def kill(hook: Hook) -> int:
        while not running:
            time.sleep(0.01)
        running[0].kill()
        running[0].wait()
        return 200

    with listening(kill, 200) as hook:
        running.append(sending(space, hook))
        ended(running[0])
        assert next(iter(digest_delivery.notes(space.ws.store).values())).state == "sending"
        assert "this was told before" in ended(sending(space, hook))
        assert len(hook.posts) == 1
    told = subprocess.run([COMMAND, "-C", space.root, "digest"], capture_output=True, text=True, check=True)
    assert "may not have arrived" in told.stdout


def test_killed_at_any_moment_it_is_taken_at_most_once(another: Callable[[], AbstractContextManager[Space]]) -> None:
    chance = random.Random(20261120)
    with another() as space, listening(200) as hook:
        for number in range(6):
            space.add(f"Note {number}.")
            process = sending(space, hook)
            time.sleep(chance.random() * 0.6)
            process.kill()
            ended(process)
            ended(sending(space, hook))
    assert all(count == 1 for count in hook.taken.values())
    assert len(hook.posts) == len({key for _, key in hook.posts})
