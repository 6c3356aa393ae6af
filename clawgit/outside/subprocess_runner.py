"""A program, run within bounds and without a shell."""

import contextlib
import os
import queue
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

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
_LOOK = 0.05


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
    started = _started(words, allowed(environ, (*PASSED, *bounds.passed)), folder)
    with started:
        try:
            output, said = _Talk(started, text.encode("utf-8", "replace"), bounds, words[0]).held()
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(started.pid, signal.SIGKILL)
    return Ran(started.returncode, output.decode("utf-8", "replace"), said.decode("utf-8", "replace"))


def allowed(environ: Mapping[str, str], patterns: Iterable[str]) -> dict[str, str]:
    """Return the variables that one of the patterns names."""
    every = tuple(patterns)
    return {name: value for name, value in environ.items() if any(fnmatchcase(name, one) for one in every)}


def _started(words: Sequence[str], environ: Mapping[str, str], folder: Path) -> "subprocess.Popen[bytes]":
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            [*words], cwd=folder, env=environ, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True
        )
    except (OSError, ValueError, IndexError) as exc:
        name = words[0] if words else ""
        why = (exc.strerror if isinstance(exc, OSError) else "") or "no such command can be"
        raise OutsideError("program-failed", f"cannot run {name!r}: {why}", fix=Command("command -v {}", name)) from exc


class _Talk:
    """What goes into a program and comes out of it."""

    def __init__(self, process: "subprocess.Popen[bytes]", text: bytes, bounds: Bounds, name: str) -> None:
        self._process, self._text, self._bounds, self._name = process, memoryview(text), bounds, name
        self._until = time.monotonic() + bounds.seconds
        self._output, self._said = bytearray(), bytearray()

    def held(self) -> tuple[bytes, bytes]:
        """Return output and complaints, once the program has ended."""
        with selectors.DefaultSelector() as select:
            for pipe, event in (
                (self._process.stdin, selectors.EVENT_WRITE),
                (self._process.stdout, selectors.EVENT_READ),
                (self._process.stderr, selectors.EVENT_READ),
            ):
                assert pipe is not None
                os.set_blocking(pipe.fileno(), False)
                select.register(pipe, event)
            while self._process.poll() is None:
                self._moved(select)
            while len(select.get_map()) and self._moved(select, wait=0):
                pass  # what it left in the pipes; its children may hold them open for good
        return bytes(self._output), bytes(self._said)

    def _moved(self, select: selectors.BaseSelector, wait: float = _LOOK) -> bool:
        left = self._until - time.monotonic()
        if left <= 0:
            raise BrokenError(
                "program-slow",
                f"{self._name} took longer than {round(self._bounds.seconds, 1):g} s",
                fix=Advice("ask for less at once"),
            )
        if not select.get_map():  # it closed everything and goes on
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(left)
            return False
        ready = [key.fileobj for key, _ in select.select(min(wait, left))]
        for pipe in ready:
            if pipe is self._process.stdin:
                self._write(select)
            else:
                self._take(select, pipe)
        return any(pipe is not self._process.stdin for pipe in ready)

    def _write(self, select: selectors.BaseSelector) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        try:
            self._text = self._text[os.write(pipe.fileno(), self._text[:_PIECE]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:  # it has heard enough
            self._text = self._text[:0]
        if not self._text:
            select.unregister(pipe)
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def _take(self, select: selectors.BaseSelector, pipe: object) -> None:
        assert hasattr(pipe, "fileno")
        data = os.read(pipe.fileno(), _PIECE)
        if not data:
            select.unregister(pipe)
        elif pipe is self._process.stderr:
            self._said = (self._said + data)[-_TAIL:]
        else:
            self._output += data
        if len(self._output) > self._bounds.largest:
            most = f"{self._bounds.largest / (1 << 20):g} MB"
            raise OutsideError(
                "answer-too-large", f"{self._name} gave more than {most}", fix=Command("command -v {}", self._name)
            )
