"""One write, in the order that loses nothing."""

import os
import signal
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager

import pygit2
from msgspec import Struct, field

from clawgit.errors import BusyError, ClawgitError, keeps_changing
from clawgit.git import (
    commit_chain,
    git_filters,
    git_index,
    git_state,
    landing,
    locks,
    pending_work,
    recovery,
    redo_log,
    repository,
    worktree_files,
)
from clawgit.git.commit_chain import Merge, NewCommit
from clawgit.git.landing import Late
from clawgit.git.locks import IndexLock, repository_lock
from clawgit.git.redo_log import PathChange, Work
from clawgit.git.repository import Oid, Repository
from clawgit.git.worktree_files import DiskFile, announce_step

PATIENCE = 10.0
_BRIEF = 0.02
_EXECUTABLE = 0o755
_MAX_OVERWRITES = 5
_IN_VAIN = 3
"""After so many plans that came to nothing, since HEAD or a file had moved, the next is made under git's lock."""


class Snapshot(Struct, frozen=True):
    """The input of a plan: HEAD, and each path as it is committed and as it is on disk."""

    head: Oid | None
    committed: Mapping[str, bytes | None]
    disk: Mapping[str, DiskFile | None]


class Plan(Struct, frozen=True):
    """Commits to be made, oldest first; `appends` names the blocks that go to the end of a file in place."""

    commits: tuple[NewCommit, ...]
    appends: Mapping[str, bytes] = field(default_factory=dict)


class Written(Struct, frozen=True):
    """The result of a write: its commits, oldest first (rebuilt if the branch moved), and sentences for the user."""

    commits: tuple[Oid, ...]
    notes: tuple[str, ...] = ()


Planner = Callable[[Snapshot], Plan]


class MovedError(Exception):
    """The input of the plan has changed."""


class _OverwrittenError(Exception):
    """Edits that had just been put back were overwritten by somebody with an older version of the file."""

    def __init__(self, late: tuple[Late, ...]) -> None:
        super().__init__()
        self.late = late


class _Request(Struct, frozen=True):
    """The content to be written, and the edits put back a moment ago that must still be there (`late`)."""

    repo: Repository
    branch: str
    paths: Collection[str]
    plan: Planner
    merge: Merge
    late: Collection[Late]


def write(
    repo: Repository,
    branch: str,
    paths: Collection[str],
    plan: Planner,
    merge: Merge,
    *,
    patience: float = PATIENCE,
    unborn: bool = False,
) -> Written:
    """Commit the result of `plan` for a snapshot of `paths`, and put it on disk.

    `plan` may be called several times and refuses by raising; then nothing has been touched. `unborn` allows the first
    commit. Raises ClawgitError or BusyError after `patience` seconds, likewise before the first touch.
    """
    deadline = time.monotonic() + patience
    # Step 1: our lock. Two of us never write at once, and nobody plans on a half-written change.
    with repository_lock(repo, deadline):
        # A killed writer left its work in the redo log: it is finished before anything new begins.
        report = recovery.recover(repo, merge, deadline)
        notes, late = report.notes, report.late
        overwritten = move_count = 0
        while True:
            if not (unborn and repository.head(repo) is None):
                # Step 2: wait for git, and refuse states in which a commit would land in the wrong place.
                notes += _ready(repo, branch, paths, merge, deadline)
            head = repository.head(repo)
            try:
                watched = late if overwritten < _MAX_OVERWRITES else ()
                request = _Request(repo, branch, paths, plan, merge, watched)
                # A loop of commits beside us could make every plan stale; then the plan is made under git's lock.
                if move_count < _IN_VAIN:
                    return Written(_try_write(request, deadline, head), notes)
                return Written(_attempt_alone(request, deadline), notes)
            except _OverwrittenError as exc:
                overwritten += 1
                for edit in exc.late:
                    landing.restore_late_edit(repo, edit, merge)
            except MovedError:
                move_count += 1
                if time.monotonic() > deadline:
                    raise keeps_changing("the workspace keeps changing") from None


