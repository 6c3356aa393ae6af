"""Secrets in what is pushed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from msgspec import Struct

from clawgit.git import churn, outgoing
from clawgit.git.churn import Gap, Touch
from clawgit.git.repository import Oid, Repository
from clawgit.integrations.additions import additions
from clawgit.workspace import allowed


class Leak(Struct, frozen=True):
    """A secret that a commit brings in: where, by which rule, and its fingerprint."""

    commit: Oid
    path: str
    line: int
    rule: str
    fingerprint: str


def leaks(repo: Repository, remote: str, lines: str) -> Iterator[Leak | Gap]:
    """Yield the secrets of the commits that `remote` does not have, newest commit first, and commits not all here.

    `lines` is what git tells a pre-push hook. A secret that is allowed is not among them.
    """
    commits = outgoing.commits(repo, remote, outgoing.updates(lines))
    fine = allowed.fingerprints(repo)
    merged: dict[tuple[Oid, str], list[Touch]] = defaultdict(list)
    for _, touch in churn.churn(repo, commits):
        if isinstance(touch, Gap):
            yield touch
        elif len(touch.parents) > 1:
            merged[touch.commit, touch.path].append(touch)
        else:
            yield from (leak for leak in _leaks(touch) if leak.fingerprint not in fine)
    for touches in merged.values():
        yield from (leak for leak in _of_merge(touches) if leak.fingerprint not in fine)


def _leaks(touch: Touch) -> Iterator[Leak]:
    for line, found in additions(touch).secrets():
        yield Leak(touch.commit, touch.path, line, found.rule, found.fingerprint)


def _of_merge(touches: Iterable[Touch]) -> list[Leak]:
    """Return the secrets that no parent of a merge has: the others came with a commit of their own."""
    found = [list(_leaks(touch)) for touch in touches]
    everywhere = set.intersection(*({leak.fingerprint for leak in leaks} for leaks in found))
    parents = len(next(iter(touches)).parents)
    return [leak for leak in found[0] if leak.fingerprint in everywhere] if len(found) == parents else []
