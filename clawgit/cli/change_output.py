"""Writes a change and tells what became of it."""

from typing import TYPE_CHECKING

from clawgit.cli import human_lines
from clawgit.cli.call import Call
from clawgit.integrations import json_documents

if TYPE_CHECKING:
    from clawgit.workspace.change import Applied, Change
    from clawgit.workspace.workspace import Workspace


def apply(call: Call, workspace: "Workspace", change: "Change", *, wait: bool | None = None, **more: object) -> None:
    """Apply `change` and print its line, or its document with `more` in it; `wait` keeps it for `soul approve`."""
    applied = workspace.apply(change, wait=wait)
    if applied.commit and applied.risk and applied.risk.level == "high":
        call.out.warn("high risk; it landed, because you asked for it")
        for reason in applied.risk.reasons:
            call.out.talk(f"  {reason}")
    tell(call, applied, change.subject, **more)


def back(call: Call, workspace: "Workspace", change: "Change") -> None:
    """Apply a change that brings something back, once it is said what that costs."""
    warn(call, workspace, change)
    apply(call, workspace, change)


def warn(call: Call, workspace: "Workspace", change: "Change") -> None:
    """Say what a change of a file costs that OpenClaw keeps a record of."""
    from clawgit.workspace.prompt_cost import costs  # noqa: PLC0415 - few commands write such files

    for words in costs(workspace, change):
        call.out.warn(words)


def tell(call: Call, applied: "Applied", subject: str, **more: object) -> None:
    """Print what became of a change. Raises ClawgitError for one that was rejected before."""
    from clawgit.workspace.change import refuse_rejected  # noqa: PLC0415 - loaded by then

    out = call.out
    for words in applied.notes:
        out.note(words)
    if applied.captured:
        out.note(f"captured first what others had written: {applied.captured[:10]}")
    refuse_rejected(applied)
    out.answer(lambda: json_documents.changed(applied, **more), human_lines.changed(applied, subject))
