"""Which commits are ours, and what they did."""

import re
from collections import Counter
from collections.abc import Sequence

import pygit2
from msgspec import Struct, field

from clawgit.errors import ClawgitError
from clawgit.git import chain, disk, repository
from clawgit.git.repository import Oid, Repository

REMEMBERED = 200
"""So many commits back we look for what somebody's commit took away."""
CHANGE = re.compile(r"^Clawgit-Change: (\S+)$", re.MULTILINE)

Lines = Counter[bytes]


class State(Struct, frozen=True):
    """HEAD and the files on disk, each read once."""

    repo: Repository
    head: Oid
    _disk: dict[str, bytes | None] = field(default_factory=dict)
    _unreadable: set[str] = field(default_factory=set)

    def on_disk(self, path: str) -> bytes | None:
        """Return what the file holds; None where there is none, or none that we could read."""
        if path not in self._disk:
            try:
                file = disk.read(self.repo, path)
                self._disk[path] = file.data if file else None
            except ClawgitError:
                self._disk[path] = None
                self._unreadable.add(path)
        return self._disk[path]

    def beyond(self, path: str) -> tuple[Lines, Lines]:
        """Return the lines that the file has beyond HEAD, and those that it lacks; none where it cannot be read."""
        now, there = self.on_disk(path), repository.read(self.repo, self.head, path)
        if path in self._unreadable or now == there or self._hidden(path, now, there):
            return Counter(), Counter()
        return lines(now) - lines(there), lines(there) - lines(now)

    def _hidden(self, path: str, now: bytes | None, there: bytes | None) -> bool:
        """Tell whether git was told to ignore a file that it does not track: whoever did that meant it."""
        return now is not None and there is None and repository.ignored(self.repo, path)

    def keeps(self, oid: Oid) -> bool:
        """Tell whether a commit's lines are in the files still, and not in HEAD."""
        return any(meets(effect(self.repo, oid, path), self.beyond(path)) for path in self._touched(oid))

    def holds(self, oid: Oid) -> bool:
        """Tell whether HEAD has what a commit brought."""
        return any(
            not effect(self.repo, oid, path)[0] - lines(repository.read(self.repo, self.head, path))
            for path in self._touched(oid)
        )

    def _touched(self, oid: Oid) -> Sequence[str]:
        return chain.changed(self.repo, parent(self.repo, oid), oid)


def candidates(
    repo: Repository, start: Oid, path: str, blob: Oid | None, *, pure: bool = False
) -> tuple[list[Oid], bool]:
    """Return the commits of ours up to `start` that touched `path`, oldest first, and whether that is all of them.

    That is so when the file had `blob` before them: then all that came since was taken back. With `pure` a commit of
    others that touched the file ends the search: they knew what they had.
    """
    found: list[Oid] = []
    here: Oid | None = start
    now = repository.blob_id(repo, start, path)
    for _ in range(REMEMBERED):
        if here is None:
            break
        earlier = parent(repo, here)
        before = repository.blob_id(repo, earlier, path)
        if before != now:
            if is_ours(repo, here):
                found.append(here)
            elif pure:
                break
            if before == blob:
                return found[::-1], bool(found)
        here, now = earlier, before
    return found[::-1], False


def meets(one: tuple[Lines, Lines], other: tuple[Lines, Lines]) -> bool:
    """Tell whether two differences have a line in common that came, or one that went."""
    return bool(one[0] & other[0] or one[1] & other[1])


def effect(repo: Repository, oid: Oid, path: str) -> tuple[Lines, Lines]:
    """Return the lines that a commit gave a file, and those that it took."""
    before, after = (lines(repository.read(repo, one, path)) for one in (parent(repo, oid), oid))
    return after - before, before - after


def lines(data: bytes | None) -> Lines:
    """Return the lines of a file that hold something, without white space at their ends."""
    return Counter(plain for line in (data or b"").splitlines() if (plain := line.rstrip()))


def parent(repo: Repository, oid: Oid) -> Oid | None:
    """Return the first parent of a commit, None where there is none, or none that is here."""
    parents = repo.raw[oid].peel(pygit2.Commit).parent_ids
    return str(parents[0]) if parents and parents[0] in repo.raw else None


def is_ours(repo: Repository, oid: Oid) -> bool:
    """Tell whether we made a commit, or somebody's rebase made it anew."""
    commit = repo.raw[oid].peel(pygit2.Commit)
    return commit.committer.email == repository.COMMITTER[1] or len(CHANGE.findall(commit.message)) == 1


def subject(message: str) -> str:
    """Return the first line of a message."""
    return message.strip().split("\n", 1)[0]
