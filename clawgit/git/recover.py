"""Finishes what a killed writer left behind."""

import contextlib
import time
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

import pygit2

from clawgit.errors import ClawgitError
from clawgit.git import chain, index, landing, lock, pending, repository, settle, state, unreset
from clawgit.git.chain import Merge
from clawgit.git.operation import operation_under_way
from clawgit.git.pending import Work
from clawgit.git.repository import Repository
from clawgit.git.settle import Late, settle_all
from clawgit.git.steps import reached


@dataclass(frozen=True, slots=True)
class Recovered:
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
    return Recovered((*done, *(one.words for one in late), *land_again(repo, merge, deadline)), late)


def land_again(repo: Repository, merge: Merge, deadline: float) -> tuple[str, ...]:
    """Put commits of ours back on the branch that a reset took off unawares; return a sentence if there were any."""
    lost = unreset.taken_off(repo)
    head = repository.head(repo)
    if lost is None or head is None:
        return ()
    tip = chain.rebuilt_on(repo, *lost, head, merge, _later(repo, lost[1]))
    work = pending.derived(repo, tip)
    if state.find_obstacle(repo, work.branch, [item.path for item in work.items]) is not None:
        return ()  # the next start looks again
    pending.keep(repo, work)
    pending.announce(repo, work)
    unreset.note(repo, lost[1])
    finish(repo, work, lock.IndexLock(repo), merge, deadline=deadline, locked=False)
    return (f"a reset had taken {lost[1][:10]} off the branch; it landed again ({tip[:10]})",)


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
    blobs = {item.path: repository.blob_id(repo, work.tip, item.path) for item in work.items}
    landing.land(repo, work, index.build(repo, blobs), taken, merge)


def _later(repo: Repository, tip: repository.Oid) -> datetime:
    """Return a moment after that of a commit: the same one would make the same commit, which counts as landed."""
    last = repo.raw[tip].peel(pygit2.Commit)
    return max(datetime.now().astimezone(), repository.moment(last.commit_time + 1, last.commit_time_offset))


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
        saved = (*(one.words for one in settle_all(repo, merge)), *land_again(repo, merge, deadline))
        return saved + tuple(f"{path}: a stale index entry was put right" for path in state.put_right(repo, paths))
    return ()
