"""The agent's calls: reads, writes, commands.

OpenClaw's plugin reports a call when it has ended; an imported transcript shows it afterwards.
"""

import contextlib
import json
import os
import re
import sqlite3
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, Literal

from msgspec import Struct

from clawgit.errors import Command, file_unreadable
from clawgit.git import repository
from clawgit.git.repository import Oid
from clawgit.store.database import StateStore
from clawgit.text.entry import normalise

MAX_WHOLE_TEXTS = 400
"""Of so many calls for a file it is known which lines the agent saw or wrote; of older ones which they added."""
MAX_COMMAND_SECONDS = 86_400.0
"""So long a command may run whose end nobody reported."""
_PATIENCE_SECONDS = 10.0
_HASH_BYTES = 6
_STILL_RUNNING = "Command still running"
"""So the answer of OpenClaw's `exec` begins for a command that goes on."""
_MARKER = re.compile(r"^[ \t+>]*(?:[-*][ \t]+)?", re.MULTILINE)
_SEPARATORS = re.compile(r"""['"\n]|\\n""")
_SED_SEPARATORS = re.compile(r"""['"\n/|#]|\\n""")
_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS tool_call (
      number INTEGER PRIMARY KEY, session TEXT NOT NULL, call TEXT NOT NULL, path BLOB NOT NULL, tool TEXT NOT NULL,
      kind TEXT NOT NULL, time REAL NOT NULL, ended REAL, blob TEXT NOT NULL, turn TEXT NOT NULL,
      requester TEXT NOT NULL, run TEXT NOT NULL, place TEXT NOT NULL, lines BLOB, words BLOB NOT NULL, added BLOB,
      pieces TEXT NOT NULL, outside INTEGER NOT NULL, seen INTEGER NOT NULL, UNIQUE (session, call, path))""",
    "CREATE INDEX IF NOT EXISTS tool_call_by_path ON tool_call (path, time)",
    "CREATE INDEX IF NOT EXISTS tool_call_by_kind ON tool_call (kind, time)",
    "CREATE TABLE IF NOT EXISTS outside_content (session TEXT PRIMARY KEY, time REAL NOT NULL)",
)
_COLUMNS = (
    *("session", "call", "tool", "kind", "path", "time", "ended", "blob", "lines", "words", "added", "pieces"),
    *("turn", "requester", "run", "place", "outside", "seen"),
)
"""In the order of the fields of a call.

