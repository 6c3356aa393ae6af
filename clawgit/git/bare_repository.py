"""A repository without a working tree, the target of pushes."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from clawgit.errors import (
    Advice,
    ClawgitError,
    Command,
    folder_missing,
    git_damaged,
    head_unborn,
    quote_shell,
    repository_kind,
    repository_missing,
)
from clawgit.git import regular_file, repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository

_FOLDER, _LOCK = "clawgit/view", "clawgit/view.lock"
_SECONDS = 600.0


def bare(path: Path) -> Repository:
    """Return the bare repository at `path` or around it. Raises ClawgitError if there is none."""
    location = path.resolve()
    if not location.is_dir():
        raise folder_missing(f"{path} is no folder", fix=Command("git init --bare {}", path))
    for folder in (location, *location.parents):
        if (folder / ".git").exists():
            raise repository_kind(
                f"{folder} has a working tree: a server keeps the references alone",
                fix=Command("git clone --bare {} {}", folder, folder.with_suffix(".git")),
            )
        if is_bare(folder):
            return Repository(folder, folder, folder, bare=True)
    raise repository_missing(f"no git repository at {path}", fix=Command("git init --bare {}", path))


def is_bare(folder: Path) -> bool:
    """Return whether a folder is a git directory, but not the `.git` of a working tree."""
    return folder.name != ".git" and all((folder / name).exists() for name in ("HEAD", "objects", "refs"))


QUARANTINE = ("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH")


def quarantine() -> dict[str, str]:
    """Return the variables that point a hook at the pushed objects that are not accepted yet."""
    return {name: os.environ[name] for name in QUARANTINE if name in os.environ}


def find_bare_repository(path: Path) -> Path | None:
    """Return the bare repository at, around or behind a folder; None for a folder with a working tree."""
    location = path.resolve()
    for folder in (location, *location.parents):
        if (folder / ".git").exists():
            bare = folder.parent.parent.parent
            return bare if folder.parent == bare / _FOLDER and is_bare(bare) else None
        if is_bare(folder):
            return folder
    return None


def view(bare: Path) -> Repository:
    """Return a working tree of the branch of a bare repository, brought up to its newest commit.

    It is a linked working tree off any branch, so a push meets nothing that is checked out. Raises ClawgitError if
    there is no commit, or if the tree cannot be written.
    """
    repo = Repository(bare, bare, bare, bare=True)
    tip = repository.head(repo)
    if tip is None:
        raise head_unborn(
            f"{bare} has no commit on the branch that its HEAD names",
            fix=Command("git -C {} symbolic-ref HEAD refs/heads/main", bare, note="or push something"),
        )
    place = bare / _FOLDER / (bare.name.removesuffix(".git") or bare.name)
    try:
        with regular_file.locked(bare / _LOCK):
            _brought(repo, place, tip)
    except OSError as exc:
        words = f"{bare} is a bare repository, and no copy to read can be written there: {exc.strerror}"
        raise git_damaged(words, fix=Advice(f"git clone {quote_shell(bare)} WORKSPACE")) from exc
    gitdir = Path((place / ".git").read_text("utf-8", "surrogateescape").removeprefix("gitdir:").strip())
    return Repository(place, gitdir, bare, of=bare)


def _brought(repo: Repository, place: Path, tip: Oid) -> None:
    head = ""
    with suppress(ClawgitError):
        head = git(place, "rev-parse", "HEAD").decode().strip() if (place / ".git").is_file() else ""
    if head == tip:
        return
    if head:
        with suppress(ClawgitError):  # a reset that was killed halfway leaves a lock: then it is made anew
            git(place, "reset", "--quiet", "--hard", tip, timeout=_SECONDS)
            return
    shutil.rmtree(place.parent, ignore_errors=True)
    # Git still has the removed working tree on record.
    git(repo.root, "worktree", "prune")
    git(repo.root, "worktree", "add", "--quiet", "--force", "--detach", str(place), tip, timeout=_SECONDS)
