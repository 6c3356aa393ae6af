"""The store of conversations."""

# ruff: noqa: S608 -- statements are made of constants, and every value is a parameter

import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError, Command, address_invalid, file_unreadable, format_newer
from clawgit.git.regular_file import make_private
from clawgit.safety.redaction import redact
from clawgit.sessions.chat_databases import VARIABLE, Database, Postgres, Sqlite
from clawgit.sessions.envelope import MACHINES, Origin, Session, choose_stricter
from clawgit.sessions.session_messages import Event, hash_words
from clawgit.sessions.transcript import Call
from clawgit.store.database import StateStore
from clawgit.text import evidence_pointer
from clawgit.text.document import clip_lines
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import records
from clawgit.workspace.commit_message import fold_spaces
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.workspace_base import SessionEvent

Stream = str
"""One source of a session: `database`, `file`, an archive such as `reset.2026-03-01T10-20-30.123Z`."""

Marks = Mapping[str, Any]

_NO_TIME, _HASHED, _QUOTE_CHARS = "00000000-0000", 8, 160


class Message(Struct, frozen=True):
    """A message or action in a session; `time` counts seconds since 1970, None if unknown."""

    session: str
    event: str
    role: Literal["user", "assistant", "tool"]
    origin: Origin
    text: str
    time: float | None
    tool: str = ""
    failed: bool = False
    calls: tuple[Call, ...] = ()

    @property
    def day(self) -> date | None:
        """The day on which it was said, in UTC: everywhere the same."""
        return None if self.time is None else datetime.fromtimestamp(self.time, UTC).date()

    @property
    def mention(self) -> str:
        """What a mention is known by: when it was said, to the minute in UTC, and a hash of the words.

        The earlier of two messages has the smaller one.
        """
        minute = _NO_TIME if self.time is None else f"{datetime.fromtimestamp(self.time, UTC):%Y%m%d-%H%M}"
        return f"{minute}-{hash_words('', self.text)[:_HASHED]}"

    def point_to(self, quote: str = "") -> str | None:
        """Return the evidence that points here, at the message or at words of it; None where nothing can point."""
        if not self.session or not self.event:
            return None
        pointer = Pointer(
            "session", id=self.session, event=self.event, quote=quote or fold_spaces(self.text)[:_QUOTE_CHARS]
        )
        text = evidence_pointer.format(pointer)
        try:
            return text if evidence_pointer.parse_pointer(text) == pointer else None
        except ClawgitError:
            return None

    @property
    def turn(self) -> SessionEvent:
        """The same as a turn."""
        date_text = datetime.fromtimestamp(self.time, UTC).isoformat() if self.time is not None else None
        return SessionEvent(self.text, self.role, date_text, self.origin)


class Summary(Struct, frozen=True):
    """A session that is kept, and how much of it; `operators` are the operator's messages as far as known."""

    session: Session
    messages: int
    operators: int
    first: float | None
    last: float | None


FORMAT = 2
"""In the text and the calls of messages a secret is named, not repeated."""
DATABASE = "database"
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
    "DROP TABLE IF EXISTS chat_link",
    "CREATE INDEX IF NOT EXISTS chat_same ON chat_message (agent, session, digest)",
    "CREATE INDEX IF NOT EXISTS chat_list ON chat_message (agent, session, shown, at, time)",
)
"""`shown` says that a message stands on the branch that counts, as the source of its `stream` has it: OpenClaw's own
database if that has the message. clawgit 0.2 kept the trees in `chat_link`.
"""

HERE = "agent = ? AND session = ?"
COLUMNS = "event, role, origin, body, time, tool, failed, calls"
PUT_MESSAGE = """INSERT INTO chat_message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
      ON CONFLICT (agent, session, event) DO UPDATE SET stream = excluded.stream, ordinal = excluded.ordinal,
      at = excluded.at, time = excluded.time, role = excluded.role, origin = excluded.origin, body = excluded.body,
      tool = excluded.tool, failed = excluded.failed, calls = excluded.calls, digest = excluded.digest, shown = 1"""
PUT_SESSION = """INSERT INTO chat_session VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (agent, session) DO UPDATE SET
      key = excluded.key, kind = excluded.kind, channel = excluded.channel, started = excluded.started"""
PUT_MARK = "INSERT INTO chat_mark VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET mark = excluded.mark"
REWORD = f"UPDATE chat_message SET body = ?, calls = ?, digest = ? WHERE {HERE} AND event = ?"

_MAX_QUERY_VALUES = 400  # values in one question
_FORGOTTEN = "forgotten:"
_LOCK = "SELECT pg_advisory_xact_lock(203056663)"  # so that two who come first do not both make the tables


