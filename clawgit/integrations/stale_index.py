"""Puts stale entries right before somebody commits them."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from clawgit.errors import ClawgitError
from clawgit.git import disk, history, repository
from clawgit.git.command import git
from clawgit.git.operation import operation_under_way
from clawgit.git.repository import Oid, Repository

_WATCHED = (":(top)*.md", ":(top).clawgit/*")
_TRIES, _PAUSE = 40, 0.025


def put_right(repo: Repository, index: Path) -> tuple[str, ...]:
    """Put the entries of `index` right that git read before a commit of ours; return their paths.

    For `git commit` that is git's own index, which is not locked while the hook runs; for `git commit -a` it is the
    lock itself, which git reads once more after the hook. Meant for the hook: nothing else may be under way.
    """
    differing = [(path, staged) for path, staged in _differing(repo, index) if _last_is_ours(repo, path)]
    if not differing or operation_under_way(repo) is not None:
        return ()
    from clawgit.git import stale_entries  # noqa: PLC0415 - loads libgit2
    from clawgit.git.index import set_entries  # noqa: PLC0415

    head = repository.head(repo)
    stale = [path for path, staged in differing if head and stale_entries.is_stale(repo, head, path, staged)]
    blobs = {path: repository.blob_id(repo, head, path) for path in stale}
    for attempt in range(_TRIES if blobs else 0):
        try:
            set_entries(repo, index, blobs)
            break
        except ClawgitError:
            if attempt == _TRIES - 1:
                raise
            time.sleep(_PAUSE)  # somebody holds the lock
    return tuple(stale)


def _differing(repo: Repository, index: Path) -> Iterator[tuple[str, Oid | None]]:
    """Yield the files whose entry is neither what HEAD holds nor what is on disk, with the staged blob."""
    arguments = ("diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--", *_WATCHED)
    fields = git(repo.root, *arguments, index=index, literal=False).split(b"\0")
    for about, name in zip(fields[::2], fields[1::2], strict=False):
        path, oid = os.fsdecode(name), about.split()[3].decode()
        try:
            file = disk.read(repo, path)
        except ClawgitError:
            continue
        staged = oid if oid.strip("0") else None
        if staged != (repository.hash_blob(file.data) if file else None):
            yield path, staged


def _last_is_ours(repo: Repository, path: str) -> bool:
    """Tell whether we touched a file last: otherwise somebody has decided about it since, and libgit2 is not needed."""
    last = next(history.log(repo, path, limit=1, named=False), None)
    return last is not None and (last.ours or "\nClawgit-Change: " in last.message)
