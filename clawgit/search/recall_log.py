"""Remembers what was recalled, for promotion."""

import contextlib
import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from clawgit.git import regular_file
from clawgit.search.answer import Hit
from clawgit.text.entry import saying

NAME = "search_hits.jsonl"


def keep(state: Path, session: str, hits: Iterable[Hit], now: datetime) -> None:
    """Note which lines a session was shown; that it cannot be noted keeps nobody from the answer.

    What another workspace remembers is none of ours to promote.
    """
    rows = [
        {
            "at": now.isoformat(),
            "session": session,
            "path": one.path,
            "start": one.start,
            "end": one.end,
            "text": one.snippet,
        }
        for one in hits
        if one.tier != "shared"
    ]
    if not rows:
        return
    said = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with contextlib.suppress(OSError):
        state.mkdir(parents=True, exist_ok=True)
        with (state / NAME).open("ab", buffering=0) as file:
            file.write(said.encode("utf-8", "replace"))


class Shown(Struct, frozen=True):
    """A passage of a file that sessions were shown, as it read then."""

    session: str
    path: str
    text: str
    at: str = ""


def of_text(state: Path, text: str) -> list[Shown]:
    """Return the hits that held a memory of these words, the newest first, each session once a day."""
    said = saying(text)
    found = {}
    for one in shown(state) if said else ():
        if said in map(saying, one.text.splitlines()):
            found[one.session, one.at[:10]] = one
    return list(found.values())[::-1]


def shown(state: Path) -> Iterator[Shown]:
    """Yield what is noted of hits, the oldest first; lines that cannot be read are passed over."""
    yield from (row for row in regular_file.parse_rows(state / NAME, Shown) if row.session)
