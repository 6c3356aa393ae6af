"""What a repository holds beside the branch at hand."""

import os
from collections.abc import Collection

from clawgit.git import repository
from clawgit.git.command import git
from clawgit.git.repository import Repository, setting

LINK = "160000"
"""The mode under which git keeps a commit of another repository."""

_CONVERTING = ("filter", "working-tree-encoding", "ident", "text", "eol")
_SILENT = ("unspecified", "unset")


def index(repo: Repository) -> dict[str, str]:
    """Return the paths in git's index with their modes."""
    found = {}
    for row in git(repo.root, "ls-files", "-s", "-z").split(b"\0")[:-1]:
        entry, _, name = row.partition(b"\t")
        found[os.fsdecode(name)] = entry[:6].decode()
    return found


def unmerged(repo: Repository) -> tuple[str, ...]:
    """Return the branches, remote ones too, that have commits which HEAD lacks; none before the first commit."""
    if repository.head(repo) is None:
        return ()
    options = ("--no-merged=HEAD", "--format=%(refname)")
    listed = git(repo.root, "for-each-ref", *options, "refs/heads", "refs/remotes").decode("utf-8", "replace")
    names = (name.removeprefix("refs/heads/").removeprefix("refs/remotes/") for name in listed.splitlines())
    return tuple(name for name in names if not name.endswith("/HEAD"))


def worktrees(repo: Repository) -> tuple[str, ...]:
    """Return the folders of the other working trees of this repository."""
    listed = git(repo.root, "worktree", "list", "--porcelain").decode("utf-8", "surrogateescape")
    folders = (line.removeprefix("worktree ") for line in listed.split("\n") if line.startswith("worktree "))
    return tuple(folder for folder in folders if folder != str(repo.root))


def ignored(repo: Repository, folders: Collection[str]) -> frozenset[str]:
    """Return the files in `folders`, and right in the root, that git was told to leave out and does not track."""
    wanted = [f":(top,literal){folder}" for folder in folders if (repo.root / folder).is_dir()]
    options = ("-o", "-i", "-z", "--exclude-standard")
    listed = git(repo.root, "ls-files", *options, "--", ":(top,glob)*", *wanted, literal=False)
    return frozenset(map(os.fsdecode, listed.split(b"\0")[:-1]))


def attributed(repo: Repository, paths: Collection[str]) -> list[str]:
    """Return those of `paths` for which an attribute, or `core.autocrlf`, could make git store other bytes."""
    if (setting(repo, "core.autocrlf").lower() or "false") != "false":
        return list(paths)
    names = b"".join(os.fsencode(path) + b"\0" for path in paths)
    parts = git(repo.root, "check-attr", "-z", "--stdin", *_CONVERTING, stdin=names).split(b"\0")[:-1]
    values = zip(parts[::3], parts[2::3], strict=True)
    return list(dict.fromkeys(os.fsdecode(path) for path, value in values if value.decode() not in _SILENT))
