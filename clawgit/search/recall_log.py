"""Remembers the recalled lines, for promotion."""

import contextlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.search.answer import Hit
from clawgit.store.database import StateStore
from clawgit.text.entry import normalise, read_saying

NAME = "recalls"
_MIN_SHARE = 0.5
"""Of an entry in a passage that was found, or of the passage in the entry: beside it is not found."""


class Shown(Struct, frozen=True):
    """A passage of a file that sessions were shown, as it read then."""

    session: str
    path: str
    text: str
    at: str = ""


def record_recall(store: StateStore, session: str, hits: Iterable[Hit], now: datetime) -> None:
    """Note the lines that a session was shown; a failure does not prevent the answer.

    Lines of another workspace are not ours to promote.
    """
    own, time = (hit for hit in hits if hit.tier != "shared"), now.isoformat()
    rows = [Shown(session, hit.path, hit.snippet, time) for hit in own]
    with contextlib.suppress(ClawgitError):
        store.append_rows(NAME, rows)


def find_by_text(store: StateStore, text: str) -> list[Shown]:
    """Return the hits with a memory of these words, the newest first, each session once a day."""
    sentence = read_saying(text)
    records = {}
    for record in read_shown(store) if sentence else ():
        if sentence in map(read_saying, record.text.splitlines()):
            records[record.session, record.at[:10]] = record
    return list(records.values())[::-1]


def read_shown(store: StateStore) -> Iterator[Shown]:
    """Yield the noted hits, the oldest first; unreadable lines are skipped."""
    yield from (row for row in store.read_rows(NAME, Shown) if row.session)


def read_passages(store: StateStore) -> Mapping[str, Mapping[str, set[str]]]:
    """Return the passages of each file that searches gave, with the sessions of these searches."""
    passages: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record in read_shown(store):
        if text := normalise(record.text):
            passages[record.path][text].add(record.session)
    return passages


def count_sessions(text: str, passages: Mapping[str, set[str]]) -> int:
    """Return to how many sessions an entry was shown: it is much of a passage, or a passage much of it."""
    words = normalise(text)
    sessions: set[str] = set()
    for passage, session_names in passages.items():
        is_inside = words in passage or passage in words
        if is_inside and min(len(words), len(passage)) >= _MIN_SHARE * max(len(words), len(passage)):
            sessions |= session_names
    return len(sessions)
