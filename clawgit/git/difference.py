"""Which files of the working tree differ from HEAD."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from heapq import nlargest
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import foreign_programs, repository, worktree_files
from clawgit.git.git_command import git, run_beside
from clawgit.git.repository import Repository

_STATUS = (
    "-c",
    "core.fileMode=false",
    "status",
    "--porcelain",
    "-z",
    "--no-renames",
    "--untracked-files=no",
    "--ignore-submodules=all",
)
_LIST_COMMAND = ("ls-files", "-c", "-o", "-s", "-v", "-z", "--exclude-standard", "--")
_BITS = {"h": ("assume-unchanged",), "S": ("skip-worktree",), "s": ("assume-unchanged", "skip-worktree")}
_OTHERS = ("ls-files", "-o", "-z", "--exclude-standard", "--")
_MOST_READ = 50
"""Of the files below the top, so many are read whatever git says of them: those that changed last."""


class Different(Struct, frozen=True):
    """A file that differs from HEAD; `tracked` is True if HEAD has it.

    `staged`: the index differs from HEAD as well; `whole`: all of the file is staged; `unmerged`: the index has several
    versions; `overlooked`: the bit that makes git ignore its changes. Permissions do not count.
    """

    path: str
    tracked: bool = True
    staged: bool = False
    whole: bool = False
    unmerged: bool = False
    overlooked: tuple[str, ...] = ()


def unknown(repo: Repository) -> list[str]:
    """Return the files that may differ from HEAD: to know it takes a filter that the operator has not accepted."""
    if not foreign_programs.filters_off(repo.root):
        return []
    with run_beside(repo.root, *_STATUS) as status:
        return _filtered(repo, [path for letters, path in _read_status_entries(status) if letters == " M"])


def differing(repo: Repository, patterns: Iterable[str]) -> list[Different]:
    """Return the files of HEAD or the index that are not as HEAD has them, and those of `patterns` that git lacks.

    The first are in git's order, without submodules and those of which that is `unknown`; ignored files are left out of
    the others, and those of a nested repository. Patterns are git's globs. Git trusts the sizes and times in the index,
    to the second, and any writer to `.git` can change them: so the files at the top are read, and those below that
    changed last.
    """
    pathspecs = [f":(top,glob){pattern}" for pattern in patterns]
    with run_beside(repo.root, *_STATUS) as status:
        entries = [_Listed.of(line) for line in _names(git(repo.root, *_LIST_COMMAND, *pathspecs, literal=False))]
        read = _read_changed_blobs(repo, [entry for entry in entries if entry.sign == "H"])  # while git looks
        differences = _tracked(repo, status) + _overlooked(repo, [entry for entry in entries if entry.sign in _BITS])
        paths = {difference.path for difference in differences}  # a file that the index lost is of both lists
        differences += _list_changed_content(repo, {path: blob for path, blob in read.items() if path not in paths})
        others = [path for path in _list_untracked(entries) if path not in paths]
        return differences + [Different(path, tracked=False) for path in others]


class Untracked(NamedTuple):
    """The files that git does not look into.

    `loose` files are not tracked, `ignored` files match a rule, and `absent` files are tracked and gone, but marked to
    be skipped.
    """

    loose: list[str]
    ignored: list[str]
    absent: list[str]


def untracked(repo: Repository) -> Untracked:
    """Return the files that git does not look into; nested repositories are not searched."""
    with run_beside(repo.root, *_OTHERS) as listing:
        # Without --exclude-standard this listing has the ignored files, too.
        entries = [_Listed.of(line) for line in _names(git(repo.root, "ls-files", "-c", "-o", "-s", "-v", "-z"))]
        names = set(_names(listing()))
    files = _list_untracked(entries)
    absent = [
        entry.path for entry in entries if entry.sign in _BITS and not os.path.lexists(f"{repo.root}/{entry.path}")
    ]
    return Untracked([n for n in files if n in names], [n for n in files if n not in names], absent)


class _Listed(NamedTuple):
    """A file as git lists it: git's letter for it, and its blob and mode in the index."""

    sign: str
    path: str
    blob: str = ""
    mode: str = ""

    @classmethod
    def of(cls, line: str) -> "_Listed":
        if line[0] == "?":
            return cls("?", line[2:])
        about, _, path = line.partition("\t")
        sign, mode, blob, _ = about.split(" ")
        return cls(sign, path, blob, mode)


