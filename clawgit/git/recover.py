"""Finishes what a killed writer left behind."""

import contextlib
import itertools
import os
import shutil
import time
from collections.abc import Collection
from pathlib import Path

import pygit2

from clawgit.errors import BusyError, ClawgitError
from clawgit.git import disk, index, landing, lease, lock, pending, repository, state
from clawgit.git.chain import Merge
from clawgit.git.pending import Work
from clawgit.git.repository import Repository
from clawgit.git.steps import reached

LATE_SECONDS = 0.05
_ROUNDS = 100


def recover(repo: Repository, merge: Merge, deadline: float) -> tuple[str, ...]:
    """Bring file, object, reference and index into agreement; return a sentence for each thing done.

    The caller holds our lock. Raises as a write would, before anything is touched, when git is in the middle of
    something.
    """
    reached("recover")
    work = pending.announced(repo)
    taken = lock.IndexLock(repo)
    ours = taken.ours()
    lock.clear_reference_locks(repo, work.branch if work else "", work.tip if work else None)
    done: tuple[str, ...] = ()
    if work is not None:
        pending.keep(repo, work)
        finish(repo, work, taken, merge, deadline=deadline, locked=ours)
        done = (f"finished an interrupted write ({work.tip[:10]})",)
    elif ours:
        taken.release()
    return done + settle_all(repo, merge)


def finish(repo: Repository, work: Work, taken: lock.IndexLock, merge: Merge, *, deadline: float, locked: bool) -> None:
    """Do the rest of `work`, whose writer died somewhere after announcing it."""
    if (obstacle := state.operation_under_way(repo)) is not None and not locked:
        raise ClawgitError(obstacle.message, fix=obstacle.fix)
    if landing.landed(repo, work):
        # The index came before the branch. Others may have committed or staged since: it stays as it is.
        if locked:
            taken.release()
        pending.withdraw(repo)
        return
    if not locked:
        taken.take(deadline)
    if repository.branch(repo) != work.branch:
        landing.move_branch(repo, work, merge)
        taken.release()
        pending.withdraw(repo)
        return
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
    done = [_settle_item(repo, work, number, merge, saved) for number in range(len(work.items))]
    if all(done):
        shutil.rmtree(pending.folder(repo, work))
    return tuple(saved)


def _settle_item(repo: Repository, work: Work, number: int, merge: Merge, saved: list[str]) -> bool:
    """Look at what an item displaced, and at what putting that back displaces in turn; False when some must wait."""
    held: set[int] = set()
    for _ in range(_ROUNDS):
        turns = [turn for turn in pending.taken(repo, work, number) if turn not in held]
        if not turns:
            return not held
        try:
            saved += _settle_one(repo, work, number, turns[0], merge)
        except BusyError:
            held.add(turns[0])
    return False


def _settle_one(repo: Repository, work: Work, number: int, turn: int, merge: Merge) -> tuple[str, ...]:
    path, displaced = work.items[number].path, pending.slot(repo, work, number, turn)
    if not disk.readable(displaced):
        beside = _set_beside(repo, path, displaced)
        return (f"{path} was replaced by something else during the write; that is now {beside}",)
    late, known = _late_bytes(displaced), (pending.expected(repo, work, number, turn), work.items[number].after)
    saved = late is not None and repository.hash_blob(late) not in known
    if late is not None and saved and not _put_back(repo, work, number, _base(repo, known[0]), late, merge):
        beside = _set_beside(repo, path, displaced)
        return (f"{path}: an edit saved during the write is now {beside}",)
    displaced.unlink(missing_ok=True)
    return (f"{path}: an edit saved during the write was kept, uncommitted",) if saved else ()


def _base(repo: Repository, oid: repository.Oid | None) -> bytes | None:
    try:
        return pending.contents(repo, oid)
    except ClawgitError:
        return None  # pruned: it was on no branch


def _set_beside(repo: Repository, path: str, displaced: Path) -> str:
    """Give what cannot be merged a name beside the one it had; return that name."""
    place = repo.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    names = (f"{place.name}.displaced{number or ''}" for number in itertools.count())
    beside = next(name for name in names if not os.path.lexists(place.with_name(name)))
    displaced.rename(place.with_name(beside))
    return beside


def _late_bytes(displaced: Path) -> bytes | None:
    handle = lease.wait_for_lease(displaced, deadline=0)
    if handle is None:
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read()


def _put_back(repo: Repository, work: Work, number: int, before: bytes | None, late: bytes, merge: Merge) -> bool:
    """Merge `late` into the file; False when something else than a file stands there now."""
    path = work.items[number].path
    try:
        found = disk.read(repo, path)
    except ClawgitError:
        return False
    now = found.data if found else None
    repo.raw.create_blob(late)  # should an editor overwrite it on disk before it is captured, `git fsck` finds it
    if now is not None and late.startswith(before or b""):
        _append_again(repo.root / path, now, late[len(before or b"") :])
        return True
    wanted = merge(path, before, now, late)
    if wanted is not None and wanted != now:
        landing.put(repo, work, number, wanted, found)
    return True


def _append_again(place: Path, now: bytes, added: bytes) -> None:
    """Give an addition that went to the displaced file to the one that stands there; nothing can be lost by that."""
    if added.strip() and added.strip() not in now:
        disk.append(place, added if now.endswith(b"\n") or not now else b"\n" + added)


def look_again(repo: Repository, paths: Collection[str], merge: Merge, deadline: float) -> tuple[str, ...]:
    """Save what others wrote at the very moment of our last write; call it when the process is done.

    An editor may have had the file open, and git can write back an index that it read before our lock.
    Returns sentences as `recover` does. Never raises: the next start looks as well.
    """
    time.sleep(LATE_SECONDS)
    with (
        contextlib.suppress(ClawgitError, OSError, pygit2.GitError),
        lock.repository_lock(repo, deadline),
    ):
        saved = settle_all(repo, merge)
        return saved + tuple(f"{path}: a stale index entry was put right" for path in state.put_right(repo, paths))
    return ()
