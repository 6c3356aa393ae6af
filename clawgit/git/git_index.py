"""Git's index, and a replacement built beside it."""

import contextlib
import hashlib
import os
import shutil
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pygit2
from msgspec import Struct
from pygit2.enums import FileMode, RepositoryOpenFlag

from clawgit.errors import ClawgitError, index_damaged
from clawgit.git import commit_graph, repository
from clawgit.git.commit_graph import TreeEntry
from clawgit.git.git_command import INDEX_FIX, git
from clawgit.git.locks import IndexLock
from clawgit.git.own_commits import INDEX, read_local_note, save_local_note
from clawgit.git.repository import Oid, Repository
from clawgit.git.worktree_files import announce_step

_environment = threading.Lock()

_SHA1_BYTES = 20
_BILLION = 1_000_000_000
_MAX_AGE_SECONDS = 86_400
"""Until then an index keeps the time of the one before it."""


class StagedIndex(Struct, frozen=True):
    """The present index: blob and mode by path, and the unmerged paths."""

    repo: Repository
    entries: Mapping[str, Oid] | pygit2.Index
    conflicted: tuple[str, ...]

    def blob(self, path: str) -> Oid | None:
        """Return the staged blob of `path`, or None."""
        if isinstance(self.entries, pygit2.Index):
            with contextlib.suppress(KeyError):  # also of a path that is unmerged: it has several
                return str(self.entries[path].id)
            return None
        return self.entries.get(path)

    @property
    def written_by_us(self) -> bool:
        """Whether our last write left it."""
        return read_local_note(self.repo, INDEX, str) == read_index_mark(self.repo) != ""

    def differing(self, commit: Oid) -> tuple[str, ...]:
        """Return the paths whose entry differs from `commit`."""
        if not isinstance(self.entries, pygit2.Index):
            names = git(self.repo.root, "diff", "--cached", "--name-only", "--no-renames", "-z", commit).split(b"\0")
            return tuple(os.fsdecode(name) for name in names if name)
        deltas = self.entries.diff_to_tree(self.repo.raw[commit].peel(pygit2.Tree)).deltas
        return tuple(dict.fromkeys(delta.new_file.path for delta in deltas))

    def equals(self, commit: Oid | None) -> bool:
        """Return whether nothing at all is staged: no checkout is half done."""
        if commit is None or not isinstance(self.entries, pygit2.Index):
            return False
        tree = self.repo.raw[commit].peel(pygit2.Tree)
        return not len(self.entries.diff_to_tree(tree))


def read_index_mark(repo: Repository) -> str:
    """Return a mark that differs for every version of the index; "" if there is none."""
    try:
        return _stamp_index(repo.gitdir / "index")
    except FileNotFoundError:
        return ""


def _stamp_index(place: Path) -> str:
    status = place.stat()
    return f"{status.st_ino} {status.st_mtime_ns} {status.st_size}"


def index_of(repo: Repository) -> StagedIndex:
    """Read the index, also a split or sparse one (those through the git command)."""
    try:
        index = repo.raw.index
        index.read(False)  # noqa: FBT003 - positional in pygit2
    except (OSError, pygit2.GitError):
        _require_whole(repo.gitdir / "index")
        entries = list(list_index_entries(repo))
        staged = {path: oid for path, _, oid, _ in entries}
        return StagedIndex(repo, staged, tuple(dict.fromkeys(path for path, *_, unmerged in entries if unmerged)))
    unmerged = [entry.path for trio in index.conflicts or () for entry in trio if entry is not None]
    return StagedIndex(repo, index, tuple(dict.fromkeys(unmerged)))


def _require_whole(place: Path) -> None:
    """Raise ClawgitError for an index that was cut or overwritten, which git would read as far as it goes."""
    data = place.read_bytes() if place.is_file() else b""
    end = data[-_SHA1_BYTES:]
    # With index.skipHash git writes zeros instead of the checksum.
    if data[:4] != b"DIRC" or (any(end) and hashlib.sha1(data[:-_SHA1_BYTES], usedforsecurity=False).digest() != end):
        raise index_damaged("git's index is damaged", fix=INDEX_FIX)


def list_index_entries(
    repo: Repository, *paths: str, place: Path | None = None
) -> Iterator[tuple[str, str, Oid, bool]]:
    """Yield the path, mode and blob of each entry of an index (None: git's own), and whether it is unmerged."""
    for row in git(repo.root, "ls-files", "-s", "-z", "--", *paths, index=place).split(b"\0")[:-1]:
        about, _, name = row.partition(b"\t")
        mode, oid, stage = about.decode().split()
        yield os.fsdecode(name), mode, oid, stage != "0"


class SideIndex(Struct, frozen=True):
    """A copy of the index with some paths changed, ready to take its place.

    `second`: the time of the index that it was copied from. Git reads again the files that are as young as its index,
    since it compares sizes and whole seconds alone, and libgit2 writes an index without a look at the other files.
    """

    repo: Repository
    place: Path
    second: int

    def publish(self) -> None:
        """Let it become the index."""
        announce_step("publish index")
        status = self.place.stat()
        os.utime(self.place, ns=(status.st_atime_ns, self.second * _BILLION + status.st_mtime_ns % _BILLION))
        # A rename keeps inode, time and size, so the note may come first.
        save_local_note(self.repo, INDEX, _stamp_index(self.place))
        self.place.replace(self.repo.gitdir / "index")


