"""Rows of the sidecar that somebody committed past clawgit."""

from collections.abc import Iterator

from clawgit.git import history, repository
from clawgit.git.repository import Oid, Repository
from clawgit.text import entry
from clawgit.text.entry import digest
from clawgit.workspace import entries
from clawgit.workspace.alarms import Alarm
from clawgit.workspace.file_contents import loosely

_CLAIMED = 6  # id, file, hash, tag, origin, confidence
_LOOKED_BACK = 100
"""In so many commits of ours a row is looked for: a rebase or a revert by hand brings back what we wrote."""


def alarms(repo: Repository, since: Oid | None, head: Oid | None) -> Iterator[Alarm]:
    """Yield an alarm for each commit of others after `since` and up to `head` that has rows which we never wrote.

    Such rows claim an origin or a confidence that nobody vouches for. What a commit says of itself vouches for nothing;
    that a row stands in a commit of ours does, also in one that a rebase or an amend has left behind. A row that is
    taken out counts where its entry stands on: without a row, an entry is taken for the operator's.
    """
    if since is None or head is None or _blob(repo, since) == _blob(repo, head):
        return
    theirs = [one for one in history.log(repo, entries.PATH, start=f"{since}..{head}", named=False) if not one.ours]
    known = _written(repo, head) if theirs else frozenset()
    for commit in reversed(theirs):
        before = [_lines(repo, parent) for parent in commit.parents]
        after = _lines(repo, commit.id)
        forged = after - known - frozenset().union(*before)
        gone = frozenset.intersection(*before) - after if before else frozenset()
        rows = {*_rows(forged), *_orphans(repo, head, gone, after)}
        if rows:
            many = "1 row differs" if len(rows) == 1 else f"{len(rows):,} rows differ"
            words = f"{entries.PATH} was edited past clawgit in commit {commit.id[:10]}: {many}"
            before_it = commit.parents[0] if commit.parents else None
            yield Alarm(words, (entries.PATH,), before_it, commit.id, lines=tuple(map(_claim, sorted(forged))))


def _claim(line: str) -> str:
    """Return what a row claims: the columns up to its confidence; mentions and dates may change with honest writes."""
    return "\t".join(line.split("\t")[:_CLAIMED])


def _written(repo: Repository, head: Oid) -> frozenset[str]:
    """Return the lines of the sidecar in commits of ours, those that the reflog alone has included."""
    found: set[str] = set()
    for start in (head, "--reflog"):
        for commit in history.log(repo, entries.PATH, start=start, limit=_LOOKED_BACK, named=False):
            found |= _lines(repo, commit.id) if commit.ours else set()
    return frozenset(found)


def _orphans(repo: Repository, head: Oid, gone: frozenset[str], after: frozenset[str]) -> Iterator[str]:
    """Yield the ids of rows that were taken out, and whose entries stand in `head`."""
    there = _rows(after).keys() | _rows(_lines(repo, head)).keys()
    for key, row in _rows(gone).items():
        if key not in there and row.status == "live":
            text = loosely(repository.read(repo, head, row.file))
            if any(digest(one.text) == row.hash for one in entry.entries(text)):
                yield key


def _rows(lines: frozenset[str]) -> dict[str, entries.Row]:
    return entries.parse("\n".join(lines))


def _lines(repo: Repository, commit: Oid) -> frozenset[str]:
    return frozenset(loosely(repository.read(repo, commit, entries.PATH)).split("\n"))


def _blob(repo: Repository, commit: Oid) -> Oid | None:
    return repository.blob_id(repo, commit, entries.PATH)
