"""`clawgit mcp`."""

import contextlib
import gc
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli.call import Call
from clawgit.cli.hooks_commands import program
from clawgit.cli.lazy_commands import command
from clawgit.errors import ClawgitError, Command, connection_broken
from clawgit.text.entry import new_id
from clawgit.workspace.workspace import open_workspace

if TYPE_CHECKING:
    from clawgit.mcp.mcp_session import Rooms
    from clawgit.mcp.mcp_tools import Client


@command(
    "clawgit mcp --print-config openclaw",
    "clawgit mcp --print-config claude --read-only",
    "CLAWGIT_WORKSPACE=~/.openclaw/workspace clawgit mcp",
    has_json=False,
)
@click.option("--read-only", is_flag=True, help="Offer only tools that read.")
@click.option(
    "--print-config",
    "client",
    type=click.Choice(("openclaw", "claude", "cursor")),
    help="Print what the configuration of this client needs, and serve nothing.",
)
@click.option("--gateway", is_flag=True, help="Serve the plugin in OpenClaw, which says whose words a message is.")
def mcp(call: Call, client: "Client | None", *, read_only: bool, gateway: bool) -> None:
    """Serve other agents, over the Model Context Protocol.

    A client starts this command and talks to it over stdin and stdout. The tools search, read and explain the memory,
    keep one, suggest a correction, and propose a change of the identity; their writes are the agent's, never the
    operator's. --gateway adds tools that hear a message as the operator's: never give that to an agent.
    """
    workspace = open_workspace(call.place())
    if client:
        from clawgit.mcp.mcp_tools import WHERE, snippet  # noqa: PLC0415

        call.out.note(f"this belongs into {WHERE[client]}")
        call.out.document(snippet(client, program(), workspace.root, read_only=read_only))
        return
    from clawgit.mcp import mcp_server  # noqa: PLC0415 - 0.5 s

    if gateway:
        from clawgit.connect.openclaw_target import CONTACT  # noqa: PLC0415

        with contextlib.suppress(ClawgitError):  # a disk that is full keeps nobody from being served
            workspace.store.save_document(CONTACT, workspace.now().isoformat(timespec="seconds"))
    gc.freeze()  # what is loaded stays: to look through it again takes longer than a search
    gc.enable()  # `main` turns it off for processes that end at once
    rest: Exception | None = None
    try:
        mcp_server.serve(rooms(workspace.root, read_only=read_only, gateway=gateway))
    except* OSError as faults:
        call.out.abandon()
        rest = faults.split(BrokenPipeError)[1]  # without that one: the client has left
    while isinstance(rest, ExceptionGroup):
        rest = rest.exceptions[0]
    if rest:
        fix = Command("clawgit mcp --print-config openclaw", note="how a client starts it")
        raise connection_broken(f"the connection to the client broke: {rest}", fix=fix) from rest


def rooms(root: Path, *, read_only: bool, gateway: bool = False) -> "Rooms":
    """Return the session data for a server of the workspace at `root`."""
    from clawgit.mcp.mcp_session import Rooms  # noqa: PLC0415

    session = "" if read_only else os.environ.get("CLAWGIT_SESSION") or f"mcp-{new_id()}"
    return Rooms(root, session, read_only, gateway)
