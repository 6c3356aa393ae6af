"""Remembers what was recalled, for promotion."""

import contextlib
import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from clawgit.search.answer import Hit

NAME = "search_hits.jsonl"


def keep(state: Path, session: str, hits: Iterable[Hit], now: datetime) -> None:
    """Note which lines a session was shown; that it cannot be noted keeps nobody from the answer."""
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
    ]
    if not rows:
        return
    said = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with contextlib.suppress(OSError):
        state.mkdir(parents=True, exist_ok=True)
        with (state / NAME).open("ab", buffering=0) as file:
            file.write(said.encode("utf-8", "replace"))
