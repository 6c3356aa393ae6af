"""Notes what a conversation asks to be kept."""

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
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.workspace import Workspace

NAME = "session-flush"
PART = 5_000
"""Messages that are read before what they gave is kept: of a longer conversation each part is a commit."""
_MAX_POINTERS, _SUBJECT = 250, 60


class SessionFlush(running.Agent):
    """Notes in the journals what the operator decided, or asked to be kept, in one conversation (spec H3, A6).

    Rules find it, no model. It goes to the journal of the day when it was said, each line with `session:` evidence, all
    of it in one commit, or in one for 5,000 messages, behind which it goes on when it was killed; what is noted already
    is not noted again.
    """

    name = NAME
    store: ChatStore
    session: str

    def propose(self, view: View, now: datetime) -> Iterator[Change | Progress]:
        """Yield the change of each part, and how far was read."""
        del now
        known = backlog.load_read(view.workspace, NAME)
        for unread in list_unread(self.store, known, None, lambda session: session.id == self.session):
            for start in range(0, len(unread.new), PART):
                read = unread.new[start : start + PART]
                own = [message for message in read if message.role == "user" and message.origin == "operator"]
                found = [(one, finding) for one in own for finding in requested_memories.list_requests(one.text)]
                yield from filter(None, [_make_change(view, found)])
                yield Progress(len(own), reached=unread.reach(start + len(read)), answered=known.answered)


def flush(workspace: Workspace, store: ChatStore, session: str) -> Result:
    """Note what a session of the chat store asks to be kept, before it is compacted; a killed flush is finished first.

    Raises ClawgitError; what landed before stays.
    """
    workspace.capture(())
    return running.apply(SessionFlush(store, session), workspace)


def kept_sentences(event: Event) -> list[str]:
    """Return the words of the operator's message that a flush would keep, letter for letter."""
    return [finding.quote for finding in requested_memories.list_requests(event.text)]


def _make_change(view: View, found: Sequence[tuple[Message, Finding]]) -> Change | None:
    edits, rows = requested_memories.note_requests(view, [(heard, finding.text) for heard, finding in found])
    if not edits:
        return None
    texts = [finding.text for _, finding in found]
    subject = shorten(one_line(texts[0]), _SUBJECT) if len(texts) == 1 else f"{len(texts)} requests of a conversation"
    pointers = dict.fromkeys(pointer for heard, finding in found if (pointer := heard.point_to(finding.quote)))
    why = "\n".join(f"- {text}" for text in texts)
    evidence = tuple(pointers)[:_MAX_POINTERS]
    return Change(f"journal: {subject}", why, edits, evidence, "operator", NAME, rows=rows)
