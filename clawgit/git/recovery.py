"""Finishes what a killed writer left behind."""

import contextlib
import os
import time
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime

import pygit2
from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, file_unwritable
from clawgit.git import (
    commit_chain,
    git_index,
    git_state,
    landing,
    locks,
    our_commits,
    pending_work,
    redo_log,
    references,
    regular_file,
    repository,
    worktree_files,
)
from clawgit.git.commit_chain import Merge, NewCommit
from clawgit.git.git_leftovers import operation_under_way
from clawgit.git.landing import Late, settle_all
from clawgit.git.our_commits import Lines, State, lines, parent
from clawgit.git.redo_log import Item, Work
from clawgit.git.repository import Oid, Repository
from clawgit.git.write_steps import reached


def made_again(repo: Repository, undone: Sequence[Oid], head: Oid, merge: Merge) -> Oid:
    """Make the commits that were taken back again on `head`, and return the tip: `head` where all of it is there.

    Of their lines those come back that the files on disk hold; no file is asked to change.
    """
    state = State(repo, head)
    touched = {oid: commit_chain.changed(repo, parent(repo, oid), oid) for oid in undone}
    texts = {
        path: _come_back(state, [oid for oid in undone if path in touched[oid]], path, merge)
        for path in dict.fromkeys(path for paths in touched.values() for path in paths)
    }
    for oid in undone:
        commit = repo.raw[oid].peel(pygit2.Commit)
        files = {path: texts[path][oid] for path in touched[oid]}
        files = {path: text for path, text in files.items() if text != repository.read(repo, head, path)}
        if files:
            author = (commit.author.name, commit.author.email)
            again = NewCommit(commit.message, author, later(repo, head, oid), files, again=oid)
            head = commit_chain.build(repo, head, [again])[0]
    return head


def later(repo: Repository, *commits: Oid) -> datetime:
    """Return a moment that is after all of `commits`: the same one would make the same commit, which is there."""
    found = (repo.raw[oid].peel(pygit2.Commit) for oid in commits)
    after = (repository.moment(one.commit_time + 1, one.commit_time_offset) for one in found)
    return max(datetime.now().astimezone(), *after)


def _come_back(state: State, commits: Sequence[Oid], path: str, merge: Merge) -> dict[Oid, bytes | None]:
    """Return what a file becomes with each of `commits`, which touched it, as far as the file on disk agrees."""
    head, now = repository.read(state.repo, state.head, path), state.on_disk(path)
    for agree in (_sorted_as, _agreed):
        text, texts = head, dict[Oid, bytes | None]()
        for oid in commits:
            before, after = (repository.read(state.repo, one, path) for one in (parent(state.repo, oid), oid))
            wanted = after if text in (before, after) else merge(path, before, text, after)
            text = texts[oid] = agree(wanted, text, now)
        if _agreed(text, head, now) == text:
            break
    return texts


def _sorted_as(wanted: bytes | None, _: bytes | None, now: bytes | None) -> bytes | None:
    """Return `wanted` with its lines in the order that they have in the file on disk, if they all stand there."""
    if wanted is None or now is None or lines(wanted) - lines(now):
        return wanted
    return _picked(now, lines(wanted))


def _agreed(wanted: bytes | None, there: bytes | None, now: bytes | None) -> bytes | None:
    """Return the lines that two agree on: what HEAD is to hold, what it holds, and the file on disk."""
    if wanted in (now, there):
        return wanted
    if wanted is None or now is None:
        return there
    ours, theirs, here = lines(wanted), lines(there), lines(now)
    agreed = (ours & here) | (ours & theirs) | (theirs & here)
    if not agreed - here:
        return _picked(now, agreed)
    return _picked(wanted, agreed) if not agreed - ours else there


