"""Sets a repository up that machines push to."""

import os
from pathlib import Path

from clawgit import errors
from clawgit.connect import git_hooks
from clawgit.connect.git_hooks import Hook
from clawgit.git import repository
from clawgit.git.git_command import decode_lines, git
from clawgit.git.repository import Repository

NAME = "pre-receive"
LARGEST_PUSH = 64 << 20
"""Bytes that one push may have; git itself refuses more before it unpacks them."""
_OURS = "clawgit.set"
"""Under this key stands which settings are ours, to take them away again."""
_SETTINGS = {
    "receive.fsckObjects": "true",
    "receive.denyNonFastForwards": "true",
    "receive.denyDeletes": "true",
    "core.logAllRefUpdates": "true",
}


def read_server_hook_state(repo: Repository, program: Path | None = None) -> tuple[Hook, ...]:
    """Return the state of the hook; without `program` it is never outdated."""
    setting = repository.setting(repo, "core.hooksPath")
    folder = repo.root / "hooks"
    if setting and Path(repo.root, setting) != folder:  # a folder that all repositories share is not ours
        raise errors.hooks_path(
            f"core.hooksPath is {setting}: the hooks of this repository would not run",
            fix=errors.Command("git -C {} config core.hooksPath {}", repo.root, os.fspath(folder)),
        )
    return (git_hooks.read_hook_state(folder, NAME, program),)


def install_server_hook(repo: Repository, program: Path, *, largest: int = LARGEST_PUSH) -> tuple[Hook, ...]:
    """Install the hook, and let git check pushes: nothing is forced or deleted, and the size is limited.

    A former hook runs as before; a setting with another value is left alone. Raises ClawgitError if the folder cannot
    be written.
    """
    hooks = read_server_hook_state(repo, program)
    try:
        repo.room.mkdir(exist_ok=True)
        hooks[0].place.parent.mkdir(exist_ok=True)
        hooks = tuple(git_hooks.place_hook(hook, program) for hook in hooks)
    except OSError as exc:
        raise errors.make_unwritable_error(Path(exc.filename or hooks[0].place), exc) from exc
    ours = _list_values(repo, _OURS)
    for key, value in {**_SETTINGS, "receive.maxInputSize": str(largest)}.items():
        # A setting with a value that is not on our list is the owner's.
        if key in ours or not _list_values(repo, key):
            git(repo.root, "config", "--local", key, value)
            if key not in ours:
                git(repo.root, "config", "--local", "--add", _OURS, key)
    return hooks


def uninstall_server_hook(repo: Repository) -> tuple[Hook, ...]:
    """Remove the hook and our settings, and restore the former hook."""
    hooks = read_server_hook_state(repo)
    try:
        hooks = tuple(map(git_hooks.take_away, hooks))
    except OSError as exc:
        raise errors.make_unwritable_error(Path(exc.filename or hooks[0].place), exc) from exc
    # The list of our settings goes last: after a kill the next try still has it.
    for key in (*_list_values(repo, _OURS), _OURS):
        if _list_values(repo, key):
            git(repo.root, "config", "--local", "--unset-all", key)
    return hooks


def _list_values(repo: Repository, key: str) -> tuple[str, ...]:
    """Return the values of a setting of this repository."""
    try:
        output = git(repo.root, "config", "--local", "--get-all", key)
    except errors.ClawgitError:
        return ()
    return tuple(decode_lines(output))
