"""Records the calls of a transcript."""

import os
from collections.abc import Collection
from typing import cast

from msgspec.structs import replace

from clawgit.safety.redaction import redacted
from clawgit.sessions.envelope import MACHINE_TURNS, MACHINES, Session
from clawgit.sessions.session_messages import Event
from clawgit.sessions.transcript import Entry, FileUse
from clawgit.store.calls import CallTable, ToolCall, Turn, fold, fold_command, fold_lines, hash_text, line_hashes

_OWN_TOOLS = ("write", "edit", "apply_patch")
"""Tools whose answers bring nothing from outside; nor do clawgit's."""
_MEMORY_TOOLS = ("memory_search", "memory_get")
"""Tools of OpenClaw's that find every line, also those that are not trusted."""


class SessionCalls:
    """The calls of one source of a session, recorded entry by entry; `turn` is the owner of the last entry's turn."""

    def __init__(self, table: CallTable, session: Session, root: str, turn: str, withheld: Collection[str]) -> None:
        self._table = table
        self._session = session
        self._root = root
        self._withheld = withheld
        self._reads: dict[str, str] = {}
        self.turn = cast("Turn", turn)
        if session.kind in MACHINES or session.kind == "hook":
            self.turn = MACHINE_TURNS.get(session.kind, "machine")

    def record(self, event: Event, entry: Entry) -> None:
        """Record the calls and answers of the entry that an event was made of."""
        time = entry.time or event.at
        if entry.role == "user":
            self._begin_turn(event, time)
        for use in entry.files:
            self._record_use(use, time)
        if entry.answers:
            self._table.record_answer(self._session.id, entry.answers, entry.result, time, failed=entry.failed)
            if not is_own_tool(entry.tool, self._reads.get(entry.answers, ""), self._root, self._withheld):
                self._table.note_outside(self._session.id, time)

    def _begin_turn(self, event: Event, time: float) -> None:
        """Note the owner of a new turn; OpenClaw's own insertions continue the turn before."""
        if self._session.kind in MACHINES or self._session.kind == "hook":
            return
        if event.skipped:
            self.turn = MACHINE_TURNS.get(event.skipped, self.turn)
            return
        turns: dict[str, Turn] = {"operator": "operator", "untrusted": "others"}
        self.turn = turns.get(event.origin, "machine")
        if self.turn != "operator":
            self._table.note_outside(self._session.id, time)

    def _record_use(self, use: FileUse, time: float) -> None:
        path = place_in_workspace(self._root, use.path) if use.path else ""
        if use.kind == "read":
            self._reads[use.call] = path or use.path
        if use.path and not path:
            return
        call = describe_use(use, path, self._session.id, time)
        self._table.record_call(replace(call, turn=self.turn, place=self._session.key), is_partial=not use.whole)


def is_own_tool(tool: str, path: str, root: str, withheld: Collection[str] = ()) -> bool:
    """Return whether the answers of a tool bring nothing from outside; of `read`, by the path that it reads.

    `withheld` are the files with lines that are not trusted.
    """
    name = tool.lower()
    if name in _MEMORY_TOOLS:
        return not withheld
    if name == "read":
        place = place_in_workspace(root, path) if path else ""
        return bool(place) and place not in withheld
    return name in _OWN_TOOLS or "clawgit" in name


def place_in_workspace(root: str, path: str) -> str:
    """Return a path below `root`, the real path of a workspace, as seen from there; "" for one elsewhere."""
    place = os.path.normpath(os.path.join(root, path))  # noqa: PTH118 - a path as the agent wrote it
    return place[len(root) + 1 :] if place.startswith(f"{root}{os.sep}") else ""


def describe_use(use: FileUse, path: str, session: str, time: float) -> ToolCall:
    """Return a call from its use of a file in the workspace, or its command."""
    call = ToolCall(session, use.call or f"{use.tool} {time}", use.tool, use.kind, path, time, time)
    if use.kind == "command":
        return replace(call, ended=None, words=fold_command(use.text))
    if use.kind == "edit":
        pieces = tuple(filter(None, (fold(redacted(piece)) for piece in use.pieces)))
        return replace(call, words=fold_lines(use.text), pieces=pieces)
    if use.kind == "write":
        return replace(call, blob=hash_text(use.text), lines=line_hashes(use.text), words=fold_lines(use.text))
    return call
