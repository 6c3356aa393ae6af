"""Tools that add, propose, and answer batches."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from clawgit.agents import outside_reader, reading_run
from clawgit.agents.reading_run import Reading
from clawgit.agents.recall_validator import OF_AGENT, suggest
from clawgit.errors import Advice, Command, identity_unapproved, option_missing, path_role
from clawgit.git import paths, repository
from clawgit.integrations import json_documents
from clawgit.integrations.mcp import tool_arguments
from clawgit.integrations.mcp.mcp_session import AGENT, Document, Rooms
from clawgit.integrations.mcp.tool_arguments import Arguments, OfRequester
from clawgit.memory import in_force
from clawgit.safety.redaction import redacted
from clawgit.sessions import audience, untainted_chats
from clawgit.sessions.turn_lookup import LASTING, Caller, find_caller
from clawgit.store.calls import Turn
from clawgit.workspace import (
    commit_message,
    enforcement,
    file_roles,
    identity_edits,
    memory,
    records,
    shared_memory,
    taint_register,
)
from clawgit.workspace.change import Change, refuse_rejected
from clawgit.workspace.workspace import Workspace

_WORDS: Mapping[Turn, str] = {
    "others": "of somebody else",
    "cron": "of a timer",
    "heartbeat": "of a heartbeat",
    "subagent": "of a sub-agent",
    "hook": "of a webhook",
    "machine": "of OpenClaw's own",
}


def barred(workspace: Workspace, tool: str, text: str, asked: Arguments) -> Caller | None:
    """Return who calls a tool that writes `text`, if what he writes has to wait; None for the operator's own turn.

    The plugin in OpenClaw says whose turn it is; of other clients OpenClaw's transcripts may tell. A client of which
    nothing is known is taken for an agent that the operator talks to.
    """
    if isinstance(asked, OfRequester):
        requester = audience.read_requester(asked.requester)
        found: Caller | None = Caller(audience.find_turn(requester), requester.session)
    else:
        agents = [owner.id for owner in workspace.host.owners(workspace.root)]
        found = find_caller(workspace.host, agents, tool, text, workspace.clock().timestamp()) if agents else None
    return None if found is None or found.turn in LASTING else found


def held(change: Change, caller: Caller) -> Change:
    """Return a change that waits for the operator, and says in which turn it was asked for."""
    where = f", session {commit_message.one_line(caller.session)}" if caller.session else ""
    told = f"Asked for in a turn {_WORDS[caller.turn]}{where}."
    origin = "untrusted" if caller.turn in ("others", "hook") else change.origin
    return replace(change, why="\n\n".join(filter(None, (change.why, told))), origin=origin, held=True)


def add(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Add) -> Document:  # noqa: ARG001 - as every tool
    """Keep a memory in the agent's name; what a timer, a sub-agent or somebody else asks for waits for the operator."""
    caller = barred(workspace, "memory_add", asked.text, asked)
    in_force.require_none(asked.text, in_force.rules_of(workspace))
    evidence = tuple(asked.evidence)
    if asked.to == "shared":
        with shared_memory.required(workspace) as shared:
            in_force.require_none(asked.text, in_force.rules_of(shared))
            turned = partial(held, caller=caller) if caller else None
            more: dict[str, Any] = {"tag": asked.tag, "origin": "agent", "evidence": evidence, "agent": AGENT}
            added, applied = shared_memory.add(workspace, shared, asked.text, **more, turned=turned)
        root: Path | None = shared.root
    else:
        is_daily = asked.to == "daily"
        added = memory.add(
            workspace, asked.text, tag=asked.tag, daily=is_daily, origin="agent", evidence=evidence, agent=AGENT
        )
        if caller and added.merged_into:
            return {"commit": None, "reason": json_documents.NOTHING, "id": added.id, "merged_into": added.merged_into}
        applied, root = workspace.apply(held(added.change, caller) if caller else added.change), None
    refuse_rejected(applied)
    more = {"id": added.id, "merged_into": added.merged_into, "notes": list(applied.notes)}
    return json_documents.changed(applied, root, **more)


