"""Messages that may be corrections, as items of the inbox."""

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct, convert, to_builtins

from clawgit.safety.redaction import redacted
from clawgit.store.database import StateStore
from clawgit.store.item import Item


class Waiting(Struct, frozen=True):
    """A message that corrects, perhaps: why nothing was done, and what is known of both sides.

    `choices` are the ids of memories that could be meant, `source` is the evidence that points at the message.
    """

    id: str
    at: str
    text: str
    reason: str
    said: str = ""
    true: str = ""
    choices: tuple[str, ...] = ()
    source: str = ""
    trigger: str = ""
    trigger_confidence: str = "medium"

    def as_item(self) -> Item:
        """Return the item that asks about it; each secret in it is named instead of shown, for it is kept for long."""
        names = ("said", "true", "choices", "trigger", "trigger_confidence")
        details = {name: value for name, value in to_builtins(self).items() if name in names}
        details |= {"said": redacted(self.said), "true": redacted(self.true)}
        when = datetime.fromisoformat(self.at)
        opened = when if when.tzinfo else when.astimezone()
        return Item(self.id, "correction", redacted(self.text), opened, self.reason, self.source, details=details)

    @classmethod
    def of_item(cls, item: Item) -> "Waiting":
        """Return what an item asks about."""
        at = item.opened.isoformat(timespec="seconds")
        row = {"id": item.id, "at": at, "text": item.title, "reason": item.reason, "source": item.source}
        return convert({**row, **item.details}, cls)


def read_candidates(store: StateStore) -> list[Item]:
    """Return the items about corrections, in whatever state."""
    return [item for item in store.read_items() if item.kind == "correction"]


def open_candidates(store: StateStore, candidates: Iterable[Waiting]) -> list[Waiting]:
    """Open an item for each that was never asked about, and return these. Raises ClawgitError."""
    known = {item.id for item in read_candidates(store)}
    fresh = [one for one in {candidate.id: candidate for candidate in candidates}.values() if one.id not in known]
    for one in fresh:
        store.open_item(one.as_item())
    return fresh
