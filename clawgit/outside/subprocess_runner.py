"""A program, run within bounds and without a shell."""

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from clawgit.errors import NO_FIX, Advice, ClawgitError, Command, Fix


class OutsideError(ClawgitError):
    """An external program or server did not do its work, in time and in bounds.

    A `passing` error may be mended by another try, after `wait` seconds if the server asks for that.
    """

    passing = False
    wait = 0.0


class RefusedError(OutsideError):
    """A server refused; `words` are the beginning of its untrusted message."""

    def __init__(self, key: str, message: str, status: int, words: bytes = b"", *, fix: Fix = NO_FIX) -> None:
        super().__init__(key, message, fix=fix)
        self.status = status
        self.words = words


class BrokenError(OutsideError):
    """An answer came in part, or too late: it may have been worked on all the same."""


Found = TypeVar("Found")


def run_within(seconds: float, ask: Callable[[], Found]) -> Found:
    """Return the result of `ask`, if it comes in time; else raise TimeoutError, and leave it to itself.

    A socket's own limit starts anew with each byte, and does not count looking up a name.
    """
    future: Future[Found] = Future()

    def run() -> None:
        try:
            future.set_result(ask())
        except BaseException as exc:  # noqa: BLE001 - raised again where it is waited for
            future.set_exception(exc)

    threading.Thread(target=run, daemon=True).start()
    return future.result(timeout=max(seconds, 0))


_PASSED_VARIABLES = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_*", "XDG_*"),
    *("*_proxy", "*_PROXY", "SSL_CERT_*", "NODE_EXTRA_CA_CERTS"),
)
"""The variables that any program is given, as patterns."""
_MAX_ERROR_BYTES = 1 << 12
_POLL_SECONDS = 0.02


class Bounds(Struct, frozen=True):
    """The limits of a program: seconds, bytes of output, and patterns of the variables that it is given."""

    seconds: float
    largest: int = 4 << 20
    passed: tuple[str, ...] = ()


class Ran(Struct, frozen=True):
    """The end of a program: its exit code (negative: the signal), its output, and the end of its errors."""

    code: int
    output: str
    said: str


def run_program(words: Sequence[str], text: str, bounds: Bounds, environ: Mapping[str, str], folder: Path) -> Ran:
    """Run an argument list in `folder` with `text` on stdin, and wait for its end.

    It leads a process group of its own, which is killed whole when it ends, fails, or takes too much. Raises
    OutsideError when it cannot be started or prints too much, BrokenError when it takes too long.
    """
    name, patterns = words[0] if words else "", (*_PASSED_VARIABLES, *bounds.passed)
    variables = {key: value for key, value in environ.items() if any(fnmatchcase(key, glob) for glob in patterns)}
    fix = Command("command -v {}", name)
    # Files, not pipes: a child that left the group may hold a pipe open for good.
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        stdin.write(text.encode("utf-8", "replace"))
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                [*words],
                cwd=folder,
                env=variables,
                stdin=stdin,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
        except (OSError, ValueError, IndexError) as exc:
            reason = (exc.strerror if isinstance(exc, OSError) else "") or "no such command can be"
            raise OutsideError("program-failed", f"cannot run {name!r}: {reason}", fix=fix) from exc

        def is_large() -> bool:
            return max(os.fstat(file.fileno()).st_size for file in (output, errors)) > bounds.largest

        until = time.monotonic() + bounds.seconds
        try:
            while process.poll() is None and not is_large() and time.monotonic() < until:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_POLL_SECONDS)
            is_late = process.poll() is None
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if is_large():
            limit = f"{bounds.largest / (1 << 20):g} MB"
            raise OutsideError("answer-too-large", f"{name} gave more than {limit}", fix=fix)
        if is_late:
            late = f"{name} took longer than {round(bounds.seconds, 1):g} s"
            raise BrokenError("program-slow", late, fix=Advice("ask for less at once"))
        output.seek(0)
        errors.seek(max(errors.seek(0, os.SEEK_END) - _MAX_ERROR_BYTES, 0))
        stdout, stderr = (file.read().decode("utf-8", "replace") for file in (output, errors))
        return Ran(process.returncode, stdout, stderr)
