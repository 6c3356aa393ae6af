"""Batches that wait for an answer, or to land."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, to_builtins

from clawgit.agents import messages_to_read
from clawgit.agents.protocol import batch as batches
from clawgit.agents.protocol import checked_operation, operations, turn_spans
from clawgit.agents.protocol.batch import Batch
from clawgit.agents.protocol.batching import Gathered
from clawgit.agents.protocol.checked_operation import Decided
from clawgit.agents.protocol.turn_spans import Read, Span, Spans
from clawgit.agents.protocol.unread_turns import Unread
from clawgit.store.database import StateStore
from clawgit.workspace import waiting_batches
from clawgit.workspace.reading_cursors import Cursor
from clawgit.workspace.workspace import Workspace


class Kept(Struct, frozen=True):
    """A batch, what is read with it, and what was decided on it: None as long as no answer was of use.

    `failed` counts the runs in which none was; `out` tells that it was handed to somebody. `waits` lists must turns
    that nothing comes of, with the reason, `dropped` those that the reader gave one for. `poor` tells that most of
    what was proposed was refused; `unreadable` names the operations that are not as the schema has them. `names` are
    those of the pairs that it holds.
    """

    batch: Batch
    read: Spans
    answered: str = ""
    made: str = ""
    decided: tuple[Decided, ...] | None = None
    waits: Mapping[int, str] | None = None
    dropped: Mapping[int, str] | None = None
    voice: str = ""
    failed: int = 0
    out: bool = False
    poor: bool = False
    names: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()


def of(gathered: Gathered, unread: Unread, now: datetime) -> Kept:
    """Return a batch to be kept, with what was read as spans of events."""
    read = {
        name: turn_spans.spans_of(talk.events, places)
        for name, places in gathered.read.items()
        if (talk := unread.talk(name))
    }
    return Kept(gathered.batch, read, gathered.answered, now.isoformat())


def save(store: StateStore, kept: Kept) -> None:
    """Keep a batch. Raises ClawgitError."""
    document = {
        "batch": kept.batch.document(operations.schema(kept.batch.agent)),
        "read": {name: [to_builtins(one) for one in some] for name, some in kept.read.items()},
        "answered": kept.answered,
        "made": kept.made,
        "decided": None if kept.decided is None else [checked_operation.document(one) for one in kept.decided],
        "waits": dict(kept.waits or {}),
        "dropped": dict(kept.dropped or {}),
        "voice": kept.voice,
        "failed": kept.failed,
        "out": kept.out,
        "poor": kept.poor,
        "names": list(kept.names),
        "unreadable": list(kept.unreadable),
    }
    waiting_batches.save(store, kept.batch.id, document)


def load(store: StateStore, name: str) -> Kept | None:
    """Return what is kept under an id; None where that is nothing of use."""
    found = waiting_batches.load(store, name)
    return _kept(found) if found else None


def every(store: StateStore, agent: str) -> Iterator[Kept]:
    """Yield what is kept for an agent, the oldest first; what cannot be read is passed over."""
    for _, found in waiting_batches.every(store):
        kept = _kept(found)
        if kept and kept.batch.agent == agent:
            yield kept


def _kept(found: Mapping[str, Any]) -> Kept | None:
    try:
        read = {str(name): tuple(Span(**one) for one in some) for name, some in found["read"].items()}
        said = found["decided"]
        waits = {int(n): str(why) for n, why in (found["waits"] or {}).items()}
        dropped = {int(n): str(why) for n, why in found.get("dropped", {}).items()}
        return Kept(
            batches.load(found["batch"]),
            read,
            str(found["answered"]),
            str(found["made"]),
            None if said is None else tuple(checked_operation.load(one) for one in said),
            waits,
            dropped,
            str(found["voice"]),
            int(found["failed"]),
            bool(found["out"]),
            bool(found["poor"]),
            tuple(map(str, found.get("names", ()))),
            tuple(map(str, found.get("unreadable", ()))),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def is_out(kept: Kept, now: datetime) -> bool:
    """Return whether a batch is with somebody who may still answer it."""
    return waiting_batches.is_out(kept.out, kept.made, now)


def hold(store: StateStore, agent: str, unread: Unread, now: datetime) -> None:
    """Leave out of a run what waits in a batch for an answer, unless it was handed out too long ago."""
    for kept in every(store, agent):
        if kept.out and not is_out(kept, now):
            continue
        for name, some in kept.read.items():
            if talk := unread.talk(name):
                unread.hold(name, turn_spans.covered(talk.events, some))


def read_since(workspace: Workspace, kept: Kept, unread: Unread) -> bool:
    """Return whether somebody else has read any of the turns of a batch since it was made."""
    read = turn_spans.load(workspace, kept.batch.agent)
    for name, some in kept.read.items():
        talk = unread.talk(name)
        if talk and turn_spans.covered(talk.events, some) & turn_spans.covered(talk.events, read.spans.get(name, ())):
            return True
    return False


def cursors(workspace: Workspace, kept: Kept, unread: Unread) -> tuple[tuple[Cursor, int], ...]:
    """Return how far the conversations are read without a gap once this batch is, with the count of their messages."""
    known = messages_to_read.load(workspace, kept.batch.agent)
    read = turn_spans.load(workspace, kept.batch.agent)
    found: list[tuple[Cursor, int]] = []
    for name, some in kept.read.items():
        talk = unread.talk(name)
        if talk is None:
            continue
        places = turn_spans.covered(talk.events, (*read.spans.get(name, ()), *some))
        cursor = turn_spans.reached(known, name, talk.events, talk.times, places)
        found += [(cursor, talk.events.index(cursor.event) + 1)] if cursor else []
    return tuple(found)


def finish(workspace: Workspace, kept: Kept, unread: Unread, told: Mapping[str, Any]) -> None:
    """Note that what a batch holds was read, and take it away; `told` is kept of it. Raises ClawgitError."""
    agent = kept.batch.agent
    messages_to_read.save(workspace, agent, cursors(workspace, kept, unread), kept.answered)
    read = turn_spans.load(workspace, agent)
    new = dict(read.spans)
    for name, some in kept.read.items():
        if talk := unread.talk(name):
            new[name] = turn_spans.joined(talk.events, new.get(name, ()), some)
    turn_spans.save(workspace, agent, Read(new, kept.answered or read.answered))
    add(workspace.store, kept.names)
    note = {"agent": agent, "at": workspace.now().isoformat(), "voice": kept.voice, "poor": kept.poor}
    waiting_batches.done(workspace.store, kept.batch.id, {**note, **told})


COMPARED = "compared"
_WROTE, _SAW = ">", "<"
_NONE: frozenset[str] = frozenset()
_MOST = 100_000
"""Names that are kept, the newest ones."""


def compared(store: StateStore) -> frozenset[str]:
    """Return the names of pairs that a reader was asked about, and of entries whose pairs all were."""
    return frozenset(store.read_rows(COMPARED, str))


def read_together(store: StateStore) -> Callable[[str, str], bool]:
    """Return what tells of two entries, by their hashes, whether who wrote one of them was shown the other."""
    wrote, saw = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for name in compared(store):
        for mark, found in ((_WROTE, wrote), (_SAW, saw)):
            key, parted, batch = name.partition(mark)
            if parted:
                found[key].add(batch)

    def together(one: str, other: str) -> bool:
        return bool(
            wrote.get(one, _NONE) & (wrote.get(other, _NONE) | saw.get(other, _NONE))
            or wrote.get(other, _NONE) & saw.get(one, _NONE)
        )

    return together


def note_reading(store: StateStore, batch: str, wrote: Iterable[str], saw: Iterable[str]) -> None:
    """Remember which entries the reader of a batch wrote, and which it saw, by their hashes. Raises ClawgitError."""
    add(store, (*(f"{one}{_WROTE}{batch}" for one in wrote), *(f"{one}{_SAW}{batch}" for one in saw)))


def add(store: StateStore, names: Iterable[str]) -> None:
    """Remember names. Raises ClawgitError."""
    known = compared(store)
    store.append_rows(COMPARED, [name for name in dict.fromkeys(names) if name not in known], _MOST)
