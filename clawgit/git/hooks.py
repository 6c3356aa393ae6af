"""Where git looks for hooks."""

from pathlib import Path

from msgspec import Struct

from clawgit.git.command import git
from clawgit.git.repository import Repository


class Folder(Struct, frozen=True):
    """The folder that git takes hooks from.

    `setting` is the value of core.hooksPath, "" where it is not set; `scope` says where it is set: local, worktree,
    global, system or command.
    """

    place: Path
    setting: str = ""
    scope: str = ""


def folder(repo: Repository) -> Folder:
    """Return where git looks for the hooks of this working tree; it need not exist."""
    place = (
        repo.root
        / git(repo.root, "rev-parse", "--git-path", "hooks", hooks=True).decode("utf-8", "surrogateescape")[:-1]
    )
    fields = (
        git(repo.root, "config", "--show-scope", "-z", "--list", hooks=True)
        .decode("utf-8", "surrogateescape")
        .split("\0")
    )
    found = Folder(place)
    for scope, pair in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = pair.partition("\n")
        if key == "core.hookspath":
            found = Folder(place, value, scope)
    return found
