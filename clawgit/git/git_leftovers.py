"""Operations of git that are under way or unfinished."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from clawgit.errors import Advice, Command, Fix, quote_shell
from clawgit.git import locks
from clawgit.git.locks import IndexLock
from clawgit.git.repository import Repository

PASSING_SECONDS = 2.0
"""A state that began less long ago may pass by itself: a script's checkout or rebase."""
LEFT_SECONDS = 60.0
"""A lock that is older, while no git is at work, was left by one that died."""
PATIENCE_SECONDS = 600.0
"""So long a git process, or an operation such as a rebase, is left alone; whatever takes longer has been left lying."""


class Obstacle(Struct, frozen=True):
    """The reason that nothing may be written now, its begin (seconds, epoch), and the fix or the way to find it.

    `lock` is the lock left by a dead git, if that is the only reason.
    """

    key: str
    message: str
    way_out: Fix | Callable[[], Fix]
    since: float
    lock: Path | None = None

    @property
    def fix(self) -> Fix:
        """The fix, looked for on demand: a caller that waits does not need it."""
        return self.way_out if isinstance(self.way_out, Fix) else self.way_out()


def operation_under_way(repo: Repository) -> Obstacle | None:
    """Return git's unfinished operation, or its remains, if there is any."""
    for name, (words, command) in _OPERATIONS.items():
        since = modified(repo.gitdir / name)
        if since is None:
            continue
        # A young state may pass by itself, so nobody looks for its process.
        old = time.time() - since > PASSING_SECONDS
        if running := locks.list_git_processes(repo, command) if old else ():
            stop = "kill " + " ".join(str(process.number) for process in running)
            return Obstacle(
                "git-operation",
                f"{words} is under way: {running[0]} runs",
                Advice(f"finish it there, or: {stop}"),
                since,
            )
        end = "reset" if command == "bisect" else "--abort"
        fix = Command(f"git {command} {end}", note="gives it up; or finish it, as git status says")
        return Obstacle("git-operation", f"{words} is under way", fix, since)
    return None


def git_at_work(repo: Repository) -> str:
    """Return a description of git's present work in this working tree; "" if it is idle.

    Work is a running git process, or an operation begun or continued in the last few minutes.
    """
    for process in locks.list_git_processes(repo) or ():
        if locks.running_seconds(process) < PATIENCE_SECONDS:
            return f"{process} is running"
    obstacle = operation_under_way(repo)
    if obstacle is not None and 0 <= time.time() - obstacle.since < PATIENCE_SECONDS:
        return obstacle.message
    return ""


def find_dead_lock(repo: Repository, branch: str) -> Obstacle | None:
    """Return the lock of git's that a dead process left, if there is one, and it would keep us from writing."""
    for place, since in _locks(repo, branch):
        if time.time() - since > LEFT_SECONDS and is_left(repo, place):
            words = f"a git that died left {place}"
            return Obstacle("git-operation", words, Command("clawgit doctor --fix"), since, place)
    return None


def find_live_lock(repo: Repository, branch: str) -> Obstacle | None:
    """Return a lock of git that a process has, or left a moment ago, if there is one; ours do not count."""
    for place, since in _locks(repo, branch):

        def find_fix(lock: Path = place) -> Advice:
            if running := locks.list_git_processes(repo):
                return Advice(f"wait for {running[0]}, or: kill {running[0].number}")
            later = "a minute after it was made, clawgit doctor --fix does that"
            return Advice(f"if no git is at work: rm {quote_shell(lock)}   # {later}")

        return Obstacle("git-busy", f"git is at work: {place} exists", find_fix, since)
    return None


def _locks(repo: Repository, branch: str) -> Iterator[tuple[Path, float]]:
    """Yield git's locks that keep us from writing, and when they were made; our own is taken over by the next write."""
    index = IndexLock(repo)
    for place in (index.place, repo.commondir / "refs" / "heads" / f"{branch}.lock"):
        since = modified(place)
        if since is not None and not (place == index.place and index.ours()):
            yield place, since


def is_left(repo: Repository, lock: Path) -> bool:
    """Return whether no running process can have made `lock`; False if that is unknown."""
    return locks.list_git_processes(repo) == () and not locks.is_open(lock)


def remove_left(repo: Repository, lock: Path) -> None:
    """Remove a lock that a dead git left; one that somebody has taken anew meanwhile stays."""
    since = modified(lock)
    if since is not None and time.time() - since > LEFT_SECONDS and is_left(repo, lock):
        # A folder in the place of the lock may have files, so it is moved aside.
        if lock.is_dir() and not lock.is_symlink():
            lock.rename(repo.gitdir / f"{lock.name}.{os.urandom(4).hex()}.aside")
            return
        lock.unlink(missing_ok=True)


def modified(place: Path) -> float | None:
    """Return the time of the last write of a file or folder, None if there is none."""
    try:
        return place.lstat().st_mtime
    except (FileNotFoundError, NotADirectoryError):
        return None


_OPERATIONS = {
    "MERGE_HEAD": ("a merge", "merge"),
    "rebase-merge": ("a rebase", "rebase"),
    # `git am` and a rebase share a folder, and only `git am` has this file in it.
    "rebase-apply/applying": ("a patch", "am"),
    "rebase-apply": ("a rebase", "rebase"),
    "CHERRY_PICK_HEAD": ("a cherry-pick", "cherry-pick"),
    "REVERT_HEAD": ("a revert", "revert"),
    "sequencer": ("a cherry-pick or revert", "cherry-pick"),
    "BISECT_START": ("a bisect", "bisect"),
}
"""What git keeps of an operation under way: its name, and git's command."""
