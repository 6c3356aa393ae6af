"""What git is in the middle of, or left unfinished."""

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct

from clawgit.errors import Advice, Command, Fix, quoted
from clawgit.git import locks, repository
from clawgit.git.git_command import git
from clawgit.git.locks import IndexLock
from clawgit.git.repository import Repository

PASSING_SECONDS = 2.0
"""A state that began less long ago may pass by itself: a script's checkout or rebase."""
LEFT_SECONDS = 60.0
"""A lock that is older, while no git is at work, was left by one that died."""
PATIENCE_SECONDS = 600.0
"""So long a git process, or an operation such as a rebase, is left alone; whatever takes longer has been left lying."""


class Obstacle(Struct, frozen=True):
    """Why nothing may be written now, since when (seconds, epoch), and the way out or how to find it.

    `lock` is the lock that a dead git left, where that is all.
    """

    key: str
    message: str
    way_out: Fix | Callable[[], Fix]
    since: float
    lock: Path | None = None

    @property
    def fix(self) -> Fix:
        """The way out, looked for only when somebody asks: whoever waits does not."""
        return self.way_out if isinstance(self.way_out, Fix) else self.way_out()


def operation_under_way(repo: Repository) -> Obstacle | None:
    """Return git's unfinished operation, or what is left of one, if there is any."""
    for name, (words, command, fix) in _OPERATIONS.items():
        since = modified(repo.gitdir / name)
        if since is None:
            continue
        old = time.time() - since > PASSING_SECONDS
        if running := locks.at_work(repo, command) if old else ():
            stop = "kill " + " ".join(str(one.number) for one in running)
            return Obstacle(
                "git-operation",
                f"{words} is under way: {running[0]} runs",
                Advice(f"finish it there, or: {stop}"),
                since,
            )
        return Obstacle("git-operation", f"{words} is under way", partial(fix, repo), since)
    return None


def git_at_work(repo: Repository) -> str:
    """Return what git is doing in this working tree just now, in words; "" where it is at rest.

    A git process that runs there, or an operation that was begun or went on a few minutes ago.
    """
    for found in locks.at_work(repo) or ():
        if locks.running_seconds(found) < PATIENCE_SECONDS:
            return f"{found} is running"
    obstacle = operation_under_way(repo)
    if obstacle is not None and 0 <= time.time() - obstacle.since < PATIENCE_SECONDS:
        return obstacle.message
    return ""


def left_lock(repo: Repository, branch: str) -> Obstacle | None:
    """Return the lock of git's that a dead process left, if there is one, and it would keep us from writing."""
    for place, since in _locks(repo, branch):
        if time.time() - since > LEFT_SECONDS and is_left(repo, place):
            words = f"a git that died {_ago(since)} ago left {place}"
            return Obstacle("git-operation", words, Command("clawgit doctor --fix"), since, place)
    return None


def held_lock(repo: Repository, branch: str) -> Obstacle | None:
    """Return a lock of git's that somebody holds, or left a moment ago, if there is one; ours are none."""
    for place, since in _locks(repo, branch):
        return Obstacle("git-busy", f"git is at work: {place} exists", partial(_lock_fix, repo, place), since)
    return None


def _locks(repo: Repository, branch: str) -> Iterator[tuple[Path, float]]:
    """Yield git's locks that keep us from writing, and when they were made; our own is taken over by the next write."""
    index = IndexLock(repo)
    for place in (index.place, repo.commondir / "refs" / "heads" / f"{branch}.lock"):
        since = modified(place)
        if since is not None and not (place == index.place and index.ours()):
            yield place, since


def _lock_fix(repo: Repository, place: Path) -> Advice:
    if running := locks.at_work(repo):
        return Advice(f"wait for {running[0]}, or: kill {running[0].number}")
    later = "a minute after it was made, clawgit doctor --fix does that"
    return Advice(f"if no git is at work: rm {quoted(place)}   # {later}")


def _ago(since: float) -> str:
    minutes = (time.time() - since) / 60
    known = ((2_880, 1_440, "days"), (120, 60, "hours"), (0, 1, "minutes"))
    return next(f"{minutes / size:,.0f} {name}" for least, size, name in known if minutes >= least)


def is_left(repo: Repository, lock: Path) -> bool:
    """Return whether nobody is at work who may have made `lock`; False where that cannot be known."""
    return locks.at_work(repo) == () and not locks.holders(lock)


