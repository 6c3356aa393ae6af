"""Finishes what a killed writer left behind."""

import contextlib
import os
import shutil
import time
from collections.abc import Collection
from pathlib import Path

from clawgit.errors import BusyError, ClawgitError
from clawgit.git import disk, index, landing, lease, lock, pending, repository, state
from clawgit.git.chain import Merge
from clawgit.git.pending import Work
from clawgit.git.repository import Repository
from clawgit.git.steps import reached

LATE_SECONDS = 0.05


def recover(repo: Repository, merge: Merge, deadline: float) -> tuple[str, ...]:
    """Bring file, object, reference and index into agreement; return a sentence for each thing done.

    The caller holds our lock. Raises as a write would, before anything is touched, when git is in the middle of
    something.
    """
    reached("recover")
    work = pending.announced(repo)
    taken = lock.IndexLock(repo)
    ours = taken.ours()
    lock.clear_reference_locks(repo, work.branch if work else "", work.tip if work and ours else None)
    done: tuple[str, ...] = ()
    if work is not None:
        finish(repo, work, taken, merge, deadline=deadline, locked=ours)
        done = (f"finished an interrupted write ({work.tip[:10]})",)
    elif ours:
        taken.release()
    return done + settle_all(repo, merge)


def finish(repo: Repository, work: Work, taken: lock.IndexLock, merge: Merge, *, deadline: float, locked: bool) -> None:
    """Do the rest of `work`, whose writer died somewhere after announcing it."""
    if (obstacle := state.operation_under_way(repo)) is not None and not locked:
        raise ClawgitError(obstacle.message, fix=obstacle.fix)
    if not locked:
        taken.take(deadline)
    if repository.branch(repo) != work.branch:
        landing.move_branch(repo, work, merge)
        taken.release()
        pending.withdraw(repo)
        return
    if not landing.landed(repo, work):
        landing.replay(repo, work, merge)
    blobs = {item.path: repository.blob_id(repo, work.tip, item.path) for item in work.items}
    landing.land(repo, work, index.build(repo, blobs), taken, merge)


def settle_all(repo: Repository, merge: Merge) -> tuple[str, ...]:
    """Look at every displaced file; what somebody wrote into it late goes back to its place.

    Returns a sentence for each edit that was saved.
    """
    works, unfinished = pending.listed(repo)
    for home in unfinished:
        shutil.rmtree(home)
    return tuple(words for work in works if _old_enough(repo, work) for words in _settle(repo, work, merge))


def _old_enough(repo: Repository, work: Work) -> bool:
    """Tell whether whoever had found the file before it was displaced has opened it by now."""
    listed = pending.folder(repo, work) / "list"
    return time.time() - listed.stat().st_mtime > LATE_SECONDS


def _settle(repo: Repository, work: Work, merge: Merge) -> tuple[str, ...]:
    """Merge late writes into the files they were meant for, as uncommitted edits.

    A displaced file that somebody still holds open for writing waits for the next start.
    """
    saved: list[str] = []
    held = False
    for number, item in enumerate(work.items):
        temporary = pending.temporary(repo, work, number)
        try:
            late = _late_bytes(temporary)
        except BusyError:
            held = True
            continue
        if late is not None and repository.hash_blob(late) not in (item.before, item.after):
            _put_back(repo, work, number, late, merge)
            saved.append(f"{item.path}: an edit saved during the write was kept, uncommitted")
        temporary.unlink(missing_ok=True)
    if not held:
        shutil.rmtree(pending.folder(repo, work))
    return tuple(saved)


def _late_bytes(temporary: Path) -> bytes | None:
    handle = lease.wait_for_lease(temporary, deadline=0)
    if handle is None:
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read()


def _put_back(repo: Repository, work: Work, number: int, late: bytes, merge: Merge) -> None:
    """Merge `late` into the file. What the merge displaces in turn is looked at again, until nothing is late."""
    item = work.items[number]
    before = pending.contents(repo, item.before)
    temporary = pending.temporary(repo, work, number).with_suffix(".late")
    while True:
        found = disk.read(repo, item.path)
        now = found.data if found else None
        wanted = merge(item.path, before, now, late)
        if wanted is None or wanted == now:
            return
        temporary.unlink(missing_ok=True)
        disk.write_temporary(temporary, wanted, found.mode if found else item.mode)
        disk.exchange(temporary, repo.root / item.path)
        swapped = temporary.read_bytes() if temporary.exists() else None
        temporary.unlink(missing_ok=True)
        if swapped in (now, None):
            return
        before, late = now, swapped


def look_again(repo: Repository, paths: Collection[str], merge: Merge, deadline: float) -> tuple[str, ...]:
    """Save what others wrote at the very moment of our last write; call it when the process is done.

    An editor may have had the file open, and git can write back an index that it read before our lock.
    Returns sentences as `recover` does. Never raises for want of the lock: the next start looks as well.
    """
    time.sleep(LATE_SECONDS)
    with contextlib.suppress(BusyError), lock.repository_lock(repo, deadline):
        saved = settle_all(repo, merge)
        return saved + tuple(f"{path}: a stale index entry was put right" for path in state.put_right(repo, paths))
    return ()
