"""Keeps what a stash held that was dropped.

git leaves its commit behind for two weeks, without a reference: nobody finds it who does not look for it.
"""

import contextlib
import os
import time
from collections.abc import Iterable, Iterator

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.workspace import file_roles
from clawgit.workspace.workspace import Workspace

_MARK = "stashes"
_SLACK_SECONDS = 2.0  # of file systems that round times
_INDEX = b"index on "  # how git begins the message of the commit that holds a stash's index


def look(workspace: Workspace) -> None:
    """Keep the versions of our files in stashes that were dropped since the last look, the first time none.

    A stash comes and goes in `refs`, so its time of change tells whether there is anything to look for. Best effort.
    """
    repo, state = workspace.repo, workspace.state
    with contextlib.suppress(OSError, ClawgitError):
        now = (repo.commondir / "refs").stat().st_mtime_ns
        mark = state / _MARK
        before = int(mark.read_text()) if mark.exists() else now
        if before != now:
            _keep(repo, _found(repo, before / 1e9 - _SLACK_SECONDS), workspace.config.captured_globs)
        if before != now or not mark.exists():
            state.mkdir(parents=True, exist_ok=True)
            mark.write_text(f"{now}")


def _keep(repo: Repository, stashes: Iterable[Oid], globs: Iterable[str]) -> None:
    from clawgit.workspace.seen_versions import Keeper  # noqa: PLC0415 - loads sqlite3; nobody drops one as a rule

    keeper = Keeper(repo)
    try:
        for stash in stashes:
            for path, commit in _files(repo, stash):
                data = repository.read(repo, commit, path)
                if data is not None and file_roles.captured(path, globs):
                    keeper.keep(path, data, time.time())
    finally:
        keeper.close()


def _found(repo: Repository, since: float) -> Iterator[Oid]:
    """Yield the stashes among the loose objects written after `since` that are not in the list any more."""
    kinds = git(
        repo.root, "cat-file", "--batch-check", stdin="".join(f"{one}\n" for one in _loose(repo, since)).encode()
    )
    commits = [row.split(" ")[0] for row in kinds.decode().splitlines() if " commit " in row]
    listed = set(git(repo.root, "stash", "list", "--format=%H").decode().split()) if commits else set[str]()
    for oid in commits:
        if oid not in listed and _is_stash(repo, oid):
            yield oid


def _is_stash(repo: Repository, oid: Oid) -> bool:
    parents, _ = _commit(repo, oid)
    return len(parents) > 1 and _commit(repo, parents[1])[1].startswith(_INDEX)


def _commit(repo: Repository, oid: Oid) -> tuple[list[Oid], bytes]:
    """Return the parents of a commit and its message."""
    head, _, message = git(repo.root, "cat-file", "commit", oid).partition(b"\n\n")
    rows = (row.split(b" ", 1) for row in head.split(b"\n"))
    return [value[0].decode() for name, *value in rows if name == b"parent"], message


def _files(repo: Repository, stash: Oid) -> Iterator[tuple[str, Oid]]:
    """Yield the files that a stash changed, and those that git did not know, each with the commit that holds it."""
    (base, _, *untracked), _ = _commit(repo, stash)
    for row in git(repo.root, "diff-tree", "-r", "-z", "--no-renames", "--name-only", base, stash).split(b"\0"):
        if row:
            yield os.fsdecode(row), stash
    for commit in untracked:
        for row in git(repo.root, "ls-tree", "-r", "-z", "--full-tree", "--name-only", commit).split(b"\0"):
            if row:
                yield os.fsdecode(row), commit


def _loose(repo: Repository, since: float) -> Iterator[Oid]:
    """Yield the loose objects that were written after a moment."""
    with os.scandir(repo.commondir / "objects") as folders:
        fresh = [one for one in folders if len(one.name) == len("ab") and one.stat().st_mtime >= since]
    for folder in fresh:
        with os.scandir(folder) as files:
            yield from (folder.name + one.name for one in files if one.stat().st_mtime >= since)
