"""Remembers which digests were sent, before they are."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct, to_builtins

from clawgit.errors import BusyError

FILE = "digests.jsonl"
State = Literal["sending", "sent", "kept", "refused", "unsure"]


class Note(Struct, frozen=True):
    """What became of a digest: `id` of what it said, times in ISO 8601, the commit at its end, and how it went.

    `sending` is noted before the first byte leaves: where nothing follows, nobody knows whether it arrived. `kept`
    means that it lies in a file, `refused` that nobody took it, `unsure` that no answer came.
    """

    id: str
    state: State
    since: str
    until: str
    head: str | None
    by: str

    @property
    def covers(self) -> bool:
        """Whether what it told is not to be told again."""
        return self.state != "refused"

    @property
    def doubtful(self) -> bool:
        """Whether nobody knows if it arrived."""
        return self.state in ("sending", "unsure")


def write(folder: Path, note: Note) -> None:
    """Append a note in the folder `folder`, and wait until the disk has it. Raises OSError."""
    handle = os.open(folder / FILE, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "r+b") as file:
        end = file.seek(0, os.SEEK_END)
        torn = end > 0 and os.pread(file.fileno(), 1, end - 1) != b"\n"  # by one that was killed
        file.write((b"\n" if torn else b"") + json.dumps(to_builtins(note)).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def notes(folder: Path) -> dict[str, Note]:
    """Return what became of each digest, by id, the latest last; lines that cannot be read are passed over."""
    found: dict[str, Note] = {}
    for one in _read(folder):
        if one.covers:
            found.pop(one.id, None)
            found[one.id] = one
        elif one.id in found and found[one.id].state == "sending":
            del found[one.id]
    return found


def last(folder: Path) -> Note | None:
    """Return the latest digest that is not to be told again."""
    return next(reversed(notes(folder).values()), None)


def doubtful(folder: Path) -> Note | None:
    """Return the first of those digests after which none is known to have arrived; None where the last one has."""
    tail = list(takewhile(lambda one: one.doubtful, reversed(notes(folder).values())))
    return tail[-1] if tail else None


def _read(folder: Path) -> Iterator[Note]:
    try:
        rows = (folder / FILE).read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return
    for row in rows:
        try:
            note = Note(**json.loads(row))
        except (ValueError, TypeError):
            continue
        if note.state in get_args(State) and all(isinstance(one, str) for one in (note.id, note.since, note.until)):
            yield note


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Let nobody else send meanwhile. Raises BusyError where somebody does."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / "digests.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock(handle)
        yield
    finally:
        os.close(handle)


def _lock(handle: int) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BusyError("a digest is being sent at this moment", fix="clawgit digest   # shows it") from None