def _ready(repo: Repository, branch: str, paths: Collection[str], merge: Merge, deadline: float) -> tuple[str, ...]:
    """Wait until a write may begin; return sentences on repairs.

    Apparently staged changes may be lines that HEAD lost a moment ago: that is checked as long as we wait.
    """
    notes: tuple[str, ...] = ()
    while True:
        notes += recovery.reconcile(repo, branch, merge, deadline)
        try:
            brief = min(deadline, time.monotonic() + _BRIEF)
            git_state.wait_for_rest(lambda: git_state.find_obstacle(repo, branch, paths), brief)
            notes += git_state.put_right(repo, paths)
        except BusyError:
            if time.monotonic() > deadline:
                raise
            continue

        return notes + recovery.reconcile(repo, branch, merge, deadline)


def _try_write(request: _Request, deadline: float, head: Oid | None, lock: IndexLock | None = None) -> tuple[Oid, ...]:
    """Plan and write once. Raises MovedError if something moved meanwhile; `lock` is git's, if we have it."""
    repo, branch, paths = request.repo, request.branch, request.paths
    # Step 3: half a sentence is never committed. On Linux a lease shows that no editor has the file open.
    announce_step("lease")
    with locks.lease_files(repo, paths, deadline) as (files, give_back):
        # Committed content cannot be lost, so an edit that was put back must be there when we commit.
        pairs = ((edit, files[edit.path]) for edit in request.late if edit.path in files)
        if losses := tuple(edit for edit, file in pairs if file is not None and edit.lacks(file.data)):
            raise _OverwrittenError(losses)
        if repository.head(repo) != head:
            raise MovedError  # what came in between may have taken something back, and has not been looked at
        snapshot = Snapshot(head, {path: _committed(repo, head, path, files[path]) for path in paths}, files)
        announce_step("plan")
        # Step 4: the caller sees one moment: HEAD, and the files as leased. It may refuse, and is called again.
        decided = request.plan(snapshot)
        if not decided.commits:
            return ()
        for path, data in (item for commit in decided.commits for item in commit.files.items()):
            git_filters.require_unfiltered(repo, path, data)
        announce_step("objects")
        # The commits exist from here on, but no reference leads to them: a kill leaves garbage for git gc alone.
        oids = commit_chain.build(repo, head, decided.commits)
        final = {path: data for commit in decided.commits for path, data in commit.files.items()}
        items = tuple(_make_work_item(repo, snapshot, decided, path, data) for path, data in sorted(final.items()))
        work = Work(os.urandom(5).hex(), branch, head, oids[-1], items)
        with _undisturbed():
            try:
                redo_log.prepare(repo, work, final)
                # Step 5: without index.lock a concurrent `git commit` would write back an index from before ours.
                side, lock = lock_index(repo, branch, snapshot, work, deadline, lock)
            except BaseException:
                redo_log.discard(repo, work)
                raise
            # Step 6: the point of no return. From here the next process finishes the write, whatever happens to us.
            _announce(repo, work, lock)
            # Whoever waits to write one of these files may go on from here, and writes into what we displace.
            give_back()
            # Steps 7 to 9: files, index, branch, unlock, and a look at late edits.
            return _finish(repo, work, side, lock, request.merge, len(oids))


def _committed(repo: Repository, head: Oid | None, path: str, file: DiskFile | None) -> bytes | None:
    """Return the committed content of `path`; to hash the file on disk takes a tenth of the time."""
    oid = repository.blob_id(repo, head, path)
    if file is None or repository.hash_blob(file.data) != oid:
        return None if oid is None else repository.blob(repo, oid)
    return file.data


def _attempt_alone(request: _Request, deadline: float) -> tuple[Oid, ...]:
    """Plan and write once while git's lock is ours, so that nobody's commit comes in between.

    Nothing that takes long is waited for: others' git fails as long as the lock is ours.
    """
    repo = request.repo
    lock = IndexLock(repo)
    lock.take(deadline)
    with _undisturbed():
        try:
            _require_rest(repo, request.branch, request.paths)
            brief = min(deadline, time.monotonic() + _BRIEF)
            return _try_write(request, brief, repository.head(repo), lock)
        except BusyError:
            raise MovedError from None
        finally:
            # A pending work needs the lock: the process that finishes it releases it.
            if lock.ours() and pending_work.find_announced_work(repo) is None:
                lock.release()


