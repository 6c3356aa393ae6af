"""Notes the requests of a conversation."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from clawgit.agents import requested_memories, running
from clawgit.agents.messages_to_read import list_unread
from clawgit.agents.running import Progress, Result, View
from clawgit.reading import backlog
from clawgit.reading.explicit_requests import Finding
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.sessions.session_messages import Event
from clawgit.workspace.change import Change
from clawgit.workspace.commit_message import fold_spaces, shorten
from clawgit.workspace.workspace import Workspace

NAME = "session-flush"
PART = 5_000
"""Messages that are read before what they gave is kept: of a longer conversation each part is a commit."""
_MAX_POINTERS, _SUBJECT = 250, 60


class SessionFlush(running.Agent):
    """Notes the operator's decisions and requests of one conversation in the journals (spec H3, A6).

    Rules find them, no model. They go to the journal of their day, each line with `session:` evidence, all of it in one
    commit, or in one for 5,000 messages, from which it continues after a kill; existing notes are not repeated.
    """

    name = NAME
    store: ChatStore
    session: str

    def propose(self, view: View, now: datetime) -> Iterator[Change | Progress]:
        """Yield the change of each part, and how far was read."""
        del now
        progress = backlog.load_read(view.workspace, NAME)
        for unread in list_unread(self.store, progress, None, lambda session: session.id == self.session):
            for start in range(0, len(unread.new), PART):
                read = unread.new[start : start + PART]
                own = [message for message in read if message.role == "user" and message.origin == "operator"]
                findings = ((message, requested_memories.list_requests(message.text)) for message in own)
                found = [(message, finding) for message, requests in findings for finding in requests]
                yield from filter(None, [_make_change(view, found)])
                yield Progress(len(own), reached=unread.reach(start + len(read)), answered=progress.answered)


def flush(workspace: Workspace, store: ChatStore, session: str) -> Result:
    """Note the requests of a session of the chat store before it is compacted; a killed flush is finished first.

    Raises ClawgitError; changes that landed before stay.
    """
    workspace.capture(())
    return running.apply(SessionFlush(store, session), workspace)


def list_kept_sentences(event: Event) -> list[str]:
    """Return the words of the operator's message that a flush would keep, letter for letter."""
    return [finding.quote for finding in requested_memories.list_requests(event.text)]


def _make_change(view: View, found: Sequence[tuple[Message, Finding]]) -> Change | None:
    edits, rows = requested_memories.note_requests(view, [(message, finding.text) for message, finding in found])
    if not edits:
        return None
    texts = [finding.text for _, finding in found]
    count = f"{len(texts)} requests of a conversation"
    subject = shorten(fold_spaces(texts[0]), _SUBJECT) if len(texts) == 1 else count
    pointers = dict.fromkeys(pointer for message, finding in found if (pointer := message.point_to(finding.quote)))
    reason = "\n".join(f"- {text}" for text in texts)
    evidence = tuple(pointers)[:_MAX_POINTERS]
    return Change(f"journal: {subject}", reason, edits, evidence, "operator", NAME, rows=rows)
