"""Finishes the work of a killed writer."""

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
from clawgit.git.git_state import operation_under_way
from clawgit.git.landing import Late, settle_all
from clawgit.git.our_commits import Lines, State, lines, parent
from clawgit.git.redo_log import PathChange, Work
from clawgit.git.repository import Oid, Repository
from clawgit.git.worktree_files import announce_step


def remake_commits(repo: Repository, undone: Sequence[Oid], head: Oid, merge: Merge) -> Oid:
    """Make the reverted commits again on `head`, and return the tip: `head` if nothing of them is missing.

    Only lines that the files on disk have come back; no file changes.
    """
    state = State(repo, head)
    touched = {oid: commit_chain.list_changed_paths(repo, parent(repo, oid), oid) for oid in undone}
    texts = {
        path: _restore_versions(state, [oid for oid in undone if path in touched[oid]], path, merge)
        for path in dict.fromkeys(path for paths in touched.values() for path in paths)
    }
    for oid in undone:
        commit = repo.raw[oid].peel(pygit2.Commit)
        files = {path: texts[path][oid] for path in touched[oid]}
        files = {path: text for path, text in files.items() if text != repository.read(repo, head, path)}
        if files:
            author = (commit.author.name, commit.author.email)
            new_commit = NewCommit(commit.message, author, find_later_moment(repo, head, oid), files, again=oid)
            head = commit_chain.build(repo, head, [new_commit])[0]
    return head


def find_later_moment(repo: Repository, *commits: Oid) -> datetime:
    """Return a moment that is after all of `commits`: the same one would make the same commit, which is there."""
    raw_commits = (repo.raw[oid].peel(pygit2.Commit) for oid in commits)
    after = (repository.moment(commit.commit_time + 1, commit.commit_time_offset) for commit in raw_commits)
    return max(datetime.now().astimezone(), *after)


def _restore_versions(state: State, commits: Sequence[Oid], path: str, merge: Merge) -> dict[Oid, bytes | None]:
    """Return the versions of a file after each of `commits`, which touched it, as far as the file on disk agrees."""
    head, now = repository.read(state.repo, state.head, path), state.on_disk(path)
    # The first way keeps all lines of the commits, the second only lines that two of three have.
    for agree in (_sort_like, _agreed):
        text, texts = head, dict[Oid, bytes | None]()
        for oid in commits:
            before, after = (repository.read(state.repo, commit, path) for commit in (parent(state.repo, oid), oid))
            target = after if text in (before, after) else merge(path, before, text, after)
            text = texts[oid] = agree(target, text, now)
        if _agreed(text, head, now) == text:
            break
    return texts


def _sort_like(content: bytes | None, _: bytes | None, now: bytes | None) -> bytes | None:
    """Return `content` with its lines in the order of the file on disk, if that has all of them."""
    if content is None or now is None or lines(content) - lines(now):
        return content
    return _picked(now, lines(content))


def _agreed(content: bytes | None, head: bytes | None, now: bytes | None) -> bytes | None:
    """Return the lines that two of three have: the wanted content of HEAD, its present one, and the file on disk."""
    if content in (now, head):
        return content
    if content is None or now is None:
        return head
    ours, theirs, disk = lines(content), lines(head), lines(now)
    agreed = (ours & disk) | (ours & theirs) | (theirs & disk)
    if not agreed - disk:
        return _picked(now, agreed)
    return _picked(content, agreed) if not agreed - ours else head


def _picked(text: bytes, selection: Lines) -> bytes:
    """Return the lines of `text` that are `selection`, with the empty lines above them."""
    if selection == lines(text):
        return text
    left, result, empty = Counter(selection), [], []
    for line in text.splitlines(keepends=True):
        plain = line.rstrip()
        if not plain:
            empty.append(line)
        elif left[plain]:
            left[plain] -= 1
            result += [*empty, line]
            empty = []
        else:
            empty = []
    return b"".join(result)


class Recovered(Struct, frozen=True):
    """A sentence for each thing that was put right, and the late edits that are back in their files."""

    notes: tuple[str, ...]
    late: tuple[Late, ...]


