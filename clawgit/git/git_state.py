"""States of git that prevent a write."""

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from clawgit.errors import Advice, BusyError, ClawgitError, Command, Fix, quote_shell
from clawgit.git import locks, regular_file, repository, worktree_files
from clawgit.git.locks import IndexLock
from clawgit.git.repository import Oid, Repository

if TYPE_CHECKING:
    from clawgit.git.git_index import StagedIndex

_SECONDS = 3_600
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


def stale_entries(repo: Repository, paths: Iterable[str] | None = None) -> tuple[str, ...]:
    """Return the paths (among `paths`; None: all) whose index entry unintentionally reverts commits of ours.

    git wrote them back from an index that it had read before these commits: they are as in HEAD then, while the file
    differs. An entry that agrees with the file was intended, and so was the removal of a file that git is to ignore.
    """
    head, staged = repository.head(repo), _read_index(repo)
    if head is None:
        return ()
    names = set(staged.differing(head) if paths is None else paths) - set(staged.conflicted)
    return tuple(path for path in sorted(names) if is_stale(repo, head, path, staged.blob(path)))


def is_stale(repo: Repository, head: Oid, path: str, staged: Oid | None) -> bool:
    """Return whether an entry with the blob `staged` unintentionally reverts commits of ours."""
    if staged == repository.blob_id(repo, head, path):
        return False
    from clawgit.git.our_commits import State, candidates  # noqa: PLC0415 - as below

    data = State(repo, head).on_disk(path)
    if staged == (repository.hash_blob(data) if data is not None else None):
        return False
    commits, exact = candidates(repo, head, path, staged, pure=True)
    # `exact`: taking back all our commits since gives exactly this entry. Somebody who meant it would differ somewhere.
    if not exact or staged is not None:
        return exact
    # `git rm --cached` takes a file of ours out of the index on purpose.
    age = time.time() - repository.committed_at(repo, commits[0])
    return age <= _SECONDS and not repository.ignored(repo, path)


LONGEST_SECONDS = 600.0
"""An editor that stays open longer is waited for no more."""


def commit_open(repo: Repository) -> bool:
    """Return whether a `git commit` that began a short while ago still runs, usually with its editor open.

    The pre-commit hook wrote down git's line of /proc; on systems without /proc, none is known to run.
    """
    place = repo.room / "committing"
    try:
        record = regular_file.read_state(place)
        if not 0 <= time.time() - place.stat().st_mtime < LONGEST_SECONDS:
            return False
        # The same time of start shows that the number was not given to another process.
        now = Path(f"/proc/{int(record.split()[0])}/stat").read_bytes()
        return locks.read_start(now) == locks.read_start(record)
    except (OSError, ValueError, IndexError):
        return False


RECORDS = ".clawgit/"
"""What lies here is written by us alone: whoever staged a file of it as it stands meant nothing by it."""
YOUNG_SECONDS = 0.05
"""An index of others that is younger may belong to a checkout that has not moved HEAD yet."""


def wait_for_rest(look: Callable[[], Obstacle | None], deadline: float) -> None:
    """Return when `look` finds no obstacle.

    Raises ClawgitError for a state that somebody must end, BusyError when a passing one outlasts `deadline`.
    """
    while (obstacle := look()) is not None:
        if time.time() - obstacle.since > PASSING_SECONDS:
            raise ClawgitError(obstacle.key, obstacle.message, fix=obstacle.fix)
        if time.monotonic() > deadline:
            raise BusyError(obstacle.key, obstacle.message, fix=obstacle.fix)
        time.sleep(0.005)


def find_obstacle(repo: Repository, branch: str, paths: Collection[str]) -> Obstacle | None:
    """Return the first thing that forbids a write to `paths` on `branch`, or None."""
    return find_write_obstacle(repo, branch) or _sparse(repo, paths) or _staged(repo, paths)


def find_write_obstacle(repo: Repository, branch: str) -> Obstacle | None:
    """Return the obstacle to every write on `branch` that somebody has to end, or None."""
    return find_dead_lock(repo, branch) or operation_under_way(repo) or _head(repo, branch) or _unmerged(repo)


