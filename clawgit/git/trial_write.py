"""Tries a write, and takes it back."""

import contextlib
import os
import time
from collections.abc import Collection, Mapping
from datetime import datetime

import pygit2
from msgspec.structs import replace

from clawgit.errors import Command, file_unwritable, keeps_changing, reference_failed
from clawgit.git import (
    commit_chain,
    git_leftovers,
    git_state,
    landing,
    locks,
    pending_work,
    redo_log,
    references,
    repository,
    transaction,
    worktree_files,
)
from clawgit.git.commit_chain import NewCommit
from clawgit.git.redo_log import Item, Work
from clawgit.git.repository import Oid, Repository
from clawgit.git.worktree_files import DiskFile


def try_write(repo: Repository, branch: str, paths: Collection[str], patience: float) -> None:
    """Do all that a write to `paths` does before others see anything of it, and take it back.

    Both locks, the leases, objects, temporary files, an index beside git's, and a reference of its own in the place of
    the branch. Raises as a write would, after `patience` seconds. What a kill leaves is cleared by the next write.
    """
    deadline = time.monotonic() + patience
    with locks.repository_lock(repo, deadline):
        pending_work.logs(repo)
        git_state.wait_for_rest(
            lambda: git_state.find_obstacle(repo, branch, paths) or git_leftovers.held_lock(repo, branch), deadline
        )
        with locks.leased(repo, paths, deadline) as (seen, _):
            _try(repo, branch, seen, deadline)


def _try(repo: Repository, branch: str, seen: Mapping[str, DiskFile | None], deadline: float) -> None:
    name, head = os.urandom(5).hex(), repository.head(repo)
    data = f"clawgit doctor {name}\n".encode()
    made = [repository.hash_blob(data)]
    work = Work(name, branch, head, "", tuple(Item(path, "exchange", None, made[0]) for path in seen))
    try:
        _require_places(repo, work)
        commit = NewCommit(data.decode(), repository.COMMITTER, datetime.now().astimezone(), {name: data})
        tip = commit_chain.build(repo, head, [commit])[0]
        made += [tip, str(repo.raw[tip].peel(pygit2.Tree).id)]
        work = replace(work, tip=tip)
        redo_log.write_temporaries(repo, work, dict.fromkeys(seen, data))
        snapshot = transaction.Snapshot(head, {}, seen)
        try:
            side, lock = transaction.locked(repo, branch, snapshot, work, deadline, None)
        except transaction.MovedError:
            raise keeps_changing("the workspace keeps changing") from None
        lock.release()
        side.place.unlink()
        if not (head and _moves(repo, head, tip)):
            raise reference_failed(f"cannot move {references.TRIAL}", fix=Command("ls -ld {}", repo.commondir / "refs"))
    finally:
        redo_log.discard(repo, work)
        for oid in made:
            with contextlib.suppress(OSError):
                (repo.commondir / "objects" / oid[:2] / oid[2:]).unlink()


def _require_places(repo: Repository, work: Work) -> None:
    """Raise where a file could not be put in its place."""
    for item in work.items:
        worktree_files.refuse_protected(repo, item.path, replacing=True)
    refuse_fixed_files(repo, work.branch)
    places = (*(repo.root / item.path for item in work.items), repo.commondir / "refs/heads" / work.branch)
    folders = (next(parent for parent in place.parents if parent.is_dir()) for place in places)
    for folder in dict.fromkeys((*folders, repo.gitdir)):
        worktree_files.refuse_full(folder)
        worktree_files.refuse_fixed(folder)
        if not os.access(folder, os.W_OK):
            raise file_unwritable(f"{folder} cannot be written", fix=worktree_files.way_to_write(folder))


def refuse_fixed_files(repo: Repository, branch: str) -> None:
    """Raise ClawgitError where git's index, the branch or their logs, or the pending reference cannot be written."""
    redo_log.require_free_name(repo)
    place = repo.commondir / "refs/heads" / branch
    for file in (repo.gitdir / "index", place):
        worktree_files.refuse_fixed(file)
    for log in (repo.gitdir / "logs/HEAD", repo.commondir / "logs/refs/heads" / branch):
        if log.exists() and not os.access(log, os.W_OK):
            raise file_unwritable(f"{log} cannot be written", fix=worktree_files.way_to_write(log))


def _moves(repo: Repository, base: Oid, tip: Oid) -> bool:
    references.point(repo, references.TRIAL, base)
    try:
        return landing.swap(repo, references.TRIAL, Work("doctor", "", base, tip, ()))
    finally:
        references.drop(repo, references.TRIAL)
