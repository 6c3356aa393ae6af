"""Finds a turn that is cited."""

from datetime import UTC, datetime

from clawgit.sessions.chat_store import ChatStore
from clawgit.workspace.conversation import Turn


def turn(store: ChatStore, session: str, event: str) -> Turn | None:
    """Return what was said in `event` of `session`, both given by id; None where it is not kept.

    Of two agents' sessions with one id, the one that has the event. Raises ClawgitError for a store that cannot be
    read.
    """
    message = store.message(session, event)
    if message is None:
        return None
    when = datetime.fromtimestamp(message.time, UTC).isoformat() if message.time is not None else None
    return Turn(message.text, message.role, when, message.origin)
