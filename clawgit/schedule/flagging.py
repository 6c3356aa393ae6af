"""Flags the messages that no hook has flagged."""

from collections.abc import Iterator
from datetime import UTC, datetime

from clawgit.agents import news, progress
from clawgit.agents.news import New
from clawgit.messages import inbox
from clawgit.messages.known import known
from clawgit.messages.triage import triage
from clawgit.sessions.chat_store import ChatStore
from clawgit.workspace.cursors import Cursor
from clawgit.workspace.workspace import Workspace

NAME = "triage"
"""As whom it notes how far it has read."""
_NEAR = 86_400.0


def flag(workspace: Workspace, store: ChatStore, since: float) -> int:
    """File what the operator said from `since` on (seconds since 1970) and patterns tell of; return how many.

    Older messages are left to the memory miner, which reads all of them. A message that stands in the inbox already,
    filed by a hook or by a run that was killed, is not filed twice.
    """
    patterns = known(workspace.root, workspace.state.parent / "cache").patterns
    filed = _filed(workspace)
    count, read = 0, list[New]()
    for new in news.since(store, progress.load(workspace, NAME), None):
        read.append(new)
        heard = new.heard
        if (
            heard.origin != "operator"
            or not heard.time
            or heard.time < since
            or _is_filed(filed, heard.text, heard.time)
        ):
            continue
        found = triage(heard.text, patterns, origin=heard.origin)
        if found.matches:
            moment = datetime.fromtimestamp(heard.time, UTC)
            inbox.file(workspace.state, heard.text, found, moment, heard.session)
            filed.setdefault(heard.text, []).append(heard.time)
            count += 1
    progress.save(workspace, NAME, _reached(read), "")
    return count


def _filed(workspace: Workspace) -> dict[str, list[float]]:
    """Return when each text was flagged, in seconds since 1970."""
    found: dict[str, list[float]] = {}
    for one in inbox.flags(workspace.state):
        found.setdefault(one.text, []).append(datetime.fromisoformat(one.at).timestamp())
    return found


def _is_filed(filed: dict[str, list[float]], text: str, when: float) -> bool:
    return any(abs(one - when) <= _NEAR for one in filed.get(text, ()))


def _reached(read: list[New]) -> Iterator[tuple[Cursor, int]]:
    """Yield the last cursor of each session, with the count of its messages."""
    last = {new.cursor.session: (new.cursor, new.count) for new in read if new.cursor}
    yield from last.values()
