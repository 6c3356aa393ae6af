"""What others committed themselves since we last looked."""

import contextlib
from collections.abc import Sequence

from clawgit.errors import ClawgitError
from clawgit.git import history, own_commits, repository
from clawgit.git.history import Commit
from clawgit.git.repository import Oid, Repository
from clawgit.store.database import StateStore


def find_bases(repo: Repository, since: Oid | None, head: Oid | None) -> dict[str, Oid]:
    """Return the files that others committed after `since` and up to `head`, each with the commit before the first.

    A merge counts for none: what it joined was decided by whoever made it.
    """
    if since is None or head is None or since == head:
        return {}
    found: dict[str, Oid] = {}
    for commit in foreign(repo, list(history.log(repo, start=f"{since}..{head}", first_parent=True))):
        found |= dict.fromkeys(commit.paths, commit.parents[0]) if len(commit.parents) == 1 else {}
    return found


def foreign(repo: Repository, commits: Sequence[Commit]) -> list[Commit]:
    """Return those of a log that are neither clawgit's own nor of another machine's, as far as git's reflog tells."""
    doubtful = any(commit.as_ours and not commit.ours for commit in commits)
    by_git = own_commits.made_by_git(repo) if doubtful else ()
    return [commit for commit in commits if not commit.ours and (not commit.as_ours or commit.id in by_git)]


_FOLLOWED = "followed"


def last_look(repo: Repository, store: StateStore, head: Oid | None) -> Oid | None:
    """Return the commit up to which others were followed: as we noted, else the newest that says to be of clawgit."""
    if head is None:
        return None
    with contextlib.suppress(OSError, ValueError, ClawgitError):
        noted = repository.resolve(repo, store.read_document(_FOLLOWED, str) or "")
        if noted and repository.reaches(repo, head, noted):
            return noted
    return next((found.id for found in history.log(repo, named=False, first_parent=True) if found.as_ours), None)


def begin(store: StateStore, head: Oid | None) -> None:
    """Note where to begin, unless somebody did: what others committed before a write of ours is to be followed too."""
    if head is not None and store.read_document(_FOLLOWED, str) is None:
        note(store, head)


def note(store: StateStore, head: Oid) -> None:
    """Note that others were followed up to `head`. Best effort: without it, more is looked at again."""
    with contextlib.suppress(ClawgitError):
        store.save_document(_FOLLOWED, head)
