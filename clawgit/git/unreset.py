"""Finds commits that a reset took off the branch unawares."""

import time
from pathlib import Path

import pygit2

from clawgit.git import chain, repository
from clawgit.git.repository import Oid, Repository

_UNAWARES = b"\treset: moving to HEAD\n"
_TAIL = 1 << 16
_SECONDS = 3_600


def taken_off(repo: Repository) -> tuple[Oid, Oid] | None:
    """Return base and tip of commits of ours that are off the branch though nobody meant it; None as a rule.

    `git reset --hard`, which `git stash` runs as well, goes to HEAD: that moves no branch, unless a commit of ours came
    between its look at HEAD and its lock on the index. Its line in the reflog tells, for an hour.
    """
    place = _reflog(repo)
    if place is None or not place.exists():
        return None
    with place.open("rb") as file:
        file.seek(max(0, place.stat().st_size - _TAIL))
        rows = file.read().splitlines(keepends=True)
    handled = _handled(repo)
    for row in reversed(rows):
        if row.endswith(_UNAWARES) and (found := _moved(row)) and found[1] not in handled and _is_lost(repo, *found):
            return found
    return None


def note(repo: Repository, tip: Oid) -> None:
    """Note that the commits up to `tip` are on the branch again, as others."""
    with _place(repo).open("a", encoding="ascii") as file:
        file.write(f"{tip}\n")


def _reflog(repo: Repository) -> Path | None:
    branch = repository.branch(repo)
    return repo.commondir / "logs" / "refs" / "heads" / branch if branch else None


def _place(repo: Repository) -> Path:
    return repo.commondir / "clawgit" / "unreset"


def _handled(repo: Repository) -> frozenset[str]:
    place = _place(repo)
    return frozenset(place.read_text("ascii").split()) if place.exists() else frozenset()


def _moved(row: bytes) -> tuple[Oid, Oid] | None:
    """Return base and tip of what a recent line of the reflog took away, None when it took nothing."""
    words = row.partition(b"\t")[0].split(b" ")
    tip, base, moment = words[0].decode(), words[1].decode(), words[-2]
    if tip == base or not moment.isdigit() or time.time() - int(moment) > _SECONDS:
        return None
    return base, tip


def _is_lost(repo: Repository, base: Oid, tip: Oid) -> bool:
    """Tell whether all from `base` to `tip` is ours, and not on the branch any more."""
    head = repository.head(repo)
    if head is None or tip not in repo.raw or head == tip:
        return False
    if repo.raw.descendant_of(pygit2.Oid(hex=head), pygit2.Oid(hex=tip)):
        return False
    if not repo.raw.descendant_of(pygit2.Oid(hex=tip), pygit2.Oid(hex=base)):
        return False
    commits = (repo.raw[oid].peel(pygit2.Commit) for oid in chain.between(repo, base, tip))
    return all(commit.committer.email == repository.COMMITTER[1] for commit in commits)