def remove_left(repo: Repository, lock: Path) -> None:
    """Remove a lock that a dead git left; one that somebody has taken anew meanwhile stays."""
    since = modified(lock)
    if since is not None and time.time() - since > LEFT_SECONDS and is_left(repo, lock):
        if lock.is_dir() and not lock.is_symlink():
            lock.rename(repo.gitdir / f"{lock.name}.{os.urandom(4).hex()}.aside")
            return
        lock.unlink(missing_ok=True)


def modified(place: Path) -> float | None:
    """Return when a file or folder was last written, None where there is none."""
    try:
        return place.lstat().st_mtime
    except (FileNotFoundError, NotADirectoryError):
        return None


# ---- the way out of each


_FINISH = "or finish it"


def _rebase(repo: Repository) -> Command:
    place = repo.gitdir / "rebase-merge"
    if all((place / name).exists() for name in ("head-name", "onto")) and _names_commit(repo, place / "orig-head"):
        return Command("git rebase --abort", note=_FINISH)
    aside = "what it had put aside is in: git stash list" if (place / "autostash").exists() else ""
    return Command("git rebase --quit", note=aside)


def _apply(repo: Repository) -> Command:
    place = repo.gitdir / "rebase-apply"
    if (place / "applying").exists() or not (place / "head-name").exists():
        return Command("git am --abort", note=_FINISH)
    whole = _names_commit(repo, place / "orig-head")
    return Command("git rebase --abort", note=_FINISH) if whole else Command("git rebase --quit")


def _sequence(repo: Repository) -> Command:
    place = repo.gitdir / "sequencer"
    todo = place / "todo"
    command = "git revert" if todo.exists() and todo.read_bytes().startswith(b"revert") else "git cherry-pick"
    whole = _names_commit(repo, place / "head") and todo.exists()
    return Command(f"{command} --abort", note=_FINISH) if whole else Command(f"{command} --quit")


def _given_up(command: str, name: str, repo: Repository) -> Command:
    """Return how to give an operation up that has one commit at a time; git refuses where that would lose an edit."""
    place = repo.gitdir / name
    if not _names_commit(repo, place):
        return Command("rm {}", place, note="it names no commit")
    letters = _letters(repo)
    unmerged = [path for path, said in letters.items() if "U" in said or said in ("AA", "DD")]
    edited = [path for path, said in letters.items() if path not in unmerged and " " not in said and said != "??"]
    commit = f"git commit {'--no-edit' if (repo.gitdir / 'MERGE_MSG').exists() else f'-m {command[4:]}'}"
    if edited and unmerged:
        return Command(f"git add{' {}' * len(unmerged)} && {commit}", *unmerged, note="once resolved")
    if edited:
        return Command(commit, note="finishes it")
    if unmerged or any(said[0] not in " ?" for said in letters.values()):
        return Command(f"{command} --abort", note=f"{_FINISH}: {commit}")
    return Command(f"{command} --quit", note="nothing of it is left to commit")


def _bisect(repo: Repository) -> Command:
    place = repo.gitdir / "BISECT_START"
    start = place.read_text("utf-8", "replace").strip()
    if start and repository.resolve(repo, start):
        return Command("git bisect reset")
    return Command("rm {}", place, note="it names no branch")


def _names_commit(repo: Repository, place: Path) -> bool:
    """Return whether a file of git's begins with the id of a commit that is here."""
    try:
        words = place.read_text("ascii").split()
    except (OSError, ValueError):
        return False
    return bool(words) and repository.resolve(repo, words[0]) is not None


def _letters(repo: Repository) -> dict[str, str]:
    """Return git's two letters for each tracked file that is not as HEAD has it."""
    arguments = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=all")
    fields = git(repo.root, *arguments).decode("utf-8", "surrogateescape").split("\0")
    return {field[3:]: field[:2] for field in fields if field}


_OPERATIONS: dict[str, tuple[str, str, Callable[[Repository], Command]]] = {
    "MERGE_HEAD": ("a merge", "merge", partial(_given_up, "git merge", "MERGE_HEAD")),
    "rebase-merge": ("a rebase", "rebase", _rebase),
    "rebase-apply": ("a rebase", "rebase", _apply),
    "CHERRY_PICK_HEAD": ("a cherry-pick", "cherry-pick", partial(_given_up, "git cherry-pick", "CHERRY_PICK_HEAD")),
    "REVERT_HEAD": ("a revert", "revert", partial(_given_up, "git revert", "REVERT_HEAD")),
    "sequencer": ("a cherry-pick or revert", "cherry-pick", _sequence),
    "BISECT_START": ("a bisect", "bisect", _bisect),
}
