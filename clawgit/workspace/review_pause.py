"""For how long nothing is put back."""

import contextlib
import time
from typing import TYPE_CHECKING

from clawgit.git import regular_file

if TYPE_CHECKING:
    from clawgit.workspace.workspace_base import WorkspaceBase

LONGEST_SECONDS = 4 * 3600.0


def begin(workspace: "WorkspaceBase", seconds: float) -> float:
    """Put nothing back for so many seconds (four hours at most); return until when, as seconds of the epoch."""
    until = time.time() + min(seconds, LONGEST_SECONDS)
    store = workspace.trusted
    store.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    regular_file.replace_state(store.folder / "pause", f"{until:.0f}\n".encode())
    return until


def end(workspace: "WorkspaceBase") -> None:
    """End the pause, if there is one."""
    with contextlib.suppress(OSError):
        (workspace.trusted.folder / "pause").unlink()


def until(workspace: "WorkspaceBase") -> float | None:
    """Return until when nothing is put back (seconds of the epoch), None where there is no pause."""
    with contextlib.suppress(OSError, ValueError):
        moment = float(regular_file.read_state(workspace.trusted.folder / "pause"))
        now = time.time()
        if now < moment <= now + LONGEST_SECONDS:
            return moment
    return None


def standing(workspace: "WorkspaceBase") -> str:
    """Return why nothing is put back just now, "" where there is no pause."""
    moment = until(workspace)
    return "" if moment is None else f"paused until {time.strftime('%H:%M', time.localtime(moment))}"
