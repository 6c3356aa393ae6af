"""The soul keeper: which souls it keeps."""

import re
from collections.abc import Iterator

from clawgit.errors import Advice, path_role
from clawgit.sessions.envelope import Session
from clawgit.workspace import file_roles, manifest
from clawgit.workspace.workspace import Workspace

NAME = "soul-keeper"
_OWN = re.compile(r"agents/([^/]+)/SOUL\.md")


def require_soul(path: str) -> None:
    """Raise UsageError for a file that the soul keeper does not keep."""
    own = _OWN.fullmatch(path)
    if path != file_roles.SOUL and (own is None or own[1] in manifest.WRITERS):
        raise path_role(f"{NAME} does not keep {path}", fix=Advice(f"clawgit run {NAME} --file agents/NAME/SOUL.md"))


def find_closed(workspace: Workspace, path: str) -> str:
    """Return why nothing may be proposed for a soul, "" where something may."""
    if workspace.config.soul_policy == "locked":
        return f"soul_policy is locked: {NAME} proposes nothing"
    if (workspace.read(path) or "").strip():
        return ""
    others = ", ".join(sorted(_list_souls(workspace))) if path == file_roles.SOUL else ""
    return f"there is no {path} here: {NAME} makes none{f'; there is {others}: --file' if others else ''}"


def _list_souls(workspace: Workspace) -> Iterator[str]:
    for place in workspace.root.glob("agents/*/SOUL.md"):
        if place.parent.name not in manifest.WRITERS:
            yield place.relative_to(workspace.root).as_posix()


def find_soul(workspace: Workspace, session: Session) -> str:
    """Return the soul of the agent that talks in a session: its own where it has one."""
    own = f"agents/{session.agent}/SOUL.md"
    named = session.agent and session.agent not in manifest.WRITERS and "/" not in session.agent
    return own if named and (workspace.root / own).is_file() else file_roles.SOUL
