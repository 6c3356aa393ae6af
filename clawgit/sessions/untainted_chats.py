"""Conversations without what the operator tainted."""

from collections.abc import Mapping

from clawgit.sessions import chat_store_choice
from clawgit.sessions.chat_store import ChatStore
from clawgit.workspace import taint_register
from clawgit.workspace.workspace import Workspace


def opened(workspace: Workspace, environ: Mapping[str, str], *, reading: bool = False) -> ChatStore:
    """Open the store of a workspace for whoever learns from it, or searches it: tainted turns say nothing.

    Raises ClawgitError.
    """
    store = chat_store_choice.opened(workspace.store, environ, reading=reading)
    register = taint_register.parse(workspace.read(taint_register.PATH) or "")
    store.is_tainted = lambda one: register.of_turn(one.session, one.event) is not None
    return store
