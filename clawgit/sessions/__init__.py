"""Conversations of OpenClaw: read, cleaned, kept."""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace


def know_sessions(workspace: "Workspace") -> None:
    """Let a workspace ask for what was said and done in the sessions of its agent, by modules that load sqlite3."""
    from clawgit.workspace.workspace_base import Sessions  # noqa: PLC0415 - the help does without

    follow, lookup = (partial(import_module, f"clawgit.sessions.{name}") for name in ("session_follow", "chat_store"))
    workspace.conversations = lambda session, event: lookup().find_turn(workspace.store.folder, session, event)
    workspace.sessions = Sessions(
        lambda: follow().follow_host(workspace),
        lambda line, since: bool(follow().asks(workspace, line, since)),
        lambda session, moment: follow().find_question(workspace, session, moment),
    )