def recover(repo: Repository, merge: Merge, deadline: float) -> Recovered:
    """Bring file, object, reference and index into agreement.

    The caller has our lock. Raises as a write would, before anything is touched, when git is in the middle of
    something.
    """
    announce_step("recover")
    refusals = pending_work.set_aside(repo)
    work = pending_work.find_announced_work(repo)
    index_lock = locks.IndexLock(repo)
    ours = index_lock.ours()
    locks.clear_reference_locks(repo, work.branch if work else "", work.tip if work else None)
    references.drop(repo, f"{references.OURS}doctor")  # a check of 0.2 left it: it would keep what is purged
    # A killed writer had not yet linked these locks into place.
    for leftover in repo.room.glob("index.lock.*"):
        leftover.unlink()
    notes: tuple[str, ...] = ()
    # A mounted file that is half overwritten is finished before anything is compared.
    for old_work in pending_work.read_redo_logs(repo).works:
        for number, item in enumerate(old_work.items):
            for turn in redo_log.list_taken(repo, old_work, number):
                regular_file.resume_overwrite(redo_log.locate_turn(repo, old_work, number, turn), repo.root / item.path)
    if work is not None:
        redo_log.ensure_work_list(repo, work)
        finish_work(repo, work, index_lock, merge, deadline=deadline, locked=ours)
        notes = (f"finished an interrupted write ({work.tip[:10]})",)
    elif ours:
        index_lock.release()
    late = settle_all(repo, merge)
    return Recovered((*refusals, *notes, *(edit.words for edit in late)), late)


def reconcile(repo: Repository, branch: str, merge: Merge, deadline: float) -> tuple[str, ...]:
    """Land commits of ours again that git reverted unintentionally; return sentences on these.

    The caller has our lock. A commit with an obstacle is looked at again next time.
    """
    now = our_commits.read_branch_state(repo, branch)
    if now is None or now == our_commits.read_last_look(repo) or operation_under_way(repo) is not None:
        return ()
    losses = our_commits.find_losses(repo, now)
    notes: list[str] = []
    for base, tip in losses.off:
        head = repository.head(repo) or base
        new_tip = commit_chain.rebuilt_on(repo, base, tip, head, merge, find_later_moment(repo, tip))
        if not _land_commits(repo, redo_log.derive_work(repo, new_tip), merge, deadline):
            return tuple(notes)
        notes.append(f"a reset had taken {tip[:10]} off the branch; it landed again ({new_tip[:10]})")
    if losses.undone:
        head = repository.head(repo) or now.head
        new_tip = remake_commits(repo, losses.undone, head, merge)
        new_commits = commit_chain.list_chain(repo, head, new_tip)
        if new_commits and not _land_commits(repo, _keep_files(repo, new_tip), merge, deadline):
            return tuple(notes)
        if new_commits:
            many = "a change" if len(new_commits) == 1 else f"{len(new_commits)} changes"
            notes.append(
                f"{losses.cause} had taken {many} off; what the files still hold landed again ({new_tip[:10]})"
            )
    # A young index may belong to a checkout that has not moved HEAD yet.
    young = git_state.is_index_young(repo, git_index.index_of(repo))
    notes += () if young else git_state.put_right(repo)
    our_commits.record_look(repo, replace(now, index="" if young else now.index))
    return (*notes, *losses.told)


def is_nothing_lost(repo: Repository, branch: str) -> bool:
    """Look without repairing, for the holder of git's lock; False if `reconcile` has something to do or to report."""
    now = our_commits.read_branch_state(repo, branch)
    if now is None or now == our_commits.read_last_look(repo):
        return True
    return our_commits.find_losses(repo, now) == our_commits.Lost() and not git_state.stale_entries(repo)


def reconcile_now(repo: Repository, branch: str, merge: Merge, deadline: float) -> tuple[str, ...]:
    """Do the same, and finish the work of a killed writer, under our lock.

    The lock is not taken without a move of the branch since the last look, a pending write or a displaced file.
    """
    left = pending_work.has_unfinished_work(repo) or pending_work.read_redo_logs(repo).works
    if not left and our_commits.read_branch_state(repo, branch) == our_commits.read_last_look(repo):
        return ()
    with locks.repository_lock(repo, deadline):
        return (*recover(repo, merge, deadline).notes, *reconcile(repo, branch, merge, deadline))


