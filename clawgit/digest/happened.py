"""The commits of a period, as a digest sees them."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import takewhile

from msgspec import Struct

from clawgit.digest import quoting
from clawgit.git import history, repository
from clawgit.git.history import Commit
from clawgit.git.repository import Repository
from clawgit.text import lines
from clawgit.workspace import contents, records, scope
from clawgit.workspace.records import Record
from clawgit.workspace.workspace import Workspace

_MERGED = 2  # parents
_BEGINNING = datetime(1970, 1, 2, tzinfo=UTC)  # git knows nothing older


class Act(Struct, frozen=True, dict=True):
    """One commit and what it says; `quotable` tells whether its words may leave the machine."""

    commit: Commit
    record: Record

    @cached_property
    def quotable(self) -> bool:
        """Whether the words that came with it may be quoted."""
        return quoting.quotable(self.commit, self.record)

    @property
    def parent(self) -> str | None:
        """The commit before it."""
        return self.commit.parents[0] if self.commit.parents else None

    @property
    def undo(self) -> str:
        """The command that takes it back."""
        return f"clawgit undo {self.record.change or self.commit.id[:10]}"


class Happened(Struct, frozen=True):
    """The commits of a period, newest first, without merges and without those that were taken back within it."""

    workspace: Workspace
    acts: tuple[Act, ...]
    before: str | None

    def lines(self, path: str) -> dict[str, bool]:
        """Return the lines that came to a file, each with whether all who brought it may be quoted."""
        found: dict[str, bool] = {}
        for act in self.acts:
            if path in act.record.files:
                old, new = (self._rows(commit, path) for commit in (act.parent, act.commit.id))
                for line in new - old:
                    found[line] = found.get(line, True) and act.quotable
        return found

    def text(self, commit: str | None, path: str) -> str:
        """Return a file as a commit holds it, "" where it holds none."""
        return contents.text_of(repository.read(self.workspace.repo, commit, path)) or ""

    def _rows(self, commit: str | None, path: str) -> Counter[str]:
        return Counter(lines.content(row) for row in lines.split(self.text(commit, path)))

    def there(self, commit: str | None, path: str) -> bool:
        """Tell whether a commit has a file."""
        return repository.blob_id(self.workspace.repo, commit, path) is not None


def happened(workspace: Workspace, since: datetime, after: str | None = None) -> Happened:
    """Return what was committed since a moment, or what HEAD holds beyond the commit `after`.

    What was committed before clawgit came is not told.
    """
    repo, since = workspace.repo, max(since, _BEGINNING)
    if after and workspace.head and repository.reaches(repo, workspace.head, after):
        before, found = after, history.log(repo, start=f"{after}..HEAD")
    else:
        before = history.at(repo, since - timedelta(seconds=1)) or ""
        dated = history.log(repo, since=f"@{int(since.timestamp())} +0000")
        found = (one for one in dated if one.date >= since)  # what was written anew keeps the day of its author
    managed = takewhile(lambda one: not _began(repo, one), found)
    acts = [Act(one, records.record(one)) for one in managed if len(one.parents) < _MERGED]
    return Happened(workspace, tuple(_lasting(acts)), before or None)


def _began(repo: Repository, one: Commit) -> bool:
    """Tell whether a commit made this a workspace of ours."""
    parent = one.parents[0] if one.parents else None
    return scope.FORMAT in one.paths and repository.blob_id(repo, parent, scope.FORMAT) is None


def _lasting(acts: list[Act]) -> Iterator[Act]:
    """Yield what was not taken back again, newest first; an undo of something older stays."""
    made = {name for act in acts for name in (act.record.change, act.commit.id) if name}
    undone: set[str] = set()
    for act in acts:
        if {act.record.change, act.commit.id} & undone:
            continue
        back = act.record.undoes
        if back:
            undone.add(back)
        if back not in made:
            yield act
