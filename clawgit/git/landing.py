"""The part of a write that only goes forward."""

import contextlib
import itertools
import os
import shutil
import stat
import time
from collections import Counter
from pathlib import Path

import pygit2
from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import Advice, BusyError, ClawgitError, branch_locked, quote_shell
from clawgit.git import commit_chain, git_index, locks, pending_work, redo_log, references, repository, worktree_files
from clawgit.git.commit_chain import Merge
from clawgit.git.locks import IndexLock
from clawgit.git.redo_log import PathChange, Work
from clawgit.git.repository import Oid, Repository
from clawgit.git.worktree_files import announce_step

_PATIENCE = 10.0


def place_files(repo: Repository, work: Work) -> None:
    """Put the new files in place: overwrites, which may find no room, first, then exchanges, appends last."""
    # A mount cannot be exchanged, only overwritten, which needs room on the disk: on ENOSPC nothing else moved yet.
    mounted = [worktree_files.is_mounted(repo.root / item.path) for item in work.items]
    for number, item in sorted(enumerate(work.items), key=lambda pair: not mounted[pair[0]]):
        target, temporary = repo.root / item.path, redo_log.temporary(repo, work, number)
        if item.kind == "exchange":
            worktree_files.exchange(temporary, target)
        elif item.kind == "remove":
            worktree_files.remove(target, temporary)
    for item in work.items:
        if item.kind == "append":
            assert item.block is not None
            worktree_files.append(repo.root / item.path, item.block.encode())


def has_placed_nothing(repo: Repository, work: Work) -> bool:
    """Return whether no file has been put in place yet."""
    try:
        files = {item.path: worktree_files.read_worktree_file(repo, item.path) for item in work.items}
    except (OSError, ClawgitError):
        return False
    before = {item.path: item.before for item in work.items}
    return all(before[path] == (repository.hash_blob(file.data) if file else None) for path, file in files.items())


def replay(repo: Repository, work: Work, merge: Merge) -> None:
    """Put the files in place after a crash at any step.

    A path with the new bytes is done; one with the old ones is written; any other is merged.
    """
    for number, item in enumerate(work.items):
        file = worktree_files.read_worktree_file(repo, item.path)
        now = file.data if file else None
        content = _merge_item(repo, item, now, merge)
        if content != now:
            put_file(repo, work, number, content, file)


def _merge_item(repo: Repository, item: PathChange, now: bytes | None, merge: Merge) -> bytes | None:
    before, after = redo_log.read_item_bytes(repo, item.before), redo_log.read_item_bytes(repo, item.after)
    # A file that somebody deleted meanwhile stays deleted.
    if item.kind in ("keep", "staged") or now == after or (now is None and before is not None):
        return now
    if item.kind == "append" and item.block is not None and now is not None:
        block = item.block.encode()
        if before is not None and now.startswith(before) and block.startswith(now[len(before) :]):
            return after  # none of the block is there yet, or a torn part of it
        # The block is there if the file has as many copies of it as the commit.
        is_present = now.count(block) >= (after or b"").count(block)
        return now if is_present else now + block
    return after if now == before else merge(item.path, before, now, after)


def put_file(
    repo: Repository, work: Work, number: int, content: bytes | None, file: worktree_files.DiskFile | None
) -> None:
    """Put `content` in the place of `file`. The displaced file stays until it has been looked at."""
    target, (turn, temporary) = repo.root / work.items[number].path, redo_log.free_slot(repo, work, number)
    redo_log.note_expected_blob(repo, work, number, turn, file.data if file else None)
    if content is None:
        worktree_files.remove(target, temporary)
        return
    # Somebody may have changed the permissions; only the bits for running come from the commit.
    mode = file.mode | (work.items[number].mode or 0) & 0o111 if file else work.items[number].mode
    worktree_files.write_temporary(temporary, content, mode, twin=target)
    worktree_files.exchange(temporary, target)


def land(repo: Repository, work: Work, side: git_index.SideIndex, lock: IndexLock, merge: Merge) -> Oid:
    """Publish the index, move the branch, unlock, drop the pending reference; return the tip that landed.

    In this order: were the branch first, a kill in between would let somebody's next commit revert our lines.
    """
    git_index.refresh_stat_data(side, redo_log.list_index_blobs(repo, work))
    # Step 8: index, then branch. In the other order a commit from the old index would revert our lines.
    side.publish()
    work = move_branch(repo, work, merge)
    # The write is done: a failure from here on is left to the next start.
    with contextlib.suppress(OSError, ClawgitError, pygit2.GitError):
        lock.release()
        redo_log.withdraw(repo)
    return work.tip