def correct(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Correct) -> Document:  # noqa: ARG001 - as every tool
    """File a candidate: an agent's correction is none until the operator confirms it."""
    item = suggest(workspace, asked.text, asked.about)
    return {
        "commit": None,
        "reason": OF_AGENT,
        "candidate": {**json_documents.candidate_document(item), "state": item.state},
        "confirm": f"clawgit accept {item.id}",
    }


def log(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Log) -> Document:  # noqa: ARG001 - as every tool
    """Return what happened to an identity file, newest first."""
    found = records.log(workspace, _identity(asked.file), limit=asked.limit)
    return {"log": [json_documents.record(one) for one in taint_register.without_words(workspace.read, found)]}


def diff(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Diff) -> Document:  # noqa: ARG001 - as every tool
    """Return what changed in an identity file, word by word."""
    path = _identity(asked.file)
    if asked.end and not asked.start:
        raise option_missing("to without from compares nothing", fix=Advice("give both, or neither"))
    found = (
        identity_edits.diff(workspace, asked.start, asked.end or None, path)
        if asked.start
        else identity_edits.last(workspace, path)
    )
    for commit in filter(None, (found.start, found.end)):
        data = repository.read(workspace.repo, commit, path)
        if data is not None and enforcement.served(workspace, path, data, past=True) != data:
            words = f"{path} was not approved as it was in {commit[:10]}, and is not served"
            raise identity_unapproved(words, fix=Command("clawgit trust"))
    # A line that holds a secret is not taken apart into words, among which it would hide.
    hunks = json_documents.hunk_documents(found.hunks)
    shown = [{**hunk, "lines": [_line(row) for row in hunk["lines"]]} for hunk in hunks]
    return {"from": found.start, "to": found.end, "hunks": shown}


def _line(row: Document) -> Document:
    text = str(row["text"])
    return row if redacted(text) == text else {**row, "text": redacted(text), "words": []}


def propose(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Propose) -> Document:  # noqa: ARG001 - as every tool
    """Land an edit of the identity, or have it wait for the operator, as soul_policy, its evidence and the turn say."""
    caller = barred(workspace, "soul_propose", asked.text, asked)
    change = identity_edits.edit(
        workspace,
        asked.act,
        asked.text,
        old=asked.old,
        section=asked.section or None,
        path=_identity(asked.file),
        why=asked.why,
        evidence=tuple(asked.evidence),
        origin="agent",
        agent=AGENT,
    )
    applied = workspace.apply(held(change, caller) if caller else change)
    refuse_rejected(applied)
    return json_documents.changed(applied, notes=list(applied.notes))


def _identity(given: str) -> str:
    path = paths.check(given)
    if not file_roles.guarded(path):
        raise path_role(f"{path} is not an identity file", fix=Advice(f"use one of {', '.join(file_roles.IDENTITY)}"))
    return path


def next_batch(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Next) -> Document:  # noqa: ARG001 - as every tool
    """Return the next batch of an agent, with the schema of its answer; null where nothing is to be read."""
    with _reading(workspace, asked.agent) as reading:
        found = outside_reader.next_document(reading)
    return {"batch": found[1] if found else None}


def take_answer(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Answered) -> Document:  # noqa: ARG001 - as every tool
    """Check an answer, land what fits, and say of each operation what became of it."""
    said = json.dumps({"id": asked.id, "operations": asked.operations, "reasons": asked.reasons})
    with _reading(workspace, asked.agent) as reading:
        outcome = outside_reader.land(reading, outside_reader.read_answer(reading, said))
    verdicts = [
        {**json_documents.fields(one.operation, "act text"), **json_documents.fields(one, "state why commit")}
        for one in outcome.verdicts
    ]
    return {"verdicts": verdicts, "notes": outcome.notes}


@contextmanager
def _reading(workspace: Workspace, agent: str) -> Iterator[Reading]:
    workspace.require_managed()
    with untainted_chats.opened(workspace, os.environ, reading=True) as store:
        yield reading_run.make_reading(workspace, store, agent, None)
