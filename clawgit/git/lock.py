"""Our lock, and git's lock on the index."""

import contextlib
import errno
import fcntl
import os
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clawgit.errors import BusyError, ClawgitError, quoted
from clawgit.git.disk import sync_folder
from clawgit.git.repository import Repository
from clawgit.git.steps import reached


@contextmanager
def repository_lock(repo: Repository, deadline: float) -> Iterator[None]:
    """Hold the lock that all clawgit processes of this reference store share.

    The system drops it when the process ends. Raises BusyError after `deadline` (time.monotonic()).
    """
    place = repo.commondir / "clawgit" / "lock"
    reached("lock")
    try:
        place.parent.mkdir(exist_ok=True)
        handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as exc:
        raise ClawgitError(
            f"{place.parent} cannot be written: {exc.strerror}", fix=f"ls -ld {quoted(repo.commondir)}"
        ) from exc
    try:
        _wait_for(handle, deadline)
        repo.room.mkdir(exist_ok=True)
        yield
    finally:
        os.close(handle)


def _wait_for(handle: int, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise BusyError("another clawgit process is writing", fix="try again in a moment") from None
            time.sleep(random.uniform(0.001, 0.005))  # noqa: S311 - a pause, not a secret
        else:
            return


class IndexLock:
    """git's own `index.lock`, recognisable as ours after a crash.

    The lock is a hard link to a file of ours: same inode, ours. Where there are no hard links, same random token.
    """

    def __init__(self, repo: Repository) -> None:
        self.place = repo.gitdir / "index.lock"
        self._mine = repo.room / "index.lock.mine"

    def try_take(self) -> bool:
        """Take the lock if it is free."""
        reached("index.lock")
        self._prepare()
        try:
            os.link(self._mine, self.place)
        except FileExistsError:
            return False
        except OSError as exc:
            if exc.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS):
                raise
            return self._take_without_link()
        return True

    def take(self, deadline: float) -> None:
        """Take the lock, waiting for git. Raises BusyError after `deadline`."""
        while not self.try_take():
            if time.monotonic() > deadline:
                raise BusyError(
                    f"git is at work: {self.place} exists",
                    fix="wait for it, or, if it was left by a git that died: clawgit doctor --fix",
                )
            time.sleep(0.003)

    def ours(self) -> bool:
        """Tell whether the lock that stands now is one of ours."""
        try:
            if os.path.samestat(self.place.lstat(), self._mine.lstat()):
                return True
            return self.place.read_bytes() == self._mine.read_bytes()
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Give the lock back."""
        reached("unlock")
        with contextlib.suppress(FileNotFoundError):
            self.place.unlink()

    def _prepare(self) -> None:
        if not self._mine.exists():
            fresh = self._mine.with_suffix(".new")
            fresh.write_text(f"clawgit {os.urandom(16).hex()}\n")
            fresh.rename(self._mine)

    def _take_without_link(self) -> bool:
        try:
            handle = os.open(self.place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            return False
        with os.fdopen(handle, "wb") as file:
            file.write(self._mine.read_bytes())
        return True


def clear_reference_locks(repo: Repository, branch: str, tip: str | None) -> None:
    """Remove reference locks that a killed writer of ours left.

    Only the holder of our lock may call it. Those under refs/clawgit are ours by name. The branch's lock is ours when
    it holds `tip`, the pending commit; an empty or torn one only when the same file is still there a second later.
    """
    for place in (repo.commondir / "refs" / "clawgit").rglob("*.lock"):
        place.unlink(missing_ok=True)
    if tip is None:
        return
    place = repo.commondir / "refs" / "heads" / f"{branch}.lock"
    held = _held(place)
    if held == tip.encode() or (held is not None and tip.encode().startswith(held) and _stays(place)):
        place.unlink(missing_ok=True)
        sync_folder(place.parent)


def _held(place: Path) -> bytes | None:
    try:
        return place.read_bytes().strip()
    except FileNotFoundError:
        return None


def _stays(place: Path) -> bool:
    try:
        before = place.lstat()
        time.sleep(1)
        after = place.lstat()
    except FileNotFoundError:
        return False
    return os.path.samestat(before, after) and before.st_size == after.st_size
