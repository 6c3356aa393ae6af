"""Notes what a conversation asks to be kept."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial

from msgspec.structs import replace

from clawgit.agents import messages_to_read as agents_heard
from clawgit.agents import mining_step, recall_validator, running
from clawgit.agents.known_memories import Book
from clawgit.agents.messages_to_read import Heard, Progress
from clawgit.agents.mining_step import Part
from clawgit.agents.reading_by_rules import Ground, Step, by_rules, take
from clawgit.agents.running import Learnt, Proposal, Result, View
from clawgit.reading.explicit_requests import Extracted, extract
from clawgit.sessions.chat_store import ChatStore, Message, Summary
from clawgit.sessions.session_messages import Event
from clawgit.workspace.reading_cursors import Cursor
from clawgit.workspace.workspace import Workspace

NAME = "session-flush"
PART = 5_000
"""Messages that are read before what they gave is kept: of a longer conversation each part is a commit."""


class SessionFlush:
    """Notes in the journals what the operator decided, or asked to be kept, in one conversation (spec H3, A6).

    Rules find it, no model. It goes to the journal of the day when it was said, each line with `session:` evidence, all
    of it in one commit, or in one for 5,000 messages, behind which it goes on when it was killed; what is noted already
    is not noted again.
    """

    name = NAME
    notes: Sequence[str] = ()

    def __init__(self, store: ChatStore, session: str) -> None:
        self._store, self._session = store, session
        self.usage: Mapping[str, float] = {}

    def propose(self, view: View, now: datetime) -> Iterator[Proposal]:
        """Yield a proposal for each part: the change, or how far was read without one."""
        ground = Ground(view.workspace.memory_file, "", now.date(), partial(mining_step.is_listed, view, ""))
        book = Book(view, ground.path)
        summaries = [session for session in self._store.sessions() if session.session.id == self._session]
        known = agents_heard.load(view.workspace, NAME)
        for summary in summaries:
            messages = list(self._store.messages(summary.session))
            told = _said(messages, alone=len(summaries) == 1)
            for start in range(_first(messages, summary, known), len(messages), PART):
                step, end = Step(), start + PART
                for heard in filter(None, told[start:end]):
                    given = recall_validator.without_corrections(heard, by_rules(heard))
                    notes = tuple(replace(finding, kind="note") for finding in given.findings)
                    take(step, book, ground, heard, Extracted(notes, given.refused))
                yield _proposal(view, ground, step, _reached(summary, messages[:end]), known.answered)


def flush(workspace: Workspace, store: ChatStore, session: str) -> Result:
    """Note what a session of the chat store asks to be kept, before it is compacted; a killed flush is finished first.

    Raises ClawgitError; what landed before stays.
    """
    workspace.capture(())
    return running.apply(SessionFlush(store, session), workspace)


def kept_sentences(event: Event) -> list[str]:
    """Return the words of the operator's message that a flush would keep, letter for letter."""
    return [finding.quote for finding in extract(event.text).findings]


def _name(summary: Summary) -> str:
    session = summary.session
    return f"{session.agent}/{session.id}" if session.agent else session.id


def _first(messages: Sequence[Message], summary: Summary, known: Progress) -> int:
    """Return the number of the first message that no flush has read; 0 where what was read has changed since."""
    name = _name(summary)
    cursor, count = known.cursors.get(name), known.counts.get(name, 0)
    same = cursor is not None and 0 < count <= len(messages) and messages[count - 1].event == cursor.event
    return count if same else 0


def _said(messages: Sequence[Message], *, alone: bool) -> list[Heard | None]:
    """Return what the operator said, None for what others did; only a session whose id no other has can be cited."""
    found, before = list[Heard | None](), ""
    for one in messages:
        own = one.role == "user" and one.origin == "operator"
        found.append(
            Heard(one.text, one.origin, one.time, one.session if alone else "", one.event, before) if own else None
        )
        before = one.text if one.role == "assistant" and one.text else before
    return found


def _reached(summary: Summary, read: Sequence[Message]) -> tuple[tuple[Cursor, int], ...]:
    at = round(max((one.time or 0.0) for one in read) * 1000)
    return ((Cursor(_name(summary), read[-1].event, at), len(read)),)


def _proposal(
    view: View, ground: Ground, step: Step, reached: tuple[tuple[Cursor, int], ...], answered: str
) -> Proposal:
    done = Proposal(None, (), step.read, dict(step.skipped), reached, answered)
    if not step.notes:
        return done
    part = Part("operator", notes=tuple(step.notes))
    learnt = tuple(Learnt(note.finding.text, "", note.finding.tag, "note", "", note.evidence) for note in step.notes)
    return replace(done, change=mining_step.change(view, part, ground, NAME), learnt=learnt)
