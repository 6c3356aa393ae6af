"""Finds the workspace that a command is about."""

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clawgit import errors
from clawgit.errors import NO_FIX, Advice, ClawgitError, Command
from clawgit.git.git_command import git

if TYPE_CHECKING:
    from clawgit.openclaw.host import Agent, Host

_SIGNS = ("SOUL.md", "MEMORY.md", "memory.md", ".clawgit", ".git/clawgit")


class Place(NamedTuple):
    """A folder inside a workspace; `found` is its source when nobody named it or was in it."""

    path: Path
    found: str = ""


def choose(given: str | None, environment: Mapping[str, str], agent: str = "") -> Place:
    """Return the workspace of `agent`, else `given`, else the one around the current folder, else OpenClaw's.

    Raises UsageError for a folder or agent that does not exist, ClawgitError when there is none to choose.
    """
    if agent:
        return _openclaws(environment, agent)
    if given:
        return Place(_folder(given))
    current = _get_current_folder()
    workspaces = [folder for folder in (current, *current.parents) if looks_like_one(folder)]
    # the innermost repository that looks like a workspace, else a folder that only looks so
    if workspaces:
        return Place(next((folder for folder in workspaces if (folder / ".git").exists()), workspaces[0]))
    return _openclaws(environment)


def _get_current_folder() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as exc:
        raise errors.folder_deleted("the current folder has been deleted", fix=Advice("cd")) from exc


def _openclaws(environment: Mapping[str, str], name: str = "") -> Place:
    from clawgit.openclaw.host import Host  # noqa: PLC0415 - only where nothing nearer is there

    host = Host(environment)
    agent = host.agent(name)
    if agent.workspace.is_dir():
        return Place(agent.workspace, _reason(host, agent))
    if agent.found == "OPENCLAW_WORKSPACE_DIR":
        return Place(_folder(str(agent.workspace), agent.found))
    owner_text = f"the workspace of OpenClaw's agent {agent.id}" if len(host.agents) > 1 or name else "OpenClaw's own"
    missing = "; ".join((f"{owner_text}, {agent.workspace}, does not exist", *host.problems[:1]))
    if name:
        raise errors.workspace_missing(missing, fix=Command("clawgit init {}", agent.workspace))
    raise errors.workspace_missing(
        f"{_get_current_folder()} is in no workspace, and {missing}",
        fix=Advice("clawgit -C DIR …   # or make one: clawgit init DIR"),
    )


def _reason(host: "Host", agent: "Agent") -> str:
    if len(host.agents) > 1:
        others = ", ".join(other.id for other in host.agents if other != agent)
        return f"of OpenClaw's agent {agent.id}; --agent names another: {others}"
    if agent.found.startswith("agents."):
        return f"OpenClaw's, by {agent.found}"
    return agent.found or "OpenClaw's default"


def _folder(name: str, variable: str = "") -> Path:
    path = Path(name).expanduser()
    if not path.is_dir():
        words = "is not a folder" if path.exists() else "does not exist"
        fix = NO_FIX if path.exists() else Command("clawgit init {}", path)
        raise errors.path_invalid(f"{path} {words}" + (f" ({variable})" if variable else ""), fix=fix)
    return path


def looks_like_one(folder: Path) -> bool:
    """Return whether `folder` has the files of a workspace, on disk or in HEAD, and is not OpenClaw's own."""
    is_workspace = any(os.path.lexists(folder / name) for name in _SIGNS) or any((folder / "memory").rglob("*.md"))
    with contextlib.suppress(ClawgitError):  # where there is no commit
        is_workspace = is_workspace or (
            os.path.lexists(folder / ".git") and bool(git(folder, "ls-tree", "HEAD", ".clawgit/format"))
        )
    return is_workspace and not (folder / "openclaw.json").exists()
