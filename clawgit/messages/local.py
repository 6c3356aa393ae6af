"""Finds what is local to a clone, without libgit2."""

import os
from pathlib import Path


def root(folder: Path) -> Path:
    """Return the innermost repository around `folder`, else `folder` itself."""
    around = (folder, *folder.parents)
    return next((place for place in around if os.path.lexists(place / ".git")), folder)


def home(root: Path) -> Path | None:
    """Return the folder in which clawgit keeps what is local to all worktrees of a clone; None outside of git."""
    common = _common(root / ".git")
    return common / "clawgit" if common else None


def _common(git: Path) -> Path | None:
    """Return the folder that linked worktrees share (gitrepository-layout)."""
    if git.is_dir():
        folder = git
    else:
        pointer = _line(git).removeprefix("gitdir:").strip()
        if not pointer:
            return None
        folder = Path(os.path.normpath(git.parent / pointer))
    shared = _line(folder / "commondir")
    return Path(os.path.normpath(folder / shared)) if shared else folder


def _line(place: Path) -> str:
    try:
        return place.read_text("utf-8").strip()
    except (OSError, ValueError):
        return ""
