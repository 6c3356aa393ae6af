"""Finds index entries that take commits of ours back."""

import time
from collections.abc import Iterable

import pygit2

from clawgit.git import git_index, repository
from clawgit.git.our_commits import State, candidates
from clawgit.git.repository import Oid, Repository

_SECONDS = 3_600


def stale_entries(repo: Repository, paths: Iterable[str] | None = None) -> tuple[str, ...]:
    """Return the paths (among `paths`; None: all) whose index entry takes commits of ours back, though nobody meant it.

    git wrote them back from an index that it had read before these commits: they hold what HEAD had then, while the
    file is another. An entry that the file agrees with was meant, and so was taking a file out that git is to ignore.
    """
    head, staged = repository.head(repo), git_index.index_of(repo)
    if head is None:
        return ()
    named = set(staged.differing(head) if paths is None else paths) - set(staged.conflicted)
    return tuple(path for path in sorted(named) if is_stale(repo, head, path, staged.blob(path)))


def is_stale(repo: Repository, head: Oid, path: str, staged: Oid | None) -> bool:
    """Tell whether an entry that holds `staged` takes commits of ours back, though nobody meant it."""
    data = State(repo, head).on_disk(path)
    if staged in (repository.hash_blob(data) if data is not None else None, repository.blob_id(repo, head, path)):
        return False
    there, exact = candidates(repo, head, path, staged, pure=True)
    return exact and not (staged is None and _untracked(repo, path, there[0]))


def _untracked(repo: Repository, path: str, birth: Oid) -> bool:
    """Tell whether somebody meant to take a file of ours out of the index, which `git rm --cached` does."""
    age = time.time() - repo.raw[birth].peel(pygit2.Commit).commit_time
    return age > _SECONDS or repository.ignored(repo, path)