def open_chat_store(store: StateStore, environ: Mapping[str, str], *, reading: bool = False) -> "ChatStore":
    """Open the store that `CLAWGIT_CHAT_URL` names, else the one in `state.db`.

    `reading` makes no missing file. The address comes from the environment alone, since it may contain a password: no
    error has it in it. Raises ClawgitError.
    """
    url = environ.get(VARIABLE, "").strip()
    scheme, _, rest = url.partition("://")
    if scheme in ("postgresql", "postgres"):
        return prepare(Postgres(url), "the chat store", _LOCK)
    if url and scheme != "sqlite":
        raise address_invalid(f"{VARIABLE} is no postgresql:// or sqlite:// URL", fix=Command(f"unset {VARIABLE}"))
    if url:
        place: Path | None = Path(f"/{rest.lstrip('/')}")
        place = None if reading and place and not place.exists() else place
    else:
        place = None if reading and not store.has_table("chat_message") else store.prepare()
    if place is not None:
        try:
            # SQLite would make a new file with the rights of the umask.
            make_private(place)
        except OSError as exc:
            raise file_unreadable(f"{place}: {exc.strerror}", fix=Command("ls -ld {}", place.parent)) from exc
    return prepare(Sqlite(place), str(place))


def open_untainted(workspace: Workspace, environ: Mapping[str, str], *, reading: bool = False) -> "ChatStore":
    """Open the store of a workspace for learning or searching: tainted turns are empty.

    Raises ClawgitError.
    """
    store = open_chat_store(workspace.store, environ, reading=reading)
    register = records.parse_register(workspace.read(records.TAINTED_PATH) or "")
    store.is_tainted = lambda message: register.of_turn(message.session, message.event) is not None
    return store


def find_turn(folder: Path, session: str, event: str) -> SessionEvent | None:
    """Return a turn of a session from the chat store in `folder` (`.git/clawgit`)."""
    with open_chat_store(StateStore(folder), os.environ, reading=True) as store:
        return store.turn(session, event)


def prepare(database: Database, name: str, *before: str) -> "ChatStore":
    """Make missing tables, after the statements of `before`, and return their store.

    Raises ClawgitError for a younger store, and closes the database.
    """
    try:
        with database.transaction():
            for statement in (*before, *SCHEMA):
                database.rows(statement)
            format_rows = database.rows("SELECT version FROM chat_format")
            if not format_rows:
                database.rows("INSERT INTO chat_format VALUES (?)", FORMAT)
            elif format_rows[0][0] > FORMAT:
                raise format_newer(
                    f"{name} was written by a younger clawgit", fix=Command("pip install --upgrade clawgit")
                )
    except ClawgitError:
        database.close()
        raise
    return ChatStore(database)


