"""Where conversations are kept: the contract."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

from msgspec import Struct

from clawgit.sessions.events import Call
from clawgit.sessions.origin import Origin, Session
from clawgit.sessions.reading import Event

Stream = str
"""One source of a session: `database`, `file`, an archive such as `reset.2026-03-01T10-20-30.123Z`, `dump:PATH`."""

Marks = Mapping[str, Any]


class Message(Struct, frozen=True):
    """What somebody said or did in a session; `time` counts seconds since 1970, None where nothing told."""

    session: str
    event: str
    role: Literal["user", "assistant", "tool"]
    origin: Origin
    text: str
    time: float | None
    tool: str = ""
    failed: bool = False
    calls: tuple[Call, ...] = ()


class Summary(Struct, frozen=True):
    """A session that is kept, and how much of it."""

    session: Session
    messages: int
    first: float | None
    last: float | None


class ChatStore(AbstractContextManager["ChatStore"], Protocol):
    """Keeps messages, each once, and remembers how far each source was read.

    Everything that one call of `take` brings is kept, with the mark, or nothing of it.
    """

    def mark(self, source: str) -> Marks | None:
        """Return how far a source was read, None when it never was."""

    def meet(self, session: Session) -> Session:
        """Keep what is known of a session, and return all of it.

        What is learnt later holds for what is there already: the words of a group stop being the operator's.
        """

    def take(
        self, session: Session, stream: Stream, events: Sequence[Event], source: str, mark: Marks, *, anew: bool = False
    ) -> int:
        """Keep events of one source and its mark; return how many messages are new.

        `anew` says that the source was rewritten, and these are its first events: what it held before no longer
        decides which branch counts, and what it says now goes before what was kept.
        """

    def sessions(self) -> Sequence[Summary]:
        """Return what is kept, the oldest session first; machines' own sessions are not."""

    def messages(self, session: Session, *, abandoned: bool = False) -> Iterator[Message]:
        """Yield the messages of a session in order; those of abandoned branches only when asked for."""

    def message(self, session: str, event: str) -> Message | None:
        """Return one message by the ids of its session and its event, whosever session that is; None without it."""

    def saying(self, role: str, text: str) -> Sequence[Message]:
        """Return the messages of all sessions in which somebody says just these words, the newest first."""

    def count(self, session: Session) -> int:
        """Return how many messages of a session are kept."""

    def forget(self, agent: str, session: str) -> int:
        """Drop what a session of an agent said, for good, and remember that; return how many messages that were.

        The session is never met again.
        """

    def forgotten(self) -> Collection[tuple[str, str]]:
        """Return the forgotten sessions: the agent and the id of each."""

    def close(self) -> None:
        """Let go of the database."""
