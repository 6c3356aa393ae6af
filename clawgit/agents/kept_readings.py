"""Batches that were decided or handed out, and reading progress."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct, field

from clawgit.agents import messages_to_read
from clawgit.reading import backlog
from clawgit.reading.backlog import Backlog, Exchange, Progress, Read, Span, Talk
from clawgit.reading.checks import Decided
from clawgit.reading.turns import Batch
from clawgit.store.database import StateStore
from clawgit.workspace import waiting_batches
from clawgit.workspace.reading_cursors import Cursor
from clawgit.workspace.workspace import Workspace


class Kept(Struct, frozen=True):
    """A batch, what is read with it, and what was decided: None as long as there is no answer.

    `answered` is the last flag that it answers. `reasons` are those of asked turns without an operation, `problems`
    sentences on operations that could not be read. `out`: it was handed to somebody else. `reliable` is False if the
    judge was not. `by_rules`: no model reads it.
    """

    batch: Batch
    read: dict[str, tuple[Span, ...]]
    made: str
    answered: str = ""
    decided: tuple[Decided, ...] | None = None
    reasons: dict[int, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    voice: str = ""
    out: bool = False
    reliable: bool = True
    by_rules: bool = False

    def is_out(self, now: datetime) -> bool:
        """Return whether it is with somebody who may still answer it."""
        return self.decided is None and waiting_batches.is_out(self.out, self.made, now)


def keep(batch: Batch, exchanges: tuple[Exchange, ...], unread: Backlog, now: datetime) -> Kept:
    """Return a batch with what is read with it."""
    places: dict[str, set[int]] = {}
    for exchange in exchanges:
        if exchange.session:
            places.setdefault(exchange.session, set()).update(range(exchange.first, exchange.last + 1))
    talks = {name: talk for name in places if (talk := unread.find_talk(name))}
    read = {name: backlog.make_spans(talk.events, places[name]) for name, talk in talks.items()}
    answered = next((exchange.flag for exchange in reversed(exchanges) if exchange.flag), "")
    return Kept(batch, read, now.isoformat(), answered)


def save(store: StateStore, kept: Kept) -> None:
    """Save a batch. Raises ClawgitError."""
    waiting_batches.save(store, kept.batch.id, msgspec.to_builtins(kept))


def load(store: StateStore, name: str) -> Kept | None:
    """Return the batch of an id; None without one that can be read."""
    return _convert(waiting_batches.load(store, name))


def load_all(store: StateStore) -> Iterator[Kept]:
    """Yield all batches, the oldest first; what cannot be read is left out."""
    for _, document in waiting_batches.every(store):
        if kept := _convert(document):
            yield kept


def drop_unreadable(store: StateStore) -> None:
    """Take away what an earlier version kept: its turns are unread, and are read anew. Raises ClawgitError."""
    for name, document in list(waiting_batches.every(store)):
        if _convert(document) is None:
            waiting_batches.drop(store, name)


def _convert(document: Mapping[str, Any] | None) -> Kept | None:
    try:
        return msgspec.convert(document, Kept, strict=False) if document else None
    except msgspec.ValidationError:
        return None


def hold(store: StateStore, roles: tuple[str, ...], unread: Backlog, now: datetime) -> None:
    """Leave out of a run what was decided or handed out for one of its roles."""
    for kept in load_all(store):
        if set(kept.batch.roles) & set(roles) and (kept.decided is not None or kept.is_out(now)):
            for name, spans in kept.read.items():
                unread.hold(name, spans)


def is_read(workspace: Workspace, kept: Kept, unread: Backlog) -> bool:
    """Return whether any of the turns of a batch was read since it was made."""
    reads = [backlog.load_read(workspace, role) for role in kept.batch.roles]
    return any(
        backlog.find_places(talk.events, spans) & backlog.find_places(talk.events, read.spans.get(name, ()))
        for name, spans in kept.read.items()
        if (talk := unread.find_talk(name))
        for read in reads
    )


def find_cursors(workspace: Workspace, kept: Kept, unread: Backlog, role: str) -> list[tuple[Cursor, int]]:
    """Return how far the conversations are read without a gap once a batch is, with the count of their messages."""
    progress, read = messages_to_read.load(workspace, role), backlog.load_read(workspace, role)
    found: list[tuple[Cursor, int]] = []
    for name, spans in kept.read.items():
        if talk := unread.find_talk(name):
            places = backlog.find_places(talk.events, (*read.spans.get(name, ()), *spans))
            if cursor := _find_cursor(progress, talk, places):
                found.append((cursor, talk.events.index(cursor.event) + 1))
    return found


def _find_cursor(progress: Progress, talk: Talk, places: set[int]) -> Cursor | None:
    """Return how far a session is read from its cursor on; None if nothing is."""
    last = progress.find_start(talk.name, talk.messages)
    while last < len(talk.events) and last in places:
        last += 1
    return Cursor(talk.name, talk.events[last - 1], max(talk.times[:last], default=0)) if last else None


def finish(workspace: Workspace, kept: Kept, unread: Backlog) -> None:
    """Note that the turns of a batch are read, and take it away. Raises ClawgitError."""
    for role in kept.batch.roles:
        messages_to_read.save(workspace, role, find_cursors(workspace, kept, unread, role), kept.answered)
        if kept.by_rules:
            continue
        read = backlog.load_read(workspace, role)
        spans = dict(read.spans)
        for name, some in kept.read.items():
            if talk := unread.find_talk(name):
                places = backlog.find_places(talk.events, (*spans.get(name, ()), *some))
                spans[name] = backlog.make_spans(talk.events, places)
        backlog.save_read(workspace, role, Read(spans, kept.answered or read.answered))
    note = {"agent": kept.batch.agent, "at": workspace.now().isoformat(), "voice": kept.voice}
    waiting_batches.done(workspace.store, kept.batch.id, {**note, "poor": not kept.reliable})