class ChatStore(AbstractContextManager["ChatStore"]):
    """Keeps messages in an SQL database, each once, and the position in each source.

    All input of one call of `take` is kept, with the mark, or nothing of it. A learning caller sets `is_tainted`:
    tainted messages keep their place among the others, without their words.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.is_tainted: Callable[[Message], bool] = lambda _: False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def mark(self, source: str) -> Marks | None:
        """Return how far a source was read, None when it never was."""
        marks = self._database.rows("SELECT mark FROM chat_mark WHERE source = ?", source)
        value = json.loads(marks[0][0]) if marks else None
        return value if isinstance(value, dict) else None

    def take(
        self,
        session: Session,
        stream: Stream,
        events: Sequence[Event],
        source: str,
        mark: Marks,
        *,
        seen: Collection[str] = (),
        branch: Collection[str] | None = None,
    ) -> int:
        """Keep events of one source and its mark; return the number of new messages.

        Of a source that is read as a whole `seen` are the events so far; its last call has the `branch` that counts.
        """
        keys = (session.agent, session.id)
        with self._database.transaction():
            # What was kept as a message, and is none as the same source is read now, goes.
            dropped = f"DELETE FROM chat_message WHERE {HERE} AND stream = ? AND event IN"
            self._rows_of([event.id for event in events if event.skipped], dropped, *keys, stream)
            new = self._put(keys, stream, [event for event in events if event.is_message], seen)
            if branch is not None:
                self._show(keys, stream, seen, branch)
            self._database.rows(PUT_MARK, source, json.dumps(mark))
        return new

    def meet(self, session: Session) -> Session:
        """Keep the data of a session, and return all of it.

        Later data apply to existing messages: the words of a group stop being the operator's.
        """
        keys = (session.agent, session.id)
        with self._database.transaction():
            question = f"SELECT key, kind, channel, started FROM chat_session WHERE {HERE}"
            rows = [Session(session.id, session.agent, *row) for row in self._database.rows(question, *keys)]
            old = rows[0] if rows else session
            starts = [time for time in (old.started, session.started) if time is not None]
            key, channel = session.key or old.key, session.channel or old.channel
            record = Session(
                session.id,
                session.agent,
                key,
                choose_stricter(session.kind, old.kind),
                channel,
                min(starts, default=None),
            )
            if rows != [record]:
                self._database.rows(PUT_SESSION, *keys, record.key, record.kind, record.channel, record.started)
                if rows and record.kind in ("group", "hook"):
                    learnt = f"UPDATE chat_message SET origin = 'untrusted' WHERE {HERE} AND role = 'user'"
                    self._database.rows(learnt, *keys)
        return record

    def _rows_of(self, values: Collection[str], statement: str, *fixed: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a statement that ends with `IN`, asked with some of the values at a time."""
        rows, rest = list[tuple[Any, ...]](), iter(values)
        while batch := list(islice(rest, _MAX_QUERY_VALUES)):
            rows += self._database.rows(f"{statement} ({', '.join('?' * len(batch))})", *fixed, *batch)
        return rows

    def _put(self, keys: tuple[str, str], stream: Stream, messages: Sequence[Event], event_ids: Collection[str]) -> int:
        """Keep messages that are not there yet, by their id, or by the same words at the same time."""
        if not messages:
            return 0
        dumped = f"DELETE FROM chat_message WHERE {HERE} AND substr(stream, 1, 5) = 'dump:'"
        self._database.rows(dumped, *keys)  # clawgit 0.2 kept what `/new` left in memory/
        question = f"SELECT event, digest, time, stream, origin FROM chat_message WHERE {HERE} AND"
        events_by_id = {
            row[0]: row[1:]
            for row in self._rows_of([message.id for message in messages], f"{question} event IN", *keys)
        }
        words = self._rows_of([message.digest for message in messages], f"{question} digest IN", *keys)
        # Speaker, words and time of events; "" for one that a source no longer has by that name.
        utterances = {
            (digest, time): "" if event_ids and event not in event_ids else event
            for event, digest, time, *_ in words
            if time is not None
        }
        fresh, changes = [], []
        for message in messages:
            utterance = (message.digest, message.time)
            if message.id in events_by_id:
                digest, _, teller, origin = events_by_id[message.id]
                # Only OpenClaw's database, or the source that a message came from, changes it.
                is_new = (digest, stream, origin) != (message.digest, teller, message.origin)
                changes += [message] if is_new and stream in (DATABASE, teller) else []
            elif not (utterance in utterances and _may_repeat(message, utterances[utterance])):
                fresh.append(message)
                events_by_id[message.id] = (*utterance, stream, message.origin)
                if message.time is not None:
                    utterances.setdefault(utterance, message.id)
        self._database.each(PUT_MESSAGE, [_make_message_row(keys, stream, message) for message in (*fresh, *changes)])
        return len(fresh)

    def _show(self, keys: tuple[str, str], stream: Stream, event_ids: Collection[str], branch: Collection[str]) -> None:
        """Note which messages of a source stand on its branch that counts."""
        question = f"SELECT event, shown FROM chat_message WHERE {HERE} AND stream = ?"
        rows = ((event, flag, event in branch) for event, flag in self._database.rows(question, *keys, stream))
        changed = [(int(counts), *keys, event) for event, flag, counts in rows if event in event_ids and flag != counts]
        self._database.each(f"UPDATE chat_message SET shown = ? WHERE {HERE} AND event = ?", changed)

    def sessions(self) -> Sequence[Summary]:
        """Return the kept sessions, the oldest first, without those of machines."""
        rows = self._database.rows(
            """SELECT s.session, s.agent, s.key, s.kind, s.channel, s.started,
            COUNT(*), COUNT(CASE m.origin WHEN 'operator' THEN 1 END), MIN(m.time), MAX(m.time)
            FROM chat_session s JOIN chat_message m ON m.agent = s.agent AND m.session = s.session
            WHERE m.shown = 1 GROUP BY s.agent, s.session, s.key, s.kind, s.channel, s.started
            ORDER BY MIN(m.at), s.agent, s.session"""
        )
        return [Summary(Session(*row[:6]), *row[6:]) for row in rows if row[3] not in MACHINES]

    def messages(self, session: Session, *, abandoned: bool = False) -> Iterator[Message]:
        """Yield the messages of a session in order; those of abandoned branches only when asked for."""
        counts = "" if abandoned else "AND shown = 1"
        question = f"SELECT {COLUMNS} FROM chat_message WHERE {HERE} {counts} ORDER BY at, ordinal, event"
        for row in self._database.stream(question, session.agent, session.id):
            message = _read_message_row(session, row)
            yield replace(message, text="", calls=(), origin="untrusted") if self.is_tainted(message) else message

    def find_question(self, session: str, time: float) -> SessionEvent | None:
        """Return a person's last message in a session up to a moment, in seconds since 1970."""
        condition = "session = ? AND role = 'user' AND time <= ? ORDER BY at DESC, ordinal DESC LIMIT 1"
        return self._find_turn(session, condition, session, time)

    def turn(self, session: str, event: str) -> SessionEvent | None:
        """Return the turn of an event of a session, both given by id; None if it is not kept.

        Of two agents' sessions with one id, the first that has the event.
        """
        agents = "SELECT agent FROM chat_session WHERE session = ?"
        condition = f"agent IN ({agents}) AND session = ? AND event = ? ORDER BY agent LIMIT 1"
        return self._find_turn(session, condition, session, session, event)

    def _find_turn(self, session: str, condition: str, *values: Any) -> SessionEvent | None:
        rows = self._database.rows(f"SELECT {COLUMNS} FROM chat_message WHERE {condition}", *values)
        return next((_read_message_row(Session(session), row).turn for row in rows), None)

    def saying(self, role: str, text: str) -> Sequence[Message]:
        """Return the messages of all sessions with just these words, the newest first, none that is tainted."""
        question = f"SELECT agent, session, {COLUMNS} FROM chat_message WHERE digest = ? AND shown = 1 ORDER BY at DESC"
        # Secrets in kept messages are redacted, so they must be redacted here, too.
        rows = self._database.rows(question, hash_words(role, redact(text)))
        messages = (_read_message_row(Session(name, agent), tuple(row)) for agent, name, *row in rows)
        return [message for message in messages if not self.is_tainted(message)]

    def count(self, session: Session) -> int:
        """Return how many messages of a session are kept."""
        return int(
            self._database.rows(f"SELECT COUNT(*) FROM chat_message WHERE {HERE}", session.agent, session.id)[0][0]
        )

    def forget(self, agent: str, session: str) -> int:
        """Drop a session of an agent, for good, and remember that; return the number of its messages.

        The session is never imported again.
        """
        count = self.count(Session(session, agent))
        with self._database.transaction():
            for table in ("chat_message", "chat_session"):
                self._database.rows(f"DELETE FROM {table} WHERE {HERE}", agent, session)
            self._database.rows(PUT_MARK, _FORGOTTEN + json.dumps([agent, session]), "{}")
        if count:
            self._database.shrink()
        return count

    def reword(self, reword: Callable[[str], str], *, really: bool) -> int:
        """Rewrite messages with `reword`; return the number of changed ones, `really` or not.

        Their former words are nowhere in the files of the database then.
        """
        changed = _reworded(self._database, reword)
        if really and changed:
            with self._database.transaction():
                self._database.each(REWORD, changed)
            self._database.shrink()
        return len(changed)

    def forgotten(self) -> frozenset[tuple[str, str]]:
        """Return the forgotten sessions: the agent and the id of each."""
        question = "SELECT source FROM chat_mark WHERE substr(source, 1, ?) = ?"
        rows = self._database.rows(question, len(_FORGOTTEN), _FORGOTTEN)
        pairs = (json.loads(source.removeprefix(_FORGOTTEN)) for (source,) in rows)
        return frozenset((str(agent), str(session)) for agent, session in pairs)


