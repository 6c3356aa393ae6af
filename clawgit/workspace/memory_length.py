"""Whether the memory file is short enough."""

from collections.abc import Iterator

from msgspec import Struct

from clawgit.errors import Command
from clawgit.text import document
from clawgit.workspace.workspace import Workspace

MOST_LINES = 200
"""Lines that a memory file should stay below: it goes into every prompt."""


class Long(Struct, frozen=True):
    """A memory file of `count` lines, which is too many."""

    path: str
    count: int

    @property
    def words(self) -> str:
        """What is the matter, in a sentence."""
        return f"{self.path} has {self.count:,} lines, and goes into every prompt; below {MOST_LINES} is well"

    @property
    def fix(self) -> Command:
        """What makes it shorter."""
        more = "or move lines that belong together to a file below memory/"
        return Command("clawgit run memory-compactor", note=more)


def too_long(workspace: Workspace) -> Iterator[Long]:
    """Yield the memory files that are too long. Raises ClawgitError for one that cannot be read."""
    for path in workspace.memory_files:
        count = len(document.split(workspace.read(path) or ""))
        if count >= MOST_LINES:
            yield Long(path, count)
