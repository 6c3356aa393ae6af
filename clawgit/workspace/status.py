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
    """Return how the workspace stands; reads, and touches nothing. What is broken becomes an alarm."""
    listed = _listed(workspace)
    uncommitted = tuple(name for _, name in listed)
    branch = _branch(workspace)
    return Status(
        str(workspace.root),
        workspace.managed,
        branch,
        workspace.head,
        uncommitted,
        (*_config(workspace), *_obstacles(workspace, branch), *_staged(listed), *_unreadable(workspace, uncommitted)),
        _sections(workspace, scope.CORRECTIONS),
        _sections(workspace, scope.CONFLICTS),
    )


def dirty(workspace: Workspace) -> tuple[str, ...]:
    """Return the files of the workspace whose content on disk is not committed, sorted."""
    return tuple(name for _, name in _listed(workspace))


def _branch(workspace: Workspace) -> str:
    try:
        return workspace.branch
    except ClawgitError:  # of CONFIG.md: that is an alarm of its own
        return repository.branch(workspace.repo) or ""


def _config(workspace: Workspace) -> Iterator[str]:
    for problem in workspace.config.problems():
        yield f"{problem.message} ({problem.fix})"


def _listed(workspace: Workspace) -> list[tuple[str, str]]:
    """Return git's two letters and the name of each file of the workspace that is not committed, sorted by name."""
    options = ("--porcelain", "-z", "--no-renames", "--untracked-files=all")
    entries = git(workspace.root, "status", *options, "--", *_places()).decode("utf-8", "surrogateescape").split("\0")
    found = [(entry[:2], entry[3:]) for entry in entries if entry]
    return sorted(
        (pair for pair in found if pair[1].endswith(".md") or pair[1].startswith(scope.OURS)), key=lambda pair: pair[1]
    )


def _places() -> tuple[str, ...]:
    folders = ("memory", "agents", "Archive", scope.OURS.rstrip("/"))
    return (*scope.IDENTITY, scope.MEMORY, scope.CONFIG, scope.CORRECTIONS, scope.CONFLICTS, *folders)


def _obstacles(workspace: Workspace, branch: str) -> Iterator[str]:
    if pending.announced(workspace.repo) is not None or IndexLock(workspace.repo).ours():
        yield "a write was interrupted; the next command that writes finishes it"
    obstacle = state.standing_obstacle(workspace.repo, branch)
    if obstacle is not None and repository.head(workspace.repo) is not None:
        yield f"{obstacle.message}; nothing is written meanwhile ({obstacle.fix})"


def _staged(listed: list[tuple[str, str]]) -> Iterator[str]:
    for letters, name in listed:
        if letters[0] not in " ?":
            yield f"{name} has staged changes; nothing is written to it meanwhile (git commit '{name}')"


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
