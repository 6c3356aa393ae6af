"""Brings in what OpenClaw wrote down a moment ago."""

import contextlib
import os
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from clawgit.errors import ClawgitError

if TYPE_CHECKING:
    from clawgit.sessions.find import Found
    from clawgit.workspace.workspace import Workspace

_SECONDS = 3.0
"""A message that arrives is looked at soon, or not with what was said before it."""


def bring(workspace: "Workspace") -> None:
    """Import the conversations of the agent that works here; what takes too long, or fails, waits for the next import.

    Where OpenClaw has no such agent, and in a folder that is not managed, nothing is imported.
    """
    from clawgit.sessions import find, importing, stores  # noqa: PLC0415 - few messages need it

    owners = [one.id for one in workspace.host.owners(workspace.root)] if workspace.managed else []
    if not owners:
        return
    with contextlib.suppress(ClawgitError), stores.opened(workspace.state, os.environ) as store:
        importing.follow(workspace, store, _soon(find.of_host(workspace.host, owners)), owners[0])


def _soon(found: "Iterable[Found]") -> "Iterator[Found]":
    deadline = time.monotonic() + _SECONDS
    for one in found:
        if time.monotonic() >= deadline:
            return
        yield one