def _read_message_row(session: Session, row: tuple[Any, ...]) -> Message:
    event, role, origin, body, time, tool, failed, calls = row
    tool_calls = tuple(Call(name, arguments) for name, arguments in json.loads(calls or "[]"))
    return Message(session.id, event, role, origin, clip_lines(body), time, tool, bool(failed), tool_calls)


def _may_repeat(event: Event, other: str) -> bool:
    """Return whether a message may be one that is kept as `other`, with the same words and time.

    Two tools that are called together may well answer alike, at once.
    """
    return event.role != "tool" or not other or other.startswith("~") or event.id.startswith("~")


def _make_message_row(keys: tuple[str, str], stream: Stream, event: Event) -> tuple[Any, ...]:
    place = (*keys, event.id, stream, event.ordinal, event.at, event.time)
    calls = _calls_text(event.calls)
    return (*place, event.role, event.origin, event.text, event.tool, int(event.failed), calls, event.digest)


def _reworded(database: Database, reword: Callable[[str], str]) -> list[tuple[str, ...]]:
    """Return the messages that read otherwise when they are reworded: text, calls, digest, agent, session, event."""
    changed: list[tuple[str, ...]] = []
    for agent, session, event, role, body, calls in database.stream(
        "SELECT agent, session, event, role, body, calls FROM chat_message"
    ):
        tool_calls = tuple(Call(call, reword(arguments)) for call, arguments in json.loads(calls or "[]"))
        text, calls_text = reword(body), _calls_text(tool_calls)
        if (text, calls_text) != (body, calls):
            changed.append((text, calls_text, hash_words(role, text or repr(tool_calls)), agent, session, event))
    return changed


def _calls_text(calls: Sequence[Call]) -> str:
    """Return calls as they are kept, "" for none."""
    return json.dumps([[call.name, call.arguments] for call in calls], ensure_ascii=False) if calls else ""
