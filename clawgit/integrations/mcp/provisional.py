"""What turns that may not write for good ask for."""

from collections.abc import Mapping

from msgspec.structs import replace

from clawgit.integrations.mcp.arguments import Arguments, Gateway
from clawgit.integrations.mcp.rooms import Rooms
from clawgit.sessions.caller import LASTING, Caller, Turn, find_caller
from clawgit.workspace import message
from clawgit.workspace.change import Change
from clawgit.workspace.workspace import Workspace

_WORDS: Mapping[Turn, str] = {
    "others": "of somebody else",
    "cron": "of a timer",
    "heartbeat": "of a heartbeat",
    "subagent": "of a sub-agent",
    "hook": "of a webhook",
    "machine": "of OpenClaw's own",
}


def barred(rooms: Rooms, workspace: Workspace, tool: str, text: str, asked: Arguments) -> Caller | None:
    """Return who calls a tool that writes `text`, if what he writes has to wait; None for the operator's own turn.

    The plugin in OpenClaw says whose turn it is; of other clients OpenClaw's transcripts may tell. A client of which
    nothing is known is taken for an agent that the operator talks to.
    """
    if isinstance(asked, Gateway) or rooms.gateway:
        said = asked if isinstance(asked, Gateway) else Gateway()
        found: Caller | None = Caller(said.turn, said.session)
    else:
        agents = [one.id for one in workspace.host.owners(workspace.root)]
        found = find_caller(workspace.host, agents, tool, text, workspace.clock().timestamp()) if agents else None
    return None if found is None or found.turn in LASTING else found


def held(change: Change, caller: Caller) -> Change:
    """Return a change that waits for the operator, and says in which turn it was asked for."""
    where = f", session {message.one_line(caller.session)}" if caller.session else ""
    told = f"Asked for in a turn {_WORDS[caller.turn]}{where}."
    origin = "untrusted" if caller.turn in ("others", "hook") else change.origin
    return replace(change, why="\n\n".join(filter(None, (change.why, told))), origin=origin, held=True)