def _picked(text: bytes, wanted: Lines) -> bytes:
    """Return the lines of `text` that are `wanted`, with the empty lines above them."""
    if wanted == lines(text):
        return text
    left, kept, empty = Counter(wanted), [], []
    for line in text.splitlines(keepends=True):
        plain = line.rstrip()
        if not plain:
            empty.append(line)
        elif left[plain]:
            left[plain] -= 1
            kept += [*empty, line]
            empty = []
        else:
            empty = []
    return b"".join(kept)


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
    refused = pending_work.set_aside(repo)
    work = pending_work.announced(repo)
    taken = locks.IndexLock(repo)
    ours = taken.ours()
    locks.clear_reference_locks(repo, work.branch if work else "", work.tip if work else None)
    references.drop(repo, references.TRIAL)
    for leftover in repo.room.glob("index.lock.*"):
        leftover.unlink()
    done: tuple[str, ...] = ()
    for begun in pending_work.logs(repo).works:
        for number, item in enumerate(begun.items):
            for turn in redo_log.taken(repo, begun, number):
                regular_file.resume(redo_log.slot(repo, begun, number, turn), repo.root / item.path)
    if work is not None:
        redo_log.keep(repo, work)
        finish(repo, work, taken, merge, deadline=deadline, locked=ours)
        done = (f"finished an interrupted write ({work.tip[:10]})",)
    elif ours:
        taken.release()
    late = settle_all(repo, merge)
    return Recovered((*refused, *done, *(one.words for one in late)), late)


def reconcile(repo: Repository, branch: str, merge: Merge, deadline: float) -> tuple[str, ...]:
    """Land commits of ours again that git took back unawares; return sentences on these, and on what stays away.

    The caller holds our lock. What something stands in the way of is looked at again next time.
    """
    now = our_commits.present(repo, branch)
    if now is None or now == our_commits.last_look(repo) or operation_under_way(repo) is not None:
        return ()
    lost = our_commits.find(repo, now)
    notes: list[str] = []
    for base, tip in lost.off:
        head = repository.head(repo) or base
        again = commit_chain.rebuilt_on(repo, base, tip, head, merge, later(repo, tip))
        if not _land(repo, redo_log.derived(repo, again), merge, deadline):
            return tuple(notes)
        notes.append(f"a reset had taken {tip[:10]} off the branch; it landed again ({again[:10]})")
    if lost.undone:
        head = repository.head(repo) or now.head
        again = made_again(repo, lost.undone, head, merge)
        made = commit_chain.between(repo, head, again)
        if made and not _land(repo, _kept(repo, again), merge, deadline):
            return tuple(notes)
        if made:
            many = "a change" if len(made) == 1 else f"{len(made)} changes"
            notes.append(f"{lost.cause} had taken {many} off; what the files still hold landed again ({again[:10]})")
    young = git_state.young(repo, git_index.index_of(repo))
    stale = () if young else git_state.stale_entries(repo)
    if stale:
        git_index.repair(repo, stale, repository.head(repo))
        notes += [f"{path}: a stale index entry was put right" for path in stale]
    our_commits.note(repo, replace(now, index="" if young else now.index))
    return (*notes, *lost.told)


def nothing_lost(repo: Repository, branch: str) -> bool:
    """Look without mending, for whoever holds git's lock; False where `reconcile` has something to do or to tell."""
    now = our_commits.present(repo, branch)
    if now is None or now == our_commits.last_look(repo):
        return True
    return our_commits.find(repo, now) == our_commits.Lost() and not git_state.stale_entries(repo)


def reconcile_now(repo: Repository, branch: str, merge: Merge, deadline: float) -> tuple[str, ...]:
    """Do the same, and finish what a killed writer left, under our lock.

    The lock is not taken without a move of the branch since the last look, a pending write or a displaced file.
    """
    left = pending_work.unfinished(repo) or pending_work.logs(repo).works
    if not left and our_commits.present(repo, branch) == our_commits.last_look(repo):
        return ()
    with locks.repository_lock(repo, deadline):
        return (*recover(repo, merge, deadline).notes, *reconcile(repo, branch, merge, deadline))