def _list_untracked(entries: Iterable[_Listed]) -> list[str]:
    """Return the files that are not tracked; a path that ends with a slash is a nested repository."""
    return [entry.path for entry in entries if entry.sign == "?" and not entry.path.endswith("/")]


def _read_changed_blobs(repo: Repository, entries: Sequence[_Listed]) -> dict[str, str]:
    """Return the files that differ from their blobs, with the blobs."""
    # `git hash-object --stdin-paths` reads one path a line, so a path with a line end is left to `git status`.
    regular = [entry for entry in entries if entry.mode.startswith("100") and "\n" not in entry.path]
    top = [entry for entry in regular if "/" not in entry.path]
    deep = [entry for entry in regular if "/" in entry.path]
    newest = nlargest(_MOST_READ, deep, key=lambda entry: _read_change_time(repo, entry.path))
    return {
        entry.path: entry.blob for entry in (*top, *newest) if _hash_present(repo, entry.path) not in (None, entry.blob)
    }


def _list_changed_content(repo: Repository, blobs: Mapping[str, str]) -> list[Different]:
    """Return those of the files that are not their blobs after their filters and line ends either."""
    if not blobs:
        return []
    names = "".join(f"{path}\n" for path in blobs).encode("utf-8", "surrogateescape")
    hashes = git(repo.root, "hash-object", "--stdin-paths", stdin=names).decode().split()
    unsure = set(_filtered(repo, list(blobs)))
    pairs = zip(blobs.items(), hashes, strict=True)
    return [Different(path) for (path, blob), now in pairs if now != blob and path not in unsure]


def _read_change_time(repo: Repository, path: str) -> int:
    """Return when the system saw a file change last: nobody can set that back."""
    try:
        return os.lstat(f"{repo.root}/{path}").st_ctime_ns
    except OSError:
        return 0


def _hash_present(repo: Repository, path: str) -> str | None:
    """Return the blob of a file on disk; None for no file, and for one that git saw or another check reports."""
    with suppress(ClawgitError):
        file = worktree_files.read(repo, path)
        return repository.hash_blob(file.data) if file else None
    return None


def _overlooked(repo: Repository, flagged: Sequence[_Listed]) -> list[Different]:
    """Return the files that git is told to skip and that differ on disk from HEAD."""
    head = repository.head(repo) if flagged else None  # loads libgit2
    return [
        Different(entry.path, overlooked=_BITS[entry.sign])
        for entry in flagged
        if _hash_present(repo, entry.path) not in (None, repository.blob_id(repo, head, entry.path))
    ]


def _tracked(repo: Repository, status: Callable[[], bytes]) -> list[Different]:
    statuses = _read_status_entries(status)
    unsure = set(_filtered(repo, [path for letters, path in statuses if letters == " M"]))
    return [
        Different(
            path,
            "A" not in letters,
            letters[0] != " ",
            letters[1] == " ",
            "U" in letters or letters in ("AA", "DD"),
        )
        for letters, path in statuses
        if path not in unsure
    ]


def _read_status_entries(status: Callable[[], bytes]) -> list[tuple[str, str]]:
    """Return git's two letters for each path, and the path."""
    return [(entry[:2], entry[3:]) for entry in _names(status())]


def _filtered(repo: Repository, paths: Sequence[str]) -> list[str]:
    """Return those of `paths` that go through a filter which does not run."""
    filters = foreign_programs.filters_off(repo.root) if paths else frozenset()
    if not filters:
        return []
    names = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
    fields = _names(git(repo.root, "check-attr", "-z", "--stdin", "filter", stdin=names))
    return [path for path, value in zip(fields[::3], fields[2::3], strict=True) if value in filters]


def list_loose(root: Path) -> list[str]:
    """Return the files that git would not ignore in a folder that is not under git; makes nothing there."""
    import tempfile  # noqa: PLC0415 - for what is rare

    with tempfile.TemporaryDirectory(prefix="clawgit-") as folder:
        # An empty repository elsewhere lets git apply its ignore rules to a folder without `.git`.
        git(Path(folder), "init", "--quiet", "--bare", "--template=", folder)
        options = (f"--git-dir={folder}", f"--work-tree={root}")
        output = git(root, *options, *_OTHERS, ":(top,glob)**", literal=False)
    return [name for name in _names(output) if not name.endswith("/")]


def _names(output: bytes) -> list[str]:
    return [name for name in output.decode("utf-8", "surrogateescape").split("\0") if name]
