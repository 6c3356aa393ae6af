"""Finds what may not be committed as it stands."""

import os
import time
from collections.abc import Container, Iterable, Iterator

from clawgit.errors import ClawgitError, Command, git_overlooked, quoted
from clawgit.git import git_filters, git_state, locks, repository, worktree_files
from clawgit.git.difference import Different
from clawgit.git.paths import check_name
from clawgit.git.repository import Repository
from clawgit.workspace import capture, write_guard
from clawgit.workspace.file_contents import decoded
from clawgit.workspace.uncommitted import uncommitted
from clawgit.workspace.workspace import Workspace


class UnfinishedError(ClawgitError):
    """Somebody is at work in git with a file: they staged it, or have yet to merge it."""


def list_scope_globs(workspace: Workspace) -> tuple[str, ...]:
    """Return what CONFIG.md adds to the scope; nothing where it cannot be used, which is a finding of its own."""
    try:
        return workspace.config.captured_globs
    except ClawgitError:
        return ()


def list_uncommitted(workspace: Workspace) -> tuple[str, ...]:
    """Return the files of the workspace whose content on disk is not committed, sorted."""
    return tuple(one.path for one in uncommitted(workspace.repo, list_scope_globs(workspace)))


def held_back(workspace: Workspace, found: Iterable[Different]) -> Iterator[tuple[Different, ClawgitError]]:
    """Yield the files that may not be committed as they stand, each with the error that says why."""
    listed = list(found)
    staged = [one.path for one in listed if one.staged]
    stale = git_state.stale_entries(workspace.repo, staged) if staged else ()
    unborn = workspace.head is None
    for one in listed:
        nobodys = one.whole and (unborn or one.path.startswith(git_state.RECORDS))
        meant = one.staged and one.path not in stale and not nobodys
        try:
            _refuse_unmerged(one)
            _refuse_overlooked(one)
            _refuse(workspace, one.path, staged=meant)
        except ClawgitError as exc:
            yield one, exc


def _refuse_unmerged(one: Different) -> None:
    if one.unmerged:
        raise UnfinishedError(
            "file-unmerged", f"{one.path} is unmerged", fix=Command("git add {}", one.path, note="once resolved")
        )


def _refuse_overlooked(one: Different) -> None:
    """Raise ClawgitError for a file that somebody wanted to keep out of commits: only they can say otherwise."""
    if one.overlooked:
        raise git_overlooked(
            f"{one.path} has changes that git was told to overlook ({' and '.join(one.overlooked)})",
            fix=Command(
                " && ".join(f"git update-index --no-{bit} {{}}" for bit in one.overlooked),
                *[one.path] * len(one.overlooked),
            ),
        )


def _refuse(workspace: Workspace, path: str, *, staged: bool) -> None:
    if staged:
        raise UnfinishedError(
            "file-staged",
            f"{path} has staged changes",
            fix=Command("git commit -m {} {}", "by hand", path, note=f"or: git restore --staged {quoted(path)}"),
        )
    committed = repository.read(workspace.repo, workspace.head, path)
    if committed is None:
        capture.refuse_ignored(workspace.repo, path)  # libgit2 reads some rules otherwise than git does
    data = refuse_content(workspace.repo, path, committed, workspace.leaked)
    git_filters.refuse(workspace.repo, path, data)


def refuse_content(repo: Repository, path: str, committed: bytes | None, leaked: Container[str] = ()) -> bytes | None:
    """Return what stands at `path`. Raises ClawgitError if it may not enter history as it is.

    History holds `committed` at that place, and the `leaked` secrets, by fingerprint, somewhere.
    """
    check_name(repo.root, path)
    file = worktree_files.present(repo, path)
    if file is None:
        return None
    _refuse_open(repo, path)
    decoded(path, file.data)
    write_guard.refuse(path, committed, file.data, leaked)
    return file.data


def _refuse_open(repo: Repository, path: str) -> None:
    """Raise BusyError for a file that somebody holds open for writing."""
    handle = locks.wait_for_lease(worktree_files.locate(repo, path), time.monotonic() - 1)
    if handle is not None:
        os.close(handle)
