"""Keeps the agent's writes that another write overtook."""

import contextlib
from collections.abc import Iterator

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git.repository import Oid, hash_blob
from clawgit.store.calls import ToolCall, fold_lines
from clawgit.workspace.workspace import Workspace

_NAME, MAX_WRITES = "lost writes", 100


class LostWrite(Struct, frozen=True):
    """A call that wrote lines of a file which were gone when it ended; `version` holds the file as the call left it."""

    path: str
    tool: str
    session: str
    call: str
    time: str
    version: Oid


def keep_write(workspace: Workspace, call: ToolCall, text: str) -> None:
    """Keep what a call wrote if its file lacks lines of it by now. Best effort."""
    if not (call.added or frozenset()) - fold_lines(workspace.read(call.path) or ""):
        return
    from clawgit.workspace import seen_versions  # noqa: PLC0415 - no call loses lines as a rule

    with contextlib.suppress(ClawgitError):  # a secret, or no room
        data, now = text.encode(), workspace.now()
        seen_versions.keep(workspace.repo, call.path, data, now.timestamp())
        lost = LostWrite(call.path, call.tool, call.session, call.call, now.isoformat(), hash_blob(data))
        workspace.store.append_rows(_NAME, [lost], MAX_WRITES)


def list_lost_writes(workspace: Workspace) -> Iterator[tuple[LostWrite, str]]:
    """Yield the writes that were kept, each with the file as the call left it."""
    from clawgit.workspace import seen_versions  # noqa: PLC0415 - loads sqlite3

    for lost in workspace.store.read_rows(_NAME, LostWrite):
        versions = (one for one in seen_versions.versions(workspace.repo, lost.path) if one.id == lost.version)
        yield from ((lost, version.text or "") for version in versions)
