"""A program, run within bounds and without a shell."""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import IO, TypeVar

from msgspec import Struct

from clawgit.errors import NO_FIX, Advice, ClawgitError, Command, Fix


class OutsideError(ClawgitError):
    """Somebody outside did not do what was asked, in time and in bounds."""


class RefusedError(OutsideError):
    """A server answered that it will not; `words` are the beginning of what it said, which nobody should believe.

    `wait` is for how many seconds it asks to be left alone.
    """

    def __init__(
        self, key: str, message: str, status: int, words: bytes = b"", *, fix: Fix = NO_FIX, wait: float = 0.0
    ) -> None:
        super().__init__(key, message, fix=fix)
        self.status = status
        self.words = words
        self.wait = wait


class UnreachedError(OutsideError):
    """Nobody was there to take it: nothing was worked on."""


class BrokenError(OutsideError):
    """An answer came in part, or too late: it may have been worked on all the same."""


Found = TypeVar("Found")


def within(seconds: float, ask: Callable[[], Found]) -> Found:
    """Return what `ask` returns, if it does in time; else raise TimeoutError, and leave it to itself.

    A socket's own limit starts anew with each byte, and does not count looking up a name.
    """
    told: queue.SimpleQueue[tuple[list[Found], BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            told.put(([ask()], None))
        except BaseException as exc:  # noqa: BLE001 - raised again where it is waited for
            told.put(([], exc))

    threading.Thread(target=run, daemon=True).start()
    try:
        found, failed = told.get(timeout=max(seconds, 0))
    except queue.Empty:
        raise TimeoutError from None
    if failed:
        raise failed
    return found[0]


PASSED = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_*", "XDG_*"),
    *("*_proxy", "*_PROXY", "SSL_CERT_*", "NODE_EXTRA_CA_CERTS"),
)
"""The variables that any program is given, as patterns."""
_PIECE = 1 << 16
_TAIL = 1 << 12
_LOOK, _PATIENCE = 0.05, 1.0  # seconds


class Bounds(Struct, frozen=True):
    """What a program may take: seconds, bytes of output, and the variables it is given beside `PASSED`."""

    seconds: float
    largest: int = 4 << 20
    passed: tuple[str, ...] = ()


class Ran(Struct, frozen=True):
    """How a program ended: its exit code (negative: the signal), its output, and the end of what it complained."""

    code: int
    output: str
    said: str


def run(words: Sequence[str], text: str, bounds: Bounds, environ: Mapping[str, str], folder: Path) -> Ran:
    """Run an argument list in `folder` with `text` on stdin, and wait for its end.

    It leads a process group of its own, which is killed whole when it ends, fails, or takes too much. Raises
    OutsideError when it cannot be started or says too much, BrokenError when it takes too long.
    """
    name, pipe = words[0] if words else "", subprocess.PIPE
    passed = allowed(environ, (*PASSED, *bounds.passed))
    try:
        process = subprocess.Popen(
            [*words], cwd=folder, env=passed, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
    except (OSError, ValueError, IndexError) as exc:
        why = (exc.strerror if isinstance(exc, OSError) else "") or "no such command can be"
        raise OutsideError("program-failed", f"cannot run {name!r}: {why}", fix=Command("command -v {}", name)) from exc
    output, complaints = bytearray(), bytearray()
    talk = [
        threading.Thread(target=act, args=args, daemon=True)
        for act, args in (
            (_write, (process.stdin, text.encode("utf-8", "replace"))),
            (_collect, (process.stdout, output, bounds.largest)),
            (_collect, (process.stderr, complaints, None)),
        )
    ]
    for thread in talk:
        thread.start()
    try:
        _wait(process, name, bounds, output)
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        until = time.monotonic() + _PATIENCE  # a child that left the group may hold the pipes open for good
        for thread in talk:
            thread.join(max(until - time.monotonic(), 0))
    if len(output) > bounds.largest:
        most = f"{bounds.largest / (1 << 20):g} MB"
        raise OutsideError("answer-too-large", f"{name} gave more than {most}", fix=Command("command -v {}", name))
    said = complaints.decode("utf-8", "replace")
    return Ran(process.returncode, output.decode("utf-8", "replace"), said)


def _write(pipe: IO[bytes], text: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), pipe:  # it may have heard enough
        pipe.write(text)


def _collect(pipe: IO[bytes], kept: bytearray, largest: int | None) -> None:
    """Keep the output of a program up to a little more than `largest` bytes; None keeps the end of it."""
    with pipe:
        while (largest is None or len(kept) <= largest) and (piece := os.read(pipe.fileno(), _PIECE)):
            kept += piece
            if largest is None:
                del kept[:-_TAIL]


def _wait(process: "subprocess.Popen[bytes]", name: str, bounds: Bounds, output: bytearray) -> None:
    """Wait for the end of a program, or for too much output. Raises BrokenError when it takes too long."""
    until = time.monotonic() + bounds.seconds
    while process.poll() is None and len(output) <= bounds.largest:
        left = until - time.monotonic()
        if left <= 0:
            words = f"{name} took longer than {round(bounds.seconds, 1):g} s"
            raise BrokenError("program-slow", words, fix=Advice("ask for less at once"))
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(min(_LOOK, left))


def allowed(environ: Mapping[str, str], patterns: Iterable[str]) -> dict[str, str]:
    """Return the variables that one of the patterns names."""
    every = tuple(patterns)
    return {name: value for name, value in environ.items() if any(fnmatchcase(name, one) for one in every)}
