"""References of ours: made, listed, dropped."""

import contextlib
from collections.abc import Callable

import pygit2

from clawgit.errors import Advice, reference_failed
from clawgit.git import locks
from clawgit.git.repository import Oid, Repository

OURS = "refs/clawgit/"


def set_reference(repo: Repository, name: str, commit: Oid) -> None:
    """Let the reference `name` point at `commit`, wherever it pointed before. Raises ClawgitError when it is locked."""
    _unlocked(repo, name, lambda: repo.raw.references.create(name, pygit2.Oid(hex=commit), force=True))


def target(repo: Repository, name: str) -> Oid | None:
    """Return the commit that a reference points at, None when there is no such reference."""
    try:
        return str(repo.raw.references[name].target)
    except KeyError:
        return None


def list_our_references(repo: Repository) -> tuple[str, ...]:
    """Return the names of all references of ours, sorted."""
    return tuple(sorted(name for name in repo.raw.references if name.startswith(OURS)))


def drop(repo: Repository, name: str) -> None:
    """Delete the reference `name` if there is one; its commit stays until git collects it."""
    if target(repo, name):
        _unlocked(repo, name, lambda: repo.raw.references.delete(name))


def _unlocked(repo: Repository, name: str, act: Callable[[], object]) -> None:
    """Change a reference of ours; once more after removing a lock that a killed process may have left."""
    try:
        try:
            act()
        except OSError:
            locks.remove_stale(repo.commondir / f"{name}.lock")
            act()
    except (OSError, pygit2.GitError) as exc:
        raise reference_failed(f"{name}: {exc}", fix=Advice("try again in a moment")) from exc


def drop_ours(repo: Repository) -> None:
    """Delete all references of ours and their folder; the commits stay until git collects them."""
    for name in list_our_references(repo):
        drop(repo, name)
    for root in (repo.commondir / OURS, repo.commondir / "logs" / OURS):
        # The deepest folders go first, since only an empty folder can be removed.
        for folder in sorted((root, *root.rglob("*")), reverse=True):
            with contextlib.suppress(OSError):
                folder.rmdir()
