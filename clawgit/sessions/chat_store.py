"""Where conversations are kept."""

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
from clawgit.safety.redaction import redacted
from clawgit.sessions import session_messages
from clawgit.sessions.chat_databases import VARIABLE, Postgres, Sqlite
from clawgit.sessions.envelope import MACHINES, Origin, Session, stricter
from clawgit.sessions.session_messages import Event, digest
from clawgit.sessions.transcript import Call
from clawgit.store.database import StateStore
from clawgit.text import evidence_pointer
from clawgit.text.document import clip_lines
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import taint_register
from clawgit.workspace.commit_message import one_line
from clawgit.workspace.workspace import Workspace
from clawgit.workspace.workspace_base import Turn

Stream = str
"""One source of a session: `database`, `file`, an archive such as `reset.2026-03-01T10-20-30.123Z`."""

Marks = Mapping[str, Any]

_NO_TIME, _HASHED, _QUOTE_CHARS = "00000000-0000", 8, 160


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

    def point_to(self, quote: str = "") -> str | None:
        """Return the evidence that points here, at the message or at words of it; None where nothing can point."""
        if not self.session or not self.event:
            return None
        meant = Pointer("session", id=self.session, event=self.event, quote=quote or one_line(self.text)[:_QUOTE_CHARS])
        text = evidence_pointer.format(meant)
        try:
            return text if evidence_pointer.parse(text) == meant else None
        except ClawgitError:
            return None

    @property
    def turn(self) -> Turn:
        """The same as what was said in a turn."""
        when = datetime.fromtimestamp(self.time, UTC).isoformat() if self.time is not None else None
        return Turn(self.text, self.role, when, self.origin)


class Summary(Struct, frozen=True):
    """A session that is kept, and how much of it."""

    session: Session
    messages: int
    first: float | None
    last: float | None


FORMAT = 2
"""Since 2 a secret is named in what is kept, and not repeated."""
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
REWORD = f"UPDATE chat_message SET body = ?, calls = ?, digest = ? WHERE {HERE} AND event = ?"

_SOME = 400  # values in one question
_FORGOTTEN = "forgotten:"
_LOCK = "SELECT pg_advisory_xact_lock(203056663)"  # so that two who come first do not both make the tables


def opened(store: StateStore, environ: Mapping[str, str], *, reading: bool = False) -> "ChatStore":
    """Open the store that `CLAWGIT_CHAT_URL` names, else the one in `state.db`.

    `reading` makes no file where there is none. The address comes from the environment alone, since it may hold a
    password: no error has it in it. Raises ClawgitError.
    """
    url = environ.get(VARIABLE, "").strip()
    scheme, _, rest = url.partition("://")
    if scheme in ("postgresql", "postgres"):
        return prepare(Postgres(url), "the chat store", _LOCK)
    if url and scheme != "sqlite":
        raise address_invalid(f"{VARIABLE} is no postgresql:// or sqlite:// URL", fix=Command(f"unset {VARIABLE}"))
    if url:
        place = Path(f"/{rest.lstrip('/')}")
        return opened_sqlite(None if reading and not place.exists() else place)
    return opened_sqlite(None if reading and not store.has_table("chat_message") else store.prepare())


def opened_untainted(workspace: Workspace, environ: Mapping[str, str], *, reading: bool = False) -> "ChatStore":
    """Open the store of a workspace for whoever learns from it, or searches it: tainted turns say nothing.

    Raises ClawgitError.
    """
    store = opened(workspace.store, environ, reading=reading)
    register = taint_register.parse(workspace.read(taint_register.PATH) or "")
    store.is_tainted = lambda one: register.of_turn(one.session, one.event) is not None
    return store


def kept_turn(folder: Path, session: str, event: str) -> Turn | None:
    """Return what was said in a session, as the chat store in `folder` (`.git/clawgit`) has it."""
    with opened(StateStore(folder), os.environ, reading=True) as store:
        return store.turn(session, event)


def opened_sqlite(place: Path | None) -> "ChatStore":
    """Open the store at `place`, making it where there is none; None is an empty one that is kept nowhere.

    Raises ClawgitError for a file that is no store.
    """
    if place is not None:
        try:
            make_private(place)
        except OSError as exc:
            raise file_unreadable(f"{place}: {exc.strerror}", fix=Command("ls -ld {}", place.parent)) from exc
    return prepare(Sqlite(place), str(place))


