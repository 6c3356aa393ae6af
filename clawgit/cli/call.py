"""One call of the command line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.cli import operator_input
from clawgit.cli.output import Output, progress

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace


class Call:
    """The global options of a command, and its output."""

    def __init__(self, output: Output) -> None:
        self.out = output
        self.folder: str | None = None
        self.agent = ""
        self.debug = False
        self.reads_only = False
        """Whether nothing is to be noted of what is only read."""
        self.pager = True

    def place(self) -> Path:
        """Return the folder of the command, and report its choice if nobody named it."""
        from clawgit.cli.place import choose  # noqa: PLC0415 - the help does without

        place = choose(self.folder, os.environ, self.agent)
        if place.found:
            self.out.note(f"in {place.path} ({place.found})")
        return place.path

    @contextmanager
    def workspace(self, *, patient: bool = True, managed: bool = False) -> Iterator["Workspace"]:
        """Open the workspace of the command; a `patient` caller sees the progress of the work.

        Raises ClawgitError if it has to be `managed`, and is not.
        """
        from clawgit.sessions import know_sessions  # noqa: PLC0415 - the help does without
        from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415 - loads libgit2

        opened = open_workspace(self.place())
        know_sessions(opened)
        opened.attended = operator_input.present()
        with self.closing(opened), progress(self.out) if patient else nullcontext():
            if managed:
                opened.require_managed()
            yield opened

    @contextmanager
    def closing(self, workspace: "Workspace") -> Iterator[None]:
        """Let the workspace look back after the answer is out, and report its repairs."""
        try:
            yield
            self.out.flush()
        finally:
            self.out.note(*workspace.close())
