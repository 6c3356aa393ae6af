"""Finds lines that the agent wrote for others.

An imported conversation shows the calls of each turn; OpenClaw marks files that it no longer trusts.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from clawgit.context.prompt_pieces import Piece
from clawgit.search.answer import Hit
from clawgit.sessions import chat_store_choice
from clawgit.text.entry import normalise

if TYPE_CHECKING:
    from clawgit.sessions.chat_store import Message
    from clawgit.store.entry_table import EntryRow
    from clawgit.workspace.workspace import Workspace

_Line = TypeVar("_Line", Hit, Piece)
_REPLACEMENTS = ("newText", "new_string", "newString", "new_str")
_MARKER = re.compile(r"^[ \t+>]*(?:[-*][ \t]+)?", re.MULTILINE)


class ForeignCall(Struct, frozen=True):
    """A call in a turn of somebody else's, in seconds since 1970; `pieces` take the place of parts of lines."""

    time: float
    text: str
    pieces: tuple[str, ...]


class ForeignLines:
    """What others had the agent write into a workspace, read when it is first asked for."""

    def __init__(self, workspace: "Workspace") -> None:
        self._workspace = workspace

    def omit(self, lines: "Iterable[_Line]") -> "list[_Line]":
        """Return the lines without those of others; of files that OpenClaw does not trust only what the owner said."""
        every = list(lines)
        suspects = [line for line in every if line.path in self._untrusted or self._find_calls(line.text)]
        if not suspects:
            # Most turns meet no line of others: the table of entries is not opened for them.
            return every
        with self._workspace.open_table() as table:
            rows = table.list_rows(paths=sorted({line.path for line in suspects}))
        foreign = [line for line in suspects if self._is_foreign(line, rows)]
        return [line for line in every if line not in foreign]

    def _is_foreign(self, line: Hit | Piece, rows: "Sequence[EntryRow]") -> bool:
        here = [row for row in rows if row.path == line.path and row.start <= line.end and row.end >= line.start]
        words = _fold(line.text)
        inside = [row for row in here if _fold(row.text) in words]  # what is not committed yet has none
        if line.path in self._untrusted:
            return not inside or any(row.id not in self._cited for row in inside)
        if not inside:
            return True
        return any(_is_later(row, call) for row in inside for call in self._find_calls(row.text))

    def _find_calls(self, text: str) -> "list[ForeignCall]":
        """Return the calls that have written one of these lines."""
        lines = _fold(text).splitlines()
        return [
            call
            for call in self._calls
            if any(line in call.text or any(piece in line for piece in call.pieces) for line in lines)
        ]

    @cached_property
    def _calls(self) -> "list[ForeignCall]":
        if not self._workspace.managed:
            return []
        with chat_store_choice.opened(self._workspace.store, os.environ, reading=True) as store:
            return [call for messages in store.list_shared_sessions() for call in list_foreign_calls(messages)]

    @cached_property
    def _untrusted(self) -> frozenset[str]:
        records = self._workspace.host.ledger(self._workspace.root).records
        return frozenset(record.path for record in records if record.writer != "agent")

    @cached_property
    def _cited(self) -> frozenset[str]:
        """The entries that cite words of the owner."""
        rows = self._workspace.rows().values()
        return frozenset(row.id for row in rows if row.origin == "operator" and row.mentions)


def list_foreign_calls(messages: "Iterator[Message]") -> Iterator[ForeignCall]:
    """Yield the calls of a conversation that answer somebody else than the owner."""
    is_foreign = False
    for message in messages:
        if message.role == "user":
            is_foreign = message.origin == "untrusted"
        for call in message.calls if is_foreign else ():
            strings = list(_list_strings(_parse(call.arguments)))
            text = "\n".join(string for _, string in strings)
            pieces = (_fold(string) for key, string in strings if key in _REPLACEMENTS)
            yield ForeignCall(message.time or 0.0, _fold(text), tuple(filter(None, pieces)))


def _parse(arguments: str) -> Any:
    """Return the arguments of a call; of those that were cut, the text as far as it goes."""
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments.replace("\\n", "\n").replace('\\"', '"')


def _list_strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _list_strings(inner, str(name))
    elif isinstance(value, list):
        for inner in value:
            yield from _list_strings(inner, key)


def _fold(text: str) -> str:
    return "\n".join(filter(None, map(normalise, _MARKER.sub("", text).splitlines())))


def _is_later(row: "EntryRow", call: ForeignCall) -> bool:
    """Return whether a row got its words at the time of a call, or later."""
    # A call that writes a whole file anew repeats the lines that were there before.
    return row.changed is None or datetime.fromisoformat(row.changed.date).timestamp() >= int(call.time)
