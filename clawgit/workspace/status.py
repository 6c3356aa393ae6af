"""How the workspace stands."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clawgit.errors import ClawgitError
from clawgit.git import pending, repository, state
from clawgit.git.command import git
from clawgit.git.lock import IndexLock
from clawgit.workspace import scope
from clawgit.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Status:
    """What an operator should know: uncommitted files in scope, and what stands in the way of a write."""

    workspace: str
    managed: bool
    branch: str
    head: str | None
    dirty: tuple[str, ...]
    alarms: tuple[str, ...]
    corrections: int
    open_conflicts: int


def status(workspace: Workspace) -> Status:
    """Return how the workspace stands; reads, and touches nothing."""
    uncommitted = dirty(workspace)
    return Status(
        str(workspace.root),
        workspace.managed,
        workspace.branch,
        workspace.head,
        uncommitted,
        (*_alarms(workspace), *_unreadable(workspace, uncommitted)),
        _sections(workspace, scope.CORRECTIONS),
        _sections(workspace, scope.CONFLICTS),
    )


def dirty(workspace: Workspace) -> tuple[str, ...]:
    """Return the files of the workspace whose content on disk is not committed, sorted."""
    listed = git(
        workspace.root, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *_places()
    )
    names = (entry[3:].decode("utf-8", "surrogateescape") for entry in listed.split(b"\0") if entry)
    return tuple(sorted(name for name in names if name.endswith(".md") or name.startswith(scope.OURS)))


def _places() -> tuple[str, ...]:
    folders = ("memory", "agents", "Archive", scope.OURS.rstrip("/"))
    return (*scope.IDENTITY, scope.MEMORY, scope.CONFIG, scope.CORRECTIONS, scope.CONFLICTS, *folders)


def _alarms(workspace: Workspace) -> list[str]:
    found: list[str] = []
    if pending.announced(workspace.repo) is not None or IndexLock(workspace.repo).ours():
        found.append("a write was interrupted; the next command that writes finishes it")
    obstacle = state.find_obstacle(workspace.repo, workspace.branch, ())
    if obstacle is not None and repository.head(workspace.repo) is not None:
        found.append(f"{obstacle.message}; nothing is written meanwhile ({obstacle.fix})")
    return found


def _unreadable(workspace: Workspace, paths: Iterable[str]) -> Iterator[str]:
    """Yield why a file cannot be committed as it stands: no text, too large, behind a link."""
    for path in paths:
        try:
            workspace.read(path)
        except ClawgitError as exc:
            yield f"{exc.message}; it cannot be committed like this ({exc.fix})"


def _sections(workspace: Workspace, path: str) -> int:
    try:
        text = workspace.read(path) or ""
    except ClawgitError:
        return 0
    return sum(line.startswith("## ") for line in text.split("\n"))
