"""Carries commits from one clone to another in a pack."""

from collections.abc import Iterable, Sequence

from clawgit.errors import ClawgitError, Command, object_missing
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository


def packed(repo: Repository, commits: Iterable[Oid], known: Oid | None) -> bytes:
    """Return a pack of these commits with all that the history of `known` does not have."""
    rows = [*commits, *([f"^{known}"] if known else [])]
    return git(
        repo.root, "pack-objects", "--revs", "--stdout", "-q", stdin="".join(f"{row}\n" for row in rows).encode()
    )


def unpack(repo: Repository, data: bytes, commits: Sequence[Oid]) -> None:
    """Take the objects of a pack in; no reference moves.

    Raises ClawgitError where that leaves one of `commits` without what it is made of.
    """
    try:
        git(repo.root, "unpack-objects", "-q", "--strict", stdin=data)
    except ClawgitError as exc:
        raise _lacking(exc.message) from exc
    for commit in commits:
        try:
            git(repo.root, "rev-list", "--objects", "--quiet", commit, "--not", "--all")
        except ClawgitError as exc:
            raise _lacking(exc.message) from exc


def roots(repo: Repository) -> tuple[Oid, ...]:
    """Return the commits that history begins with, those of HEAD; none before the first commit."""
    try:
        return tuple(git(repo.root, "rev-list", "--max-parents=0", "HEAD").decode().split())
    except ClawgitError:
        return ()


def _lacking(why: str) -> ClawgitError:
    return object_missing(
        f"this clone lacks the commits that what waits on the desk is based on: {why}",
        fix=Command("git fetch --all", note="and try again"),
    )
