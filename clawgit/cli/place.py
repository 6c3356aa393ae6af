"""Finds the workspace that a command is about."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clawgit.errors import ClawgitError, UsageError

_OPENCLAW = "OPENCLAW_WORKSPACE_DIR"
_SIGNS = ("SOUL.md", "MEMORY.md", "memory", ".clawgit")


@dataclass(frozen=True, slots=True)
class Place:
    """A folder inside a workspace; `found` says how it was come by when nobody named it or stood in it."""

    path: Path
    found: str = ""


def choose(given: str | None, environment: Mapping[str, str]) -> Place:
    """Return `given`, else the workspace that encloses the current folder, else the one that OpenClaw uses.

    Raises UsageError for a folder that does not exist, ClawgitError when there is none to choose.
    """
    if given:
        return Place(_folder(given))
    here = _here()
    if enclosing := _enclosing(here):
        return Place(enclosing)
    if named := environment.get(_OPENCLAW):
        return Place(_folder(named, _OPENCLAW), _OPENCLAW)
    usual = Path.home() / ".openclaw" / "workspace"
    if usual.is_dir():
        return Place(usual, "OpenClaw's default")
    raise ClawgitError(
        f"{here} is in no workspace, and OpenClaw's own, {usual}, does not exist",
        fix="clawgit -C DIR …   # or make one: clawgit init DIR",
    )


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as exc:
        raise ClawgitError("the current folder has been deleted", fix="cd") from exc


def _folder(name: str, variable: str = "") -> Path:
    path = Path(name).expanduser()
    if not path.is_dir():
        words = "is not a folder" if path.exists() else "does not exist"
        said = f" ({variable})" if variable else ""
        raise UsageError(f"{path} {words}{said}", fix=f"clawgit init '{path}'" if not path.exists() else "")
    return path


def _enclosing(here: Path) -> Path | None:
    """Return the innermost repository around `here` that looks like a workspace, else a folder that only looks so."""
    around = [folder for folder in (here, *here.parents) if looks_like_one(folder)]
    return next((folder for folder in around if (folder / ".git").exists()), next(iter(around), None))


def looks_like_one(folder: Path) -> bool:
    """Tell whether `folder` has what a workspace has."""
    return any(os.path.lexists(folder / name) for name in _SIGNS)
