"""Shows a long answer in a pager."""

import contextlib
import io
import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, TextIO, cast

from clawgit.cli.call import Call, P, R
from clawgit.cli.output import Output

_DEFAULT = "less"
_NONE = ("", "cat")


def paged(function: Callable[Concatenate[Call, P], R]) -> Callable[Concatenate[Call, P], R]:
    """Have a command print through a pager where a terminal cannot show all of its answer at once."""

    @wraps(function)
    def printed(call: Call, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with through(call.out, call.pager):
            return function(call, *args, **kwargs)

    return printed


@contextmanager
def through(out: Output, wanted: bool = True) -> Iterator[None]:  # noqa: FBT001, FBT002 - the option --no-pager
    """Have `out` print through a pager, unless it is no terminal, prints a document, or none is wanted."""
    program = command()
    if not (wanted and program and out.columns) or out.as_json:
        yield
        return
    screen = out.stdout
    held = Held(screen, program, shutil.get_terminal_size().lines - 1)
    out.stdout = cast("TextIO", held)
    try:
        yield
    finally:
        held.release()
        out.stdout = screen


def command() -> list[str]:
    """Return the pager as it is called: of GIT_PAGER, else PAGER, else less; empty where none is wanted."""
    said = next((value for name in ("GIT_PAGER", "PAGER") if (value := os.environ.get(name)) is not None), _DEFAULT)
    if said.strip() in _NONE or os.environ.get("TERM", "dumb") == "dumb":
        return []
    try:
        words = shlex.split(said)
    except ValueError:
        return []
    return words if shutil.which(words[0]) else []


class Held(io.TextIOBase):
    """A stream that keeps a screenful back, and calls the pager once there is more."""

    def __init__(self, screen: TextIO, program: list[str], rows: int) -> None:
        self.screen = screen
        self.program = program
        self.rows = rows
        self.kept: list[str] = []
        self.running: subprocess.Popen[str] | None = None

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the terminal."""
        return self.screen.encoding

    def isatty(self) -> bool:
        """Tell that somebody reads: colours and the width are those of the terminal."""
        return True

    def fileno(self) -> int:
        """Return where the answer goes now."""
        return self._target().fileno()

    def write(self, text: str) -> int:
        """Keep `text`, or hand it on once the screen is full."""
        if self.running is None:
            self.kept.append(text)
            self.rows -= text.count("\n")
            if self.rows < 0:
                self._call()
        else:
            self._target().write(text)
        return len(text)

    def flush(self) -> None:
        """Hand over what the pager has not got yet; what fits on the screen waits for the end."""
        if self.running is not None:
            self._target().flush()

    def release(self) -> None:
        """Print what was kept, or wait until the reader has left the pager."""
        if self.running is None:
            self.screen.write("".join(self.kept))
            return
        with contextlib.suppress(OSError, ValueError):
            self._target().close()
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # ^C is for the pager while it is there
        try:
            self.running.wait()
        finally:
            signal.signal(signal.SIGINT, before)

    def _target(self) -> TextIO:
        if self.running is None:
            return self.screen
        assert self.running.stdin is not None
        return self.running.stdin  # type: ignore[return-value]

    def _call(self) -> None:
        environment = {"LESS": "FRX", "LV": "-c", **os.environ}
        encoding = self.screen.encoding or "utf-8"
        self.running = subprocess.Popen(
            self.program, stdin=subprocess.PIPE, env=environment, encoding=encoding, errors="backslashreplace"
        )
        self._target().write("".join(self.kept))
