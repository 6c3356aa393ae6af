"""Writes a change and tells what became of it."""

from typing import TYPE_CHECKING

from clawgit.cli import documents, show
from clawgit.cli.call import Call

if TYPE_CHECKING:
    from clawgit.workspace.change import Change
    from clawgit.workspace.workspace import Workspace


def apply(call: Call, workspace: "Workspace", change: "Change", **more: object) -> None:
    """Apply `change` and print its line, or its document with `more` in it."""
    out = call.out
    applied = workspace.apply(change)
    for words in applied.notes:
        out.note(words)
    if applied.captured:
        out.note(f"captured first what others had written: {applied.captured[:10]}")
    if applied.risk and applied.risk.level == "high":
        out.warn("high risk; it landed, because you asked for it")
        for reason in applied.risk.reasons:
            out.talk(f"  {reason}")
    if out.as_json:
        out.document(documents.changed(applied, **more))
    else:
        out.lines([show.changed(applied, change.subject)])
