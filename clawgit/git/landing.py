"""The part of a write that only goes forward."""

import contextlib
import itertools
import os
import shutil
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pygit2
from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import Advice, BusyError, ClawgitError, branch_locked, quoted
from clawgit.git import commit_chain, git_index, locks, pending_work, redo_log, references, repository, worktree_files
from clawgit.git.commit_chain import Merge
from clawgit.git.locks import IndexLock
from clawgit.git.redo_log import Item, Work
from clawgit.git.repository import Oid, Repository
from clawgit.git.write_steps import reached

_PATIENCE = 10.0


def place(repo: Repository, work: Work) -> None:
    """Put the new files in place: what is overwritten, and may find no room, first, then exchanges, appends last."""
    mounted = [worktree_files.is_mounted(repo.root / item.path) for item in work.items]
    for number, item in sorted(enumerate(work.items), key=lambda one: not mounted[one[0]]):
        target, temporary = repo.root / item.path, redo_log.temporary(repo, work, number)
        if item.kind == "exchange":
            worktree_files.exchange(temporary, target)
        elif item.kind == "remove":
            worktree_files.remove(target, temporary)
    for item in work.items:
        if item.kind == "append":
            assert item.block is not None
            worktree_files.append(repo.root / item.path, item.block.encode())


def untouched(repo: Repository, work: Work) -> bool:
    """Return whether no file has been put in place yet."""
    try:
        files = {item.path: worktree_files.read(repo, item.path) for item in work.items}
    except (OSError, ClawgitError):
        return False
    before = {item.path: item.before for item in work.items}
    return all(before[path] == (repository.hash_blob(file.data) if file else None) for path, file in files.items())


def replay(repo: Repository, work: Work, merge: Merge) -> None:
    """Put the files in place after a crash, wherever it happened.

    A path that holds the new bytes is done; one that holds the old ones is written; any other is merged.
    """
    for number, item in enumerate(work.items):
        found = worktree_files.read(repo, item.path)
        now = found.data if found else None
        wanted = _wanted(repo, item, now, merge)
        if wanted != now:
            put(repo, work, number, wanted, found)


def _wanted(repo: Repository, item: Item, now: bytes | None, merge: Merge) -> bytes | None:
    before, after = redo_log.contents(repo, item.before), redo_log.contents(repo, item.after)
    if item.kind in ("keep", "staged") or now == after or (now is None and before is not None):
        return now
    if item.kind == "append" and item.block is not None and now is not None:
        block = item.block.encode()
        if before is not None and now.startswith(before) and block.startswith(now[len(before) :]):
            return after  # none of the block is there yet, or a torn part of it
        there = now.count(block) >= (after or b"").count(block)
        return now if there else now + block
    return after if now == before else merge(item.path, before, now, after)


def put(repo: Repository, work: Work, number: int, wanted: bytes | None, found: worktree_files.DiskFile | None) -> None:
    """Put `wanted` in the place of `found`. What was displaced before stays until it has been looked at."""
    target, (turn, temporary) = repo.root / work.items[number].path, redo_log.free_slot(repo, work, number)
    redo_log.expect(repo, work, number, turn, found.data if found else None)
    if wanted is None:
        worktree_files.remove(target, temporary)
        return
    mode = found.mode | (work.items[number].mode or 0) & 0o111 if found else work.items[number].mode
    worktree_files.write_temporary(temporary, wanted, mode, twin=target)
    worktree_files.exchange(temporary, target)


def land(repo: Repository, work: Work, side: git_index.SideIndex, lock: IndexLock, merge: Merge) -> Oid:
    """Publish the index, move the branch, unlock, drop the pending reference; return the tip that landed.

    In this order: were the branch first, a kill in between would let somebody's next commit revert our lines.
    """
    paths = [item.path for item in work.items if item.kind != "staged"]
    git_index.refresh(side, {path: repository.blob_id(repo, work.tip, path) for path in paths})
    side.publish()
    work = move_branch(repo, work, merge)
    tidy(repo, lock)
    return work.tip


