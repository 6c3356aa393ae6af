"""Remembers what was recalled, for promotion."""

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.search.answer import Hit
from clawgit.store.database import StateStore
from clawgit.text.entry import normalise, saying

NAME = "recalls"
_MIN_SHARE = 0.5
"""Of an entry in a passage that was found, or of the passage in the entry: beside it is not found."""


class Shown(Struct, frozen=True):
    """A passage of a file that sessions were shown, as it read then."""

    session: str
    path: str
    text: str
    at: str = ""


def keep(store: StateStore, session: str, hits: Iterable[Hit], now: datetime) -> None:
    """Note which lines a session was shown; that it cannot be noted keeps nobody from the answer.

    What another workspace remembers is none of ours to promote.
    """
    own, at = (hit for hit in hits if hit.tier != "shared"), now.isoformat()
    rows = [Shown(session, hit.path, hit.snippet, at) for hit in own]
    with contextlib.suppress(ClawgitError):
        store.append_rows(NAME, rows)


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


def read_passages(store: StateStore) -> Mapping[str, Mapping[str, set[str]]]:
    """Return the passages of each file that searches gave, with the sessions of these searches."""
    passages: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in shown(store):
        if text := normalise(one.text):
            passages[one.path][text].add(one.session)
    return passages


def count_sessions(text: str, passages: Mapping[str, set[str]]) -> int:
    """Return to how many sessions an entry was shown: it is much of a passage, or a passage much of it."""
    said = normalise(text)
    sessions: set[str] = set()
    for passage, some in passages.items():
        is_inside = said in passage or passage in said
        if is_inside and min(len(said), len(passage)) >= _MIN_SHARE * max(len(said), len(passage)):
            sessions |= some
    return len(sessions)