def build_index(repo: Repository, blobs: Mapping[str, Oid | None], commit: Oid | None = None) -> SideIndex:
    """Write a copy of the index in which each path has that blob (None: no entry). Needs the index lock.

    A file that `commit` has is as executable as there, any other as it was.
    """
    announce_step("side index")
    place = repo.room / "index.side"
    current = repo.gitdir / "index"
    place.unlink(missing_ok=True)
    place.with_name("index.side.lock").unlink(missing_ok=True)
    # A copy is changed and renamed into place: git never sees half an index.
    second = int(time.time())
    if current.exists():
        shutil.copyfile(current, place)
        status = current.stat()
        os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
        age = second - status.st_mtime_ns // _BILLION
        if age < _MAX_AGE_SECONDS or not _compare_doubtful(repo, place):
            second -= max(0, age)
    try:
        with _open_index(repo, place) as index:
            for path, oid in blobs.items():
                _set_entry(index, path, oid, commit_graph.entry(repo, commit, path))
            index.write()
    except (OSError, pygit2.GitError):
        # libgit2 reads no split or sparse index: git itself sets the entries.
        set_entries(repo, place, blobs)
    return SideIndex(repo, place, second)


def _compare_doubtful(repo: Repository, place: Path) -> bool:
    """Let git compare the files that are as young as an index, and mark those that differ; return whether it did."""
    with contextlib.suppress(ClawgitError):
        options = "-q", "--unmerged", "--refresh", "--force-write-index"
        git(repo.root, "update-index", *options, index=place)
        return True
    return False


_LARGE_BYTES = 1 << 20
"""libgit2 compresses what it adds, also what it has already: to have git read a larger file once more is faster."""


def refresh_stat_data(side: SideIndex, blobs: Mapping[str, Oid | None]) -> None:
    """Add the system's data of the files, so that git need not read them again.

    A file that somebody has changed since keeps its entry without it. Best effort: never raises.
    """
    with contextlib.suppress(OSError, pygit2.GitError, ClawgitError):
        try:
            with _open_index(side.repo, side.place) as index:
                for path, oid in blobs.items():
                    if oid is None or (side.repo.root / path).stat().st_size > _LARGE_BYTES:
                        continue
                    mode = index[path].mode
                    index.add(path)
                    if str(index[path].id) != oid or index[path].mode != mode:
                        index.add(pygit2.IndexEntry(path, pygit2.Oid(hex=oid), mode))
                index.write()
        except (OSError, pygit2.GitError):
            git(side.repo.root, "update-index", "-q", "--refresh", index=side.place)


def _set_entry(index: pygit2.Index, path: str, oid: Oid | None, committed: TreeEntry | None) -> None:
    present = path in index
    if oid is None:
        if present:
            index.remove(path)
        return
    mode = FileMode(committed.mode) if committed else index[path].mode if present else FileMode.BLOB
    file_mode = mode if mode in (FileMode.BLOB, FileMode.BLOB_EXECUTABLE) else FileMode.BLOB
    index.add(pygit2.IndexEntry(path, pygit2.Oid(hex=oid), file_mode))


@contextmanager
def _open_index(repo: Repository, place: Path) -> Iterator[pygit2.Index]:
    """Open the index at `place` with a working tree behind it, which alone gives entries their file times."""
    with _environment:
        # libgit2 takes the index only from the environment, which all threads share.
        before = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("GIT_")}
        os.environ["GIT_INDEX_FILE"] = str(place)
        try:
            raw = pygit2.Repository(str(repo.root), RepositoryOpenFlag.NO_SEARCH | RepositoryOpenFlag.FROM_ENV)
            index = raw.index
        finally:
            del os.environ["GIT_INDEX_FILE"]
            os.environ.update(before)
    try:
        yield index
    finally:
        raw.free()


def set_entries(repo: Repository, place: Path, blobs: Mapping[str, Oid | None]) -> None:
    """Let git set the entries of the index at `place`, which may also be a split or sparse one.

    Raises ClawgitError when that index is locked.
    """
    zero = "0" * 40
    modes = {path: mode for path, mode, *_ in list_index_entries(repo, *blobs, place=place)}
    lines = [
        f"{'100755' if modes.get(path) == '100755' else '100644'} {oid}\t{path}" if oid else f"0 {zero}\t{path}"
        for path, oid in blobs.items()
    ]
    git(repo.root, "update-index", "-z", "--index-info", stdin="\0".join([*lines, ""]).encode(), index=place)


def repair(repo: Repository, paths: Iterable[str], commit: Oid | None) -> None:
    """Set the entries of `paths` to those of `commit`, if git's lock is free just now.

    Paths that somebody's merge has left unmerged meanwhile are not touched.
    """
    lock = IndexLock(repo)
    if not lock.try_take():
        return
    try:
        unmerged = set(index_of(repo).conflicted)
        blobs = {path: repository.blob_id(repo, commit, path) for path in paths if path not in unmerged}
        side = build_index(repo, blobs)
        refresh_stat_data(side, blobs)
        side.publish()
    finally:
        lock.release()
