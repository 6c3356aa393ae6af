"""Tools that add to the memory."""

from msgspec import to_builtins

from clawgit.agents import standing_corrections
from clawgit.agents.suggesting import REASON, suggest
from clawgit.integrations import as_json
from clawgit.integrations.mcp import arguments, provisional
from clawgit.integrations.mcp.rooms import AGENT, Document, Rooms
from clawgit.workspace import memory
from clawgit.workspace.applied import refuse_rejected
from clawgit.workspace.correction_records import standing
from clawgit.workspace.workspace import Workspace


def add(rooms: Rooms, workspace: Workspace, asked: arguments.Add) -> Document:
    """Keep a memory in the agent's name; what a timer, a sub-agent or somebody else asks for waits for the operator."""
    caller = provisional.barred(rooms, workspace, "memory_add", asked.text, asked)
    standing_corrections.require_none(asked.text, standing(workspace.root, workspace.read))
    added = memory.add(
        workspace,
        asked.text,
        tag=asked.tag,
        daily=asked.to == "daily",
        origin="agent",
        evidence=tuple(asked.evidence),
        agent=AGENT,
    )
    if caller and added.merged_into:
        return {"commit": None, "reason": as_json.NOTHING, "id": added.id, "merged_into": added.merged_into}
    applied = workspace.apply(provisional.held(added.change, caller) if caller else added.change)
    refuse_rejected(applied)
    return as_json.changed(applied, id=added.id, merged_into=added.merged_into, notes=list(applied.notes))


def correct(rooms: Rooms, workspace: Workspace, asked: arguments.Correct) -> Document:  # noqa: ARG001 - as every tool
    """File a candidate: an agent's correction is none until the operator confirms it."""
    one = suggest(workspace, asked.text, asked.about)
    return {
        "commit": None,
        "reason": REASON,
        "candidate": {"kind": "candidate", **to_builtins(one), "choices": list(one.choices)},
        "confirm": f"clawgit corrections confirm {one.id}",
    }
