"""The workspace as an agent sees it."""

from collections.abc import Mapping

from clawgit.text.edit import append_block
from clawgit.workspace import correction_records, entries
from clawgit.workspace.change import Append, Change
from clawgit.workspace.correction_records import Standing
from clawgit.workspace.entries import Row
from clawgit.workspace.workspace import Workspace


class View:
    """Files and sidecar; `take` adds a change that was proposed and not applied, `renew` forgets such."""

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
        """Return all records of corrections, the oldest first."""
        return correction_records.standing(self.workspace.root, self.read)

    def rows(self) -> Mapping[str, Row]:
        """Return the sidecar by entry id."""
        if self._rows is None:
            self._rows = self.workspace.rows()
        return self._rows

    def take(self, change: Change) -> None:
        """See the workspace as it would be after `change`."""
        for edit in change.edits:
            there = self.read(edit.path)
            if isinstance(edit, Append):
                self._texts[edit.path] = append_block(edit.birth if there is None else there, edit.block)
            else:
                self._texts[edit.path] = edit.text
        kept = {key: row for key, row in self.rows().items() if key not in change.drops}
        self._rows = entries.joined(kept, change.rows)
