"""Records the agent's calls, and commits what they wrote."""

import contextlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.integrations.mcp.mcp_session import Document, Rooms
from clawgit.integrations.mcp.tool_arguments import Called, FileBytes
from clawgit.sessions import audience, transcript
from clawgit.sessions.audience import Requester
from clawgit.sessions.session_calls import is_own_tool, place_in_workspace
from clawgit.sessions.transcript import COMMANDS, FileUse
from clawgit.store.calls import (
    CallTable,
    KnownCalls,
    ToolCall,
    Turn,
    fold,
    fold_command,
    fold_lines,
    hash_text,
    line_hashes,
)
from clawgit.workspace import file_roles, seen_versions, untrusted_sessions
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.workspace import Workspace

UNREAD = "\0"
"""In place of a text that nobody could read."""
_TRUSTED: tuple[Turn, ...] = ("operator", "cron", "heartbeat", "subagent")


def take_call(rooms: Rooms, workspace: Workspace, asked: Called) -> Document:
    """Record a call; commit the files of the workspace that it changed."""
    requester = audience.read_requester(getattr(asked, "requester", {}))
    root = os.path.realpath(workspace.root)
    turn = _find_turn(requester)
    files = {path: file for file in asked.files if (path := place_in_workspace(root, _resolve(file.path)))}
    calls = list(_list_calls(asked, files, requester, turn))
    with contextlib.closing(CallTable(workspace.store)) as table:
        parent = requester.parent
        has_outside = turn == "subagent" and (parent is None or table.has_outside(parent.id, asked.started))
        if turn not in _TRUSTED or has_outside:
            table.note_outside(asked.session, asked.started)
        for call in calls:
            table.record_call(call)
        read_path = _resolve(asked.reads) if asked.reads else ""
        withheld = untrusted_sessions.list_withheld(workspace).keys()
        if asked.untrusted or not is_own_tool(asked.tool, read_path, root, withheld):
            table.note_outside(asked.session, asked.ended or asked.started)
    globs = workspace.config.captured_globs
    changed = [call.path for call in calls if call.path and file_roles.captured(call.path, globs)]
    before = {path: (file.before or "").encode() for path, file in files.items() if file.before != UNREAD}
    known = KnownCalls(workspace.store)
    # What a file held before calls that overlap is not what others wrote.
    alone = [path for path in changed if path in before and known.is_alone(path, asked.session, asked.call)]
    for path in changed:
        rooms.backlog.paths.setdefault(path, before[path] if path in alone else b"")
    rooms.backlog.has_command |= asked.tool.lower() in COMMANDS and asked.ended is not None
    # A commit for each call, unless more have come meanwhile.
    if rooms.backlog.count <= 1:
        paths, rooms.backlog.paths = rooms.backlog.paths, {}
        _capture(workspace, paths)
        if rooms.backlog.has_command:
            rooms.backlog.has_command = False
            with contextlib.suppress(ClawgitError):  # git is busy: the next capture tells
                capture_all(workspace)
    for call in calls:
        text = files[call.path].after if call.path else None
        if text and text != UNREAD:
            seen_versions.keep_write(workspace, call, text)
    return {"recorded": bool(calls)}


def _capture(workspace: Workspace, paths: Mapping[str, bytes]) -> None:
    """Commit files with what they held before; of several, one that is held back keeps back no other."""
    if not paths:
        return
    try:
        workspace.capture(paths, before={path: data for path, data in paths.items() if data})
    except ClawgitError:  # held back, or git is busy: the next capture tells
        for path in paths if len(paths) > 1 else ():
            _capture(workspace, {path: paths[path]})


def _find_turn(requester: Requester) -> Turn:
    """Return whose turn it is; a sub-agent that somebody else's turn started is his."""
    turn = audience.find_turn(requester)
    if turn == "subagent" and requester.parent:
        parent = _find_turn(requester.parent)
        return turn if parent in _TRUSTED else "others"
    return turn


def _list_calls(asked: Called, files: Mapping[str, FileBytes], requester: Requester, turn: Turn) -> Iterator[ToolCall]:
    """Yield the call once for each file that it changed, or as the command that it ran."""
    uses = {Path(use.path).name: use for use in transcript.read_call(asked.call, asked.tool, asked.params)}
    sender = f"{requester.channel} {requester.sender}".strip()
    known = ToolCall(
        asked.session,
        asked.call,
        asked.tool,
        "command",
        "",
        asked.started,
        asked.ended,
        turn=turn,
        requester=f"{sender} owner" if requester.owner else sender,
        run=asked.run,
        place=requester.session,
        is_seen=True,
    )
    if asked.tool.lower() in COMMANDS:
        yield replace(known, words=fold_command(next(iter(uses.values())).text if uses else ""))
    for path, file in files.items():
        if file.before != file.after:
            yield _describe_file(replace(known, path=path), file, uses.get(Path(path).name))


def _describe_file(call: ToolCall, file: FileBytes, use: FileUse | None) -> ToolCall:
    """Return a call for one file, with the lines that the file did not have before, or not as often."""
    after = file.after or "" if file.after != UNREAD else ""
    new = list(Counter(fold(after).splitlines()) - Counter(fold(file.before or "").splitlines()))
    if use:  # of calls that overlap each has its own lines
        own, pieces = set(fold(use.text).splitlines()), [fold(piece) for piece in use.pieces]
        new = [line for line in new if line in own or any(piece and piece in line for piece in pieces)]
    added = fold_lines("\n".join(new)) if UNREAD not in (file.before, file.after) else None
    if call.tool == "write" and file.after != UNREAD:
        whole = {"lines": line_hashes(after), "words": fold_lines(after)}
        return replace(call, kind="write", added=added, blob=hash_text(after), **whole)
    return replace(call, kind="edit", words=fold_lines("\n".join(new)), added=added)


def _resolve(path: str) -> str:
    """Return a path whose folder is reached through no link; the file itself may be one."""
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118 - a path as the agent wrote it
