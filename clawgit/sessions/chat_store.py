"""Where conversations are kept: the contract, and the tables."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

from msgspec import Struct

from clawgit.sessions.envelope import Origin, Session
from clawgit.sessions.session_messages import Event
from clawgit.sessions.transcript import Call

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

    def find_question(self, session: str, time: float) -> Message | None:
        """Return the last message of a person in a session up to a moment, in seconds since 1970."""

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

    def reword(self, reword: Callable[[str], str], *, really: bool) -> int:
        """Have messages say what `reword` makes of them; return how many read otherwise, `really` or not.

        What they said is nowhere in the files of the database then.
        """

    def forgotten(self) -> Collection[tuple[str, str]]:
        """Return the forgotten sessions: the agent and the id of each."""

    def close(self) -> None:
        """Let go of the database."""


class Database(Protocol):
    """A connection; in every statement `?` stands for a value."""

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return all rows, none for a statement that has none."""

    def stream(self, statement: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Yield rows without holding them all."""

    def each(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement with each of `rows`."""

    def transaction(self) -> AbstractContextManager[object]:
        """Begin what lands as a whole."""

    def shrink(self) -> None:
        """Give back the room of what was replaced, so that nothing of it can be read any more."""

    def close(self) -> None:
        """End the connection."""


FORMAT = 2
"""Since 2 a secret is named in what is kept, and not repeated."""
DATABASE, DUMP = "database", "dump:"
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS chat_format (version INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS chat_mark (source TEXT PRIMARY KEY, mark TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS chat_session (
      agent TEXT NOT NULL, session TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, channel TEXT NOT NULL,
      started DOUBLE PRECISION, PRIMARY KEY (agent, session))""",
    """CREATE TABLE IF NOT EXISTS chat_message (
      agent TEXT NOT NULL, session TEXT NOT NULL, event TEXT NOT NULL, stream TEXT NOT NULL, ordinal BIGINT NOT NULL,
      at DOUBLE PRECISION NOT NULL, time DOUBLE PRECISION, role TEXT NOT NULL, origin TEXT NOT NULL, body TEXT NOT NULL,
      tool TEXT NOT NULL, failed INTEGER NOT NULL, calls TEXT NOT NULL, digest TEXT NOT NULL,
      shown INTEGER NOT NULL, PRIMARY KEY (agent, session, event))""",
    "CREATE INDEX IF NOT EXISTS chat_same ON chat_message (agent, session, digest)",
    "CREATE INDEX IF NOT EXISTS chat_list ON chat_message (agent, session, shown, at, time)",
    """CREATE TABLE IF NOT EXISTS chat_link (
      agent TEXT NOT NULL, session TEXT NOT NULL, event TEXT NOT NULL, stream TEXT NOT NULL, up TEXT,
      ordinal BIGINT NOT NULL, active INTEGER NOT NULL, PRIMARY KEY (agent, session, event, stream))""",
)
"""`shown` says that a message stands on a branch that counts.

`up` is what an event hangs below; an `ordinal` of -1 says that a rewritten source no longer has it.
"""

HERE = "agent = ? AND session = ?"
COLUMNS = "event, role, origin, body, time, tool, failed, calls"
SHOW = """UPDATE chat_message SET shown = COALESCE(
      (SELECT l.active FROM chat_link l WHERE l.agent = chat_message.agent AND l.session = chat_message.session
        AND l.event = chat_message.event AND l.stream = 'database'),
      (SELECT MAX(l.active) FROM chat_link l WHERE l.agent = chat_message.agent AND l.session = chat_message.session
        AND l.event = chat_message.event), 1)"""
"""What counts is told by OpenClaw's own database, where it has the event, else by any source."""
PUT_LINK = """INSERT INTO chat_link VALUES (?, ?, ?, ?, ?, ?, 1)
      ON CONFLICT (agent, session, event, stream) DO UPDATE SET up = excluded.up, ordinal = excluded.ordinal, active = 1
      WHERE chat_link.ordinal < 0"""
PUT_MESSAGE = """INSERT INTO chat_message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
      ON CONFLICT (agent, session, event) DO UPDATE SET stream = excluded.stream, ordinal = excluded.ordinal,
      at = excluded.at, time = excluded.time, role = excluded.role, origin = excluded.origin, body = excluded.body,
      tool = excluded.tool, failed = excluded.failed, calls = excluded.calls, digest = excluded.digest"""
PUT_SESSION = """INSERT INTO chat_session VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (agent, session) DO UPDATE SET
      key = excluded.key, kind = excluded.kind, channel = excluded.channel, started = excluded.started"""
PUT_MARK = "INSERT INTO chat_mark VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET mark = excluded.mark"
