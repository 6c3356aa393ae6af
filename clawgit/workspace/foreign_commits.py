"""Commits of others since the last look."""

import contextlib
from collections.abc import Collection

from clawgit.errors import ClawgitError
from clawgit.git import history, own_commits, repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.store.database import StateStore


def find_bases(repo: Repository, since: Oid | None, head: Oid | None) -> dict[str, Oid]:
    """Return the files that others committed after `since` and up to `head`, each with the commit before the first.

    Commits of clawgit's own do not count, nor those of another machine, by git's reflog. A merge does not, either: its
    author decided on the joined content.
    """
    bases: dict[str, Oid] = {}
    if since is None or head is None or since == head:
        return bases
    commits = list(history.walk_log(repo, start=f"{since}..{head}", first_parent=True))
    is_doubtful = any(commit.as_ours and not commit.ours for commit in commits)
    by_git = own_commits.list_made_by_git(repo) if is_doubtful else ()
    for commit in commits:
        is_ours = commit.ours or (commit.as_ours and commit.id not in by_git)
        if not is_ours and len(commit.parents) == 1:
            bases |= dict.fromkeys(commit.paths, commit.parents[0])
    return bases


_FOLLOWED = "followed"


def find_last_look(repo: Repository, store: StateStore, head: Oid | None) -> Oid | None:
    """Return the last followed commit of others: the recorded one, else the newest that claims to be of clawgit."""
    if head is None:
        return None
    with contextlib.suppress(OSError, ValueError, ClawgitError):
        last_commit = repository.resolve(repo, store.read_document(_FOLLOWED, str) or "")
        if last_commit and repository.reaches(repo, head, last_commit):
            return last_commit
    return next(
        (commit.id for commit in history.walk_log(repo, named=False, first_parent=True) if commit.as_ours), None
    )


_CUT = "history cut"


def note_cut(repo: Repository, store: StateStore, head: Oid | None, purged_ids: Collection[Oid], now: float) -> None:
    """Note that history was begun anew since the last look, or its end cut off. Best effort."""
    last = repository.resolve(repo, store.read_document(_FOLLOWED, str) or "")
    is_known = last is not None and head is not None and last not in purged_ids and not history.cut_off(repo)
    if not is_known or repository.reaches(repo, head, last):
        return
    base = ""
    with contextlib.suppress(ClawgitError):  # there is none
        base = git(repo.root, "merge-base", str(last), str(head)).decode().strip()
    if base in ("", head):  # else it was amended, or rebased
        with contextlib.suppress(ClawgitError):
            store.save_document(_CUT, (str(last), now))


def find_cut(repo: Repository, store: StateStore, since: float) -> Oid | None:
    """Return the end of a history that HEAD did not go on from, if that was noted `since`.

    None if some branch or tag has it, or nothing has it any more.
    """
    commit, time = store.read_document(_CUT, tuple[str, float]) or ("", 0.0)
    if time < since or repository.resolve(repo, commit) is None:
        return None
    names = ("refs/heads", "refs/tags", "refs/remotes")
    return None if git(repo.root, "for-each-ref", "--contains", commit, *names) else commit


def start_following(store: StateStore, head: Oid | None) -> None:
    """Record the first commit to follow from, unless there is one: earlier commits of others are followed too."""
    if head is not None and store.read_document(_FOLLOWED, str) is None:
        record_foreign_head(store, head)


def record_foreign_head(store: StateStore, head: Oid) -> None:
    """Note that others were followed up to `head`. Best effort: without it, more is looked at again."""
    with contextlib.suppress(ClawgitError):
        store.save_document(_FOLLOWED, head)
