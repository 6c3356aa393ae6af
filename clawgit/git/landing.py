"""The part of a write that only goes forward."""

import contextlib
import time
from collections.abc import Mapping

import pygit2
from msgspec.structs import replace

from clawgit.errors import ClawgitError, quoted
from clawgit.git import chain, disk, index, pending, repository
from clawgit.git.chain import Merge
from clawgit.git.lock import IndexLock
from clawgit.git.pending import Item, Work
from clawgit.git.repository import Oid, Repository
from clawgit.git.steps import reached

_PATIENCE = 10.0


def place(repo: Repository, work: Work) -> None:
    """Put the new files in place: exchanges first, appends last."""
    for number, item in enumerate(work.items):
        target, temporary = repo.root / item.path, pending.temporary(repo, work, number)
        if item.kind == "exchange":
            disk.exchange(temporary, target)
        elif item.kind == "remove":
            disk.remove(target, temporary)
    for item in work.items:
        if item.kind == "append":
            assert item.block is not None
            disk.append(repo.root / item.path, item.block.encode())


def untouched(repo: Repository, work: Work) -> bool:
    """Tell whether no file has been put in place yet."""
    try:
        files = {item.path: disk.read(repo, item.path) for item in work.items}
    except (OSError, ClawgitError):
        return False
    before = {item.path: item.before for item in work.items}
    return all(before[path] == (repository.hash_blob(file.data) if file else None) for path, file in files.items())


def replay(repo: Repository, work: Work, merge: Merge) -> None:
    """Put the files in place after a crash, wherever it happened.

    A path that holds the new bytes is done; one that holds the old ones is written; any other is merged.
    """
    for number, item in enumerate(work.items):
        found = disk.read(repo, item.path)
        now = found.data if found else None
        wanted = _wanted(repo, item, now, merge)
        if wanted == now:
            continue
        if item.kind == "append" and now is not None and wanted is not None and wanted.startswith(now):
            disk.append(repo.root / item.path, wanted[len(now) :])
        else:
            put(repo, work, number, wanted, found)


def _wanted(repo: Repository, item: Item, now: bytes | None, merge: Merge) -> bytes | None:
    before, after = pending.contents(repo, item.before), pending.contents(repo, item.after)
    if item.kind in ("keep", "staged") or now == after or (now is None and before is not None):
        return now
    if item.kind == "append" and item.block is not None and now is not None:
        block = item.block.encode()
        if before is not None and now.startswith(before) and block.startswith(now[len(before) :]):
            return after  # none of the block is there yet, or a torn part of it
        there = now.count(block) >= (after or b"").count(block)
        return now if there else now + block
    return after if now == before else merge(item.path, before, now, after)


def put(repo: Repository, work: Work, number: int, wanted: bytes | None, found: disk.DiskFile | None) -> None:
    """Put `wanted` in the place of `found`. What was displaced before stays until it has been looked at."""
    target, (turn, temporary) = repo.root / work.items[number].path, pending.free_slot(repo, work, number)
    pending.expect(repo, work, number, turn, found.data if found else None)
    if wanted is None:
        disk.remove(target, temporary)
        return
    temporary.parent.mkdir(parents=True, exist_ok=True)
    disk.write_temporary(temporary, wanted, found.mode if found else work.items[number].mode, twin=target)
    disk.exchange(temporary, target)


def land(repo: Repository, work: Work, side: index.SideIndex, lock: IndexLock, merge: Merge) -> Oid:
    """Publish the index, move the branch, unlock, drop the pending reference; return the tip that landed.

    In this order: were the branch first, a kill in between would let somebody's next commit revert our lines.
    """
    blobs = {item.path: item.entry(item.after) for item in work.items}
    index.refresh(side, blobs)
    side.publish()
    work = move_branch(repo, work, merge)
    tidy(repo, lock)
    return work.tip


def tidy(repo: Repository, lock: IndexLock) -> None:
    """Unlock and drop the pending reference. The write is done: what fails here is left to the next start."""
    with contextlib.suppress(OSError, ClawgitError, pygit2.GitError):
        lock.release()
        pending.withdraw(repo)


def move_branch(repo: Repository, work: Work, merge: Merge) -> Work:
    """Move the branch from `base` to `tip`; when somebody was faster, make the chain again on what they made.

    A plain `git commit` lets go of the index before it moves the branch, so this does happen.
    Raises ClawgitError, with everything kept for the next start, when the branch stays locked.
    """
    deadline = time.monotonic() + _PATIENCE
    while not landed(repo, work):
        current = _branch_tip(repo, work.branch)
        if current != work.base and current is not None:
            work = _moved_onto(repo, work, current, merge)
        reached("branch")
        if _swap(repo, work):
            break
        if time.monotonic() > deadline:
            lock = repo.commondir / "refs" / "heads" / f"{work.branch}.lock"
            raise ClawgitError(
                f"branch {work.branch} stays locked; the change is kept and will land at the next command",
                fix=f"if no git process is left: rm {quoted(lock)}",
            )
        time.sleep(0.002)
    return work


def landed(repo: Repository, work: Work) -> bool:
    """Tell whether the branch holds, or has held, the tip: what somebody reset away since must not come back."""
    current = _branch_tip(repo, work.branch)
    if current is None:
        return False
    if current == work.tip or repo.raw.descendant_of(pygit2.Oid(hex=current), pygit2.Oid(hex=work.tip)):
        return True
    reflog = repo.commondir / "logs" / "refs" / "heads" / work.branch
    # Only as what it moved away from: libgit2 writes the line before it moves the branch, and may die in between.
    return reflog.exists() and any(line.startswith(work.tip.encode()) for line in reflog.read_bytes().split(b"\n"))


def _branch_tip(repo: Repository, branch: str) -> Oid | None:
    try:
        return str(repo.raw.references[f"refs/heads/{branch}"].target)
    except KeyError:
        return None


def _swap(repo: Repository, work: Work) -> bool:
    """Move the branch if it still points at `base`; False when it does not, or is locked."""
    name, tip = f"refs/heads/{work.branch}", pygit2.Oid(hex=work.tip)
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
    tip = chain.rebuilt_on(repo, work.base, work.tip, parent, merge)
    again = replace(work, base=parent, tip=tip, previous=(work.base, work.tip))
    pending.announce(repo, again)
    blobs: Mapping[str, Oid | None] = {item.path: repository.blob_id(repo, tip, item.path) for item in work.items}
    if any(blobs[item.path] != item.after for item in work.items):
        blobs = {item.path: item.entry(blobs[item.path]) for item in work.items}
        side = index.build(repo, blobs)
        index.refresh(side, blobs)
        side.publish()
    return again
