"""Shows a long answer in a pager."""

import io
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from typing import Concatenate, TextIO

import click

from clawgit.cli.call import Call, P, R


def paged(function: Callable[Concatenate[Call, P], R]) -> Callable[Concatenate[Call, P], R]:
    """Have a command print through a pager where a terminal cannot show all of its answer at once."""

    @wraps(function)
    def printed(call: Call, /, *args: P.args, **kwargs: P.kwargs) -> R:
        out, screen = call.out, call.out.stdout
        program = os.environ.get("GIT_PAGER", os.environ.get("PAGER", "less")).strip()
        if not (call.pager and program and out.columns) or out.as_json or os.environ.get("TERM", "dumb") == "dumb":
            return function(call, *args, **kwargs)
        os.environ["PAGER"] = program
        os.environ.setdefault("LESS", "FRX")
        with ExitStack() as stack:
            out.stdout = buffer = Screenful(screen, stack)
            try:
                return function(call, *args, **kwargs)
            finally:
                out.stdout = screen
                buffer.release()

    return printed


class Screenful(io.StringIO):
    """A stream that holds back a screenful, and starts the pager once there is more."""

    def __init__(self, screen: TextIO, stack: ExitStack) -> None:
        super().__init__()
        self.screen = screen
        self.stack = stack
        self.rows = shutil.get_terminal_size().lines - 1
        self.pager: TextIO | None = None

    def isatty(self) -> bool:
        """Tell that somebody reads: colours and the width are those of the terminal."""
        return True

    def write(self, text: str) -> int:
        """Hold back `text`, or hand it on once the screen is full."""
        if self.pager is not None:
            return self.pager.write(text)
        self.rows -= text.count("\n")
        written = super().write(text)
        if self.rows < 0:
            try:
                self.pager = self.stack.enter_context(click.get_pager_file(color=True))
            except ValueError:  # quotes in GIT_PAGER that do not match
                self.pager = self.screen
            self.pager.write(self.getvalue())
        return written

    def flush(self) -> None:
        """Hand the pager all that it has not got yet."""
        if self.pager is not None:
            self.pager.flush()

    def release(self) -> None:
        """Print what was held back, unless the pager has it."""
        if self.pager is None:
            self.screen.write(self.getvalue())
