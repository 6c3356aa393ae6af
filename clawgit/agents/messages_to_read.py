"""The messages that an agent reads."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from clawgit.messages import message_flags
from clawgit.reading.backlog import Read, Span, Spans, find_messages, name_session, to_milliseconds
from clawgit.sessions.chat_store import ChatStore, Message
from clawgit.sessions.envelope import Origin, Session
from clawgit.store.database import StateStore


def make_message(text: str, origin: Origin, time: float | None, session: str = "", event: str = "") -> Message:
    """Return what a person said; without a session and an event nothing can cite it."""
    return Message(session, event, "user", origin, text, time)


def list_flagged(store: ChatStore, state: StateStore, answered: str) -> Iterator[tuple[str, Message]]:
    """Yield the flags since `answered`, each with its message, found again in the conversations."""
    flags = message_flags.list_unanswered(state, (answered,))
    shared = Counter(one.session.id for one in store.sessions()) if flags else Counter[str]()
    gone = {session for _, session in store.forgotten()} if flags else set[str]()
    for flag in flags:
        if flag.session and flag.session in gone:
            continue
        message = next(find_messages(store, flag), None)
        if message is None:
            message = make_message(flag.text, "operator", datetime.fromisoformat(flag.at).timestamp())
        yield flag.id, message if shared[message.session] == 1 else replace(message, session="")


class Unread(Struct, frozen=True):
    """A session with its `messages`, of which those that are `new` were not read yet."""

    session: Session
    messages: Sequence[Message]
    new: Sequence[Message]

    def reach(self, count: int = 0) -> Spans:
        """Return how far it is read with all of its messages, or with so many that are new."""
        read = self.messages[: len(self.messages) - len(self.new) + count] if count else self.messages
        time = max((to_milliseconds(message.time) for message in read), default=0)
        return {name_session(self.session): (Span("", read[-1].event, len(read), time),)}


def list_unread(
    store: ChatStore, read: Read, start: float | None, is_wanted: Callable[[Session], bool] = lambda _: True
) -> Iterator[Unread]:
    """Yield the sessions with what was not read yet, or was said from `start` on (seconds since 1970), oldest first.

    A session that shares its id with one of another agent is not cited.
    """
    summaries = store.sessions()
    shared = Counter(one.session.id for one in summaries)
    for summary in summaries:
        session = summary.session
        is_old = read.has_all(summary) if start is None else summary.last is not None and summary.last < start
        if is_old or not is_wanted(session) or not (messages := list(store.messages(session))):
            continue
        if shared[session.id] > 1:
            messages = [replace(message, session="") for message in messages]
        first = read.find_start(name_session(session), messages) if start is None else 0
        new = [one for one in messages[first:] if start is None or one.time is None or one.time >= start]
        yield Unread(session, messages, new)
