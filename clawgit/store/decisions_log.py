"""The log of decisions, one JSON line each.

`state.db` can be lost, damaged or replaced by an older copy; this file cannot be overwritten by accident, because it is
only appended to. Each line has the hash of the line before, so that no two are alike.
"""

import contextlib
import os
from collections.abc import Iterable
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from clawgit.git import regular_file
from clawgit.store.item import Item, State, encode_json

NAME = "decisions.log"
MAX_BYTES = 4 << 30
_CHUNK_BYTES = 64 << 10
_HASH_DIGITS = 16

Act = Literal["open", "decide", "keep"]


class Entry(Struct, frozen=True, omit_defaults=True):
    """One line: an item that was opened, the decision on the item `id`, or the document `id` with its `data` as JSON.

    `before` is the hash of the line before.
    """

    act: Act
    at: datetime
    item: Item | None = None
    id: str = ""
    state: State = "open"
    answer: str = ""
    commit: str = ""
    data: str = ""
    before: str = ""


class DecisionsLog:
    """The log in the folder `folder` (`.git/clawgit`)."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def read_tail(self) -> str:
        """Return the hash of the last whole line, empty without one. Raises OSError."""
        try:
            file = regular_file.require_state(self.path).open("rb")
        except FileNotFoundError:
            return ""
        with file:
            size = file.seek(0, os.SEEK_END)
            for length in (_CHUNK_BYTES, size):  # the line may be a long one, or followed by torn ones
                file.seek(max(0, size - length))
                lines = file.read().split(b"\n")[:-1][length < size :]
                if tail := next((hash_line(line) for line in reversed(lines) if _parse(line)), ""):
                    return tail
        return ""

    def append(self, entry: Entry) -> str:
        """Append an entry, and wait until the disk has it; return the hash of its line. Raises OSError."""
        line = encode_json(replace(entry, before=self.read_tail())).encode()
        regular_file.append_lines(self.path, line + b"\n")
        return hash_line(line)

    def read_entries(self) -> list[tuple[Entry, str]]:
        """Return each entry with the hash of its line, the oldest first; a torn or foreign line is skipped.

        Raises OSError, but for a log that is missing.
        """
        with contextlib.suppress(FileNotFoundError):
            lines = regular_file.read_state(self.path, MAX_BYTES).split(b"\n")
            return [(entry, hash_line(line)) for line in lines if (entry := _parse(line))]
        return []

    def rewrite(self, entries: Iterable[Entry]) -> str:
        """Replace the log by these entries; return the hash of the last line. Raises OSError."""
        lines, before = list[bytes](), ""
        for entry in entries:
            lines.append(encode_json(replace(entry, before=before)).encode())
            before = hash_line(lines[-1])
        regular_file.replace_state(self.path, b"".join(line + b"\n" for line in lines), durable=True)
        return before


def hash_line(line: bytes) -> str:
    """Return the name of a line: the first digits of its SHA-256."""
    return sha256(line).hexdigest()[:_HASH_DIGITS]


def _parse(line: bytes) -> Entry | None:
    with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError):
        return msgspec.json.decode(line, type=Entry)
    return None