def _land_commits(repo: Repository, work: Work, merge: Merge, deadline: float) -> bool:
    """Bring commits on top of HEAD onto the branch; False while there is an obstacle."""
    if work.base == work.tip or not work.items:
        return True
    paths = [item.path for item in work.items if item.kind != "staged"]
    if git_state.find_obstacle(repo, work.branch, paths) is not None:
        return False
    redo_log.ensure_work_list(repo, work)
    redo_log.announce(repo, work)
    finish_work(repo, work, locks.IndexLock(repo), merge, deadline=deadline, locked=False)
    return True


def _keep_files(repo: Repository, tip: repository.Oid) -> Work:
    """Return the work that brings the branch to `tip` and leaves every file, and everything staged, as it is."""
    work, staged = redo_log.derive_work(repo, tip), git_index.index_of(repo)
    items = list[PathChange]()
    for item in work.items:
        try:
            file = worktree_files.read_worktree_file(repo, item.path)
        except ClawgitError:
            file = None
        # The rest of a file may be staged by `git add`, for a commit of others.
        blob = staged.blob(item.path)
        whole = file is not None and blob == repository.hash_blob(file.data) and blob != item.before
        items.append(PathChange(item.path, "staged" if whole else "keep", blob if whole else item.after, item.after))
    return replace(work, items=tuple(items))


def finish_work(
    repo: Repository, work: Work, index_lock: locks.IndexLock, merge: Merge, *, deadline: float, locked: bool
) -> None:
    """Do the rest of `work`, whose writer died after announcing it."""
    if (obstacle := operation_under_way(repo)) is not None and not locked:
        raise ClawgitError(obstacle.key, obstacle.message, fix=obstacle.fix)
    if landing.has_landed(repo, work):
        # The index came before the branch. Others may have committed or staged since: it stays as it is.
        if locked:
            index_lock.release()
        redo_log.withdraw(repo)
        return
    if not locked:
        index_lock.take(deadline)
    # With another branch checked out, the files on disk are not those of the work.
    if repository.branch(repo) != work.branch:
        landing.move_branch(repo, work, merge)
        index_lock.release()
        redo_log.withdraw(repo)
        return
    landing.replay(repo, work, merge)
    side = git_index.build_index(repo, redo_log.list_index_blobs(repo, work), work.tip)
    landing.land(repo, work, side, index_lock, merge)


def look_again(repo: Repository, paths: Collection[str], merge: Merge, deadline: float) -> tuple[str, ...]:
    """Save the edits that others wrote during our last write; call it at the end of the process.

    An editor may have had the file open, and git can write back an index that it read before our lock. Returns
    sentences as `recover` does. Never raises: the next start looks as well.
    """
    time.sleep(landing.LATE_SECONDS)
    with (
        contextlib.suppress(ClawgitError, OSError, pygit2.GitError),
        locks.repository_lock(repo, deadline),
    ):
        saved = tuple(edit.words for edit in settle_all(repo, merge))
        stale = git_state.put_right(repo, paths)
        last = our_commits.read_last_look(repo)
        branch = last.branch if last else repository.branch(repo) or ""
        return (*saved, *stale, *reconcile(repo, branch, merge, deadline))
    return ()


def refuse_fixed_files(repo: Repository, branch: str) -> None:
    """Raise ClawgitError if git's index, the branch or their logs, or the pending reference cannot be written."""
    redo_log.require_free_name(repo)
    for file in (repo.gitdir / "index", repo.commondir / "refs/heads" / branch):
        worktree_files.refuse_fixed(file)
    for log in (repo.gitdir / "logs/HEAD", repo.commondir / "logs/refs/heads" / branch):
        if log.exists() and not os.access(log, os.W_OK):
            raise file_unwritable(f"{log} cannot be written", fix=worktree_files.way_to_write(log))