def prepare(database: Sqlite | Postgres, name: str, *before: str) -> "ChatStore":
    """Make the tables where there are none, bring older ones up to date, and return their store.

    Statements `before` that come first. A store of format 1 kept secrets as they were said: they are named in place of
    repeating them; interrupted, that begins anew. Raises ClawgitError for a younger store, and closes the database.
    """
    try:
        with database.transaction():
            for statement in (*before, *SCHEMA):
                database.rows(statement)
            found = database.rows("SELECT version FROM chat_format")
            if not found:
                database.rows("INSERT INTO chat_format VALUES (?)", FORMAT)
            elif found[0][0] > FORMAT:
                raise format_newer(
                    f"{name} was written by a younger clawgit", fix=Command("pip install --upgrade clawgit")
                )
        if found and found[0][0] < FORMAT:
            with database.transaction():
                database.each(REWORD, _reworded(database, redacted))
                database.rows("UPDATE chat_format SET version = ?", FORMAT)
            database.shrink()
    except ClawgitError:
        database.close()
        raise
    return ChatStore(database)


class ChatStore(AbstractContextManager["ChatStore"]):
    """Keeps messages in a database that speaks SQL, each once, and remembers how far each source was read.

    Everything that one call of `take` brings is kept, with the mark, or nothing of it. Whoever learns from messages
    sets `is_tainted`: tainted ones keep their place among the others, without their words.
    """

    def __init__(self, database: Sqlite | Postgres) -> None:
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
        found = self._database.rows("SELECT mark FROM chat_mark WHERE source = ?", source)
        value = json.loads(found[0][0]) if found else None
        return value if isinstance(value, dict) else None

    def take(
        self, session: Session, stream: Stream, events: Sequence[Event], source: str, mark: Marks, *, anew: bool = False
    ) -> int:
        """Keep events of one source and its mark; return how many messages are new.

        `anew` says that the source was rewritten, and these are its first events: what it held before no longer
        decides which branch counts, and what it says now goes before what was kept.
        """
        here = (session.agent, session.id)
        with self._database.transaction():
            leaf = (self.mark(source) or {}).get("leaf")
            if anew:
                gone = f"UPDATE chat_link SET ordinal = -1 WHERE {HERE} AND stream = ? AND ordinal >= 0"
                self._database.rows(gone, *here, stream)
            # What was kept as a message, and is none as the same source is read now, goes.
            dropped = f"DELETE FROM chat_message WHERE {HERE} AND stream = ? AND event IN"
            self._rows_of([event.id for event in events if event.skipped], dropped, *here, stream)
            new = self._put(here, stream, [event for event in events if event.is_message])
            leaf = self._grow(here, stream, events, None if anew else leaf)
            self._database.rows(PUT_MARK, source, json.dumps({**mark, "leaf": leaf}))
        return new

    def meet(self, session: Session) -> Session:
        """Keep what is known of a session, and return all of it.

        What is learnt later holds for what is there already: the words of a group stop being the operator's.
        """
        here = (session.agent, session.id)
        with self._database.transaction():
            found = self._database.rows(f"SELECT key, kind, channel, started FROM chat_session WHERE {HERE}", *here)
            kept = Session(session.id, session.agent, *found[0]) if found else None
            if kept is not None:
                started = min((one for one in (kept.started, session.started) if one is not None), default=None)
                key, channel = session.key or kept.key, session.channel or kept.channel
                session = Session(session.id, session.agent, key, stricter(session.kind, kept.kind), channel, started)
            if session != kept:
                self._database.rows(PUT_SESSION, *here, session.key, session.kind, session.channel, session.started)
                if kept is not None and session.kind in ("group", "hook"):
                    learnt = f"UPDATE chat_message SET origin = 'untrusted' WHERE {HERE} AND role = 'user'"
                    self._database.rows(learnt, *here)
        return session

    def _rows_of(self, values: Collection[str], statement: str, *fixed: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a statement that ends with `IN`, asked with some of the values at a time."""
        found, rest = list[tuple[Any, ...]](), iter(values)
        while some := list(islice(rest, _SOME)):
            found += self._database.rows(f"{statement} ({', '.join('?' * len(some))})", *fixed, *some)
        return found

    def _put(self, here: tuple[str, str], stream: Stream, messages: Sequence[Event]) -> int:
        """Keep messages that are not there yet, by their id, or by the same words at the same time."""
        if not messages:
            return 0
        dumped = f"DELETE FROM chat_message WHERE {HERE} AND substr(stream, 1, 5) = 'dump:'"
        self._database.rows(dumped, *here)  # clawgit 0.2 kept what `/new` left in memory/
        question = f"SELECT event, digest, time, stream, origin FROM chat_message WHERE {HERE} AND"
        kept = {row[0]: row[1:] for row in self._rows_of([one.id for one in messages], f"{question} event IN", *here)}
        words = self._rows_of([one.digest for one in messages], f"{question} digest IN", *here)
        spoken = self._spoken(here, stream, words)
        fresh, again = [], []
        for one in messages:
            same = (one.digest, one.time)
            if one.id in kept:
                digest, _, teller, origin = kept[one.id]
                other = (digest, origin) != (one.digest, one.origin)
                again += [one] if other and stream in (DATABASE, teller) else []
            elif not (same in spoken and _may_repeat(one, spoken[same])):
                fresh.append(one)
                kept[one.id] = (*same, stream, one.origin)
                if one.time is not None:
                    spoken.setdefault(same, one.id)
        self._database.each(PUT_MESSAGE, [_row(here, stream, one) for one in (*fresh, *again)])
        return len(fresh)

    def _spoken(self, here: tuple[str, str], stream: Stream, words: Sequence[tuple[Any, ...]]) -> dict[Any, str]:
        """Return who said what when, "" for what a rewritten source no longer has under the name that it had."""
        found = {(digest, time): event for event, digest, time, *_ in words if time is not None}
        question = f"SELECT event FROM chat_link WHERE {HERE} AND stream = ? AND ordinal < 0 AND event IN"
        gone = {row[0] for row in self._rows_of(sorted(found.values()), question, *here, stream)}
        return {same: "" if event in gone else event for same, event in found.items()}

    def _grow(self, here: tuple[str, str], stream: Stream, events: Sequence[Event], leaf: str | None) -> str | None:
        def known(wanted: Collection[str]) -> list[str]:
            question = f"SELECT event FROM chat_link WHERE {HERE} AND stream = ? AND ordinal >= 0 AND event IN"
            return [row[0] for row in self._rows_of(sorted(wanted), question, *here, stream)]

        tree = session_messages.grown(events, leaf, known)
        self._database.each(PUT_LINK, [(*here, link.event, stream, link.up, link.ordinal) for link in tree.links])
        elsewhere = self._database.rows(f"SELECT 1 FROM chat_link WHERE {HERE} AND stream <> ? LIMIT 1", *here, stream)
        touched = {link.event for link in tree.links} if elsewhere else set()
        if tree.forked:
            touched |= self._choose_branch(here, stream, tree.leaf)
        self._rows_of(sorted(touched), f"{SHOW} WHERE {HERE} AND event IN", *here)
        return tree.leaf

    def _choose_branch(self, here: tuple[str, str], stream: Stream, leaf: str | None) -> set[str]:
        """Note which branch counts in one source, and return the events for which that is new."""
        place = f"{HERE} AND stream = ?"
        question = f"SELECT event, up, active FROM chat_link WHERE {place} AND ordinal >= 0"
        rows = self._database.rows(question, *here, stream)
        chosen = session_messages.active({event: up for event, up, _ in rows}, leaf)
        changed = {event for event, _, on in rows if bool(on) is not (event in chosen)}
        values = [(int(event in chosen), *here, stream, event) for event in changed]
        self._database.each(f"UPDATE chat_link SET active = ? WHERE {place} AND event = ?", values)
        return changed

    def sessions(self) -> Sequence[Summary]:
        """Return what is kept, the oldest session first; machines' own sessions are not."""
        rows = self._database.rows(
            """SELECT s.session, s.agent, s.key, s.kind, s.channel, s.started, COUNT(*), MIN(m.time), MAX(m.time)
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
            one = _message(session, row)
            yield replace(one, text="", calls=(), origin="untrusted") if self.is_tainted(one) else one

    def find_question(self, session: str, time: float) -> Turn | None:
        """Return what a person said last in a session up to a moment, in seconds since 1970."""
        where = "session = ? AND role = 'user' AND time <= ? ORDER BY at DESC, ordinal DESC LIMIT 1"
        rows = self._database.rows(f"SELECT {COLUMNS} FROM chat_message WHERE {where}", session, time)
        return next((_message(Session(session), row).turn for row in rows), None)

    def turn(self, session: str, event: str) -> Turn | None:
        """Return what was said in an event of a session, both given by id; None where it is not kept.

        Of two agents' sessions with one id, the first that has the event.
        """
        agents = "SELECT agent FROM chat_session WHERE session = ?"
        where = f"agent IN ({agents}) AND session = ? AND event = ? ORDER BY agent LIMIT 1"
        rows = self._database.rows(f"SELECT {COLUMNS} FROM chat_message WHERE {where}", session, session, event)
        return next((_message(Session(session), row).turn for row in rows), None)

    def saying(self, role: str, text: str) -> Sequence[Message]:
        """Return the messages of all sessions with just these words, the newest first, none that is tainted."""
        question = f"SELECT agent, session, {COLUMNS} FROM chat_message WHERE digest = ? AND shown = 1 ORDER BY at DESC"
        rows = self._database.rows(question, digest(role, redacted(text)))
        found = (_message(Session(name, agent), tuple(row)) for agent, name, *row in rows)
        return [one for one in found if not self.is_tainted(one)]

    def count(self, session: Session) -> int:
        """Return how many messages of a session are kept."""
        return int(
            self._database.rows(f"SELECT COUNT(*) FROM chat_message WHERE {HERE}", session.agent, session.id)[0][0]
        )

    def forget(self, agent: str, session: str) -> int:
        """Drop what a session of an agent said, for good, and remember that; return how many messages that were.

        The session is never met again.
        """
        count = self.count(Session(session, agent))
        with self._database.transaction():
            for table in ("chat_message", "chat_link", "chat_session"):
                self._database.rows(f"DELETE FROM {table} WHERE {HERE}", agent, session)
            self._database.rows(PUT_MARK, _FORGOTTEN + json.dumps([agent, session]), "{}")
        if count:
            self._database.shrink()
        return count

    def reword(self, reword: Callable[[str], str], *, really: bool) -> int:
        """Have messages say what `reword` makes of them; return how many read otherwise, `really` or not.

        What they said is nowhere in the files of the database then.
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
        found = (json.loads(source.removeprefix(_FORGOTTEN)) for (source,) in rows)
        return frozenset((str(agent), str(session)) for agent, session in found)


def _message(session: Session, row: tuple[Any, ...]) -> Message:
    event, role, origin, body, time, tool, failed, calls = row
    made = tuple(Call(name, arguments) for name, arguments in json.loads(calls or "[]"))
    return Message(session.id, event, role, origin, clip_lines(body), time, tool, bool(failed), made)


def _may_repeat(one: Event, other: str) -> bool:
    """Return whether a message may be one that is kept as `other`, whose words and time are the same.

    Two tools that are called together may well answer alike, at once.
    """
    return one.role != "tool" or not other or other.startswith("~") or one.id.startswith("~")


def _row(here: tuple[str, str], stream: Stream, one: Event) -> tuple[Any, ...]:
    who = (one.role, one.origin, one.text, one.tool, int(one.failed), _calls_text(one.calls), one.digest)
    return (*here, one.id, stream, one.ordinal, one.at, one.time, *who)


def _reworded(database: Sqlite | Postgres, reword: Callable[[str], str]) -> list[tuple[str, ...]]:
    """Return the messages that read otherwise when they are reworded: text, calls, digest, agent, session, event."""
    changed: list[tuple[str, ...]] = []
    for agent, session, event, role, body, calls in database.stream(
        "SELECT agent, session, event, role, body, calls FROM chat_message"
    ):
        made = tuple(Call(call, reword(arguments)) for call, arguments in json.loads(calls or "[]"))
        text, kept = reword(body), _calls_text(made)
        if (text, kept) != (body, calls):
            changed.append((text, kept, digest(role, text or repr(made)), agent, session, event))
    return changed


def _calls_text(made: Sequence[Call]) -> str:
    """Return calls as they are kept, "" for none."""
    return json.dumps([[call.name, call.arguments] for call in made], ensure_ascii=False) if made else ""
