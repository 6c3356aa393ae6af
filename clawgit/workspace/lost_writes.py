"""Keeps the agent's writes that another write overtook."""

import contextlib
from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

from clawgit.errors import ClawgitError, Command
from clawgit.git.repository import Oid, hash_blob
from clawgit.store.calls import ToolCall, fold, fold_lines
from clawgit.workspace.doctor_runner import Check, Finding
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
    from clawgit.workspace.seen_versions import Keeper  # noqa: PLC0415 - no call loses lines as a rule

    keeper = Keeper(workspace.repo)
    with contextlib.suppress(ClawgitError):  # a secret, or no room
        data, now = text.encode(), workspace.now()
        keeper.keep(call.path, data, now.timestamp())
        lost = LostWrite(call.path, call.tool, call.session, call.call, now.isoformat(), hash_blob(data))
        workspace.store.append_rows(_NAME, [lost], MAX_WRITES)
    keeper.close()


def check(workspace: Workspace) -> Check:
    """Return the check of writes that lost lines."""
    return Check("the agent's writes", lambda: _list_findings(workspace), "no line was lost between two writes")


def _list_findings(workspace: Workspace) -> Iterator[Finding]:
    from clawgit.workspace import seen_versions  # noqa: PLC0415 - loads sqlite3

    for lost in workspace.store.read_rows(_NAME, LostWrite):
        versions = (one for one in seen_versions.versions(workspace.repo, lost.path) if one.id == lost.version)
        version = next(versions, None)
        present = set(fold(workspace.read_loosely(lost.path)).splitlines())
        missing = [line for line in fold(version.text or "").splitlines() if line not in present] if version else []
        if missing:
            when = f"{datetime.fromisoformat(lost.time):%Y-%m-%d %H:%M}"
            words = f"{lost.path}: lines that {lost.tool} wrote on {when} are gone, and no call removed them"
            fix = Command("clawgit restore {} --seen {}", lost.path, lost.version[:10])
            yield Finding("write-lost", f"{words} (session {lost.session[:8]})", fix)