def move_branch(repo: Repository, work: Work, merge: Merge) -> Work:
    """Move the branch from `base` to `tip`; if somebody was faster, make the chain again on the new commit.

    A plain `git commit` lets go of the index before it moves the branch, so this does happen. Raises ClawgitError, with
    everything kept for the next start, when the branch stays locked.
    """
    deadline = time.monotonic() + _PATIENCE
    while not has_landed(repo, work):
        current = references.target(repo, f"refs/heads/{work.branch}")
        if current != work.base and current is not None:
            work = _move_onto(repo, work, current, merge)
        announce_step("branch")
        if swap(repo, f"refs/heads/{work.branch}", work):
            break
        if time.monotonic() > deadline:
            lock = repo.commondir / "refs" / "heads" / f"{work.branch}.lock"
            raise branch_locked(
                f"branch {work.branch} stays locked; the change is kept and will land at the next command",
                fix=Advice(f"if no git process is left: rm {quote_shell(lock)}"),
            )
        time.sleep(0.002)
    return work


def has_landed(repo: Repository, work: Work) -> bool:
    """Return whether the branch has, or once had, the tip: a change that was reset away must not come back."""
    current = references.target(repo, f"refs/heads/{work.branch}")
    if current is None:
        return False
    if current != work.base and repository.reaches(repo, current, work.tip):
        return True
    # A change that somebody reset away must not come back: the log of the branch still knows it.
    reflog = repo.commondir / "logs" / "refs" / "heads" / work.branch
    # Only as what it moved away from: libgit2 writes the line before it moves the branch, and may die in between.
    return reflog.exists() and any(line.startswith(work.tip.encode()) for line in reflog.read_bytes().split(b"\n"))


def swap(repo: Repository, name: str, work: Work) -> bool:
    """Move the reference `name` to `tip` if it still points at `base`; False when it does not, or is locked."""
    tip = pygit2.Oid(hex=work.tip)
    try:
        if work.base is None:
            # Without force: another process may have made the first commit meanwhile.
            repo.raw.references.create(name, tip, force=False)
            return True
        branch = repo.raw.references[name]
        if str(branch.target) != work.base:
            return False
        branch.set_target(tip, f"clawgit: {work.name}")
    except (KeyError, ValueError, OSError, pygit2.GitError):
        return False
    return True


def _move_onto(repo: Repository, work: Work, parent: Oid, merge: Merge) -> Work:
    """Make the commits again on `parent`, and update files and index if its content changed ours."""
    tip = commit_chain.rebuilt_on(repo, work.base, work.tip, parent, merge)
    new_work = replace(
        work, base=parent, tip=tip, previous=(work.base, work.tip), planned=work.planned or (work.base, work.tip)
    )
    redo_log.announce(repo, new_work)
    if any(repository.blob_id(repo, tip, item.path) != item.after for item in work.items):
        git_index.build_index(repo, redo_log.list_index_blobs(repo, new_work), tip).publish()
    return new_work


LATE_SECONDS = 0.05
_HALF_WRITTEN_SECONDS = 0.2
_ROUNDS = 100


class Late(Struct, frozen=True):
    """An edit that was saved during a write, of the file of item `number`; `words` describe its outcome.

    It turned `before` into `after`, which is None if it could not be merged and is now beside its file.
    """

    words: str
    work: Work
    number: int
    before: bytes | None = None
    after: bytes | None = None

    @property
    def path(self) -> str:
        """The file that was meant."""
        return self.work.items[self.number].path

    def lacks(self, now: bytes | None) -> bool:
        """Return whether lines of this edit are not among those of `now`."""
        if self.after is None:
            return False
        old, new, current = (Counter((data or b"").split(b"\n")) for data in (self.before, self.after, now))
        return bool(new - old - current)


def settle_all(repo: Repository, merge: Merge) -> tuple[Late, ...]:
    """Look at every displaced file; late edits in it go back to its place."""
    logs = pending_work.read_redo_logs(repo)
    for home in logs.empty:
        shutil.rmtree(home)
    # Any process that had found a file before it was displaced has opened it by then.
    times = ((work, (redo_log.folder(repo, work) / "list").stat().st_mtime) for work in logs.works)
    works = [work for work, mtime in times if time.time() - mtime > LATE_SECONDS]
    return tuple(late for work in works for late in _settle_work(repo, work, merge))


