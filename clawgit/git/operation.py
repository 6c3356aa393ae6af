"""What git itself is in the middle of."""

from dataclasses import dataclass
from pathlib import Path

from clawgit.git.repository import Repository

_OPERATIONS = {
    "MERGE_HEAD": ("a merge", "git merge --abort   # or finish it"),
    "rebase-merge": ("a rebase", "git rebase --abort   # or finish it"),
    "rebase-apply": ("a rebase", "git rebase --abort   # or finish it"),
    "CHERRY_PICK_HEAD": ("a cherry-pick", "git cherry-pick --abort   # or finish it"),
    "REVERT_HEAD": ("a revert", "git revert --abort   # or finish it"),
    "sequencer": ("a cherry-pick or revert", "git cherry-pick --abort   # or finish it"),
    "BISECT_START": ("a bisect", "git bisect reset"),
}


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why nothing may be written now, since when (seconds, epoch), and the way out."""

    message: str
    fix: str
    since: float


def operation_under_way(repo: Repository) -> Obstacle | None:
    """Return git's unfinished operation, if there is one."""
    for name, (words, fix) in _OPERATIONS.items():
        since = modified(repo.gitdir / name)
        if since is not None:
            return Obstacle(f"{words} is under way", fix, since)
    return None


def modified(place: Path) -> float | None:
    """Return when a file or folder was last written, None where there is none."""
    try:
        return place.stat().st_mtime
    except FileNotFoundError:
        return None
