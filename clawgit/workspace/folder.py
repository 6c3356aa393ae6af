"""Refuses folders that must not become a workspace."""

import os
from pathlib import Path

from clawgit.errors import ClawgitError, quoted

_SIGNS = ("SOUL.md", "IDENTITY.md", "MEMORY.md", "memory.md")


def refuse_wrong(path: Path, command: str) -> None:
    """Raise ClawgitError for a home, OpenClaw's state folder, a place inside somebody's repository, or no folder.

    `command` is what the caller was asked to do: `init` or `adopt`.
    """
    place = path.resolve()
    _refuse_file(path, command)
    home = Path.home().resolve()
    if place in (home, *home.parents):
        raise ClawgitError(f"{path} is your home folder, or above it", fix=f"clawgit {command} ~/.openclaw/workspace")
    if _holds_state(place, home):
        raise ClawgitError(
            f"{path} is OpenClaw's state folder: it holds credentials",
            fix=f"clawgit {command} {quoted(place / 'workspace')}",
        )
    if all((place / name).exists() for name in ("HEAD", "objects", "refs")):
        raise ClawgitError(f"{path} is a bare repository", fix=f"git clone {quoted(path)} WORKSPACE")
    outer = next((folder for folder in place.parents if (folder / ".git").exists()), None)
    if outer is not None and not os.path.lexists(place / ".git"):
        _refuse_outer(path, outer, home, command)


def _holds_state(place: Path, home: Path) -> bool:
    named = place.parent == home and place.name.startswith((".openclaw", ".clawdbot", ".moltbot"))
    return named or (place / "openclaw.json").exists() or (place / "credentials").is_dir()


def _refuse_outer(path: Path, outer: Path, home: Path, command: str) -> None:
    if _holds_state(outer, home) or outer == home:
        raise ClawgitError(
            f"{path} lies in the repository {outer}, which holds much more than a workspace",
            fix=f"git init {quoted(path)}   # gives it a repository of its own; then: clawgit {command} {quoted(path)}",
        )
    raise ClawgitError(
        f"{path} lies in the repository {outer}; a repository in another loses both",
        fix=_instead(path, outer, command),
    )


def _instead(path: Path, outer: Path, command: str) -> str:
    """Return the command for a folder in a repository: for that one if an agent lives in it, else a copy beside it."""
    try:
        refuse_stranger(outer)
    except ClawgitError:
        names = (path.name, f"{path.name}-workspace", *(f"{path.name}-{number}" for number in range(2, 100)))
        free = next(outer.parent / name for name in names if not os.path.lexists(outer.parent / name))
        copied = f"cp -R {quoted(path)} {quoted(free)} && " if path.exists() else ""
        return f"{copied}clawgit {command} {quoted(free)}"
    return f"clawgit adopt {quoted(outer)}"


def refuse_stranger(path: Path) -> None:
    """Raise ClawgitError for a folder in which no agent has ever lived."""
    _refuse_file(path, "adopt")
    if not path.exists():
        raise ClawgitError(f"{path} does not exist", fix=f"clawgit init {quoted(path)}")
    notes = (path / "memory").is_dir() and any((path / "memory").rglob("*.md"))
    if not notes and not any(os.path.lexists(path / name) for name in _SIGNS):
        raise ClawgitError(
            f"{path} is not a workspace: it has none of {', '.join(_SIGNS)}, and no memory/*.md",
            fix=f"clawgit init {quoted(path)}   # makes it one",
        )


def _refuse_file(path: Path, command: str) -> None:
    if path.exists() and not path.is_dir():
        raise ClawgitError(f"{path} is not a folder", fix=f"clawgit {command} ANOTHER")
