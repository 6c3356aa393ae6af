"""Batches that wait, and requests that nobody kept."""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct

from clawgit.store.database import StateStore
from clawgit.store.item import Item
from clawgit.text.entry import make_name, normalise
from clawgit.workspace.commit_message import fold_spaces, shorten

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
    for (agent, is_answered), batches in sorted(groups.items()):
        since, size = (
            min(record["made"] for record in batches),
            sum(len(record["batch"]["turns"]) for record in batches),
        )
        kind, state = "out", "handed out, and not answered yet"
        fix = f"clawgit run {agent} --take-back   # or answer it: clawgit run {agent} --answer FILE --apply"
        if is_answered:
            kind, state, fix = "answered", "answered, and not landed yet", f"clawgit run {agent} --apply"
        words = f"{agent}: {size:,} turn{'s' * (size != 1)} {state} (since {since[:16].replace('T', ' ')})"
        yield Waits(kind, agent, len(batches), since, words, fix, size)


_MAX_REASON_CHARS = 80
_KINDS = ("candidate", "correction")


class Unkept(Struct, frozen=True):
    """A request in the operator's words, on one line: `said` is its day in ISO 8601, `noted` when it was not kept.

    `mention` identifies the message, `session` its conversation. `why` is the reason; `dropped`: a reader gave that
    reason.
    """

    text: str
    why: str
    said: str
    noted: str
    mention: str = ""
    session: str = ""
    dropped: bool = False

    def as_item(self) -> Item:
        """Return the item that asks about it."""
        cause = shorten(fold_spaces(self.why), _MAX_REASON_CHARS)
        outcome = "the reader dropped it" if self.dropped else "nothing kept it"
        reason = f"you asked for it on {self.said}, and {outcome}"
        details = {"message": message_of_mention(self.mention), "session": self.session, "asked": True}
        name = make_name(f"asked\0{self.mention}\0{self.text}")
        time = datetime.fromisoformat(self.noted)
        return Item(name, "candidate", self.text, time, f"{reason}: {cause}", details=details)


def forget_sessions(store: StateStore, sessions: Collection[str], holds: Collection[str] = ()) -> None:
    """Drop the items about messages of these sessions, and those with one of these texts."""
    texts = [normalise(text) for text in holds if normalise(text)]

    def is_forgotten(item: Item) -> bool:
        words = normalise(" ".join((item.title, *map(str, item.details.values()))))
        is_named = item.details.get("session") in sessions or any(name in item.source for name in sessions)
        return item.kind in _KINDS and (is_named or any(text in words for text in texts))

    if (sessions or texts) and any(map(is_forgotten, store.read_items())):
        store.rewrite_items(lambda item: None if is_forgotten(item) else item)


def message_of_mention(mention: str) -> str:
    """Return the common part of the mentions of one message: its day, and the hash of its words."""
    return f"{mention[:8]}-{mention.rpartition('-')[2]}"