def _require_rest(repo: Repository, branch: str, paths: Collection[str]) -> None:
    """Raise MovedError unless, under git's lock, HEAD is unchanged and lacks nothing of ours."""
    until = time.monotonic() + 2 * git_state.YOUNG_SECONDS
    while git_state.find_obstacle(repo, branch, paths) is not None:
        if time.monotonic() > until:
            raise MovedError
        time.sleep(0.005)
    if not recovery.is_nothing_lost(repo, branch):
        raise MovedError


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let ^C and a polite kill wait for the milliseconds in which git's index is locked."""
    # Blocked and not ignored: a ^C that comes meanwhile takes effect right afterwards.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _announce(repo: Repository, work: Work, lock: IndexLock) -> None:
    """Make the work pending; a failure after that is as good as none, since the next start would finish it."""
    try:
        redo_log.announce(repo, work)
    except BaseException as exc:
        if redo_log.is_announced(repo, work) and isinstance(exc, (OSError, pygit2.GitError)):
            return
        if not redo_log.is_announced(repo, work):
            lock.release()
            redo_log.discard(repo, work)
        raise


def _finish(
    repo: Repository, work: Work, side: git_index.SideIndex, lock: IndexLock, merge: Merge, count: int
) -> tuple[Oid, ...]:
    try:
        landing.place_files(repo, work)
        oids = [landing.land(repo, work, side, lock, merge)]
    except (OSError, pygit2.GitError) as exc:
        raise _stopped(repo, work, lock, exc) from exc
    while len(oids) < count:
        oids.append(str(repo.raw[oids[-1]].peel(pygit2.Commit).parent_ids[0]))
    return tuple(reversed(oids))


def _stopped(repo: Repository, work: Work, lock: IndexLock, exc: OSError | pygit2.GitError) -> ClawgitError:
    """Return the error that stopped a pending write. While no file has been touched there is still a way back."""
    error = locks.translate_system_error(repo, exc)
    if not landing.has_placed_nothing(repo, work):
        return type(error)(
            error.key, f"{error.message}; the change is kept and will land at the next command", fix=error.fix
        )
    redo_log.withdraw(repo)
    lock.release()
    redo_log.discard(repo, work)
    return error


def lock_index(
    repo: Repository, branch: str, snapshot: Snapshot, work: Work, deadline: float, lock: IndexLock | None
) -> tuple[git_index.SideIndex, IndexLock]:
    """Take git's lock, make sure that nothing has moved, and build the index that will replace the present one."""
    if lock is None:
        lock = IndexLock(repo)
        try:
            lock.take(min(time.monotonic() + _BRIEF, deadline))
        except BusyError:
            if time.monotonic() > deadline:
                raise
            raise MovedError from None
    try:
        is_unchanged = repository.head(repo) == snapshot.head and locks.are_unchanged(repo, snapshot.disk)
        if not is_unchanged or (snapshot.head and git_state.find_obstacle(repo, branch, snapshot.disk)):
            raise MovedError
        return git_index.build_index(repo, {item.path: item.after for item in work.items}, work.tip), lock
    except BaseException:
        lock.release()
        raise


def _make_work_item(repo: Repository, snapshot: Snapshot, plan: Plan, path: str, data: bytes | None) -> PathChange:
    file = snapshot.disk[path]
    committed = snapshot.committed[path]
    before = repository.blob_id(repo, snapshot.head, path) if file and file.data is committed else None
    # An uncommitted file is stored as a blob: a recovery merges against it.
    before = before or (str(repo.raw.create_blob(file.data)) if file else None)
    after = None if data is None else repository.hash_blob(data)
    mode = _choose_permissions(file, plan, path)
    if before == after and mode == (file.mode if file else None):
        return PathChange(path, "keep", before, after)
    worktree_files.refuse_protected(repo, path, replacing=path not in plan.appends)
    if data is None:
        worktree_files.refuse_mounted(repo.root / path)
        return PathChange(path, "remove", before, after)
    if file and path in plan.appends:
        return PathChange(path, "append", before, after, plan.appends[path].decode(), mode)
    return PathChange(path, "exchange", before, after, None, mode)


def _choose_permissions(file: DiskFile | None, plan: Plan, path: str) -> int | None:
    """Return the permission bits for a file: its present ones, unless a commit names another mode."""
    entry = next((commit.entries[path] for commit in reversed(plan.commits) if path in commit.entries), None)
    if entry is None:
        return file.mode if file else None
    if file is None:
        return _EXECUTABLE if entry.executable else None
    # Permission to read the file brings permission to run it.
    return file.mode | file.mode >> 2 & 0o111 if entry.executable else file.mode & ~0o111
