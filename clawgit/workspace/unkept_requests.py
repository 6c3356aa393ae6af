"""What the operator asked to be kept, and nobody kept."""

import contextlib
import json
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct, to_builtins

from clawgit.errors import ClawgitError, quoted
from clawgit.git import regular_file
from clawgit.text.entry import entries, normalise
from clawgit.workspace import waiting_batches
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.entries import files_of_plans
from clawgit.workspace.workspace import Workspace

FILE = "unkept.jsonl"
LASTS = timedelta(days=30)
"""For so long it is told."""
_KEPT, _REASON = 500, 80


class Unkept(Struct, frozen=True):
    """A request in the operator's words, on one line: `said` is the day in ISO 8601, `noted` when it was not kept.

    `mention` is what the message is known by, `session` where it was said. `why` it was not kept; `dropped` where a
    reader gave that reason.
    """

    text: str
    why: str
    said: str
    noted: str
    mention: str = ""
    session: str = ""
    dropped: bool = False

    @property
    def message(self) -> str:
        """The sentence for the operator."""
        why = shorten(one_line(self.why), _REASON)
        how = "the reader dropped" if self.dropped else "nothing kept"
        return f"{how} what you asked for on {self.said} ({why}): {self.text}"

    @property
    def fix(self) -> str:
        """The command that keeps it."""
        dashed = "-- " if self.text.startswith("-") else ""
        return f"clawgit memory add {dashed}{quoted(self.text)}"


def note(state: Path, found: Iterable[Unkept]) -> None:
    """Note requests that nothing came of; the same one once. Raises OSError."""
    fresh = {(one.mention, one.text): one for one in found}
    if fresh:
        known = {(one.mention, one.text): one for one in noted(state)}
        _write(state, {**known, **{key: one for key, one in fresh.items() if key not in known}}.values())


def noted(state: Path) -> list[Unkept]:
    """Return all that is noted, the oldest first; what cannot be read is passed over."""
    return list(_read(state))


def standing(workspace: Workspace) -> list[Unkept]:
    """Return what was noted within the month and is not among the memories by now."""
    since = (workspace.now() - LASTS).isoformat()
    found = [one for one in noted(workspace.state) if one.noted >= since]
    if not found:
        return []
    rows = workspace.rows()
    mentioned = {_message(name) for row in rows.values() if row.status != "tombstone" for name in row.mentions}
    there = {
        normalise(text) for path in files_of_plans(workspace.memory_files, rows) for text in _texts(workspace, path)
    }
    return [
        one
        for one in found
        if normalise(one.text) not in there and not (one.mention and _message(one.mention) in mentioned)
    ]


def forget(state: Path, *, sessions: Collection[str] = (), holds: Collection[str] = ()) -> None:
    """Take out what was said in these sessions, and what holds one of these texts. Raises OSError."""
    wanted = [normalise(text) for text in holds if normalise(text)]
    known = noted(state)
    left = [
        one for one in known if one.session not in sessions and not any(text in normalise(one.text) for text in wanted)
    ]
    if len(left) < len(known):
        _write(state, left)


def _message(mention: str) -> tuple[str, str]:
    """Return what the mentions of one message have in common: its day, and the hash of its words."""
    return mention[:8], mention.rpartition("-")[2]


def _texts(workspace: Workspace, path: str) -> Iterator[str]:
    try:
        text = workspace.read(path) or ""
    except ClawgitError:  # which is told elsewhere
        return
    yield from (one.text for one in entries(text))


def _read(state: Path) -> Iterator[Unkept]:
    for one in regular_file.parse_rows(state / FILE, Unkept):
        with contextlib.suppress(ValueError):
            datetime.fromisoformat(one.noted)
            yield one


def _write(state: Path, found: Iterable[Unkept]) -> None:
    data = "".join(json.dumps(to_builtins(one), ensure_ascii=False) + "\n" for one in list(found)[-_KEPT:])
    waiting_batches.write_private(state / FILE, data.encode("utf-8", "replace"))
