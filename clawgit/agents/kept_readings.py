"""Batches that were decided or handed out, and reading progress."""

from datetime import datetime

from msgspec import Struct, field

from clawgit.messages.triage import MINER
from clawgit.reading import backlog
from clawgit.reading.backlog import Backlog, Read, Span
from clawgit.reading.checks import Decided
from clawgit.reading.turns import Batch
from clawgit.store.database import StateStore
from clawgit.workspace import waiting_batches
from clawgit.workspace.reading_cursors import Cursor
from clawgit.workspace.waiting_batches import BATCH
from clawgit.workspace.workspace import Workspace


class Kept(Struct, frozen=True):
    """A batch, its context, and its decisions: None as long as there is no answer.

    `answered` is the last flag that it answers. `reasons` are those of asked turns without an operation, `problems`
    sentences on unreadable operations. `by_rules`: no model reads it.
    """

    batch: Batch
    read: dict[str, tuple[Span, ...]]
    made: str
    answered: str = ""
    decided: tuple[Decided, ...] | None = None
    reasons: dict[int, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    voice: str = ""
    by_rules: bool = False

    def is_out(self, now: datetime) -> bool:
        """Return whether it is handed out to a reader that may still answer."""
        return self.decided is None and waiting_batches.is_out(self.made, now)


def save(store: StateStore, kept: Kept) -> None:
    """Save a batch. Raises ClawgitError."""
    store.save_document(f"{BATCH}{kept.batch.id}", kept)


def load_all(store: StateStore) -> dict[str, Kept]:
    """Return all batches by their ids, the oldest first; unreadable ones are left out."""
    return store.read_documents(BATCH, Kept)


def hold(store: StateStore, roles: tuple[str, ...], unread_turns: Backlog, now: datetime) -> None:
    """Leave out of a run the batches decided or handed out for one of its roles."""
    for reading in load_all(store).values():
        if set(reading.batch.roles) & set(roles) and (reading.decided is not None or reading.is_out(now)):
            for name, spans in reading.read.items():
                unread_turns.hold(name, spans)


def find_cursors(workspace: Workspace, kept: Kept, unread_turns: Backlog) -> tuple[Cursor, ...]:
    """Return how far the miner has read the conversations without a gap once a batch is read."""
    read = backlog.load_read(workspace, MINER)
    cursors: list[Cursor] = []
    for name, spans in kept.read.items():
        if talk := unread_turns.find_talk(name):
            start = Read({name: (*read.spans.get(name, ()), *spans)}).find_start(name, talk.messages)
            cursors += [Cursor(name, talk.events[start - 1], max(talk.times[:start]))] if start else []
    return tuple(cursors)


def finish(workspace: Workspace, kept: Kept, unread_turns: Backlog) -> None:
    """Note that the turns of a batch are read, and take it away. Raises ClawgitError."""
    talks = {name: talk for name in kept.read if (talk := unread_turns.find_talk(name))}
    for role in kept.batch.roles:
        for by_rules in (True,) if kept.by_rules else (True, False):
            reader = backlog.name_reader(role, by_rules=by_rules)
            read = backlog.load_read(workspace, reader)
            spans: dict[str, tuple[Span, ...]] = {}
            for name, talk in talks.items():
                places = backlog.find_places(talk.events, (*read.spans.get(name, ()), *kept.read[name]))
                spans[name] = backlog.make_spans(talk, places)
            backlog.save_read(workspace, reader, spans, kept.answered)
    waiting_batches.drop(workspace.store, kept.batch.id)
