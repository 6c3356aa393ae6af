"""The files that differ between commits and their parents."""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git.git_command import git, records
from clawgit.git.repository import Oid, Repository

_MAX_GAPS = 50
_MAX_LINE = 20
_FILES, _LINK = (b"100644", b"100755", b"100664"), b"120000"
RAW = ("-z", "--raw", "--no-renames", "--no-abbrev", "--no-relative")
"""Options of `git diff` for records that `read_change` reads, each followed by its path."""
_COMPARE = ("diff-tree", "--stdin", "--root", "--always", "-r", *RAW, "--format=%x01%H%x00%aI%x00%an")


class FileChange(Struct, frozen=True):
    """A file before and after a commit: blobs, None for no file; a symbolic link is no file.

    `link` is the blob of the symbolic link that the commit put there.
    """

    path: str
    before: Oid | None
    after: Oid | None
    link: Oid | None = None


class Comparison(Struct, frozen=True):
    """A commit beside one parent, None for a root. `changes` is None if objects of either are missing."""

    commit: Oid
    parent: Oid | None
    date: str = ""
    author: str = ""
    changes: tuple[FileChange, ...] | None = None


def list_commits(repo: Repository, *names: str) -> dict[Oid, tuple[Oid, ...]]:
    """Return the commits that `names` (such as HEAD or ^COMMIT) reach with their parents; parents come first."""
    rows = git(repo.root, "rev-list", "--topo-order", "--reverse", "--parents", *names, "--").decode().splitlines()
    return {commit: tuple(parents) for commit, *parents in map(str.split, rows)}


def follow_parents(repo: Repository, head: Oid, base: Oid) -> dict[Oid, tuple[Oid, ...]] | None:
    """Return the commits after `base` as `list_commits` does, without a process; None unless they are a short line."""
    commits: dict[Oid, tuple[Oid, ...]] = {}
    with suppress(KeyError, ValueError):  # not here
        while head != base and len(commits) < _MAX_LINE:
            commits[head] = tuple(map(str, getattr(repo.raw[head], "parent_ids", ())))
            (head,) = commits[head]
    return dict(reversed(commits.items())) if head == base else None


def compare_commits(repo: Repository, commits: Mapping[Oid, tuple[Oid, ...]], *globs: str) -> Iterator[Comparison]:
    """Yield each commit beside each of its parents, with the files that `globs` match, while git still runs."""
    pairs = [(commit, parent) for commit, parents in commits.items() for parent in (parents or (None,))]
    start = gaps = 0
    while start < len(pairs):
        try:
            for comparison in _compare(repo, pairs[start:], globs):
                yield comparison
                start += 1
        except ClawgitError:
            gaps += 1
            if gaps > _MAX_GAPS:
                raise
            yield _compare_alone(repo, pairs[start], globs)
            start += 1


def _compare_alone(repo: Repository, pair: tuple[Oid, Oid | None], globs: Sequence[str]) -> Comparison:
    """Compare a pair that may be the one at which git ended, or the one before."""
    try:
        return next(_compare(repo, [pair], globs))
    except ClawgitError:
        return Comparison(*pair)


def _compare(repo: Repository, pairs: Sequence[tuple[Oid, Oid | None]], globs: Sequence[str]) -> Iterator[Comparison]:
    """Yield a comparison as soon as it is whole."""
    with tempfile.TemporaryFile() as pair_file:
        pair_file.writelines(f"{commit} {parent or ''}".rstrip().encode() + b"\n" for commit, parent in pairs)
        pair_file.seek(0)
        patterns = [f":(top){glob}" for glob in globs]
        output = records(repo.root, *_COMPARE, "--", *patterns, stdin=pair_file, literal=False)
        place, head, changes = 0, ("", ""), list[FileChange]()
        for record in output:
            part = record.lstrip(b"\n")
            if part.startswith(b"\x01"):
                if head[0]:
                    yield Comparison(*pairs[place], head[0], head[1], tuple(changes))
                    place, changes = place + 1, []
                head = _decode(next(output)), _decode(next(output))
            elif part.startswith(b":"):
                changes.append(read_change(part, next(output)))
        if head[0]:
            yield Comparison(*pairs[place], head[0], head[1], tuple(changes))


def read_change(record: bytes, path: bytes) -> FileChange:
    """Return the change in a record of `git diff --raw -z`, and its path."""
    mode, new_mode, before, after, _ = record[1:].split(b" ")
    old, new = (oid.decode() if kind in _FILES else None for kind, oid in ((mode, before), (new_mode, after)))
    return FileChange(os.fsdecode(path), old, new, after.decode() if new_mode == _LINK else None)


def _decode(words: bytes) -> str:
    return words.decode("utf-8", "replace")


def list_blobs(repo: Repository, commit: Oid) -> dict[str, Oid]:
    """Return all files of a commit with their blobs; symbolic links and submodules are left out."""
    rows = git(repo.root, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")
    parts = (row.partition(b"\t") for row in rows if row)
    return {os.fsdecode(path): head.split()[2].decode() for head, _, path in parts if head.split()[0] in _FILES}