`lines` is NULL until the answer of a read has been seen, `added` where nobody saw the file before and after.
"""

Kind = Literal["read", "write", "edit", "command"]
Turn = Literal["operator", "others", "cron", "heartbeat", "subagent", "hook", "machine", ""]
"""Whose turn a call belongs to; "" where that is not known."""


class ToolCall(Struct, frozen=True):
    """A call; times are seconds since 1970, `ended` is None while a command goes on.

    `lines` are the hashes of the lines that a read showed or a write wrote, `words` of all that it may have written,
    folded by `fold`, `added` of those that the file did not have before (None: unknown). `pieces` are texts that
    replaced parts of lines. `blob` is git's id of the bytes of a write. `is_seen`: the plugin reported the call;
    `is_outside`: its session had content from outside by then. `place` is the key of its session.
    """

    session: str
    call: str
    tool: str
    kind: Kind
    path: str
    time: float
    ended: float | None = None
    blob: Oid = ""
    lines: frozenset[bytes] = frozenset()
    words: frozenset[bytes] = frozenset()
    added: frozenset[bytes] | None = None
    pieces: tuple[str, ...] = ()
    turn: Turn = ""
    requester: str = ""
    run: str = ""
    place: str = ""
    is_outside: bool = False
    is_seen: bool = False
    number: int = 0

    def writes_line(self, line: str) -> bool:
        """Return whether the call put a line, or a part of it, into its file."""
        return self.has_line(line) or (
            self.added is None and any(piece in normalise_lines(line) for piece in self.pieces)
        )

    def has_line(self, line: str) -> bool:
        """Return whether the call has a whole line of those that it put into its file."""
        return _hash_call_line(normalise_lines(line)) in (self.words if self.added is None else self.added)


def normalise_lines(text: str) -> str:
    """Return the lines of a text without bullets, marks of a patch and differences of case and spacing."""
    return "\n".join(filter(None, map(normalise, _MARKER.sub("", text).splitlines())))


def hash_line(line: str) -> str:
    """Return the hash of a folded line as letters."""
    return _hash_call_line(normalise_lines(line)).hex()


def hash_folded_lines(text: str) -> frozenset[bytes]:
    """Return the hashes of the folded lines of a text."""
    return frozenset(map(_hash_call_line, normalise_lines(text).splitlines()))


def hash_command_lines(command: str) -> frozenset[bytes]:
    """Return the hashes of the folded lines that a command may write: texts between quotes, line ends or slashes."""
    return hash_folded_lines(_SEPARATORS.sub("\n", command)) | hash_folded_lines(_SED_SEPARATORS.sub("\n", command))


def line_hashes(text: str) -> frozenset[bytes]:
    """Return the hashes of the lines of a text that are not blank, letter by letter."""
    lines = {line.strip() for line in text.removeprefix("\ufeff").split("\n")}
    return frozenset(_hash_call_line(line) for line in lines if line)


def hash_content(text: str) -> dict[str, Any]:
    """Return the fields of a call that wrote a whole text: its blob, its lines and its words."""
    return {"blob": hash_text(text), "lines": line_hashes(text), "words": hash_folded_lines(text)}


class CallTable:
    """The table, for writing. Texts in it are exchanged parts of lines."""

    def __init__(self, store: StateStore) -> None:
        place = store.prepare()
        try:
            self._database = sqlite3.connect(place, timeout=_PATIENCE_SECONDS, isolation_level=None)
            for statement in _SCHEMA:
                self._database.execute(statement)
        except sqlite3.Error as exc:
            raise file_unreadable(f"{place}: {exc}", fix=Command("ls -ld {}", store.folder)) from exc

    def record_call(self, call: ToolCall, *, is_partial: bool = False) -> None:
        """Record a call. The plugin's report stays: a transcript fills in the unknown parts.

        `is_partial`: a read shows a part of its file.
        """
        is_open = call.kind == "read" and not is_partial
        lines = None if is_open else _join(call.lines)
        additions = None if call.added is None else _join(call.added)
        outside = call.is_outside or self.has_outside(call.session, call.time)
        about = (call.turn, call.requester, call.run, call.place)
        hashes = (lines, _join(call.words), additions, json.dumps(call.pieces))
        values = (
            *(call.session, call.call, call.tool, call.kind, os.fsencode(call.path), call.time, call.ended, call.blob),
            *(*hashes, *about, outside, call.is_seen),
        )
        names = ["run", "place", "requester", "turn", "time", "ended", "added", "words", "pieces", "tool"]
        template = "{0} = CASE WHEN excluded.seen >= seen THEN excluded.{0} ELSE {0} END"
        filled = ", ".join(map(template.format, names))
        # Of both reports the stricter one counts for content from outside.
        filled += ", outside = max(outside, excluded.outside), seen = max(seen, excluded.seen)"
        filled += ", blob = coalesce(nullif(blob, ''), excluded.blob), lines = coalesce(lines, excluded.lines)"
        marks = ", ".join("?" * len(values))
        self._database.execute(
            f"INSERT INTO tool_call ({', '.join(_COLUMNS)}) VALUES ({marks}) "  # noqa: S608 - our own words
            f"ON CONFLICT (session, call, path) DO UPDATE SET {filled}",
            values,
        )
        if call.path:
            oldest = "SELECT number FROM tool_call WHERE path = ? ORDER BY number DESC LIMIT -1 OFFSET ?"
            condition = f"number IN ({oldest})"
            bounds = (os.fsencode(call.path), MAX_WHOLE_TEXTS)
            self._database.execute(f"DELETE FROM tool_call WHERE kind = 'read' AND {condition}", bounds)  # noqa: S608
            # Of an old write the added lines are enough: they name the writer of a line.
            shrink = f"UPDATE tool_call SET lines = x'' WHERE added IS NOT NULL AND {condition}"  # noqa: S608
            self._database.execute(shrink, bounds)

    def record_answer(self, session: str, call: str, text: str, time: float, *, failed: bool) -> None:
        """Record the result of a call: of a read its lines, of a command its end, unless it goes on in the background.

        A call that failed is dropped.
        """
        last = "number = (SELECT max(number) FROM tool_call WHERE session = ? AND call = ?)"
        if failed:
            # A command that failed may have written before.
            self._database.execute(f"DELETE FROM tool_call WHERE {last} AND kind != 'command'", (session, call))  # noqa: S608
        lines = _join(line_hashes(text))
        statement = f"UPDATE tool_call SET lines = ? WHERE {last} AND lines IS NULL"  # noqa: S608
        self._database.execute(statement, (lines, session, call))
        if not text.startswith(_STILL_RUNNING):
            end = f"UPDATE tool_call SET ended = ? WHERE {last} AND ended IS NULL"  # noqa: S608
            self._database.execute(end, (time, session, call))

    def note_outside(self, session: str, time: float) -> None:
        """Note that a session has content from outside since a moment."""
        statement = """INSERT INTO outside_content VALUES (?, ?)
          ON CONFLICT (session) DO UPDATE SET time = min(time, excluded.time)"""
        self._database.execute(statement, (session, time))

    def has_outside(self, session: str, time: float) -> bool:
        """Return whether a session had content from outside by a moment."""
        query = "SELECT 1 FROM outside_content WHERE session = ? AND time <= ?"
        return self._database.execute(query, (session, time)).fetchone() is not None

    def forget(self, sessions: Iterable[str]) -> None:
        """Drop the calls of these sessions."""
        names = [(session,) for session in sessions]
        for table in ("tool_call", "outside_content"):
            self._database.executemany(f"DELETE FROM {table} WHERE session = ?", names)  # noqa: S608

    def close(self) -> None:
        """Close the table."""
        self._database.close()


class KnownCalls:
    """Questions to the table; one that cannot be read has no call."""

    def __init__(self, store: StateStore) -> None:
        self._store = store

    def list_file_calls(self, path: str) -> list[ToolCall]:
        """Return the reads and writes of a whole file in the order in which they were made."""
        return self._find("path = ? AND kind IN ('read', 'write')", os.fsencode(path))

    def list_writes(self, path: str, since: float, until: float) -> list[ToolCall]:
        """Return the calls of a time that may have written a file: for it, and commands; the newest first."""
        own = "path = ? AND kind IN ('write', 'edit') AND time <= ? AND coalesce(ended, time) >= ?"
        name = os.fsencode(path)
        calls = [*self._find(own, name, until, since), *self.list_commands(since, until)]
        return sorted(calls, key=lambda call: call.time, reverse=True)

    def is_alone(self, path: str, session: str, call: str) -> bool:
        """Return whether no other call wrote a file while this one ran."""
        query = "(SELECT {0} FROM tool_call WHERE session = ? AND call = ? LIMIT 1)"
        condition = (
            f"path = ? AND kind IN ('write', 'edit') AND (session != ? OR call != ?) "
            f"AND time <= {query.format('coalesce(ended, time)')} AND coalesce(ended, time) >= {query.format('time')}"
        )
        return not self._find(condition, os.fsencode(path), session, call, session, call, session, call)

    def list_commands(self, since: float, until: float) -> list[ToolCall]:
        """Return the commands that ran within a time."""
        # A command in the background may never report its end.
        condition = "kind = 'command' AND time <= ? AND coalesce(ended, time + ?) >= ?"
        return self._find(condition, until, MAX_COMMAND_SECONDS, since)

    def list_others_writes(self, path: str) -> list[ToolCall]:
        """Return the calls of others' turns that may have written a file, any file for an empty name."""
        condition = "(path = ? OR ? = X'' OR kind = 'command') AND kind != 'read' AND turn IN ('others', 'hook')"
        name = os.fsencode(path)
        return self._find(condition, name, name)

    def list_all(self) -> list[ToolCall]:
        """Return the writes and commands."""
        return self._find("kind != 'read'")

    def list_last(self, count: int) -> list[ToolCall]:
        """Return the last calls that wrote a file or ran a command, the newest first."""
        return self._find("kind != 'read'", order="time DESC", limit=count)

    def _find(self, condition: str, *values: object, order: str = "number", limit: int = -1) -> list[ToolCall]:
        path = self._store.path
        if not path.is_file() or path.is_symlink():
            return []
        query = f"SELECT {', '.join(_COLUMNS)}, number FROM tool_call WHERE {condition} ORDER BY {order} LIMIT ?"  # noqa: S608 - our own words
        with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(path)) as database:
            return [_read_row(row) for row in database.execute(query, (*values, limit))]
        return []


def _read_row(row: Sequence[Any]) -> ToolCall:
    lines, words, additions = (
        None
        if cell is None
        else frozenset(cell[offset : offset + _HASH_BYTES] for offset in range(0, len(cell), _HASH_BYTES))
        for cell in row[8:11]
    )
    hashes = lines or frozenset[bytes](), words or frozenset[bytes](), additions
    pieces, flags = tuple(map(str, json.loads(row[11]))), map(bool, row[16:18])
    cells: list[Any] = [*row[:4], os.fsdecode(row[4]), *row[5:8], *hashes, pieces, *row[12:16], *flags, row[18]]
    return ToolCall(*cells)


def hash_text(text: str) -> Oid:
    """Return git's id of the bytes of a text."""
    return repository.hash_blob(text.encode("utf-8", "replace"))


def _hash_call_line(line: str) -> bytes:
    return blake2b(line.encode("utf-8", "replace"), digest_size=_HASH_BYTES).digest()


def _join(lines: Iterable[bytes]) -> bytes:
    return b"".join(sorted(lines))
