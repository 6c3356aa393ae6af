"""Runs commands in this process, and keeps their answers."""

import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from clawgit.cli import lazy_commands, operator_input
from clawgit.cli.call import Call
from clawgit.cli.error_boundary import guarded
from clawgit.cli.output import Line, Output
from clawgit.web.command_answers import Answer

T = TypeVar("T")


class Kept(Output):
    """Keeps the document that `--json` would print, without its secrets, and what is told beside it."""

    def __init__(self) -> None:
        super().__init__(io.StringIO(), io.StringIO())
        self.as_json = True
        self.kept: Any = None

    def document(self, value: object) -> None:
        """Keep one document; of an error that came after an answer, the error."""
        self.kept = self._safe(value)

    def record(self, value: object) -> None:
        """Keep one document of several."""
        self.kept = [*(self.kept or ()), self._safe(value)]

    def documents(self, values: Iterable[object]) -> None:
        """Keep a list."""
        self.kept = [self._safe(one) for one in values]

    def listed(
        self,
        values: Iterable[T],
        document: Callable[[T], object],
        rows: Callable[[T], Iterable[Line]],  # noqa: ARG002 - for people
        none: str = "",  # noqa: ARG002 - for people
        *,
        indent: int = 2,  # noqa: ARG002 - for people
    ) -> None:
        """Keep a list of things."""
        self.documents(map(document, values))

    @property
    def told(self) -> tuple[str, ...]:
        """What was told on stderr, a line each."""
        self.stderr.seek(0)
        return tuple(line.rstrip() for line in self.stderr if line.strip())


class SilentCommands:
    """The commands of one workspace, as `clawgit -C ROOT … --json` answers them."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def ask(self, words: Sequence[str], *, vouched: bool = False) -> Answer:
        """Return what a command answers; `vouched` tells that the operator has just shown that he is there."""
        out = Kept()
        call = Call(out)
        call.reads_only = not vouched
        given = ["-C", str(self.root), *words]
        if words[:1] == ("--agent",):
            given = list(words)
        with operator_input.vouched(is_so=vouched):
            code = guarded(lambda: lazy_commands.run(given, call), call, given)
        return Answer(tuple(words), code, out.kept, out.told)
