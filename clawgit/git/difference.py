"""Which files of the working tree differ from HEAD."""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from clawgit import file_roles
from clawgit.errors import ClawgitError
from clawgit.git import foreign_programs, repository, worktree_files
from clawgit.git.git_command import git
from clawgit.git.repository import Repository

_STATUS = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=all")
_BITS = {"h": ("assume-unchanged",), "S": ("skip-worktree",), "s": ("assume-unchanged", "skip-worktree")}
_OTHERS = ("ls-files", "-o", "-z", "--exclude-standard", "--")


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


def list_unknown(repo: Repository) -> list[str]:
    """Return the files that may differ from HEAD: to know it takes a filter that the operator has not accepted."""
    if not foreign_programs.filters_off(repo.root):
        return []
    return _list_filtered(repo, [path for letters, path in _read_status(repo) if letters == " M"])


def list_differing(repo: Repository, patterns: Iterable[str]) -> list[Different]:
    """Return the files of HEAD or the index that are not as HEAD has them, and those of `patterns` that git lacks.

    The first are in git's order, without submodules and those of which that is `unknown`; ignored files are left out of
    the others, and those of a nested repository. Patterns are git's globs. Identity files are compared by content: any
    writer to `.git` can have the index say that a file is unchanged.
    """
    statuses = _read_status(repo)
    unsure = set(_list_filtered(repo, [path for letters, path in statuses if letters == " M"]))
    result = {
        path: Different(path, "A" not in xy, xy[0] != " ", xy[1] == " ", "U" in xy or xy in ("AA", "DD"))
        for xy, path in statuses
        if path not in unsure
    }
    pathspecs = [f":(top,glob){pattern}" for pattern in patterns]
    arguments = ("ls-files", "-c", "-o", "-s", "-v", "-z", "--exclude-standard", "--", *pathspecs)
    lines = _split_names(git(repo.root, *arguments, literal=False))
    listing = [(line[0], line[2:] if line[0] == "?" else line.partition("\t")[2]) for line in lines]
    flagged = [(sign, path) for sign, path in listing if sign in _BITS]
    head = repository.head(repo) if flagged else None  # loads libgit2
    for sign, path in flagged:
        if _hash_present(repo, path) not in (None, repository.blob_id(repo, head, path)):
            result[path] = Different(path, overlooked=_BITS[sign])
    for (sign, path), line in zip(listing, lines, strict=True):
        if line.startswith("H 100") and file_roles.is_identity(path) and path not in result and path not in unsure:
            if _has_other_content(repo, path, line.split(" ", 3)[2]):
                result[path] = Different(path)
        elif sign == "?" and not path.endswith("/"):  # a nested repository
            result.setdefault(path, Different(path, tracked=False))
    return list(result.values())


def list_staged_renames(repo: Repository) -> list[tuple[str, str]]:
    """Return the files that are staged as renamed, each by its old and its new path."""
    names = _split_names(git(repo.root, "diff", "--cached", "-z", "-M", "--diff-filter=R", "--name-status"))
    return list(zip(names[1::3], names[2::3], strict=True))


class Untracked(NamedTuple):
    """The files that git does not look into.

    `loose` files are not tracked, `ignored` files match a rule, and `absent` files are tracked and gone, but marked to
    be skipped.
    """

    loose: list[str]
    ignored: list[str]
    absent: list[str]


def list_untracked(repo: Repository) -> Untracked:
    """Return the files that git does not look into; nested repositories are not searched."""
    names = set(_split_names(git(repo.root, *_OTHERS)))
    # Without --exclude-standard the listing has the ignored files, too.
    listing = [(line[0], line[2:]) for line in _split_names(git(repo.root, "ls-files", "-c", "-o", "-v", "-z"))]
    files = [path for sign, path in listing if sign == "?" and not path.endswith("/")]
    absent = [path for sign, path in listing if sign in _BITS and not os.path.lexists(f"{repo.root}/{path}")]
    return Untracked([path for path in files if path in names], [path for path in files if path not in names], absent)


def list_loose(root: Path) -> list[str]:
    """Return the files that git would not ignore in a folder that is not under git; makes nothing there."""
    import tempfile  # noqa: PLC0415 - for what is rare

    with tempfile.TemporaryDirectory(prefix="clawgit-") as folder:
        # An empty repository elsewhere lets git apply its ignore rules to a folder without `.git`.
        git(Path(folder), "init", "--quiet", "--bare", "--template=", folder)
        options = (f"--git-dir={folder}", f"--work-tree={root}")
        output = git(root, *options, *_OTHERS, ":(top,glob)**", literal=False)
    return [name for name in _split_names(output) if not name.endswith("/")]


def _hash_present(repo: Repository, path: str) -> str | None:
    """Return the blob of a file on disk; None for no file, and for one that another check reports."""
    with suppress(ClawgitError):
        file = worktree_files.read_worktree_file(repo, path)
        return repository.hash_blob(file.data) if file else None
    return None


def _has_other_content(repo: Repository, path: str, blob: str) -> bool:
    """Return whether a file on disk is not `blob`, after its filters and line ends either."""
    if _hash_present(repo, path) in (None, blob) or _list_filtered(repo, [path]):
        return False
    return git(repo.root, "hash-object", "--", path).decode().strip() != blob


def _read_status(repo: Repository) -> list[tuple[str, str]]:
    """Return git's two letters for each path, and the path."""
    return [(entry[:2], entry[3:]) for entry in _split_names(git(repo.root, "-c", "core.fileMode=false", *_STATUS))]


def _list_filtered(repo: Repository, paths: Sequence[str]) -> list[str]:
    """Return those of `paths` that go through a filter which does not run."""
    filters = foreign_programs.filters_off(repo.root) if paths else frozenset()
    if not filters:
        return []
    names = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
    fields = _split_names(git(repo.root, "check-attr", "-z", "--stdin", "filter", stdin=names))
    return [path for path, value in zip(fields[::3], fields[2::3], strict=True) if value in filters]


def _split_names(output: bytes) -> list[str]:
    return [name for name in output.decode("utf-8", "surrogateescape").split("\0") if name]
