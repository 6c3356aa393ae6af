"""Leaves out lines that are not trusted."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from clawgit.context.prompt_pieces import Piece
from clawgit.search.answer import Hit
from clawgit.store.calls import fold
from clawgit.workspace.line_writers import LineWriters

if TYPE_CHECKING:
    from clawgit.store.entry_table import Change
    from clawgit.workspace.workspace import Workspace

_Line = TypeVar("_Line", Hit, Piece)


class TrustedLines:
    """The lines of a workspace that its owner's agent may be shown unasked, found out when they are asked for.

    `is_live` tells that the plugin has reported every call up to now.
    """

    def __init__(self, workspace: "Workspace", *, is_live: bool = False) -> None:
        self._workspace = workspace
        self._writers = LineWriters(workspace, is_live=is_live)

    def omit(self, lines: "Iterable[_Line]") -> "list[_Line]":
        """Return the lines that are trusted; of files that OpenClaw does not trust only what the owner said."""
        every = list(lines)
        if not every or not self._workspace.managed:
            return every
        with self._workspace.open_table() as table:
            changes = [table.list_changes(line.path, line.start, line.end) for line in every]
        return [line for line, rows in zip(every, changes, strict=True) if self._is_trusted(line, rows)]

    def _is_trusted(self, line: Hit | Piece, rows: "Sequence[Change]") -> bool:
        words = fold(line.text)
        rows = [row for row in rows if fold(row.text) in words]  # what is not committed yet has none
        if all(row.id in self._cited for row in rows) and rows:
            return True
        if line.path in self._untrusted:
            return False
        if not rows:
            return self._writers.is_trusted(line.path, line.text, None, is_committed=False)
        others = (row for row in rows if row.id not in self._cited)
        return all(self._writers.is_trusted(line.path, row.text, row.changed) for row in others)

    @cached_property
    def _untrusted(self) -> frozenset[str]:
        records = self._workspace.host.ledger(self._workspace.root).records
        return frozenset(record.path for record in records if record.writer != "agent")

    @cached_property
    def _cited(self) -> frozenset[str]:
        """The entries that cite words of the owner, or that he accepted."""
        rows = self._workspace.rows().values()
        return frozenset(row.id for row in rows if row.origin == "operator" and row.mentions)
