"""Which files of the working tree differ from HEAD."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import foreign_programs, repository, worktree_files
from clawgit.git.git_command import beside, git
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
_LISTED = ("ls-files", "-c", "-o", "-s", "-v", "-z", "--exclude-standard", "--")
_BITS = {"h": ("assume-unchanged",), "S": ("skip-worktree",), "s": ("assume-unchanged", "skip-worktree")}
_OTHERS = ("ls-files", "-o", "-z", "--exclude-standard", "--")
_MOST_READ = 50
"""Of the files below the top, so many are read whatever git says of them: those that changed last."""


class Different(Struct, frozen=True):
    """A file that differs from HEAD; `tracked` tells that HEAD has it.

    `staged` tells that the index differs from HEAD as well, `whole` that all of the file is staged, `unmerged` that it
    holds several versions, `overlooked` is the bit that has git overlook what changes in it. Permissions do not count.
    """

    path: str
    tracked: bool = True
    staged: bool = False
    whole: bool = False
    unmerged: bool = False
    overlooked: tuple[str, ...] = ()


def tracked(repo: Repository) -> list[Different]:
    """Return the files of HEAD or the index that are not as HEAD has them, in git's order; without submodules.

    Those of which that is `unknown` are left out.
    """
    with beside(repo.root, *_STATUS) as status:
        return _tracked(repo, status)


def unknown(repo: Repository) -> list[str]:
    """Return the files that may differ from HEAD: to know it takes a filter that the operator has not accepted."""
    if not foreign_programs.filters_off(repo.root):
        return []
    with beside(repo.root, *_STATUS) as status:
        return _filtered(repo, [path for letters, path in _entries(status) if letters == " M"])


def differing(repo: Repository, patterns: Iterable[str]) -> list[Different]:
    """Return what `tracked` does, and the files that git neither tracks nor ignores among those that `patterns` match.

    Patterns are git's globs. What lies in a repository of its own is left out. Git goes by what the index says of
    sizes and times, to the second, and whoever writes to `.git` can write there what he likes: the files at the top
    are read, and those below that changed last.
    """
    wanted = _anywhere(patterns)
    with beside(repo.root, *_STATUS) as status:
        listed = [_Listed.of(line) for line in _names(git(repo.root, *_LISTED, *wanted, literal=False))]
        read = _read(repo, [one for one in listed if one.sign == "H"])  # while git looks
        known = _tracked(repo, status) + _overlooked(
            repo, [(_BITS[one.sign], one.path) for one in listed if one.sign in _BITS]
        )
        named = {one.path for one in known}  # a file that the index lost is of both lists
        known += _unseen(repo, {path: blob for path, blob in read.items() if path not in named})
        others = (one.path for one in listed if one.sign == "?" and not one.path.endswith("/"))
        return known + [Different(path, tracked=False) for path in others if path not in named]


class Untracked(NamedTuple):
    """What git does not look into.

    `loose` files it does not track, `ignored` it was told to ignore, and `absent` are those tracked files that are
    gone, which it was told to overlook.
    """

    loose: list[str]
    ignored: list[str]
    absent: list[str]


def untracked(repo: Repository) -> Untracked:
    """Return what git does not look into; what lies in a repository of its own is not looked through."""
    with beside(repo.root, *_OTHERS) as listing:
        listed = [_Listed.of(line) for line in _names(git(repo.root, "ls-files", "-c", "-o", "-s", "-v", "-z"))]
        seen = set(_names(listing()))
    files = [one.path for one in listed if one.sign == "?" and not one.path.endswith("/")]
    absent = [one.path for one in listed if one.sign in _BITS and not os.path.lexists(f"{repo.root}/{one.path}")]
    return Untracked([n for n in files if n in seen], [n for n in files if n not in seen], absent)


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


def _read(repo: Repository, some: Sequence[_Listed]) -> dict[str, str]:
    """Return those of the files that are read which say something else than their blobs, with these."""
    regular = [one for one in some if one.mode.startswith("100") and "\n" not in one.path]
    top = [one for one in regular if "/" not in one.path]
    rest = nlargest(_MOST_READ, (one for one in regular if "/" in one.path), key=lambda one: _changed(repo, one.path))
    return {one.path: one.blob for one in (*top, *rest) if _says_else(repo, one)}


def _unseen(repo: Repository, off: Mapping[str, str]) -> list[Different]:
    """Return those of the files that are not their blobs after their filters and line ends either."""
    if not off:
        return []
    names = "".join(f"{path}\n" for path in off).encode("utf-8", "surrogateescape")
    stored = git(repo.root, "hash-object", "--stdin-paths", stdin=names).decode().split()
    unsure = set(_filtered(repo, list(off)))
    pairs = zip(off.items(), stored, strict=True)
    return [Different(path) for (path, blob), now in pairs if now != blob and path not in unsure]


def _changed(repo: Repository, path: str) -> int:
    """Return when the system saw a file change last: nobody can set that back."""
    try:
        return os.lstat(f"{repo.root}/{path}").st_ctime_ns
    except OSError:
        return 0


def _says_else(repo: Repository, one: _Listed) -> bool:
    try:
        file = worktree_files.read(repo, one.path)
    except ClawgitError:  # git saw it, or it is told elsewhere
        return False
    return file is not None and repository.hash_blob(file.data) != one.blob


def _overlooked(repo: Repository, flagged: Sequence[tuple[tuple[str, ...], str]]) -> list[Different]:
    """Return the files that git was told to overlook, and that are on disk otherwise than HEAD has them."""
    head = repository.head(repo) if flagged else None  # loads libgit2
    found: list[Different] = []
    for bits, path in flagged:
        try:
            file = worktree_files.read(repo, path)
        except ClawgitError:
            file = None
        if file and repository.hash_blob(file.data) != repository.blob_id(repo, head, path):
            found.append(Different(path, overlooked=bits))
    return found


def _tracked(repo: Repository, status: Callable[[], bytes]) -> list[Different]:
    listed = _entries(status)
    unsure = set(_filtered(repo, [path for letters, path in listed if letters == " M"]))
    return [_different(letters, path) for letters, path in listed if path not in unsure]


def _entries(status: Callable[[], bytes]) -> list[tuple[str, str]]:
    """Return git's two letters for each path, and the path."""
    return [(entry[:2], entry[3:]) for entry in _names(status())]


