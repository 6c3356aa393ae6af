"""Items for requests of the operator that nobody kept."""

from collections.abc import Collection
from datetime import datetime

from msgspec import Struct

from clawgit.store.database import StateStore
from clawgit.store.item import Item
from clawgit.text.entry import make_name, normalise
from clawgit.workspace.commit_message import fold_spaces, shorten

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
