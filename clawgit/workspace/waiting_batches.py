"""Batches that wait."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from clawgit.store.database import StateStore

BATCH = "batch "
LASTS = timedelta(days=7)
"""For so long a batch that was handed out is not read by anybody else."""


def remove_batch(store: StateStore, name: str) -> None:
    """Take a batch away. Raises ClawgitError."""
    store.drop_document(f"{BATCH}{name}")


def drop_all(store: StateStore) -> None:
    """Remove all batches, as when part of a conversation is forgotten. Raises ClawgitError.

    Their input is gathered anew, without the forgotten part, and nothing is lost.
    """
    for name in store.read_documents(BATCH, Any):
        remove_batch(store, name)


def is_out(time: str, now: datetime) -> bool:
    """Return whether a batch that was handed out at `time` may still be answered. Raises ValueError."""
    return now - datetime.fromisoformat(time) < LASTS


class Waits(Struct, frozen=True):
    """Waiting work of an agent: `kind` is out or answered; `n` batches of `size` turns."""

    kind: str
    agent: str
    n: int
    since: str
    message: str
    fix: str
    size: int = 0


def list_waiting_batches(store: StateStore, now: datetime) -> Iterator[Waits]:
    """Yield the batches that wait for an answer, or to land, by agent."""
    groups: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for record in store.read_documents(BATCH, dict[str, Any]).values():
        if record.get("decided") is not None or is_out(record["made"], now):
            groups.setdefault((record["batch"]["agent"], record.get("decided") is not None), []).append(record)
    for (agent, is_answered), records in sorted(groups.items()):
        since, size = (
            min(record["made"] for record in records),
            sum(len(record["batch"]["turns"]) for record in records),
        )
        kind, state = "out", "handed out, and not answered yet"
        fix = f"clawgit run {agent} --take-back   # or answer it: clawgit run {agent} --answer FILE --apply"
        if is_answered:
            kind, state, fix = "answered", "answered, and not landed yet", f"clawgit run {agent} --apply"
        words = f"{agent}: {size:,} turn{'s' * (size != 1)} {state} (since {since[:16].replace('T', ' ')})"
        yield Waits(kind, agent, len(records), since, words, fix, size)