def _land(repo: Repository, work: Work, merge: Merge, deadline: float) -> bool:
    """Bring commits that stand on HEAD onto the branch; False while something stands in the way."""
    if work.base == work.tip or not work.items:
        return True
    paths = [item.path for item in work.items if item.kind != "staged"]
    if git_state.find_obstacle(repo, work.branch, paths) is not None:
        return False
    redo_log.keep(repo, work)
    redo_log.announce(repo, work)
    finish(repo, work, locks.IndexLock(repo), merge, deadline=deadline, locked=False)
    return True


def _kept(repo: Repository, tip: repository.Oid) -> Work:
    """Return the work that brings the branch to `tip` and leaves every file as it is, and what is staged whole."""
    work, staged = redo_log.derived(repo, tip), git_index.index_of(repo)
    return replace(work, items=tuple(_kept_item(repo, item, staged.blob(item.path)) for item in work.items))


def _kept_item(repo: Repository, item: Item, staged: repository.Oid | None) -> Item:
    """Return how a file is kept; `git add` may have been run for the rest of it, by whoever is to commit that."""
    try:
        file = worktree_files.read(repo, item.path)
    except ClawgitError:
        file = None
    whole = file is not None and staged == repository.hash_blob(file.data) and staged != item.before
    return Item(item.path, "staged" if whole else "keep", staged if whole else item.after, item.after)


def finish(
    repo: Repository, work: Work, taken: locks.IndexLock, merge: Merge, *, deadline: float, locked: bool
) -> None:
    """Do the rest of `work`, whose writer died somewhere after announcing it."""
    if (obstacle := operation_under_way(repo)) is not None and not locked:
        raise ClawgitError(obstacle.key, obstacle.message, fix=obstacle.fix)
    if landing.landed(repo, work):
        # The index came before the branch. Others may have committed or staged since: it stays as it is.
        if locked:
            taken.release()
        redo_log.withdraw(repo)
        return
    if not locked:
        taken.take(deadline)
    if repository.branch(repo) != work.branch:
        landing.move_branch(repo, work, merge)
        taken.release()
        redo_log.withdraw(repo)
        return
    landing.replay(repo, work, merge)
    paths = [item.path for item in work.items if item.kind != "staged"]
    blobs = {path: repository.blob_id(repo, work.tip, path) for path in paths}
    landing.land(repo, work, git_index.build(repo, blobs, work.tip), taken, merge)


def look_again(repo: Repository, paths: Collection[str], merge: Merge, deadline: float) -> tuple[str, ...]:
    """Save what others wrote at the very moment of our last write; call it when the process is done.

    An editor may have had the file open, and git can write back an index that it read before our lock.
    Returns sentences as `recover` does. Never raises: the next start looks as well.
    """
    time.sleep(landing.LATE_SECONDS)
    with (
        contextlib.suppress(ClawgitError, OSError, pygit2.GitError),
        locks.repository_lock(repo, deadline),
    ):
        saved = tuple(one.words for one in settle_all(repo, merge))
        stale = tuple(f"{path}: a stale index entry was put right" for path in git_state.put_right(repo, paths))
        last = our_commits.last_look(repo)
        branch = last.branch if last else repository.branch(repo) or ""
        return (*saved, *stale, *reconcile(repo, branch, merge, deadline))
    return ()


def refuse_fixed_files(repo: Repository, branch: str) -> None:
    """Raise ClawgitError where git's index, the branch or their logs, or the pending reference cannot be written."""
    redo_log.require_free_name(repo)
    for file in (repo.gitdir / "index", repo.commondir / "refs/heads" / branch):
        worktree_files.refuse_fixed(file)
    for log in (repo.gitdir / "logs/HEAD", repo.commondir / "logs/refs/heads" / branch):
        if log.exists() and not os.access(log, os.W_OK):
            raise file_unwritable(f"{log} cannot be written", fix=worktree_files.way_to_write(log))
