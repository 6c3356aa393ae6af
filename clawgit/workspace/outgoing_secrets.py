"""What commits that are given away would tell others."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from clawgit.git import churn, outgoing
from clawgit.git.churn import Gap, Touch
from clawgit.git.repository import Oid, Repository
from clawgit.safety import secrets
from clawgit.safety.secrets import Finding
from clawgit.workspace import allowed_secrets
from clawgit.workspace.purging import purged_objects


class Additions(Struct, frozen=True):
    """Added lines of the file at `path`, with the number that each has in the file."""

    path: str
    numbers: tuple[int, ...]
    data: bytes

    @property
    def text(self) -> str:
        """The lines as text, whatever they hold."""
        return self.data.decode("utf-8", "replace")

    def secrets(self) -> Iterator[tuple[int, Finding]]:
        """Yield the secrets among them, each with the number of its line; none of a binary file."""
        if b"\0" not in self.data:
            yield from ((self.number(found.line), found) for found in secrets.scan(self.text))

    def number(self, line: int) -> int:
        """Return the number in the file of the 1-based `line` here."""
        return self.numbers[line - 1]


def additions(touch: Touch) -> Additions:
    """Return what one commit, or the index, adds to a file."""
    numbers = tuple(hunk.new + at for hunk in touch.hunks for at in range(len(hunk.given)))
    return Additions(touch.path, numbers, b"\n".join(row for hunk in touch.hunks for row in hunk.given))


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
    yield from brought(repo, outgoing.commits(repo, remote, outgoing.updates(lines)), secrets_in)


Look = Callable[[Touch], Iterator[Leak]]
"""Finds what a commit must not bring into one file."""


def brought(repo: Repository, commits: Sequence[Oid], look: Look) -> Iterator[Leak | Gap]:
    """Yield what these commits bring in by `look`, and commits not all here; what is allowed is not among them."""
    fine = allowed_secrets.fingerprints(repo)
    merged: dict[tuple[Oid, str], list[Touch]] = defaultdict(list)
    for _, touch in churn.churn(repo, commits):
        if isinstance(touch, Gap):
            yield touch
        elif len(touch.parents) > 1:
            merged[touch.commit, touch.path].append(touch)
        else:
            yield from (leak for leak in look(touch) if leak.fingerprint not in fine)
    for touches in merged.values():
        yield from (leak for leak in _of_merge(touches, look) if leak.fingerprint not in fine)


def revived(repo: Repository, remote: str, lines: str) -> list[Oid]:
    """Return the purged objects that a push would bring back; `lines` as for `leaks`."""
    known = purged_objects.committed(repo)
    return purged_objects.reached(repo, outgoing.commits(repo, remote, outgoing.updates(lines)), known) if known else []


def secrets_in(touch: Touch) -> Iterator[Leak]:
    """Yield the secrets that a commit adds to a file."""
    for line, found in additions(touch).secrets():
        yield Leak(touch.commit, touch.path, line, found.rule, found.fingerprint)


def _of_merge(touches: Sequence[Touch], look: Look) -> list[Leak]:
    """Return what no parent of a merge has: the others came with a commit of their own."""
    found = [list(look(touch)) for touch in touches]
    everywhere = set.intersection(*({leak.fingerprint for leak in leaks} for leaks in found))
    parents = len(touches[0].parents)
    return [leak for leak in found[0] if leak.fingerprint in everywhere] if len(found) == parents else []
