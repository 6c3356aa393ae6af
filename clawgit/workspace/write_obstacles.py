"""What would stop a write."""

import os
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import ParamSpec

from clawgit.errors import ClawgitError, Command, file_unwritable, write_interrupted, write_refused
from clawgit.git import (
    git_leftovers,
    git_state,
    locks,
    ownership,
    pending_work,
    regular_file,
    repository_health,
    trial_write,
    unfinished_rewrite,
    worktree_files,
)
from clawgit.workspace import entries, file_roles
from clawgit.workspace.doctor_runner import Check, Finding
from clawgit.workspace.uncommitted import PLACES
from clawgit.workspace.workspace import Workspace

_PATIENCE_SECONDS = 2.0
P = ParamSpec("P")


def standing(workspace: Workspace) -> Iterator[ClawgitError]:
    """Yield what stands in the way of every write now, as far as it can be seen without touching anything."""
    repo = workspace.repo
    if repository_health.interrupted(repo):
        yield write_interrupted("a write was interrupted; the next command that writes finishes it")
    yield from (write_refused(words, fix=fix) for words, fix in pending_work.rejected(repo))
    if told := unfinished_rewrite.told(repo.commondir):
        yield write_refused(told[0], fix=told[1])
    if repo.of or workspace.head is None:
        return
    branch, deadline = workspace.branch, time.monotonic() + _PATIENCE_SECONDS
    if obstacle := git_state.standing_obstacle(repo, branch):
        yield ClawgitError(obstacle.key, f"{obstacle.message}; nothing is written meanwhile", fix=obstacle.fix)
    else:
        yield from _raised(git_state.wait_for_rest, lambda: git_leftovers.held_lock(repo, branch), deadline)
    yield from _raised(workspace.require_managed)
    if workspace.managed:
        yield from _raised(locks.require_free, repo, deadline)
        yield from protected(workspace)


def _raised(act: Callable[P, object], *arguments: P.args, **named: P.kwargs) -> Iterator[ClawgitError]:
    try:
        act(*arguments, **named)
    except ClawgitError as exc:
        yield exc


def protected(workspace: Workspace) -> Iterator[ClawgitError]:
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


def check(workspace: Workspace) -> Check:
    """Return the check that tries a write: no other may find all well while writes fail."""
    return Check("writing", lambda: _try(workspace), "a write was tried, and taken back", "managed")


def _try(workspace: Workspace) -> Iterator[Finding]:
    for place, _, around in islice(ownership.of_root(workspace.repo.commondir), 1):
        owner = f"{around.st_uid}:{around.st_gid}"
        fix = Command(f"chown -R --from=root {owner} {{}}", workspace.repo.commondir, note="as root")
        yield Finding("file-foreign", f"{place} is root's: whose folder it is in cannot write there", fix)
    if found := list(dict.fromkeys((one.key, one.message, one.fix) for one in protected(workspace))):
        yield from (Finding(*one) for one in found)
        return
    paths = {workspace.memory_file, entries.PATH, workspace.journal_path(workspace.now().date())}
    trial_write.try_write(workspace.repo, workspace.branch, sorted(paths), _PATIENCE_SECONDS)