def tidy(repo: Repository, lock: IndexLock) -> None:
    """Unlock and drop the pending reference. The write is done: what fails here is left to the next start."""
    with contextlib.suppress(OSError, ClawgitError, pygit2.GitError):
        lock.release()
        redo_log.withdraw(repo)


def move_branch(repo: Repository, work: Work, merge: Merge) -> Work:
    """Move the branch from `base` to `tip`; when somebody was faster, make the chain again on what they made.

    A plain `git commit` lets go of the index before it moves the branch, so this does happen.
    Raises ClawgitError, with everything kept for the next start, when the branch stays locked.
    """
    deadline = time.monotonic() + _PATIENCE
    while not landed(repo, work):
        current = references.target(repo, f"refs/heads/{work.branch}")
        if current != work.base and current is not None:
            work = _moved_onto(repo, work, current, merge)
        reached("branch")
        if swap(repo, f"refs/heads/{work.branch}", work):
            break
        if time.monotonic() > deadline:
            lock = repo.commondir / "refs" / "heads" / f"{work.branch}.lock"
            raise branch_locked(
                f"branch {work.branch} stays locked; the change is kept and will land at the next command",
                fix=Advice(f"if no git process is left: rm {quoted(lock)}"),
            )
        time.sleep(0.002)
    return work


def landed(repo: Repository, work: Work) -> bool:
    """Return whether the branch holds, or has held, the tip: a change that was reset away must not come back."""
    current = references.target(repo, f"refs/heads/{work.branch}")
    if current is None:
        return False
    if current != work.base and repository.reaches(repo, current, work.tip):
        return True
    reflog = repo.commondir / "logs" / "refs" / "heads" / work.branch
    # Only as what it moved away from: libgit2 writes the line before it moves the branch, and may die in between.
    return reflog.exists() and any(line.startswith(work.tip.encode()) for line in reflog.read_bytes().split(b"\n"))


def swap(repo: Repository, name: str, work: Work) -> bool:
    """Move the reference `name` to `tip` if it still points at `base`; False when it does not, or is locked."""
    tip = pygit2.Oid(hex=work.tip)
    try:
        if work.base is None:
            repo.raw.references.create(name, tip, force=False)
            return True
        branch = repo.raw.references[name]
        if str(branch.target) != work.base:
            return False
        branch.set_target(tip, f"clawgit: {work.name}")
    except (KeyError, ValueError, OSError, pygit2.GitError):
        return False
    return True


def _moved_onto(repo: Repository, work: Work, parent: Oid, merge: Merge) -> Work:
    """Make the commits again on `parent`, and let files and index follow where its content changed ours."""
    tip = commit_chain.rebuilt_on(repo, work.base, work.tip, parent, merge)
    again = replace(
        work, base=parent, tip=tip, previous=(work.base, work.tip), planned=work.planned or (work.base, work.tip)
    )
    redo_log.announce(repo, again)
    blobs: Mapping[str, Oid | None] = {item.path: repository.blob_id(repo, tip, item.path) for item in work.items}
    if any(blobs[item.path] != item.after for item in work.items):
        blobs = {item.path: blobs[item.path] for item in work.items if item.kind != "staged"}
        git_index.build(repo, blobs, tip).publish()
    return again


LATE_SECONDS = 0.05
_HALF_WRITTEN_SECONDS = 0.2
_ROUNDS = 100


