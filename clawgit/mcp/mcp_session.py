"""The permissions and threads of a client's session."""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, field

from clawgit.search import warm
from clawgit.sessions import know_sessions
from clawgit.text.entry import new_id
from clawgit.workspace.workspace import Workspace, open_workspace

AGENT = "main-agent"
"""In whose name the tools write: whoever calls them is taken for the main agent, and never for the operator."""

Document = Mapping[str, object]


class Backlog:
    """Reports of the agent's calls that have come: the number of open ones, and their files, as before them.

    `has_command`: a command has ended, which may have written any file.
    """

    def __init__(self) -> None:
        self.count = 0
        self.paths: dict[str, bytes] = {}
        self.has_command = False

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        """Count a report from when it comes until it is done."""
        self.count += 1
        try:
            yield
        finally:
            self.count -= 1


class Rooms(Struct, frozen=True):
    """A client's session: the workspace at `root`, and the name under which recalled lines are noted, if any.

    `gateway`: the client is OpenClaw's plugin.
    """

    root: Path
    session: str = ""
    read_only: bool = False
    gateway: bool = False
    backlog: Backlog = field(default_factory=Backlog)

    def opened(self) -> Workspace:
        """Return the workspace, opened anew: changes of CONFIG.md count at once."""
        workspace = open_workspace(self.root)
        know_sessions(workspace)
        return workspace


def make_rooms(root: Path, *, read_only: bool, gateway: bool = False) -> Rooms:
    """Return the session data for a server of the workspace at `root`."""
    # Without a session no recall is noted, so a read-only server writes nothing.
    session = "" if read_only else os.environ.get("CLAWGIT_SESSION") or f"mcp-{new_id()}"
    return Rooms(root, session, read_only, gateway)


T = TypeVar("T")

_GRACE = 0.8


class Lanes:
    """Two threads, so that a write that waits for a lock keeps no search waiting, and two writes never meet.

    Every call has the workspace opened anew by `opened`.
    """

    def __init__(self, factory: Callable[[], Workspace]) -> None:
        self._opened = factory
        self._reading = ThreadPoolExecutor(1, "clawgit-reading", initializer=warm.begin)
        self._writing = ThreadPoolExecutor(1, "clawgit-writing")

    async def run(self, act: Callable[[Workspace], T], *, writes: bool) -> T:
        """Return the result of `act`. A call that is cancelled before its turn does nothing."""
        lane = self._writing if writes else self._reading
        return await asyncio.wrap_future(lane.submit(self._act, act, lane))

    def _act(self, act: Callable[[Workspace], T], lane: ThreadPoolExecutor) -> T:
        workspace = self._opened()
        try:
            return act(workspace)
        finally:
            try:
                lane.submit(_look_back, workspace)  # once the answer is on its way
            except RuntimeError:  # the process is ending
                _look_back(workspace)

    def hurry(self, code: int = 0) -> None:
        """End the process in a moment, whatever it waits for.

        A thread waiting for a lock has touched nothing, and the next command finishes a half-done write.
        """
        timer = threading.Timer(_GRACE, os._exit, (code,))
        # The timer alone does not keep the process alive.
        timer.daemon = True
        timer.start()

    def leave(self, code: int) -> None:
        """End the process after the present write, at the latest in a moment."""
        self.hurry(code)
        with contextlib.suppress(RuntimeError):
            # The only writing thread gets to this once the present write is done.
            self._writing.submit(os._exit, code)


def _look_back(workspace: Workspace) -> None:
    try:
        notes = workspace.close()
    except Exception as exc:  # noqa: BLE001 - the answer is out; there is nobody to raise it to
        notes = (f"looking back: {exc}",)
    for words in notes:
        with contextlib.suppress(OSError):  # nobody may keep a log
            print(f"note: {words}", file=sys.stderr, flush=True)  # noqa: T201 - what a host keeps as the server's log
