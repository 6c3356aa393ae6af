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
    """Take all batches away, `but` some, as when something that was said is forgotten. Raises ClawgitError.

    What they were to read is gathered anew, without what was forgotten, and nothing is lost.
    """
    for name in store.read_documents(BATCH, Any).keys() - {*but}:
        drop(store, name)


def is_out(made: str, now: datetime) -> bool:
    """Return whether a batch that was handed out when it was `made` may still be answered. Raises ValueError."""
    return now - datetime.fromisoformat(made) < LASTS


class _Batch(Struct, frozen=True):
    agent: str
    turns: list[Any] = []


class _Waiting(Struct, frozen=True):
    """A batch as it is kept, as far as it matters here."""

    batch: _Batch
    made: str
    decided: Any = None


class Waits(Struct, frozen=True):
    """What waits for an agent: `kind` is out or answered; `n` batches of `size` turns."""

    kind: str
    agent: str
    n: int
    since: str
    message: str
    fix: str
    size: int = 0


def waiting(store: StateStore, now: datetime) -> Iterator[Waits]:
    """Yield what waits for an answer, or to land, by agent."""
    batches = list(store.read_documents(BATCH, _Waiting).values())
    for agent in dict.fromkeys(one.batch.agent for one in batches):
        found = [one for one in batches if one.batch.agent == agent]
        out = [one for one in found if one.decided is None and is_out(one.made, now)]
        answered = [one for one in found if one.decided is not None]
        if out:
            words = f"handed out, and {'none is' if len(out) > 1 else 'not'} answered yet"
            fix = f"clawgit run {agent} --take-back   # or answer it: clawgit run {agent} --answer FILE --apply"
            yield _waits("out", agent, out, words, fix)
        if answered:
            yield _waits("answered", agent, answered, "answered, and not landed yet", f"clawgit run {agent} --apply")


def _waits(kind: str, agent: str, some: Sequence[_Waiting], words: str, fix: str) -> Waits:
    since = min(one.made for one in some)
    size = sum(len(one.batch.turns) for one in some)
    many = f"{len(some)} batches" if len(some) > 1 else "a batch"
    words = f"{agent}: {many} of {size:,} turn{'s' * (size != 1)} {words} (since {since[:16].replace('T', ' ')})"
    return Waits(kind, agent, len(some), since, words, fix, size)
