"""What a capture or a new message asks of sessions."""

import contextlib
import os
import re
import time
from datetime import datetime
from itertools import takewhile

from clawgit.errors import ClawgitError
from clawgit.sessions import chat_store_choice, transcript_discovery, turn_lookup
from clawgit.sessions.session_import import follow
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.workspace_base import Sessions, Turn

MAX_IMPORT_SECONDS = 3.0
MIN_SHARE_OF_WORDS = 0.8
"""A turn that has so many of a line's words asks for that line."""


def follow_host(workspace: Workspace) -> None:
    """Import the conversations of the agent that works here; what takes too long, or fails, waits for the next import.

    Where OpenClaw has no such agent, and in a folder that is not managed, nothing is imported.
    """
    owners = [owner.id for owner in workspace.host.owners(workspace.root)] if workspace.managed else []
    if not owners:
        return
    deadline = time.monotonic() + MAX_IMPORT_SECONDS
    with contextlib.suppress(ClawgitError), chat_store_choice.opened(workspace.store, os.environ) as store:
        found = transcript_discovery.of_host(workspace.host, owners)
        follow(workspace, store, takewhile(lambda _: time.monotonic() < deadline, found), owners[0])


def for_captures(workspace: Workspace) -> Sessions:
    """Return what a capture asks of the sessions of a workspace."""
    return Sessions(
        lambda: follow_host(workspace),
        lambda line, since: asks(workspace, line, since),
        lambda session, moment: find_question(workspace, session, moment),
    )


def asks(workspace: Workspace, line: str, since: datetime) -> bool:
    """Return whether a turn of the operator after a moment has nearly all words of a line."""
    wanted, start = set(words_of(line)), since.timestamp()
    enough = max(1, MIN_SHARE_OF_WORDS * len(wanted))
    opened = chat_store_choice.opened(workspace.store, os.environ, reading=True)
    with contextlib.suppress(ClawgitError), opened as store:
        recent = (found.session for found in store.sessions() if (found.last or 0.0) >= start)
        turns = (turn for session in recent for turn in store.messages(session) if turn.origin == "operator")
        texts = [turn.text for turn in turns if (turn.time or 0.0) >= start]
        return any(len(wanted.intersection(words_of(text))) >= enough for text in texts)
    return False


def find_question(workspace: Workspace, session: str, moment: float) -> Turn | None:
    """Return what somebody said last in a session before a moment, None where that is not kept."""
    opened = chat_store_choice.opened(workspace.store, os.environ, reading=True)
    with contextlib.suppress(ClawgitError), opened as store:
        return turn_lookup.spoken(store.find_question(session, moment))
    return None


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return re.findall(r"\w+", text.casefold())
