"""Tools that read and propose to change the identity."""

from clawgit.errors import ClawgitError
from clawgit.integrations import as_json
from clawgit.integrations.mcp import arguments, provisional
from clawgit.integrations.mcp.rooms import AGENT, Document, Rooms
from clawgit.safety import paths
from clawgit.safety.redaction import redacted
from clawgit.workspace import records, scope, soul
from clawgit.workspace.applied import refuse_rejected
from clawgit.workspace.soul import Difference
from clawgit.workspace.workspace import Workspace


def log(rooms: Rooms, workspace: Workspace, asked: arguments.Log) -> Document:  # noqa: ARG001 - as every tool
    """Return what happened to an identity file, newest first."""
    found = records.log(workspace, _identity(asked.file), limit=asked.limit)
    return {"log": [as_json.record(one) for one in found]}


def diff(rooms: Rooms, workspace: Workspace, asked: arguments.Diff) -> Document:  # noqa: ARG001 - as every tool
    """Return what changed in an identity file, word by word."""
    path = _identity(asked.file)
    if asked.end and not asked.start:
        raise ClawgitError("to without from compares nothing", fix="give both, or neither")
    found = soul.diff(workspace, asked.start, asked.end or None, path) if asked.start else soul.last(workspace, path)
    return _without_secrets(found)


def _without_secrets(found: Difference) -> Document:
    """Return a comparison; a line that holds a secret is not taken apart into words, among which it would hide."""
    document = as_json.difference(found)
    hunks = [as_json.hunk(one) for one in found.hunks]
    shown = [{**hunk, "lines": [_line(row) for row in hunk["lines"]]} for hunk in hunks]  # type: ignore[attr-defined]
    return {**document, "hunks": shown}


def _line(row: Document) -> Document:
    text = str(row["text"])
    return row if redacted(text) == text else {**row, "text": redacted(text), "words": []}


def propose(rooms: Rooms, workspace: Workspace, asked: arguments.Propose) -> Document:
    """Land an edit of the identity, or have it wait for the operator, as soul_policy, its grade and the turn say."""
    caller = provisional.barred(rooms, workspace, "soul_propose", asked.text, asked)
    change = soul.edit(
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
    applied = workspace.apply(provisional.held(change, caller) if caller else change)
    refuse_rejected(applied)
    return as_json.changed(applied, notes=list(applied.notes))


def _identity(given: str) -> str:
    path = paths.check(given)
    if not scope.guarded(path):
        raise ClawgitError(f"{path} is not an identity file", fix=f"use one of {', '.join(scope.IDENTITY)}")
    return path