def _filtered(repo: Repository, paths: Sequence[str]) -> list[str]:
    """Return those of `paths` that go through a filter which does not run."""
    off = foreign_programs.filters_off(repo.root) if paths else frozenset()
    if not off:
        return []
    names = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
    fields = _names(git(repo.root, "check-attr", "-z", "--stdin", "filter", stdin=names))
    return [path for path, value in zip(fields[::3], fields[2::3], strict=True) if value in off]


def _different(letters: str, path: str) -> Different:
    unmerged = "U" in letters or letters in ("AA", "DD")
    return Different(path, "A" not in letters, letters[0] != " ", letters[1] == " ", unmerged)


def _anywhere(patterns: Iterable[str]) -> list[str]:
    return [f":(top,glob){pattern}" for pattern in patterns]


def loose(root: Path, patterns: Iterable[str]) -> list[Different]:
    """Return what `differing` would in a folder that is not under git; nothing is made there."""
    import tempfile  # noqa: PLC0415 - for what is rare

    with tempfile.TemporaryDirectory(prefix="clawgit-") as folder:
        git(Path(folder), "init", "--quiet", "--bare", "--template=", folder)
        around = (f"--git-dir={folder}", f"--work-tree={root}")
        listed = git(root, *around, *_OTHERS, *_anywhere(patterns), literal=False)
    return [Different(name, tracked=False) for name in _names(listed) if not name.endswith("/")]


def _names(output: bytes) -> list[str]:
    return [name for name in output.decode("utf-8", "surrogateescape").split("\0") if name]
