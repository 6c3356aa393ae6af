"""The files and lines that commits changed."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from io import BytesIO
from itertools import takewhile
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.git.git_command import blobs, git, records
from clawgit.git.repository import Oid, Repository

_MAX_GAPS = 50

_MAX_REMEMBERED_BYTES = 4 << 20
_FEW_LINE_PAIRS, _MAX_LINE_PAIRS = 10_000, 200_000_000
_REMEMBERED = 64  # versions of files: each is compared with the one before and the one after it
_FILES, _LINK, _ABSENT = (b"100644", b"100755", b"100664"), b"120000", b"000000"
_RAW = ("-z", "--raw", "--no-renames", "--no-abbrev", "--no-relative")
"""Options of `git diff` for records that `_read_change` reads, each followed by its path."""
_COMPARE = ("diff-tree", "--stdin", "--root", "--always", "-r", *_RAW, "--format=%x01%H%x00%aI%x00%an")

Rows = tuple[bytes, ...]


class FileChange(Struct, frozen=True):
    """A file before and after a commit: blobs, None for no file; a symbolic link is no file.

    `link` is the blob of the symbolic link that the commit put there; `is_new` if there was nothing of that name, not
    even a link or a submodule.
    """

    path: str
    before: Oid | None
    after: Oid | None
    link: Oid | None = None
    is_new: bool = False


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


def list_merged(repo: Repository, head: Oid, commit: Oid) -> list[Oid]:
    """Return the ends of the branches without a commit that were merged with it up to `head`. Raises ClawgitError."""
    with_it, ends = {commit}, list[Oid]()
    for name, parents in list_commits(repo, head, f"^{commit}").items():
        if not with_it.isdisjoint(parents):
            with_it.add(name)
            ends += (parent for parent in parents if parent not in with_it)
    return ends


def compare_commits(repo: Repository, commits: Mapping[Oid, tuple[Oid, ...]], *globs: str) -> Iterator[Comparison]:
    """Yield each commit beside each of its parents, with the files that `globs` match, while git still runs."""
    pairs = [(commit, parent) for commit, parents in commits.items() for parent in (parents or (None,))]
    start = gaps = 0
    while start < len(pairs):
        try:
            for comparison in _diff_tree(repo, pairs[start:], globs):
                yield comparison
                start += 1
        except ClawgitError:
            gaps += 1
            if gaps > _MAX_GAPS:
                raise
            # Git ends at a missing object, of this pair or the next one, so it begins again behind this pair.
            try:
                comparison = next(_diff_tree(repo, [pairs[start]], globs))
            except ClawgitError:
                comparison = Comparison(*pairs[start])
            yield comparison
            start += 1


def _diff_tree(repo: Repository, pairs: Sequence[tuple[Oid, Oid | None]], globs: Sequence[str]) -> Iterator[Comparison]:
    """Yield a comparison as soon as it is whole."""
    # A pipe would block once git waits for a reader of its output.
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
                changes.append(_read_change(part, next(output)))
        if head[0]:
            yield Comparison(*pairs[place], head[0], head[1], tuple(changes))


def _read_change(record: bytes, path: bytes) -> FileChange:
    """Return the change in a record of `git diff --raw -z`, and its path."""
    mode, new_mode, before, after, _ = record[1:].split(b" ")
    old, new = (oid.decode() if kind in _FILES else None for kind, oid in ((mode, before), (new_mode, after)))
    link = after.decode() if new_mode == _LINK else None
    return FileChange(os.fsdecode(path), old, new, link, is_new=mode == _ABSENT)


def _decode(words: bytes) -> str:
    return words.decode("utf-8", "replace")


def list_blobs(repo: Repository, commit: Oid) -> dict[str, Oid]:
    """Return all files of a commit with their blobs; symbolic links and submodules are left out."""
    rows = git(repo.root, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")
    parts = (row.partition(b"\t") for row in rows if row)
    return {os.fsdecode(path): head.split()[2].decode() for head, _, path in parts if head.split()[0] in _FILES}


class Hunk(Struct, frozen=True):
    """Lines taken from line `old` on, and given from line `new` on; without their ends."""

    old: int
    taken: Rows
    new: int
    given: Rows


class Touch(Struct, frozen=True):
    """The change of one file by a commit; a merge has one for each parent that it differs from.

    `before` and `after` are blobs, None for no file. `date` is ISO 8601. `link` and `is_new` are a `FileChange`'s;
    no hunk gives lines of a link.
    """

    commit: Oid
    parents: tuple[Oid, ...]
    date: str
    path: str
    before: Oid | None
    after: Oid | None
    hunks: tuple[Hunk, ...]
    link: Oid | None = None
    is_new: bool = False


class Gap(Struct, frozen=True):
    """A commit of which not all is here."""

    commit: Oid


def reachable(repo: Repository, *names: str) -> list[Oid]:
    """Return the commits that `names` (such as `--all` or HEAD) reach, newest first."""
    return git(repo.root, "rev-list", *names, "--").decode().split()


def churn(repo: Repository, commits: Sequence[Oid], *globs: str) -> Iterator[tuple[int, Touch | Gap]]:
    """Yield the changes of files matching `globs` by `commits`, each with the commit's index; `*` matches `/` too.

    Nothing is decoded. A commit with missing objects is a gap, too, and the others go on. Raises ClawgitError if very
    many commits cannot be compared.
    """
    names, indexes = "".join(f"{oid}\n" for oid in commits).encode(), {oid: index for index, oid in enumerate(commits)}
    rows = git(repo.root, "rev-list", "--no-walk=unsorted", "--parents", "--stdin", stdin=names) if commits else b""
    parents = {oid: tuple(before) for oid, *before in map(str.split, rows.decode().splitlines())}
    remember_rows = lru_cache(_REMEMBERED)(partial(_read_blob_rows, repo, _MAX_REMEMBERED_BYTES))

    def read_rows(oid: Oid | None) -> Rows:
        # The cache has no lines of a large file, which is read anew.
        return remember_rows(oid) or _read_blob_rows(repo, None, oid)

    gaps = set[Oid]()
    for comparison in compare_commits(repo, parents, *globs):
        oid, is_whole = comparison.commit, comparison.changes is not None
        try:
            for change in comparison.changes or ():
                if change.before != change.after or change.link or change.is_new:  # not its mode alone
                    yield indexes[oid], _read_touch(change, comparison, parents[oid], read_rows)
        except ClawgitError:
            is_whole = False
        if not is_whole and oid not in gaps:
            gaps.add(oid)
            yield indexes[oid], Gap(oid)


def staged(repo: Repository, index: Path | None, *globs: str) -> Iterator[Touch]:
    """Yield the differences between `index` (None: git's own) and HEAD in the files that `globs` match."""
    patterns = [f":(top){pattern}" for pattern in globs]
    records = git(repo.root, "diff", "--cached", *_RAW, "--", *patterns, index=index, literal=False).split(b"\0")
    changes = [_read_change(record, path) for record, path in zip(records[::2], records[1::2], strict=False)]
    oids = dict.fromkeys(oid for change in changes for oid in (change.before, change.after) if oid)
    contents = {oid: _split_rows(data) for oid, data in blobs(repo.root, list(oids)).items()}
    for change in changes:
        yield _read_touch(change, Comparison("", None), (), lambda oid: contents.get(oid or "", ()))


def _read_touch(
    change: FileChange, comparison: Comparison, parents: tuple[Oid, ...], read_rows: Callable[[Oid | None], Rows]
) -> Touch:
    hunks = tuple(_find_hunks(read_rows(change.before), read_rows(change.after)))
    after = change.after or change.link
    place = comparison.commit, parents, comparison.date, change.path
    return Touch(*place, change.before, after, hunks, change.link, change.is_new)


def _read_blob_rows(repo: Repository, limit: int | None, oid: Oid | None) -> Rows:
    """Return the lines of a file, none of one over the limit."""
    data = repository.blob(repo, oid) if oid else b""
    return _split_rows(data) if limit is None or len(data) <= limit else ()


def _split_rows(data: bytes) -> Rows:
    """Return the lines of a file, with their ends."""
    return tuple(BytesIO(data).readlines())


def _find_hunks(old: Rows, new: Rows) -> Iterator[Hunk]:
    """Yield the lines around those of a longest common subsequence; of very many lines an approximation."""
    first = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    old_end = new_end = first
    for start, new_start, size in _find_blocks(old[first:], new[first:]):
        old_rows, new_rows = (
            tuple(row.removesuffix(b"\n") for row in rows)
            for rows in (old[old_end : first + start], new[new_end : first + new_start])
        )
        if old_rows or new_rows:
            yield Hunk(old_end + bool(old_rows), old_rows, new_end + bool(new_rows), new_rows)
        old_end, new_end = first + start + size, first + new_start + size


def _find_blocks(old: Rows, new: Rows) -> Iterator[tuple[int, int, int]]:
    """Yield the begins and the size of each run of equal lines, the last one empty and behind both."""
    pairs = len(old) * len(new)
    if not _FEW_LINE_PAIRS < pairs <= _MAX_LINE_PAIRS:
        from difflib import SequenceMatcher  # noqa: PLC0415 - as below

        yield from SequenceMatcher(None, old, new, autojunk=pairs > _MAX_LINE_PAIRS).get_matching_blocks()
        return
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415 - a commit's hook compares little

    numbers: dict[bytes, int] = {}  # a letter for each line: texts are compared sooner than lists
    texts = ("".join(chr(numbers.setdefault(row, len(numbers))) for row in rows) for rows in (old, new))
    yield from ((block.a, block.b, block.size) for block in LCSseq.opcodes(*texts).as_matching_blocks())
