"""Checks of whether clawgit can write."""

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import ParamSpec

from clawgit.errors import ClawgitError, Command, file_unwritable
from clawgit.findings.registry import Check, Finding, Ground, Level
from clawgit.git import (
    git_leftovers,
    git_state,
    locks,
    ownership,
    pending_work,
    recovery,
    regular_file,
    repository_health,
    trial_write,
    worktree_files,
)
from clawgit.git.repository import Repository
from clawgit.workspace import entries, file_roles
from clawgit.workspace.file_merges import merge_forward
from clawgit.workspace.uncommitted import PLACES
from clawgit.workspace.workspace import Workspace

_PATIENCE_SECONDS, _REPAIR_SECONDS = 2.0, 10.0
P = ParamSpec("P")


def _to_finding(error: ClawgitError, level: Level = "alarm") -> Finding:
    return Finding(error.key, error.message, error.fix, level, error.paths)


def _raised(act: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> Iterator[ClawgitError]:
    try:
        act(*arguments, **named)
    except ClawgitError as exc:
        yield exc


def check_managed(ground: Ground) -> Iterator[Finding]:
    """Yield that nothing is written here, as the folder is not managed."""
    yield from map(_to_finding, _raised(ground.workspace.require_managed))


def check_branch(ground: Ground) -> Iterator[Finding]:
    """Yield what git is in the middle of: nothing is written meanwhile."""
    repo, branch = ground.workspace.repo, ground.workspace.branch
    obstacle = git_state.standing_obstacle(repo, branch)
    if obstacle and obstacle.lock:
        repair = partial(git_leftovers.remove_left, repo, obstacle.lock)
        yield Finding(obstacle.key, obstacle.message, level="alarm", repair=repair)
    elif obstacle:
        yield Finding(obstacle.key, obstacle.message, obstacle.fix, "alarm")
    else:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        held = _raised(git_state.wait_for_rest, lambda: git_leftovers.held_lock(repo, branch), deadline)
        yield from map(_to_finding, held)


def check_interrupted(ground: Ground) -> Iterator[Finding]:
    """Yield writes that were interrupted, and what stands in the way of finishing them."""
    repo = ground.workspace.repo
    refused = list(pending_work.rejected(repo))
    yield from (Finding("redo-log-rejected", words, fix, "alarm") for words, fix in refused)
    if repository_health.interrupted(repo):
        words = "a write was interrupted; nothing of it is lost"
        yield Finding("write-interrupted", words, level="alarm", repair=partial(_finish_write, repo))
    yield from map(_to_finding, _raised(locks.require_whole_purge, repo))
    for place in (repo.commondir / "refs/clawgit").rglob("*.lock"):
        since = git_leftovers.modified(place)
        if since is not None and time.time() - since > git_leftovers.LEFT_SECONDS:
            yield Finding(
                "leftover", f"{place} was left behind", repair=partial(git_leftovers.remove_left, repo, place)
            )


def _finish_write(repo: Repository) -> None:
    deadline = time.monotonic() + _REPAIR_SECONDS
    with locks.repository_lock(repo, deadline):
        recovery.recover(repo, merge_forward, deadline)


def check_permissions(ground: Ground) -> Iterator[Finding]:
    """Yield the folders and files that clawgit may not write to, as far as it can be seen without touching anything."""
    workspace = ground.workspace
    if workspace.repo.of or workspace.head is None:
        return
    yield from map(_to_finding, _raised(locks.require_free, workspace.repo, time.monotonic() + _PATIENCE_SECONDS))
    yield from map(_to_finding, _list_unwritable(workspace))


def _list_unwritable(workspace: Workspace) -> Iterator[ClawgitError]:
    """Yield the folders that may not be written to, and the files: too large ones, too."""
    repo = workspace.repo
    for name in ("", "objects", "refs", "refs/heads", "clawgit", "clawgit/displaced"):
        place = repo.commondir / name
        if place.exists() and not (place.is_dir() and os.access(place, os.W_OK)):
            way_out = worktree_files.way_to_write(place) if place.is_dir() else regular_file.aside(place)
            yield file_unwritable(f"{place} cannot be written", fix=way_out)
        elif place.exists():
            yield from _raised(worktree_files.refuse_full, place)
    yield from _raised(trial_write.refuse_fixed_files, repo, workspace.branch)
    rewritten = (workspace.memory_file, entries.PATH)
    for path in rewritten:
        yield from _raised(worktree_files.refuse_protected, repo, path, replacing=True)
    for place in (place for pattern in PLACES for place in repo.root.glob(pattern)):
        path = place.relative_to(repo.root).as_posix()
        if path not in rewritten and not (os.access(place, os.W_OK) and os.access(place.parent, os.W_OK)):
            yield from _raised(worktree_files.refuse_protected, repo, path, replacing=False)
        if not path.startswith(file_roles.OURS) and place.lstat().st_size > regular_file.LARGEST:
            yield from _raised(worktree_files.read, repo, path)


def try_write(ground: Ground) -> Iterator[Finding]:
    """Try a write and take it back: no other check may find all well while writes fail."""
    workspace = ground.workspace
    for place, _, around in islice(ownership.of_root(workspace.repo.commondir), 1):
        owner = f"{around.st_uid}:{around.st_gid}"
        fix = Command(f"chown -R --from=root {owner} {{}}", workspace.repo.commondir, note="as root")
        yield Finding("file-foreign", f"{place} is root's: whose folder it is in cannot write there", fix)
    if unwritable := list(_list_unwritable(workspace)):  # then nothing is tried, and nothing may say that it was
        yield from map(_to_finding, unwritable)
        return
    paths = {workspace.memory_file, entries.PATH, workspace.journal_path(workspace.now().date())}
    trial_write.try_write(workspace.repo, workspace.branch, sorted(paths), _PATIENCE_SECONDS)


CHECKS = (
    Check("managed", check_managed, "every change is clawgit's to write", "repository", quick=True),
    Check(
        "branch",
        check_branch,
        "HEAD is where changes go, and no operation of git is under way",
        "repository",
        quick=True,
    ),
    Check("interrupted writes", check_interrupted, "none", "repository", quick=True),
    Check("permissions", check_permissions, "every file and folder can be written to", "managed", quick=True),
)
TRIAL = Check("writing", try_write, "a write was tried, and taken back", "managed")
