"""The files that differ between commits and their parents."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from clawgit.git import repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository

if TYPE_CHECKING:
    import pygit2

    from clawgit.git.commit_graph import Entry

_NO_DATE = "1970-01-01T00:00:00+00:00"
"""Of a date that no calendar has; git says so, too."""


class FileChange(Struct, frozen=True):
    """A file before and after a commit: blobs, None for no file; a symbolic link is no file."""

    path: str
    before: Oid | None
    after: Oid | None


class Comparison(Struct, frozen=True):
    """A commit beside one parent, None for a root. `changes` is None where objects of either are missing."""

    commit: Oid
    parent: Oid | None
    date: str = ""
    author: str = ""
    changes: tuple[FileChange, ...] | None = None


def list_commits(repo: Repository, *names: str) -> dict[Oid, tuple[Oid, ...]]:
    """Return the commits that `names` (such as HEAD or ^COMMIT) reach with their parents; parents come first."""
    rows = git(repo.root, "rev-list", "--topo-order", "--reverse", "--parents", *names, "--").decode().splitlines()
    return {commit: tuple(parents) for commit, *parents in map(str.split, rows)}


def compare_commits(repo: Repository, commits: Mapping[Oid, tuple[Oid, ...]]) -> Iterator[Comparison]:
    """Yield each commit beside each of its parents."""
    from clawgit.git import commit_graph  # noqa: PLC0415 - libgit2, which an answer without the table goes without

    for commit, parents in commits.items():
        for parent in parents or (None,):
            found = commit_graph.find_changes(repo, parent, commit)
            if found is None:
                yield Comparison(commit, parent)
                continue
            changes = (FileChange(path, _read_blob(old), _read_blob(new)) for path, (old, new) in found.items())
            stamp = _read_stamp(cast("pygit2.Commit", repo.raw[commit]))
            yield Comparison(commit, parent, *stamp, tuple(changes))


def _read_blob(entry: "Entry | None") -> Oid | None:
    return entry.blob if entry and entry.regular else None


def _read_stamp(commit: "pygit2.Commit") -> tuple[str, str]:
    """Return the date in ISO 8601, and the name of the author."""
    author, date = commit.author, _NO_DATE
    with suppress(ValueError, OverflowError, OSError):
        date = repository.moment(author.time, author.offset).isoformat()
    return date, author.raw_name.decode("utf-8", "replace")
