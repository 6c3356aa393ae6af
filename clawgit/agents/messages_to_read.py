"""The messages that an agent reads."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.memory.corrected_values import Turn
from clawgit.messages import message_flags
from clawgit.messages.triage import VALIDATOR, Triage
from clawgit.reading.backlog import Read, Span, Spans, find_messages, name_session, to_milliseconds
from clawgit.sessions.chat_store import ChatStore, Summary
from clawgit.sessions.session_messages import digest
from clawgit.store.database import StateStore
from clawgit.text import evidence_pointer
from clawgit.text.entry import named, normalise
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import commit_message
from clawgit.workspace.change import Origin
from clawgit.workspace.unkept_requests import message_of_mention

_NO_TIME = "00000000-0000"
_HASHED = 8
_QUOTE = 160


class Heard(Struct, frozen=True):
    """What somebody said; `time` counts seconds since 1970, None where nothing told.

    `session` and `event` are "" while only triage has seen it.
    """

    text: str
    origin: Origin
    time: float | None = None
    session: str = ""
    event: str = ""

    @property
    def day(self) -> date | None:
        """The day on which it was said, in UTC: everywhere the same."""
        return None if self.time is None else datetime.fromtimestamp(self.time, UTC).date()

    @property
    def mention(self) -> str:
        """What a mention is known by: when it was said, to the minute in UTC, and a hash of the words.

        The earlier of two messages has the smaller one.
        """
        when = _NO_TIME if self.time is None else f"{datetime.fromtimestamp(self.time, UTC):%Y%m%d-%H%M}"
        return f"{when}-{digest('', self.text)[:_HASHED]}"

    @property
    def message(self) -> str:
        """What the mentions of one message have in common, whoever tells of it, and how exactly."""
        return message_of_mention(self.mention)

    def pointer(self, quote: str = "") -> str | None:
        """Return the evidence that points here, at the message or at words of it; None where nothing can point."""
        if not self.session or not self.event:
            return None
        words = quote or commit_message.one_line(self.text)[:_QUOTE]
        meant = Pointer("session", id=self.session, event=self.event, quote=words)
        text = evidence_pointer.format(meant)
        try:
            return text if evidence_pointer.parse(text) == meant else None
        except ClawgitError:
            return None


class Told(Struct, frozen=True):
    """A message that may correct something, with what triage says of it and the turns before it."""

    heard: Heard
    found: Triage
    before: tuple[Turn, ...] = ()

    @property
    def name(self) -> str:
        """The id of the candidate that it may be."""
        return named("\0".join(("candidate", str(self.heard.day), normalise(self.heard.text))))

    @property
    def trigger(self) -> tuple[str, str]:
        """The words that called the validator, and how sure they are."""
        matches = [match for match in self.found.matches if match.route == VALIDATOR]
        best = next((match for match in matches if match.trigger_confidence == "high"), matches[0] if matches else None)
        return (best.text, best.trigger_confidence or "medium") if best else ("", "medium")


class New(Struct, frozen=True):
    """A message, and how far it is read with it: the session to there, or the flag."""

    heard: Heard
    reached: Spans = {}
    flag: str = ""


def flagged(store: ChatStore, state: StateStore, answered: str) -> Iterator[New]:
    """Yield the messages that triage flagged since the flag `answered`, found again in the conversations."""
    flags = message_flags.list_unanswered(state, (answered,))
    shared = Counter(one.session.id for one in store.sessions()) if flags else Counter[str]()
    gone = {session for _, session in store.forgotten()} if flags else set[str]()
    for flag in flags:
        if flag.session and flag.session in gone:
            continue
        heard = Heard(flag.text, "operator", datetime.fromisoformat(flag.at).timestamp())
        if message := next(find_messages(store, flag), None):
            session = message.session if shared[message.session] == 1 else ""
            heard = Heard(message.text, message.origin, message.time, session, message.event)
        yield New(heard, flag=flag.id)


def since(store: ChatStore, read: Read, start: float | None) -> Iterator[New]:
    """Yield what was not read yet, or was said from `start` on (seconds since 1970), the oldest session first.

    A session that shares its id with one of another agent is not cited.
    """
    summaries = store.sessions()
    shared = Counter(one.session.id for one in summaries)
    for summary in summaries:
        if is_read(summary, read, start):
            continue
        name, messages = name_session(summary.session), list(store.messages(summary.session))
        first = read.find_start(name, messages) if start is None else 0
        at = 0
        for number, message in enumerate(messages, 1):
            at = max(at, to_milliseconds(message.time))
            if number > first and (start is None or message.time is None or message.time >= start):
                session = message.session if shared[summary.session.id] == 1 else ""
                heard = Heard(message.text, message.origin, message.time, session, message.event)
                yield New(heard, {name: (Span("", message.event, number, at),)})


def is_read(summary: Summary, read: Read, start: float | None) -> bool:
    """Return whether nothing of a session is to be read: all of it was, or all is from before `start`."""
    if start is not None:
        return summary.last is not None and summary.last < start
    return read.has_all(summary)
