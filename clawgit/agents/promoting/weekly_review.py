"""What the weekly review found, kept for the digest."""

import contextlib
from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.promoting.promotion_candidates import Candidate
from clawgit.store.database import StateStore
from clawgit.text.entry import digest

REVIEW = "promotion-review"


class Kept(Struct, frozen=True):
    """A note of a journal that could stay: where it is, the hash of its words, the category, whose words they are."""

    path: str
    hash: str
    category: str
    origin: str


class Reviewed(Struct, frozen=True):
    """What one review found, the surest first; `at` is its moment."""

    at: datetime
    notes: tuple[Kept, ...] = ()


def save(store: StateStore, at: datetime, found: Iterable[Candidate]) -> None:
    """Note what a review found, in place of what the last one did. Raises OSError."""
    store.save_document(REVIEW, Reviewed(at, tuple(map(kept, found))))


def kept(one: Candidate) -> Kept:
    """Return what is kept of a candidate."""
    return Kept(one.note.path, digest(one.note.entry.text), one.category or one.tag, one.origin)


def last(store: StateStore) -> Reviewed | None:
    """Return what the last review found; None without one that can be read."""
    known = store.read_document(REVIEW, Reviewed)
    with contextlib.suppress(ValueError, OverflowError):
        return known and replace(known, at=known.at.astimezone())
    return None