def restore_late_edit(repo: Repository, late: Late, merge: Merge) -> None:
    """Put an edit back once more after somebody overwrote it from an older version."""
    assert late.after is not None
    redo_log.ensure_work_list(repo, late.work)
    with contextlib.suppress(BusyError):  # all its places are held open: the next attempt finds it lacking still
        _merge_late(repo, late.work, late.number, late.before, late.after, merge)


def _settle_work(repo: Repository, work: Work, merge: Merge) -> tuple[Late, ...]:
    """Merge late writes into the files they were meant for, as uncommitted edits.

    A displaced file that is still open for writing waits for the next start.
    """
    saved: list[Late] = []
    outcomes = [_settle_displaced(repo, work, number, merge, saved) for number in range(len(work.items))]
    if all(outcomes):
        shutil.rmtree(redo_log.folder(repo, work))
    return tuple(saved)


def _settle_displaced(repo: Repository, work: Work, number: int, merge: Merge, saved: list[Late]) -> bool:
    """Look at the file that an item displaced, and at those displaced in turn; False when some must wait."""
    busy_turns: set[int] = set()
    for _ in range(_ROUNDS):
        turns = [turn for turn in redo_log.list_taken(repo, work, number) if turn not in busy_turns]
        if not turns:
            return not busy_turns
        try:
            saved += _settle_one(repo, work, number, turns[0], merge)
        except BusyError:
            busy_turns.add(turns[0])
    return False


def _settle_one(repo: Repository, work: Work, number: int, turn: int, merge: Merge) -> tuple[Late, ...]:
    path, displaced = work.items[number].path, redo_log.locate_turn(repo, work, number, turn)
    if not (stat.S_ISREG(displaced.lstat().st_mode) and os.access(displaced, os.R_OK)):
        new_name = _set_beside(repo, path, displaced)
        words = f"{path} was replaced by something else during the write; that is now {new_name}"
        return (Late(words, work, number),)
    data, oids = (
        _late_bytes(displaced),
        (redo_log.read_expected_blob(repo, work, number, turn), work.items[number].after),
    )
    # With the bytes of the plan, or those of the new file, nobody wrote late.
    if data is None or repository.hash_blob(data) in oids:
        displaced.unlink(missing_ok=True)
        return ()
    try:
        before = redo_log.read_item_bytes(repo, oids[0])
    except ClawgitError:
        before = None  # pruned: it was on no branch
    if not _merge_late(repo, work, number, before, data, merge):
        new_name = _set_beside(repo, path, displaced)
        return (Late(f"{path}: an edit saved during the write is now {new_name}", work, number),)
    displaced.unlink(missing_ok=True)
    return (Late(f"{path}: an edit saved during the write was kept, uncommitted", work, number, before, data),)


def _set_beside(repo: Repository, path: str, displaced: Path) -> str:
    """Give a file that cannot be merged a name beside its old one; return that name."""
    place = repo.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    names = (f"{place.name}.displaced{number or ''}" for number in itertools.count())
    new_name = next(name for name in names if not os.path.lexists(place.with_name(name)))
    displaced.rename(place.with_name(new_name))
    return new_name


def _late_bytes(displaced: Path) -> bytes | None:
    handle = locks.wait_for_lease(displaced, deadline=0)
    if handle is None:
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read()


def _merge_late(repo: Repository, work: Work, number: int, before: bytes | None, late: bytes, merge: Merge) -> bool:
    """Merge `late` into the file; False when something else than a file is there now."""
    path = work.items[number].path
    # An editor may be in the middle of its save; its rest would land on top of anything we append now.
    is_partial = _half_written(repo, path)
    try:
        file = worktree_files.read_worktree_file(repo, path)
    except ClawgitError:
        return False
    now = file.data if file else None
    repo.raw.create_blob(late)  # should an editor overwrite it on disk before it is captured, `git fsck` finds it
    if now is not None and late.startswith(before or b"") and not is_partial:
        addition = late[len(before or b"") :]
        if addition.strip() and addition.strip() not in now:
            worktree_files.append(repo.root / path, addition if now.endswith(b"\n") or not now else b"\n" + addition)
        return True
    content = merge(path, before, now, late)
    if content is not None and content != now:
        put_file(repo, work, number, content, file)
    return True


def _half_written(repo: Repository, path: str) -> bool:
    """Return whether somebody keeps the file open for writing: the rest of that text would overwrite an addition."""
    try:
        with locks.lease_files(repo, (path,), time.monotonic() + _HALF_WRITTEN_SECONDS):
            return False
    except BusyError:
        return True
    except ClawgitError:
        return False