def put_right(repo: Repository, paths: Collection[str] | None = None) -> tuple[str, ...]:
    """Repair the entries of `paths` (None: all) that git wrote back from an older index; return a sentence for each."""
    stale = stale_entries(repo, paths)
    if stale:
        from clawgit.git.git_index import repair  # noqa: PLC0415 - as below

        repair(repo, stale, repository.head(repo))
    return tuple(f"{path}: a stale index entry was put right" for path in stale)


def _head(repo: Repository, branch: str) -> Obstacle | None:
    current = repository.branch(repo)
    since = (repo.gitdir / "HEAD").stat().st_mtime
    switch = Command("git switch {}", branch)
    if current is None:
        return Obstacle("head-detached", f"HEAD is detached; the workspace lives on branch {branch}", switch, since)
    if current != branch:
        words = f"branch {current} is checked out; the workspace lives on {branch}"
        checkouts = {checkout.branch: checkout.root for checkout in repository.list_checkouts(repo)}
        if folder := checkouts.get(f"refs/heads/{branch}"):  # git refuses to switch to it here
            fix = Command("clawgit -C {} status", folder, note=f"{branch} is checked out there")
            return Obstacle("branch-elsewhere", f"{words}, which is checked out in {folder}", fix, since)
        if not repository.resolve(repo, f"refs/heads/{branch}"):
            return Obstacle("head-detached", f"there is no branch {branch}", Command("git switch -c {}", branch), since)
        return Obstacle("head-detached", words, switch, since)
    if repo.raw.head_is_unborn:
        return Obstacle("head-unborn", f"branch {branch} has no commit yet", Command("clawgit init"), since)
    return None


def _sparse(repo: Repository, paths: Collection[str]) -> Obstacle | None:
    """Return the obstacle of a path in a sparse checkout: its absence is no deletion."""
    head = repository.head(repo)
    missing = [path for path in paths if repository.blob_id(repo, head, path) and not os.path.lexists(repo.root / path)]
    if not missing:
        return None
    from clawgit.git.repository_health import list_left_out  # noqa: PLC0415 - as below

    for path in list_left_out(repo, *missing):
        return Obstacle("sparse-checkout", f"{path} is not checked out", Command("git sparse-checkout disable"), 0)
    return None


def _unmerged(repo: Repository) -> Obstacle | None:
    if not (repo.gitdir / "index").exists():
        return Obstacle("index-missing", "no git index", Command("git reset", note="touches no file"), 0)
    unmerged = _read_index(repo).conflicted
    if not unmerged:
        return None
    return Obstacle(
        "file-unmerged",
        f"{unmerged[0]} is unmerged",
        Command("git add {}", unmerged[0], note="once resolved"),
        _time_of_index(repo),
    )


def _staged(repo: Repository, paths: Collection[str]) -> Obstacle | None:
    index, head, since = _read_index(repo), repository.head(repo), _time_of_index(repo)
    for path in paths:
        staged = index.blob(path)
        if staged == repository.blob_id(repo, head, path):
            continue
        file = worktree_files.read_present(repo, path) if path.startswith(RECORDS) else None
        if path.startswith(RECORDS) and staged == (repository.hash_blob(file.data) if file else None):
            continue
        if head is None or not is_stale(repo, head, path, staged):
            unstage = Command(
                "git commit -m {} {}", "by hand", path, note=f"or: git restore --staged {quote_shell(path)}"
            )
            return Obstacle("file-staged", f"{path} has staged changes", unstage, since)
    if is_index_young(repo, index) and not index.equals(head):
        return Obstacle("git-busy", "git has just written the index", Advice("try again in a moment"), since)
    return None


def is_index_young(repo: Repository, index: "StagedIndex") -> bool:
    """Return whether others wrote the index so lately that they may be about to move HEAD."""
    return time.time() - _time_of_index(repo) < YOUNG_SECONDS and not index.written_by_us


def _read_index(repo: Repository) -> "StagedIndex":
    from clawgit.git.git_index import index_of  # noqa: PLC0415 - libgit2, which hooks and search go without

    return index_of(repo)


def _time_of_index(repo: Repository) -> float:
    return modified(repo.gitdir / "index") or time.time()