class Late(Struct, frozen=True):
    """An edit that was saved during a write, of the file of item `number`; `words` tell what became of it.

    It turned `before` into `after`, which is None where it could not be merged and lies beside its file.
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
        old, new, here = (Counter((data or b"").split(b"\n")) for data in (self.before, self.after, now))
        return bool(new - old - here)


def settle_all(repo: Repository, merge: Merge) -> tuple[Late, ...]:
    """Look at every displaced file; what somebody wrote into it late goes back to its place."""
    there = pending_work.logs(repo)
    for home in there.empty:
        shutil.rmtree(home)
    return tuple(late for work in there.works if _old_enough(repo, work) for late in _settle(repo, work, merge))


def _old_enough(repo: Repository, work: Work) -> bool:
    """Return whether whoever had found the file before it was displaced has opened it by now."""
    listed = redo_log.folder(repo, work) / "list"
    return time.time() - listed.stat().st_mtime > LATE_SECONDS


def put_again(repo: Repository, late: Late, merge: Merge) -> None:
    """Put an edit back once more, that somebody overwrote from what he had read before it was back."""
    assert late.after is not None
    redo_log.keep(repo, late.work)
    with contextlib.suppress(BusyError):  # all its places are held open: the next attempt finds it lacking still
        _put_back(repo, late.work, late.number, late.before, late.after, merge)


def _settle(repo: Repository, work: Work, merge: Merge) -> tuple[Late, ...]:
    """Merge late writes into the files they were meant for, as uncommitted edits.

    A displaced file that somebody still holds open for writing waits for the next start.
    """
    saved: list[Late] = []
    done = [_settle_item(repo, work, number, merge, saved) for number in range(len(work.items))]
    if all(done):
        shutil.rmtree(redo_log.folder(repo, work))
    return tuple(saved)


def _settle_item(repo: Repository, work: Work, number: int, merge: Merge, saved: list[Late]) -> bool:
    """Look at what an item displaced, and at what putting that back displaces in turn; False when some must wait."""
    held: set[int] = set()
    for _ in range(_ROUNDS):
        turns = [turn for turn in redo_log.taken(repo, work, number) if turn not in held]
        if not turns:
            return not held
        try:
            saved += _settle_one(repo, work, number, turns[0], merge)
        except BusyError:
            held.add(turns[0])
    return False


def _settle_one(repo: Repository, work: Work, number: int, turn: int, merge: Merge) -> tuple[Late, ...]:
    path, displaced = work.items[number].path, redo_log.slot(repo, work, number, turn)
    if not worktree_files.readable(displaced):
        beside = _set_beside(repo, path, displaced)
        words = f"{path} was replaced by something else during the write; that is now {beside}"
        return (Late(words, work, number),)
    data, known = _late_bytes(displaced), (redo_log.expected(repo, work, number, turn), work.items[number].after)
    if data is None or repository.hash_blob(data) in known:
        displaced.unlink(missing_ok=True)
        return ()
    before = _base(repo, known[0])
    if not _put_back(repo, work, number, before, data, merge):
        beside = _set_beside(repo, path, displaced)
        return (Late(f"{path}: an edit saved during the write is now {beside}", work, number),)
    displaced.unlink(missing_ok=True)
    return (Late(f"{path}: an edit saved during the write was kept, uncommitted", work, number, before, data),)


def _base(repo: Repository, oid: repository.Oid | None) -> bytes | None:
    try:
        return redo_log.contents(repo, oid)
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
    handle = locks.wait_for_lease(displaced, deadline=0)
    if handle is None:
        return None
    with os.fdopen(handle, "rb") as file:
        return file.read()


def _put_back(repo: Repository, work: Work, number: int, before: bytes | None, late: bytes, merge: Merge) -> bool:
    """Merge `late` into the file; False when something else than a file stands there now."""
    path = work.items[number].path
    written = _half_written(repo, path)
    try:
        found = worktree_files.read(repo, path)
    except ClawgitError:
        return False
    now = found.data if found else None
    repo.raw.create_blob(late)  # should an editor overwrite it on disk before it is captured, `git fsck` finds it
    if now is not None and late.startswith(before or b"") and not written:
        _append_again(repo.root / path, now, late[len(before or b"") :])
        return True
    wanted = merge(path, before, now, late)
    if wanted is not None and wanted != now:
        put(repo, work, number, wanted, found)
    return True


def _half_written(repo: Repository, path: str) -> bool:
    """Return whether somebody keeps the file open for writing: the rest of his text would go over what is added."""
    try:
        with locks.leased(repo, (path,), time.monotonic() + _HALF_WRITTEN_SECONDS):
            return False
    except BusyError:
        return True
    except ClawgitError:
        return False


def _append_again(place: Path, now: bytes, added: bytes) -> None:
    """Give an addition that went to the displaced file to the one that stands there; nothing can be lost by that."""
    if added.strip() and added.strip() not in now:
        worktree_files.append(place, added if now.endswith(b"\n") or not now else b"\n" + added)
