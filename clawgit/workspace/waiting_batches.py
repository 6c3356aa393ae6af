"""Batches that wait."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from clawgit.store.database import StateStore

BATCH, _DONE = "batch ", "batches done"
_KEPT = 500
_FAILS = 2
LASTS = timedelta(days=7)
"""For so long a batch that was handed out is not read by anybody else."""


def every(store: StateStore) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is kept, by id, the oldest first."""
    yield from store.read_documents(BATCH, dict[str, Any]).items()


def done(store: StateStore, name: str, told: Mapping[str, Any]) -> None:
    """Take a document away, and note that it is done with. Raises ClawgitError."""
    store.append_rows(_DONE, ({"id": name, **told},), _KEPT)
    drop(store, name)


def was_done(store: StateStore, name: str) -> dict[str, Any] | None:
    """Return the note on a document that is done with, None for one that never was."""
    return next((note for note in reversed(notes(store)) if note.get("id") == name), None)


def drop(store: StateStore, name: str) -> None:
    """Take a document away. Raises ClawgitError."""
    store.drop_document(f"{BATCH}{name}")


def drop_all(store: StateStore) -> None:
    """Take all documents away, since something that was said is forgotten. Raises ClawgitError.

    What they were to read is gathered anew, without what was forgotten, and nothing is lost.
    """
    for name, _ in list(every(store)):
        drop(store, name)


def _objects(found: Any) -> list[dict[str, Any]]:
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def is_out(out: bool, made: str, now: datetime) -> bool:  # noqa: FBT001 - as it is kept
    """Return whether a batch that was handed out when it was `made` may still be answered. Raises ValueError."""
    return out and now - datetime.fromisoformat(made) < LASTS


def fails(store: StateStore, agent: str, voice: str) -> bool:
    """Return whether a model was no reliable judge of the last two batches that it answered for an agent."""
    some = [note for note in notes(store) if (note.get("agent"), note.get("voice")) == (agent, voice)]
    last = some[-_FAILS:]
    return len(last) == _FAILS and all(one.get("poor") for one in last)


def notes(store: StateStore) -> list[dict[str, Any]]:
    """Return the notes on documents that are done with, the oldest first."""
    return store.read_rows(_DONE, dict[str, Any])


class Waits(Struct, frozen=True):
    """What waits for an agent: `kind` is out, answered or poor; `n` batches of `size` turns."""

    kind: str
    agent: str
    n: int
    since: str
    message: str
    fix: str
    size: int = 0


def waiting(store: StateStore, now: datetime, voice: str = "") -> Iterator[Waits]:
    """Yield what waits for an answer, or to land, by agent; and where `voice` is no reliable judge."""
    by_agent: dict[str, list[Mapping[str, Any]]] = {}
    for _, one in every(store):
        batch = one.get("batch")
        if isinstance(batch, dict) and isinstance(one.get("made"), str):
            by_agent.setdefault(str(batch.get("agent")), []).append(one)
    for agent, found in by_agent.items():
        out = [one for one in found if one.get("decided") is None and _is_out(one, now)]
        answered = [one for one in found if one.get("decided") is not None]
        run = f"clawgit run {agent} --apply"
        if out:
            words = f"handed out, and {'none is' if len(out) > 1 else 'not'} answered yet"
            fix = f"clawgit run {agent} --take-back   # or answer it: clawgit run {agent} --answer FILE --apply"
            yield _waits("out", agent, out, words, fix)
        if answered:
            yield _waits("answered", agent, answered, "answered, and not landed yet", run)
    for agent in sorted({str(note.get("agent")) for note in notes(store)} if voice else ()):
        if fails(store, agent, voice):
            words = (
                f"{agent}: {voice} was not a reliable judge in the last two readings: it called false claims true, so"
                " what was read waits in the inbox"
            )
            yield Waits("poor", agent, 0, "", words, "clawgit model --test")


def _is_out(one: Mapping[str, Any], now: datetime) -> bool:
    try:
        return is_out(bool(one.get("out")), str(one["made"]), now)
    except (ValueError, TypeError):
        return False


def _waits(kind: str, agent: str, some: Sequence[Mapping[str, Any]], words: str, fix: str) -> Waits:
    since = min(str(one["made"]) for one in some)
    size = sum(len(_objects(one["batch"].get("turns"))) for one in some)
    many = f"{len(some)} batches" if len(some) > 1 else "a batch"
    words = f"{agent}: {many} of {size:,} turn{'s' * (size != 1)} {words} (since {since[:16].replace('T', ' ')})"
    return Waits(kind, agent, len(some), since, words, fix, size)
