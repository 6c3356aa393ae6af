"""The lines that each commit added and removed."""

import os
import re
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from clawgit.errors import ClawgitError, git_output
from clawgit.git.git_command import git, records
from clawgit.git.repository import Oid, Repository

_START = b"\x01"
_HEAD = "--format=%x01%H%x00%P%x00%aI"
# What the repository's or the operator's configuration could change is said; no program of theirs is run.
_DIFF = (
    *("-p", "--unified=0", "--inter-hunk-context=0", "--no-renames", "--full-index", "--text", "--submodule=short"),
    *("--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", "--src-prefix=a/", "--dst-prefix=b/"),
)
_CONFIG = ("-c", "core.quotePath=false", "-c", "core.bigFileThreshold=4m")
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)")
_LETTERS = dict(zip(b"abtnvfr", b"\a\b\t\n\v\f\r", strict=True))
_NOTHING = re.compile(b"0+")
_LINK = b"120000"
_MOST_GAPS = 50

Rows = tuple[bytes, ...]


class Hunk(Struct, frozen=True):
    """Lines taken from line `old` on, and given from line `new` on; without their ends."""

    old: int
    taken: Rows
    new: int
    given: Rows


class Touch(Struct, frozen=True):
    """The change of one file by a commit; a merge has one for each parent that it differs from.

    `before` and `after` are blobs, None for no file. `date` is ISO 8601. The target of a symbolic link is no line of a
    file: such a touch has no hunks.
    """

    commit: Oid
    parents: tuple[Oid, ...]
    date: str
    path: str
    before: Oid | None
    after: Oid | None
    hunks: tuple[Hunk, ...]


class Gap(Struct, frozen=True):
    """A commit of which not all is here."""

    commit: Oid
    why: str


def reachable(repo: Repository, *names: str) -> list[Oid]:
    """Return the commits that `names` (such as `--all` or HEAD) reach, newest first."""
    return git(repo.root, "rev-list", *names, "--").decode().split()


def churn(repo: Repository, commits: Sequence[Oid], *globs: str) -> Iterator[tuple[int, Touch | Gap]]:
    """Yield the changes of files matching `globs` by `commits`, each with the commit's index; `*` matches `/` too.

    Nothing is decoded. A commit that needs a missing object is a gap, and the others go on.
    """
    start = gaps = 0
    while start < len(commits):
        index = start - 1
        try:
            for index, touch in _read(repo, commits, start, globs):
                if touch is not None:
                    yield index, touch
        except ClawgitError as exc:
            if index < start or not _whole(repo, commits, index, globs):
                index = max(index, start)
                yield index, Gap(commits[index], exc.message)
                gaps += 1
            if gaps == _MOST_GAPS:
                raise
            start = index + 1
        else:
            return


def staged(repo: Repository, index: Path | None, *globs: str) -> Iterator[Touch]:
    """Yield the differences between `index` (None: git's own) and HEAD in the files that `globs` match."""
    patterns = [f":(top){pattern}" for pattern in globs]
    command = (*_CONFIG, "diff", "--cached", *_DIFF, "--", *patterns)
    rows = git(repo.root, *command, index=index, literal=False).split(b"\n")
    yield from (touch for _, touch in _touches(iter(rows)) if touch)


def _whole(repo: Repository, commits: Sequence[Oid], at: int, globs: Iterable[str]) -> bool:
    """Return whether one commit can be read: if git died, that one or the next is the cause."""
    try:
        deque(_read(repo, commits[: at + 1], at, globs), maxlen=0)
    except ClawgitError:
        return False
    return True


def _read(
    repo: Repository, commits: Sequence[Oid], start: int, globs: Iterable[str]
) -> Iterator[tuple[int, Touch | None]]:
    """Yield each commit's place with its touches, and once without."""
    with tempfile.TemporaryFile() as oid_file:
        oid_file.writelines(f"{oid}\n".encode() for oid in commits[start:])
        oid_file.seek(0)
        patterns = [f":(top){pattern}" for pattern in globs]
        arguments = ("diff-tree", "--stdin", "--root", "-m", "--always", "-r", _HEAD, *_DIFF)
        command = (*_CONFIG, *arguments, "--", *patterns)
        index, last = start - 1, ""
        for commit, touch in _touches(records(repo.root, *command, separator=b"\n", stdin=oid_file, literal=False)):
            if commit != last:
                index, last = index + 1, commit
            yield index, touch


def _touches(rows: Iterator[bytes]) -> Iterator[tuple[Oid, Touch | None]]:
    """Take git's output apart: hunks are taken by their count, so that no line of a file can pass for git's own."""
    reading = _Reading()
    for row in rows:
        if row.startswith(b"@@ "):
            reading.hunks.append(_hunk(row, rows))
        elif row.startswith(b"index "):
            names, _, mode = row[6:].partition(b" ")
            reading.blobs = names.split(b"..")
            reading.link |= mode == _LINK
        elif row.startswith((b"deleted file mode ", b"new file mode ")):
            reading.link |= row.endswith(_LINK)
        elif row.startswith((_START, b"diff --git ")):
            if touch := reading.touch():
                yield touch.commit, touch
            if row.startswith(_START):
                reading = _Reading(row)
                yield reading.commit, None
            else:
                reading = _Reading(reading.head, _path(row[11:]))
    if touch := reading.touch():
        yield touch.commit, touch


class _Reading:
    """The file that is being read."""

    def __init__(self, head: bytes = b"\x01\0\0", path: str | None = None) -> None:
        self.head = head
        self.path = path
        self.blobs: list[bytes] = []
        self.hunks: list[Hunk] = []
        self.link = False

    @property
    def commit(self) -> Oid:
        return self.head[1:].split(b"\0", 1)[0].decode()

    def touch(self) -> Touch | None:
        """Return the touch; None if only the mode changed, or nothing was read yet."""
        if self.path is None or not self.blobs:
            return None
        commit, parents, date = self.head[1:].decode("ascii", "replace").split("\0")
        before, after = (None if _NOTHING.fullmatch(blob) else blob.decode() for blob in self.blobs)
        hunks = () if self.link else tuple(self.hunks)
        return Touch(commit, tuple(parents.split()), date, self.path, before, after, hunks)


def _hunk(head: bytes, rows: Iterator[bytes]) -> Hunk:
    match = _HUNK.match(head)
    if match is None:
        raise git_output(f"git diff-tree: a line that is none of its own: {head[:40]!r}")
    old, old_count, new, new_count = (1 if number is None else int(number) for number in match.groups())
    old_lines = tuple([row[1:] for row in islice(rows, old_count)])
    new_lines: list[bytes] = []
    if new_count:
        first = next(rows, b"+")
        if first.startswith(b"\\"):  # what was taken had no line end
            first = next(rows, b"+")
        new_lines = [first[1:], *[row[1:] for row in islice(rows, new_count - 1)]]
    return Hunk(old, old_lines, new, tuple(new_lines))


def _path(names: bytes) -> str:
    """Return the path in both halves of `a/PATH b/PATH`, which git quotes if it must."""
    name = names[: len(names) // 2]
    if name.startswith(b'"'):
        name = _ESCAPED.sub(_letter, name[1:-1])
    return os.fsdecode(name[2:])


def _letter(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8) if len(code) > 1 else _LETTERS.get(code[0], code[0])])
