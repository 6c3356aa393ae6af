"""What stands in core memory already, or may not."""

from collections.abc import Iterator

from clawgit.agents.standing_corrections import rules, ruling
from clawgit.errors import ClawgitError
from clawgit.text.entry import entries
from clawgit.text.identity import digest
from clawgit.text.sameness.known import Known
from clawgit.text.sameness.relation import compare
from clawgit.workspace import manifest, scope
from clawgit.workspace.correction_records import standing
from clawgit.workspace.workspace import Workspace

_NEAR = 8


class Core:
    """The entries of core memory and of the identity, and those that were there once."""

    def __init__(self, workspace: Workspace) -> None:
        self._known: Known[str] = Known()
        self._hashes: set[str] = set()
        for path in sorted({*workspace.memory_files, *scope.IDENTITY, *_lasting(workspace)}):
            for one in entries(_read(workspace, path)):
                self.put(one.text)
        rows = workspace.rows().values()
        self._gone = {row.hash for row in rows if row.status == "tombstone"}
        core = {row.hash for row in rows if manifest.kind(row.file, workspace.memory_file) == "memory"}
        self._before = core - self._gone
        self._rules = rules(one.record for one in standing(workspace.root, workspace.read))

    def put(self, text: str) -> None:
        """Know one entry more."""
        self._hashes.add(digest(text))
        self._known.add(text, text)

    def barred(self, text: str) -> str:
        """Return why a note is not promoted, "" where nothing speaks against it."""
        if digest(text) in self._hashes:
            return "known"
        if digest(text) in self._gone:
            return "taken back before"
        if digest(text) in self._before:
            return "deleted before"
        if any(compare(text, other).relation == "same" for other in self._known.near(text, _NEAR)):
            return "known"
        return "corrected" if ruling(text, self._rules) else ""


def _read(workspace: Workspace, path: str) -> str:
    try:
        return workspace.read(path) or ""
    except ClawgitError:  # what is no text holds no entry; the doctor tells of it
        return ""


def _lasting(workspace: Workspace) -> Iterator[str]:
    """Yield what is neither a journal nor an archive below memory/."""
    for place in workspace.root.glob("memory/**/*.md"):
        path = place.relative_to(workspace.root).as_posix()
        if manifest.kind(path) == "memory":
            yield path
