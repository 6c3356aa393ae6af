"""Remembers what was recalled, for promotion."""

import contextlib
from collections.abc import Iterable, Iterator
from datetime import datetime

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.search.answer import Hit
from clawgit.store.database import StateStore
from clawgit.text.entry import saying

NAME = "recalls"


def keep(store: StateStore, session: str, hits: Iterable[Hit], now: datetime) -> None:
    """Note which lines a session was shown; that it cannot be noted keeps nobody from the answer.

    What another workspace remembers is none of ours to promote.
    """
    rows = [
        {
            "at": now.isoformat(),
            "session": session,
            "path": hit.path,
            "start": hit.start,
            "end": hit.end,
            "text": hit.snippet,
        }
        for hit in hits
        if hit.tier != "shared"
    ]
    with contextlib.suppress(ClawgitError):
        store.append_rows(NAME, rows)


class Shown(Struct, frozen=True):
    """A passage of a file that sessions were shown, as it read then."""

    session: str
    path: str
    text: str
    at: str = ""


def of_text(store: StateStore, text: str) -> list[Shown]:
    """Return the hits that held a memory of these words, the newest first, each session once a day."""
    said = saying(text)
    found = {}
    for one in shown(store) if said else ():
        if said in map(saying, one.text.splitlines()):
            found[one.session, one.at[:10]] = one
    return list(found.values())[::-1]


def shown(store: StateStore) -> Iterator[Shown]:
    """Yield what is noted of hits, the oldest first; lines that cannot be read are passed over."""
    yield from (row for row in store.read_rows(NAME, Shown) if row.session)
