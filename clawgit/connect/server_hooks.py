"""Sets a repository up that machines push to."""

import os
from pathlib import Path

from clawgit import errors
from clawgit.connect import git_hooks
from clawgit.connect.git_hooks import Hook
from clawgit.git.git_command import git
from clawgit.git.repository import Repository

NAMES = ("pre-receive",)
_FORMER = "post-receive"
"""A hook that an earlier clawgit installed."""
LARGEST_PUSH = 64 << 20
"""Bytes that one push may have; git itself refuses more before it unpacks them."""
_IDENTITY = "clawgit.identity"
"""A setting of an earlier clawgit."""
_OURS = "clawgit.set"
"""Under this key stands which settings are ours, to take them away again."""


def settings(largest: int) -> dict[str, str]:
    """Return git's settings for pushes: objects are checked, nothing is forced or deleted, and the size is limited."""
    return {
        "receive.fsckObjects": "true",
        "receive.denyNonFastForwards": "true",
        "receive.denyDeletes": "true",
        "receive.maxInputSize": str(largest),
        "core.logAllRefUpdates": "true",
    }


def status(repo: Repository, program: Path | None = None) -> tuple[Hook, ...]:
    """Return the state of each hook."""
    return tuple(git_hooks.look(_folder(repo), name, program) for name in NAMES)


def install(repo: Repository, program: Path, *, largest: int = LARGEST_PUSH) -> tuple[Hook, ...]:
    """Install the hook, and let git check pushes; a former hook runs as before.

    A setting with another value is left alone. Raises ClawgitError if the folder cannot be written.
    """
    folder = _folder(repo)
    try:
        repo.room.mkdir(exist_ok=True)
        folder.mkdir(exist_ok=True)
        hooks = tuple(git_hooks.put(hook, program) for hook in status(repo, program))
        git_hooks.take_away(git_hooks.look(folder, _FORMER))
    except OSError as exc:
        raise errors.unwritable(Path(exc.filename or folder), exc) from exc
    ours = _config(repo, "--get-all", _OURS)
    for key, value in settings(largest).items():
        if key in ours or not _config(repo, "--get-all", key):
            git(repo.root, "config", "--local", key, value)
            if key not in ours:
                git(repo.root, "config", "--local", "--add", _OURS, key)
    return hooks


def uninstall(repo: Repository) -> tuple[Hook, ...]:
    """Remove the hooks and our settings, and restore the former ones."""
    try:
        hooks = tuple(git_hooks.take_away(hook) for hook in status(repo))
        git_hooks.take_away(git_hooks.look(_folder(repo), _FORMER))
    except OSError as exc:
        raise errors.unwritable(Path(exc.filename or _folder(repo)), exc) from exc
    for key in (*_config(repo, "--get-all", _OURS), _OURS, _IDENTITY):
        if _config(repo, "--get-all", key):
            git(repo.root, "config", "--local", "--unset-all", key)
    return hooks


def _folder(repo: Repository) -> Path:
    """Return git's folder for hooks; a folder that all repositories share is not ours."""
    setting = _config(repo, "--get", "core.hooksPath", everywhere=True)
    if setting and Path(repo.root, setting[0]) != repo.root / "hooks":
        raise errors.hooks_path(
            f"core.hooksPath is {setting[0]}: the hooks of this repository would not run",
            fix=errors.Command("git -C {} config core.hooksPath {}", repo.root, os.fspath(repo.root / "hooks")),
        )
    return repo.root / "hooks"


def _config(repo: Repository, *arguments: str, everywhere: bool = False) -> tuple[str, ...]:
    scope = () if everywhere else ("--local",)
    try:
        output = git(repo.root, "config", *scope, *arguments, hooks=True).decode("utf-8", "surrogateescape")
    except errors.ClawgitError:
        return ()
    return tuple(output.splitlines())
