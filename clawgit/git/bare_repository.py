"""A repository without a working tree, where others push to."""

import os
from pathlib import Path

from clawgit.errors import Command, folder_missing, repository_kind, repository_missing
from clawgit.git.repository import Repository


def bare(path: Path) -> Repository:
    """Return the bare repository at `path`, or around it. Raises ClawgitError where there is none."""
    here = path.resolve()
    if not here.is_dir():
        raise folder_missing(f"{path} is no folder", fix=Command("git init --bare {}", path))
    for folder in (here, *here.parents):
        if (folder / ".git").exists():
            raise repository_kind(
                f"{folder} has a working tree: a server keeps the references alone",
                fix=Command("git clone --bare {} {}", folder, folder.with_suffix(".git")),
            )
        if is_bare(folder):
            return Repository(folder, folder, folder, bare=True)
    raise repository_missing(f"no git repository at {path}", fix=Command("git init --bare {}", path))


def is_bare(folder: Path) -> bool:
    """Return whether a folder is what git keeps of a repository, and no working tree's `.git`."""
    return folder.name != ".git" and all((folder / name).exists() for name in ("HEAD", "objects", "refs"))


QUARANTINE = ("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH")


def quarantine() -> dict[str, str]:
    """Return the variables by which git tells a hook where the objects lie that were pushed and not let in yet."""
    return {name: os.environ[name] for name in QUARANTINE if name in os.environ}
