"""How much OpenClaw's own prompt shows of its files."""

from datetime import timedelta

from msgspec import Struct

from clawgit.git import history, regular_file, repository
from clawgit.workspace import openclaw_limits
from clawgit.workspace.file_contents import loosely
from clawgit.workspace.workspace import Workspace

_WEEK = timedelta(7)


class Fit(Struct, frozen=True):
    """A file of `size` characters where `cap` are shown; the agent never sees `hidden`, on lines `first` to `last`.

    `growth` are the characters by which it grew in the last week, None where it was not there before.
    """

    path: str
    size: int
    cap: int
    hidden: int = 0
    first: int = 0
    last: int = 0
    growth: int | None = None

    @property
    def fits(self) -> bool:
        """Whether the agent sees all of it."""
        return not self.hidden


def check(workspace: Workspace) -> list[Fit]:
    """Return how each file stands, in the order in which OpenClaw loads them; characters as JavaScript counts them."""
    texts = {path: _now(workspace, path) for path in openclaw_limits.ORDER}
    texts = {path: text for path, text in texts.items() if text}
    gaps = {one.path: one for one in openclaw_limits.find_unseen(texts)}
    before = history.at(workspace.repo, workspace.now() - _WEEK) if workspace.head else None
    limits, found = openclaw_limits.Limits(), []
    for path, text in texts.items():
        size = openclaw_limits.length(text)
        old = repository.read(workspace.repo, before, path) if before else None
        growth = None if old is None else size - openclaw_limits.length(loosely(old))
        gap = gaps.get(path)
        hidden, first, last = (gap.hidden, gap.first, gap.last) if gap else (0, 0, 0)
        found.append(Fit(path, size, gap.cap if gap else limits.of(path), hidden, first, last, growth))
    return found


def _now(workspace: Workspace, path: str) -> str:
    try:
        return loosely(regular_file.read(workspace.root / path))
    except OSError:
        return ""
