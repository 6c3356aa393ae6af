"""The tree of a transcript, and the branch that counts."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import TracebackType
from typing import Any

from msgspec import Struct

from clawgit.errors import Command, format_newer
from clawgit.safety.redaction import redacted
from clawgit.sessions import chat_rewording
from clawgit.sessions.chat_rewording import calls_text
from clawgit.sessions.chat_store import (
    COLUMNS,
    DATABASE,
    DUMP,
    FORMAT,
    HERE,
    PUT_LINK,
    PUT_MARK,
    PUT_MESSAGE,
    PUT_SESSION,
    SCHEMA,
    SHOW,
    ChatStore,
    Database,
    Marks,
    Message,
    Stream,
    Summary,
)
from clawgit.sessions.envelope import MACHINES, Session, stricter
from clawgit.sessions.session_messages import Event, digest
from clawgit.sessions.transcript import Call
from clawgit.text.document import clip_lines


class Link(Struct, frozen=True):
    """Where an event hangs: below the one called `up`, which stands earlier in the same source; None is a root."""

    event: str
    up: str | None
    ordinal: int


class Grown(Struct, frozen=True):
    """What a tree gained: its new links, the leaf that now ends its active branch, and whether it `forked`."""

    links: tuple[Link, ...]
    leaf: str | None
    forked: bool


def grown(events: Iterable[Event], leaf: str | None, known: Callable[[Collection[str]], Collection[str]]) -> Grown:
    """Return the links of events that follow `leaf` in one source; `known` returns which ids stand there already.

    A parent that does not stand earlier (it was on a line that cannot be read, or closes a circle) counts as the event
    before, so that one bad line does not hide what came before it. An event that is there already is passed over.
    """
    events = list(events)
    wanted = {event.id for event in events} | {event.parent for event in events if event.parent}
    standing = set(known(wanted))
    links, forked = [], False
    for event in events:
        if event.id in standing:
            continue
        up = leaf if event.parent == "" or (event.parent and event.parent not in standing) else event.parent
        forked |= up != leaf
        links.append(Link(event.id, up, event.ordinal))
        standing.add(event.id)
        leaf = event.id
    return Grown(tuple(links), leaf, forked)


def active(ups: Mapping[str, str | None], leaf: str | None) -> frozenset[str]:
    """Return the events from `leaf` up to its root; a circle ends the way."""
    found: set[str] = set()
    while leaf is not None and leaf in ups and leaf not in found:
        found.add(leaf)
        leaf = ups[leaf]
    return frozenset(found)


# ruff: noqa: S608 -- statements are made of constants, and every value is a parameter


_SOME = 400  # values in one question
_FORGOTTEN = "forgotten:"


def prepare(database: Database, name: str) -> None:
    """Make the tables where there are none, and bring older ones up to date. Raises ClawgitError for younger ones.

    Call it within a transaction; `shrink` the database afterwards if it returns True. A store of format 1 kept secrets
    as they were said.
    """
    for statement in SCHEMA:
        database.rows(statement)
    found = database.rows("SELECT version FROM chat_format")
    if not found:
        database.rows("INSERT INTO chat_format VALUES (?)", FORMAT)
    elif found[0][0] > FORMAT:
        raise format_newer(f"{name} was written by a younger clawgit", fix=Command("pip install --upgrade clawgit"))


def outdated(database: Database) -> bool:
    """Return whether the store still holds secrets as they were said."""
    found = database.rows("SELECT version FROM chat_format")
    return bool(found) and found[0][0] < FORMAT


class SqlChatStore(ChatStore):
    """Conversations in a database that speaks SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def mark(self, source: str) -> Marks | None:
        """Return how far a source was read."""
        found = self._database.rows("SELECT mark FROM chat_mark WHERE source = ?", source)
        value = json.loads(found[0][0]) if found else None
        return value if isinstance(value, dict) else None

    def take(
        self, session: Session, stream: Stream, events: Sequence[Event], source: str, mark: Marks, *, anew: bool = False
    ) -> int:
        """Keep events of one source and its mark."""
        here = (session.agent, session.id)
        with self._database.transaction():
            leaf = (self.mark(source) or {}).get("leaf")
            if anew:
                gone = f"UPDATE chat_link SET ordinal = -1 WHERE {HERE} AND stream = ? AND ordinal >= 0"
                self._database.rows(gone, *here, stream)
            self._drop(here, stream, [event.id for event in events if event.skipped])
            new = self._put(here, stream, [event for event in events if event.is_message])
            leaf = self._grow(here, stream, events, None if anew else leaf)
            self._database.rows(PUT_MARK, source, json.dumps({**mark, "leaf": leaf}))
        return new

    def meet(self, session: Session) -> Session:
        """Keep what is known of a session, and return all of it."""
        with self._database.transaction():
            return self._met(session)

    def _met(self, session: Session) -> Session:
        kept = self._session(session.agent, session.id)
        if kept is not None:
            started = min((one for one in (kept.started, session.started) if one is not None), default=None)
            kind = stricter(session.kind, kept.kind)
            session = Session(
                session.id, session.agent, session.key or kept.key, kind, session.channel or kept.channel, started
            )
        if session == kept:
            return session
        here = (session.agent, session.id)
        self._database.rows(PUT_SESSION, *here, session.key, session.kind, session.channel, session.started)
        if kept is not None and session.kind in ("group", "hook"):
            self._database.rows(f"UPDATE chat_message SET origin = 'untrusted' WHERE {HERE} AND role = 'user'", *here)
        return session

    def _session(self, agent: str, name: str) -> Session | None:
        found = self._database.rows(f"SELECT key, kind, channel, started FROM chat_session WHERE {HERE}", agent, name)
        return Session(name, agent, *found[0]) if found else None

    def _put(self, here: tuple[str, str], stream: Stream, messages: Sequence[Event]) -> int:
        """Keep messages that are not there yet, by their id, or by the same words at the same time."""
        if not messages:
            return 0
        dump = stream.startswith(DUMP)
        kept = {row[0]: row[1:] for row in self._find(here, "event", [one.id for one in messages])}
        words = self._find(here, "digest", [one.digest for one in messages])
        told = {digest for _, digest, _, teller, _ in words if not teller.startswith(DUMP)}
        spoken = self._spoken(here, stream, words)
        fresh, again = [], []
        for one in messages:
            same = (one.digest, one.time)
            if one.id in kept:
                digest, _, teller, origin = kept[one.id]
                other = (digest, origin) != (one.digest, one.origin)
                again += [one] if other and stream in (DATABASE, teller) else []
            elif not (dump and one.digest in told) and not (same in spoken and _may_repeat(one, spoken[same])):
                fresh.append(one)
                kept[one.id] = (*same, stream, one.origin)
                if one.time is not None:
                    spoken.setdefault(same, one.id)
        if not dump and any(teller.startswith(DUMP) for *_, teller, _ in words):
            self._forget_dumped(here, [one.digest for one in messages])
        self._database.each(PUT_MESSAGE, [_row(here, stream, one) for one in (*fresh, *again)])
        return len(fresh)

    def _drop(self, here: tuple[str, str], stream: Stream, events: Sequence[str]) -> None:
        """Drop what was kept as a message, and is none as the same source is read now."""
        for some in _parts(events):
            marks = ", ".join("?" * len(some))
            gone = f"DELETE FROM chat_message WHERE {HERE} AND stream = ? AND event IN ({marks})"
            self._database.rows(gone, *here, stream, *some)

    def _spoken(self, here: tuple[str, str], stream: Stream, words: Sequence[tuple[Any, ...]]) -> dict[Any, str]:
        """Return who said what when, "" for what a rewritten source no longer has under the name that it had."""
        found = {(digest, time): event for event, digest, time, *_ in words if time is not None}
        question = f"SELECT event FROM chat_link WHERE {HERE} AND stream = ? AND ordinal < 0 AND event IN ({{}})"
        gone: set[str] = set()
        for some in _parts(sorted(found.values())):
            rows = self._database.rows(question.format(", ".join("?" * len(some))), *here, stream, *some)
            gone |= {row[0] for row in rows}
        return {same: "" if event in gone else event for same, event in found.items()}

    def _find(self, here: tuple[str, str], column: str, values: Sequence[str]) -> list[tuple[Any, ...]]:
        found = []
        for some in _parts(values):
            marks = ", ".join("?" * len(some))
            question = (
                f"SELECT event, digest, time, stream, origin FROM chat_message WHERE {HERE} AND {column} IN ({marks})"
            )
            found += self._database.rows(question, *here, *some)
        return found

    def _forget_dumped(self, here: tuple[str, str], digests: Sequence[str]) -> None:
        """Drop what a dump had told, once the transcript itself does."""
        for some in _parts(digests):
            marks = ", ".join("?" * len(some))
            self._database.rows(
                f"DELETE FROM chat_message WHERE {HERE} AND substr(stream, 1, 5) = 'dump:' AND digest IN ({marks})",
                *here,
                *some,
            )

    def _grow(self, here: tuple[str, str], stream: Stream, events: Sequence[Event], leaf: str | None) -> str | None:
        def known(wanted: Collection[str]) -> list[str]:
            found = []
            for some in _parts(sorted(wanted)):
                marks = ", ".join("?" * len(some))
                question = (
                    f"SELECT event FROM chat_link WHERE {HERE} AND stream = ? AND ordinal >= 0 AND event IN ({marks})"
                )
                found += [row[0] for row in self._database.rows(question, *here, stream, *some)]
            return found

        tree = grown(events, leaf, known)
        self._database.each(PUT_LINK, [(*here, link.event, stream, link.up, link.ordinal) for link in tree.links])
        touched = {link.event for link in tree.links} if self._elsewhere(here, stream) else set()
        if tree.forked:
            touched |= self._choose_branch(here, stream, tree.leaf)
        for some in _parts(sorted(touched)):
            marks = ", ".join("?" * len(some))
            self._database.rows(f"{SHOW} WHERE {HERE} AND event IN ({marks})", *here, *some)
        return tree.leaf

    def _elsewhere(self, here: tuple[str, str], stream: Stream) -> bool:
        """Return whether another source has events of the session, too."""
        question = f"SELECT 1 FROM chat_link WHERE {HERE} AND stream <> ? LIMIT 1"
        return bool(self._database.rows(question, *here, stream))

    def _choose_branch(self, here: tuple[str, str], stream: Stream, leaf: str | None) -> set[str]:
        """Note which branch counts in one source, and return the events for which that is new."""
        place = f"{HERE} AND stream = ?"
        question = f"SELECT event, up, active FROM chat_link WHERE {place} AND ordinal >= 0"
        rows = self._database.rows(question, *here, stream)
        chosen = active({event: up for event, up, _ in rows}, leaf)
        changed = {event for event, _, on in rows if bool(on) is not (event in chosen)}
        values = [(int(event in chosen), *here, stream, event) for event in changed]
        self._database.each(f"UPDATE chat_link SET active = ? WHERE {place} AND event = ?", values)
        return changed

    def sessions(self) -> Sequence[Summary]:
        """Return what is kept."""
        rows = self._database.rows(
            """SELECT s.session, s.agent, s.key, s.kind, s.channel, s.started, COUNT(*), MIN(m.time), MAX(m.time)
            FROM chat_session s JOIN chat_message m ON m.agent = s.agent AND m.session = s.session
            WHERE m.shown = 1 GROUP BY s.agent, s.session, s.key, s.kind, s.channel, s.started
            ORDER BY MIN(m.at), s.agent, s.session"""
        )
        return [Summary(Session(*row[:6]), *row[6:]) for row in rows if row[3] not in MACHINES]

    def messages(self, session: Session, *, abandoned: bool = False) -> Iterator[Message]:
        """Yield the messages of a session in order."""
        counts = "" if abandoned else "AND shown = 1"
        question = f"SELECT {COLUMNS} FROM chat_message WHERE {HERE} {counts} ORDER BY at, ordinal, event"
        for row in self._database.stream(question, session.agent, session.id):
            yield _message(session, row)

    def find_question(self, session: str, time: float) -> Message | None:
        """Return the last message of a person in a session up to a moment."""
        where = "session = ? AND role = 'user' AND time <= ? ORDER BY at DESC, ordinal DESC LIMIT 1"
        rows = self._database.rows(f"SELECT agent, {COLUMNS} FROM chat_message WHERE {where}", session, time)
        return next((_message(Session(session, agent), tuple(row)) for agent, *row in rows), None)

    def message(self, session: str, event: str) -> Message | None:
        """Return one message by the ids of its session and its event."""
        agents = self._database.rows("SELECT agent FROM chat_session WHERE session = ? ORDER BY agent", session)
        question = f"SELECT {COLUMNS} FROM chat_message WHERE {HERE} AND event = ?"
        found = (self._database.rows(question, agent, session, event) for (agent,) in agents)
        return next((_message(Session(session), row) for rows in found for row in rows), None)

    def saying(self, role: str, text: str) -> Sequence[Message]:
        """Return the messages of all sessions in which somebody says just these words."""
        question = f"SELECT agent, session, {COLUMNS} FROM chat_message WHERE digest = ? AND shown = 1 ORDER BY at DESC"
        rows = self._database.rows(question, digest(role, redacted(text)))
        return [_message(Session(name, agent), tuple(row)) for agent, name, *row in rows]

    def count(self, session: Session) -> int:
        """Return how many messages of a session are kept."""
        return int(
            self._database.rows(f"SELECT COUNT(*) FROM chat_message WHERE {HERE}", session.agent, session.id)[0][0]
        )

    def forget(self, agent: str, session: str) -> int:
        """Drop what a session said, and remember that."""
        count = self.count(Session(session, agent))
        with self._database.transaction():
            for table in ("chat_message", "chat_link", "chat_session"):
                self._database.rows(f"DELETE FROM {table} WHERE {HERE}", agent, session)
            self._database.rows(PUT_MARK, _FORGOTTEN + json.dumps([agent, session]), "{}")
        if count:
            self._database.shrink()
        return count

    def reword(self, reword: Callable[[str], str], *, really: bool) -> int:
        """Have messages say what `reword` makes of them, and count them."""
        changed = chat_rewording.reworded(self._database, reword)
        if really and changed:
            with self._database.transaction():
                chat_rewording.exchange(self._database, changed)
            self._database.shrink()
        return len(changed)

    def forgotten(self) -> frozenset[tuple[str, str]]:
        """Return the forgotten sessions."""
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
    who = (one.role, one.origin, one.text, one.tool, int(one.failed), calls_text(one.calls), one.digest)
    return (*here, one.id, stream, one.ordinal, one.at, one.time, *who)


def _parts(values: Sequence[str]) -> Iterator[list[str]]:
    rest = iter(values)
    while some := list(islice(rest, _SOME)):
        yield some
