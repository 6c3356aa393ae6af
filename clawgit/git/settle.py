"""Gives late edits of displaced files back to their place."""

import contextlib
import itertools
import os
import shutil
import time
from collections import Counter
from pathlib import Path

from msgspec import Struct

from clawgit.errors import BusyError, ClawgitError
from clawgit.git import disk, landing, lease, pending, repository
from clawgit.git.chain import Merge
from clawgit.git.pending import Work
from clawgit.git.repository import Repository

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
        """Tell whether lines of this edit are not among those of `now`."""
        if self.after is None:
            return False
        old, new, here = (Counter((data or b"").split(b"\n")) for data in (self.before, self.after, now))
        return bool(new - old - here)


def settle_all(repo: Repository, merge: Merge) -> tuple[Late, ...]:
    """Look at every displaced file; what somebody wrote into it late goes back to its place."""
    works, unfinished = pending.listed(repo)
    for home in unfinished:
        shutil.rmtree(home)
    return tuple(late for work in works if _old_enough(repo, work) for late in _settle(repo, work, merge))


def _old_enough(repo: Repository, work: Work) -> bool:
    """Tell whether whoever had found the file before it was displaced has opened it by now."""
    listed = pending.folder(repo, work) / "list"
    return time.time() - listed.stat().st_mtime > LATE_SECONDS


def put_again(repo: Repository, late: Late, merge: Merge) -> None:
    """Put an edit back once more, that somebody overwrote from what he had read before it was back."""
    assert late.after is not None
    pending.keep(repo, late.work)
    with contextlib.suppress(BusyError):  # all its places are held open: the next attempt finds it lacking still
        _put_back(repo, late.work, late.number, late.before, late.after, merge)


def _settle(repo: Repository, work: Work, merge: Merge) -> tuple[Late, ...]:
    """Merge late writes into the files they were meant for, as uncommitted edits.

    A displaced file that somebody still holds open for writing waits for the next start.
    """
    saved: list[Late] = []
    done = [_settle_item(repo, work, number, merge, saved) for number in range(len(work.items))]
    if all(done):
        shutil.rmtree(pending.folder(repo, work))
    return tuple(saved)


def _settle_item(repo: Repository, work: Work, number: int, merge: Merge, saved: list[Late]) -> bool:
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


def _settle_one(repo: Repository, work: Work, number: int, turn: int, merge: Merge) -> tuple[Late, ...]:
    path, displaced = work.items[number].path, pending.slot(repo, work, number, turn)
    if not disk.readable(displaced):
        beside = _set_beside(repo, path, displaced)
        words = f"{path} was replaced by something else during the write; that is now {beside}"
        return (Late(words, work, number),)
    data, known = _late_bytes(displaced), (pending.expected(repo, work, number, turn), work.items[number].after)
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
    written = _half_written(repo, path)
    try:
        found = disk.read(repo, path)
    except ClawgitError:
        return False
    now = found.data if found else None
    repo.raw.create_blob(late)  # should an editor overwrite it on disk before it is captured, `git fsck` finds it
    if now is not None and late.startswith(before or b"") and not written:
        _append_again(repo.root / path, now, late[len(before or b"") :])
        return True
    wanted = merge(path, before, now, late)
    if wanted is not None and wanted != now:
        landing.put(repo, work, number, wanted, found)
    return True


def _half_written(repo: Repository, path: str) -> bool:
    """Tell whether somebody keeps the file open for writing: the rest of his text would go over what is added."""
    try:
        with lease.leased(repo, (path,), time.monotonic() + _HALF_WRITTEN_SECONDS):
            return False
    except BusyError:
        return True
    except ClawgitError:
        return False


def _append_again(place: Path, now: bytes, added: bytes) -> None:
    """Give an addition that went to the displaced file to the one that stands there; nothing can be lost by that."""
    if added.strip() and added.strip() not in now:
        disk.append(place, added if now.endswith(b"\n") or not now else b"\n" + added)
