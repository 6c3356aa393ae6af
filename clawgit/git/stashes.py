"""Finds stashes that are listed no more.

git leaves the commit of a dropped stash behind for two weeks, without a reference: nobody finds it who does not look.
"""

import os
from collections.abc import Collection, Iterator

import pygit2

from clawgit.git import repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository

_INDEX = b"index on "  # how git begins the message of the commit that holds a stash's index


def listed(repo: Repository) -> frozenset[Oid]:
    """Return the stashes that are in git's list. Raises OSError."""
    try:
        rows = (repo.commondir / "logs/refs/stash").read_bytes().split(b"\n")
    except FileNotFoundError:
        return frozenset()
    ids = (row.split(b" ")[1] for row in rows if row.count(b" ") > 1)
    return frozenset(one.decode("ascii", "replace") for one in ids if len(one) in (40, 64))


def born(repo: Repository, since: float) -> Iterator[Oid]:
    """Yield the stashes among the loose objects written after a moment, listed or not; those that nothing refers to.

    Each stands on a commit of our own history: what was fetched is nobody's stash here. Raises ClawgitError, OSError.
    """
    asked = "".join(f"{one}\n" for one in _loose(repo, since)).encode()
    kinds = git(repo.root, "cat-file", "--batch-check", stdin=asked).decode("ascii", "replace")
    head = repository.head(repo)
    for oid in (row.split(" ")[0] for row in kinds.splitlines() if " commit " in row):
        stash = _commit(repo, oid)
        if stash and len(stash.parent_ids) > 1:
            index = _commit(repo, str(stash.parent_ids[1]))
            ours = index and index.raw_message.startswith(_INDEX) and index.parent_ids[:1] == stash.parent_ids[:1]
            if ours and repository.reaches(repo, head, str(stash.parent_ids[0])) and not _referred(repo, oid):
                yield oid


def files(repo: Repository, stash: Oid) -> Iterator[tuple[str, Oid]]:
    """Yield the files that a stash changed, staged, or took along untracked, each with the commit that holds it."""
    commit = _commit(repo, stash)
    base = _commit(repo, str(commit.parent_ids[0])) if commit and commit.parent_ids else None
    if commit is None or base is None:
        return
    for one, before in ((commit, base), *((_commit(repo, str(more)), base) for more in commit.parent_ids[1:2])):
        if one:
            yield from ((path, str(one.id)) for path in _names(before.tree.diff_to_tree(one.tree)))
    for more in commit.parent_ids[2:]:
        if untracked := _commit(repo, str(more)):
            yield from ((path, str(untracked.id)) for path in _names(untracked.tree.diff_to_tree(swap=True)))


def _names(changes: pygit2.Diff) -> Iterator[str]:
    for one in changes.deltas:
        if one.new_file.mode:
            yield os.fsdecode(one.new_file.raw_path)


def _commit(repo: Repository, oid: Oid) -> pygit2.Commit | None:
    """Return a commit as libgit2 reads it; None for what is none, is missing, or cannot be read."""
    try:
        return repo.raw[oid].peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError):
        return None


def _referred(repo: Repository, oid: Oid) -> bool:
    """Return whether a reference other than the list of stashes leads to a commit."""
    told = git(repo.root, "for-each-ref", "--format=%(refname)", f"--contains={oid}")
    return any(name and name != b"refs/stash" for name in told.split(b"\n"))


def _loose(repo: Repository, since: float) -> Collection[Oid]:
    """Return the loose objects that were written after a moment."""
    found: list[Oid] = []
    with os.scandir(repo.commondir / "objects") as folders:
        fresh = [one for one in folders if len(one.name) == len("ab") and one.stat().st_mtime >= since]
    for folder in fresh:
        with os.scandir(folder) as inside:
            found += (folder.name + one.name for one in inside if one.stat().st_mtime >= since)
    return found
