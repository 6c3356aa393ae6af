"""Finishes what a killed writer left behind."""

import contextlib
import time
from collections.abc import Collection

import pygit2
from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import (
    chain,
    disk,
    index,
    landing,
    lock,
    lost_commits,
    pending,
    reapply,
    repository,
    settle,
    stale_entries,
    state,
)
from clawgit.git.chain import Merge
from clawgit.git.operation import operation_under_way
from clawgit.git.pending import Item, Work
from clawgit.git.repository import Repository
from clawgit.git.settle import Late, settle_all
from clawgit.git.steps import reached


class Recovered(Struct, frozen=True):
    """A sentence for each thing that was put right, and the late edits that are back in their files."""

    notes: tuple[str, ...]
    late: tuple[Late, ...]


def recover(repo: Repository, merge: Merge, deadline: float) -> Recovered:
    """Bring file, object, reference and index into agreement.

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
    late = settle_all(repo, merge)
    return Recovered((*done, *(one.words for one in late)), late)


def reconcile(repo: Repository, branch: str, merge: Merge, deadline: float) -> tuple[str, ...]:
    """Land commits of ours again that git took back unawares; return sentences on these, and on what stays away.

    The caller holds our lock. What something stands in the way of is looked at again next time.
    """
    now = lost_commits.present(repo, branch)
    if now is None or now == lost_commits.last_look(repo) or operation_under_way(repo) is not None:
        return ()
    lost = lost_commits.find(repo, now)
    notes: list[str] = []
    for base, tip in lost.off:
        head = repository.head(repo) or base
        again = chain.rebuilt_on(repo, base, tip, head, merge, reapply.later(repo, tip))
        if not _land(repo, pending.derived(repo, again), merge, deadline):
            return tuple(notes)
        notes.append(f"a reset had taken {tip[:10]} off the branch; it landed again ({again[:10]})")
    if lost.undone:
        head = repository.head(repo) or now.head
        again = reapply.again(repo, lost.undone, head, merge)
        made = chain.between(repo, head, again)
        if made and not _land(repo, _kept(repo, again), merge, deadline):
            return tuple(notes)
        if made:
            many = "a change" if len(made) == 1 else f"{len(made)} changes"
            notes.append(f"{lost.cause} had taken {many} off; what the files still hold landed again ({again[:10]})")
    young = state.young(repo, index.index_of(repo))
    stale = () if young else stale_entries.stale_entries(repo)
    if stale:
        index.repair(repo, stale, repository.head(repo))
        notes += [f"{path}: a stale index entry was put right" for path in stale]
    lost_commits.note(repo, replace(now, index="" if young else now.index))
    return (*notes, *lost.told)


def reconcile_now(repo: Repository, branch: str, merge: Merge, deadline: float) -> tuple[str, ...]:
    """Do the same under our lock, which is not taken while nothing has moved since the last look."""
    if lost_commits.present(repo, branch) == lost_commits.last_look(repo):
        return ()
    with lock.repository_lock(repo, deadline):
        return (*recover(repo, merge, deadline).notes, *reconcile(repo, branch, merge, deadline))


def _land(repo: Repository, work: Work, merge: Merge, deadline: float) -> bool:
    """Bring commits that stand on HEAD onto the branch; False while something stands in the way."""
    if work.base == work.tip or not work.items:
        return True
    paths = [item.path for item in work.items if item.kind != "staged"]
    if state.find_obstacle(repo, work.branch, paths) is not None:
        return False
    pending.keep(repo, work)
    pending.announce(repo, work)
    finish(repo, work, lock.IndexLock(repo), merge, deadline=deadline, locked=False)
    return True


def _kept(repo: Repository, tip: repository.Oid) -> Work:
    """Return the work that brings the branch to `tip` and leaves every file as it is, and what is staged whole."""
    work, staged = pending.derived(repo, tip), index.index_of(repo)
    return replace(work, items=tuple(_kept_item(repo, one, staged.blob(one.path)) for one in work.items))


def _kept_item(repo: Repository, item: Item, staged: repository.Oid | None) -> Item:
    """Return how a file is kept; `git add` may have been run for the rest of it, by whoever is to commit that."""
    try:
        file = disk.read(repo, item.path)
    except ClawgitError:
        file = None
    whole = file is not None and staged == repository.hash_blob(file.data) and staged != item.before
    return Item(item.path, "staged" if whole else "keep", staged if whole else item.after, item.after)


def finish(repo: Repository, work: Work, taken: lock.IndexLock, merge: Merge, *, deadline: float, locked: bool) -> None:
    """Do the rest of `work`, whose writer died somewhere after announcing it."""
    if (obstacle := operation_under_way(repo)) is not None and not locked:
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
    blobs = {item.path: item.entry(repository.blob_id(repo, work.tip, item.path)) for item in work.items}
    landing.land(repo, work, index.build(repo, blobs), taken, merge)


def look_again(repo: Repository, paths: Collection[str], merge: Merge, deadline: float) -> tuple[str, ...]:
    """Save what others wrote at the very moment of our last write; call it when the process is done.

    An editor may have had the file open, and git can write back an index that it read before our lock.
    Returns sentences as `recover` does. Never raises: the next start looks as well.
    """
    time.sleep(settle.LATE_SECONDS)
    with (
        contextlib.suppress(ClawgitError, OSError, pygit2.GitError),
        lock.repository_lock(repo, deadline),
    ):
        saved = tuple(one.words for one in settle_all(repo, merge))
        stale = tuple(f"{path}: a stale index entry was put right" for path in state.put_right(repo, paths))
        last = lost_commits.last_look(repo)
        branch = last.branch if last else repository.branch(repo) or ""
        return (*saved, *stale, *reconcile(repo, branch, merge, deadline))
    return ()
