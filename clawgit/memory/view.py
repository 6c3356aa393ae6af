"""The workspace as changes see it before they land."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from clawgit.errors import Command, memory_changed
from clawgit.text.edit import append_block
from clawgit.text.entry import Entry, digest
from clawgit.text.entry import entries as read_entries
from clawgit.workspace import correction_records, entries
from clawgit.workspace.change import Append, Change
from clawgit.workspace.correction_records import Standing
from clawgit.workspace.entries import Row
from clawgit.workspace.memory_lines import MemoryLine
from clawgit.workspace.planning import MovedError
from clawgit.workspace.workspace import Workspace

Done = TypeVar("Done")
_ATTEMPTS = 5


class View:
    """Reads the workspace at one moment, and what it becomes with changes that are not applied."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.renew()

    def renew(self) -> None:
        """See the workspace as it is now."""
        self._texts: dict[str, str | None] = {}
        self._rows: Mapping[str, Row] | None = None

    def read(self, path: str) -> str | None:
        """Return the text of a file, None when there is none."""
        if path not in self._texts:
            self._texts[path] = self.workspace.read(path)
        return self._texts[path]

    def corrected(self) -> str:
        """Return the records of corrections, and below them those that went to the archive."""
        return "\n".join(self.read(path) or "" for path in reversed(correction_records.paths(self.workspace.root)))

    def corrections(self) -> tuple[Standing, ...]:
        """Return the records of corrections in force, the oldest first."""
        return correction_records.list_records(self.workspace, self.read)

    def rows(self) -> Mapping[str, Row]:
        """Return the sidecar by entry id."""
        if self._rows is None:
            self._rows = self.workspace.rows()
        return self._rows

    def take(self, change: Change) -> None:
        """See the workspace as it would be after `change`."""
        for edit in change.edits:
            before = self.read(edit.path)
            if isinstance(edit, Append):
                self._texts[edit.path] = append_block(edit.birth if before is None else before, edit.block)
            else:
                self._texts[edit.path] = edit.text
        kept = {key: row for key, row in self.rows().items() if key not in change.drops}
        self._rows = entries.joined(kept, change.rows)

    def find_row(self, line: MemoryLine) -> Row:
        """Return the row of an entry, or the one that it would have."""
        return self.rows().get(line.id) or Row(line.id, line.path, digest(line.text), line.tag or "", "unknown")


def find_entry(text: str, line: MemoryLine) -> Entry:
    """Return an entry of a file where it is by now: the nearest one with its words. Raises ClawgitError for none."""
    same = [entry for entry in read_entries(text) if digest(entry.text) == digest(line.text)]
    if not same:
        raise memory_changed(f"{line.path}:{line.line} says something else by now", fix=Command("clawgit memory list"))
    return min(same, key=lambda entry: abs(entry.start - line.line))


def try_again(act: Callable[[], Done]) -> Done:
    """Return what an act comes to; it is done anew where somebody else changes the same place meanwhile."""
    for attempt in range(_ATTEMPTS):
        try:
            return act()
        except MovedError:
            if attempt == _ATTEMPTS - 1:
                raise
    raise AssertionError
