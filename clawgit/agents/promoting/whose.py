"""Whose words a note is, and whether they are safe."""

from collections.abc import Iterable

from clawgit.agents.promoting.journals import Note
from clawgit.errors import ClawgitError
from clawgit.safety import hidden, injection, secrets
from clawgit.text.bullet import bullet
from clawgit.text.identity import digest
from clawgit.workspace import origins
from clawgit.workspace.change import ORIGINS
from clawgit.workspace.entries import Row
from clawgit.workspace.workspace import Workspace


class Origins:
    """Who wrote each line of the journals, looked up when it is asked."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lines: dict[str, dict[int, str]] = {}
        self._rows: dict[tuple[str, str], Row] = {(row.file, row.hash): row for row in workspace.rows().values()}

    def of(self, note: Note) -> str:
        """Return the origin of a note, the gravest of its lines."""
        row = self._rows.get((note.path, digest(note.entry.text)))
        if note.path not in self._lines:
            self._lines[note.path] = self._blamed(note.path)
        known = self._lines[note.path]
        of_lines = [known.get(line, "unknown") for line in range(note.start, note.end + 1)]
        return _gravest([*of_lines, *([row.origin] if row else [])])

    def _blamed(self, path: str) -> dict[int, str]:
        try:
            found = origins.lines(self._workspace, path)
        except ClawgitError:  # nobody has committed it yet
            return {}
        return {one.line: one.record.origin or "unknown" for one in found if one.record}


def _gravest(found: Iterable[str]) -> str:
    order = {name: at for at, name in enumerate(("operator", "agent", "unknown", "untrusted"))}
    assert set(order) == set(ORIGINS)
    return max(found, key=lambda one: order.get(one, order["unknown"]))


def held(note: Note, origin: str) -> str:
    """Return why a note waits for somebody to look at it, "" where nothing speaks against it."""
    text = f"{note.said}\n{note.nested}"
    if origin == "untrusted":
        return "from outside"
    if secrets.scan(text):
        return "holds a secret"
    if hidden.scan(text):
        return "holds hidden characters"
    if injection.scan(text):
        return "could be an instruction"
    return "" if _stands(note.said) else "cannot stand as a bullet"


def _stands(text: str) -> bool:
    try:
        bullet(text)
    except ClawgitError:
        return False
    return True
