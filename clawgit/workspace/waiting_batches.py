"""Batches that wait."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from clawgit.store.database import StateStore

BATCH = "batch "
LASTS = timedelta(days=7)
"""For so long a batch that was handed out is not read by anybody else."""


def drop(store: StateStore, name: str) -> None:
    """Take a batch away. Raises ClawgitError."""
    store.drop_document(f"{BATCH}{name}")


def drop_all(store: StateStore, but: Sequence[str] = ()) -> None:
    """Remove all batches, `but` some, as when part of a conversation is forgotten. Raises ClawgitError.

    Their input is gathered anew, without the forgotten part, and nothing is lost.
    """
    for name in store.read_documents(BATCH, Any).keys() - {*but}:
        drop(store, name)


def is_out(time: str, now: datetime) -> bool:
    """Return whether a batch that was handed out at `time` may still be answered. Raises ValueError."""
    return now - datetime.fromisoformat(time) < LASTS


class _Batch(Struct, frozen=True):
    agent: str
    turns: list[Any] = []


class _Waiting(Struct, frozen=True):
    """A batch as it is kept, as far as it matters here."""

    batch: _Batch
    made: str
    decided: Any = None


class Waits(Struct, frozen=True):
    """Waiting work of an agent: `kind` is out or answered; `n` batches of `size` turns."""

    kind: str
    agent: str
    n: int
    since: str
    message: str
    fix: str
    size: int = 0


def waiting(store: StateStore, now: datetime) -> Iterator[Waits]:
    """Yield the batches that wait for an answer, or to land, by agent."""
    groups: dict[tuple[str, bool], list[_Waiting]] = {}
    for batch in store.read_documents(BATCH, _Waiting).values():
        if batch.decided is not None or is_out(batch.made, now):
            groups.setdefault((batch.batch.agent, batch.decided is not None), []).append(batch)
    for (agent, is_answered), batches in sorted(groups.items()):
        since, count = min(batch.made for batch in batches), len(batches)
        size = sum(len(batch.batch.turns) for batch in batches)
        kind, state = "out", "handed out, and not answered yet"
        fix = f"clawgit run {agent} --take-back   # or answer it: clawgit run {agent} --answer FILE --apply"
        if is_answered:
            kind, state, fix = "answered", "answered, and not landed yet", f"clawgit run {agent} --apply"
        words = f"{agent}: {size:,} turn{'s' * (size != 1)} {state} (since {since[:16].replace('T', ' ')})"
        yield Waits(kind, agent, count, since, words, fix, size)
