"""What others committed themselves since we last looked."""

import contextlib
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import history, own_commits, repository
from clawgit.git.history import Commit
from clawgit.git.repository import Oid, Repository
from clawgit.store.database import StateStore

_MERGED = 2


class Run(Struct, frozen=True):
    """Commits of others in a row that touched one file: `before` holds it as they found it, `after` as they left it.

    A merge ends a run: what it joined was decided by whoever made it.
    """

    before: Oid
    after: Oid


def foreign_runs(repo: Repository, since: Oid | None, head: Oid | None) -> Mapping[str, Sequence[Run]]:
    """Return what others committed after `since` and up to `head`, by path, oldest first; nothing when they are one."""
    if since is None or head is None or since == head:
        return {}
    commits = list(history.log(repo, start=f"{since}..{head}", first_parent=True))
    return _runs(reversed(commits), {one.id for one in foreign(repo, commits)})


def foreign(repo: Repository, commits: Sequence[Commit]) -> list[Commit]:
    """Return those of a log that are neither clawgit's own nor of another machine's, as far as git's reflog tells."""
    doubtful = any(commit.as_ours and not commit.ours for commit in commits)
    by_git = own_commits.made_by_git(repo) if doubtful else ()
    return [commit for commit in commits if not commit.ours and (not commit.as_ours or commit.id in by_git)]


def _runs(commits: Iterable[Commit], foreign: Container[Oid]) -> Mapping[str, Sequence[Run]]:
    found: defaultdict[str, list[Run]] = defaultdict(list)
    going: set[str] = set()
    for commit in commits:
        if len(commit.parents) >= _MERGED:
            going.clear()
            continue
        for path in commit.paths:
            if commit.id not in foreign:
                going.discard(path)
            elif path in going:
                found[path][-1] = replace(found[path][-1], after=commit.id)
            elif commit.parents:
                found[path].append(Run(commit.parents[0], commit.id))
                going.add(path)
    return found


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
