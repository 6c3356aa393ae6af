"""Items of the inbox, and the log of decisions."""

import base64
import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct, field

from clawgit.git import regular_file

Kind = Literal["identity", "memory", "correction", "conflict", "quarantine", "restore", "settings", "sync", "candidate"]
KINDS: tuple[Kind, ...] = get_args(Kind)
State = Literal["open", "accepted", "rejected", "closed"]
"""`closed`: nothing was left to decide, or a newer item took its place."""

LASTS: Mapping[Kind, timedelta] = {"candidate": timedelta(days=30), "restore": timedelta(days=7)}
"""After so long an item is expired: still listed, and can still be accepted."""
FILE_MODE, LINK_MODE, SUBMODULE_MODE = 0o100644, 0o120000, 0o160000


class FileVersion(Struct, frozen=True, omit_defaults=True):
    """A file as git would have it: its text, else its bytes (`data`, base64), or the commit of a submodule (`blob`)."""

    text: str | None = None
    data: str = ""
    blob: str = ""
    mode: int = FILE_MODE

    @classmethod
    def of_bytes(cls, data: bytes, mode: int = FILE_MODE) -> "FileVersion":
        """Return the version with these bytes, as text if they are UTF-8."""
        try:
            return cls(data.decode(), mode=mode)
        except UnicodeDecodeError:
            return cls(data=base64.b64encode(data).decode(), mode=mode)

    @property
    def content(self) -> bytes:
        """The bytes of the file; of a link the path that it leads to."""
        return base64.b64decode(self.data) if self.text is None else self.text.encode()

    @property
    def regular(self) -> bool:
        """Whether it is a file, and neither a link nor a submodule."""
        return self.mode not in (LINK_MODE, SUBMODULE_MODE)

    @property
    def executable(self) -> bool:
        """Whether it is a file that can be run."""
        return self.regular and bool(self.mode & 0o111)


class FileEdit(Struct, frozen=True, omit_defaults=True):
    """The change of one file by an item; None for no file."""

    path: str
    before: FileVersion | None = None
    after: FileVersion | None = None


class Item(Struct, frozen=True, omit_defaults=True):
    """One waiting item.

    `title` is the changed words, `reason` the purpose of the proposal, `source` its origin: an agent, another machine,
    or a message. `base` is the commit that it was worked out on. `trailers` are those of its commit message; they are
    claims, and decide nothing. `details` depend on the kind, such as the two sides of a correction.
    """

    id: str
    kind: Kind
    title: str
    opened: datetime
    reason: str = ""
    source: str = ""
    base: str = ""
    trailers: tuple[tuple[str, str], ...] = ()
    edits: tuple[FileEdit, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    sameness: str = ""
    state: State = "open"
    decided: datetime | None = None
    answer: str = ""
    commit: str = ""

    @property
    def words(self) -> str:
        """The title without the kind, which is shown beside it."""
        return self.title.removeprefix(f"{self.kind}: ")

    @property
    def expires(self) -> datetime | None:
        """The moment from which it is expired, None for never."""
        lasts = LASTS.get(self.kind)
        try:
            return self.opened + lasts if lasts else None
        except OverflowError:  # somebody dated it to the end of time
            return None

    @property
    def agent(self) -> str | None:
        """The agent that claims to have made it; "capture" for an edit that was found on disk."""
        return self.get("Clawgit-Agent")

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it changes."""
        return tuple(edit.path for edit in self.edits)

    @property
    def texts(self) -> dict[str, tuple[str | None, str | None]]:
        """Each file before and after, by path; None for no file, and for one that is no text."""
        return {
            edit.path: (edit.before.text if edit.before else None, edit.after.text if edit.after else None)
            for edit in self.edits
        }

    def get(self, key: str) -> str | None:
        """Return the first trailer of that name."""
        return next((value for name, value in self.trailers if name == key), None)

    def is_expired(self, now: datetime) -> bool:
        """Return whether it has waited for too long."""
        return self.expires is not None and now >= self.expires


def encode_json(value: object) -> str:
    """Return a value as JSON; half a surrogate pair, which a path may contain, as a question mark."""
    text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode()


LOG_NAME = "decisions.log"
MAX_BYTES = 4 << 30

Act = Literal["open", "decide", "keep"]


class LogEntry(Struct, frozen=True, omit_defaults=True):
    """One line: an item that was opened, the decision on the item `id`, or the document `id` with its `data` as JSON.

    The decision `open` opens a decided item again.
    """

    act: Act
    at: datetime
    item: Item | None = None
    id: str = ""
    state: State = "open"
    answer: str = ""
    commit: str = ""
    data: str = ""


class DecisionsLog:
    """The log of decisions in the folder `folder` (`.git/clawgit`), one JSON line each.

    `state.db` can be lost, damaged or replaced by an older copy; this file cannot be overwritten by accident, because
    it is only appended to. Its size shows whether a database has all of it.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOG_NAME

    def read_size(self) -> int:
        """Return the bytes of the log, 0 without one. Raises OSError."""
        with contextlib.suppress(FileNotFoundError):
            return regular_file.require_state(self.path).stat().st_size
        return 0

    def append(self, entry: LogEntry) -> int:
        """Append an entry, and wait until the disk has it; return the size of the log. Raises OSError."""
        regular_file.append_lines(self.path, encode_json(entry).encode() + b"\n")
        return self.read_size()

    def read_entries(self) -> Iterator[LogEntry]:
        """Yield the entries, the oldest first; a torn or foreign line is skipped. Raises OSError."""
        if self.read_size():
            yield from regular_file.parse_lines(regular_file.read_state(self.path, MAX_BYTES).split(b"\n"), LogEntry)

    def rewrite(self, entries: Iterable[LogEntry]) -> int:
        """Replace the log by these entries; return its size. Raises OSError."""
        data = b"".join(encode_json(entry).encode() + b"\n" for entry in entries)
        regular_file.replace_state(self.path, data, durable=True)
        return len(data)
