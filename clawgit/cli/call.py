"""One call of the command line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from clawgit.cli.output import Output

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace


class Call:
    """What stood before the command, and where its answer goes."""

    def __init__(self, out: Output) -> None:
        self.out = out
        self.folder: str | None = None
        self.debug = False

    @contextmanager
    def workspace(self) -> Iterator["Workspace"]:
        """Open the workspace that the command is about."""
        from clawgit.cli.place import choose  # noqa: PLC0415 - the help does without

        place = choose(self.folder, os.environ)
        from clawgit.workspace.workspace import open_workspace  # noqa: PLC0415 - loads libgit2

        opened = open_workspace(place.path)
        if place.found:
            self.out.note(f"in {opened.root} ({place.found})")
        with self.closing(opened):
            yield opened

    @contextmanager
    def closing(self, workspace: "Workspace") -> Iterator[None]:
        """Have the workspace look back once the answer is out, and tell what it found."""
        try:
            yield
            self.out.flush()
        finally:
            for words in workspace.close():
                self.out.note(words)


pass_call = click.make_pass_decorator(Call)
