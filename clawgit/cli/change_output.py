"""Writes a change and tells what became of it."""

from typing import TYPE_CHECKING

from clawgit.cli import human_lines
from clawgit.cli.call import Call
from clawgit.cli.output import Span, line
from clawgit.errors import quoted
from clawgit.integrations import json_documents

if TYPE_CHECKING:
    from clawgit.workspace.change import Applied, Change, Origin
    from clawgit.workspace.workspace import Workspace


def apply(call: Call, workspace: "Workspace", change: "Change", *, wait: bool | None = None, **more: object) -> None:
    """Apply `change` and print its line, or its document with `more` in it; `wait` keeps it in the inbox."""
    applied = workspace.apply(change, wait=wait)
    tell(call, applied, change.subject, **more)


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


def add_to_shared(
    call: Call, own: "Workspace", text: str, tag: str | None, origin: "Origin", evidence: tuple[str, ...]
) -> None:
    """Keep a memory for all agents, and print what became of it. Raises ClawgitError where none is shared."""
    from clawgit.workspace import change, shared_memory  # noqa: PLC0415 - few share a memory

    shared = shared_memory.required(own)
    with call.closing(shared):
        addition, applied = shared_memory.add(own, shared, text, tag=tag, origin=origin, evidence=evidence)
        for words in applied.notes:
            call.out.note(words)
        change.refuse_rejected(applied)
        document = json_documents.shared(applied, shared.root, id=addition.id, merged_into=addition.merged_into)
        at = f"clawgit -C {quoted(shared.root)}"
        if applied.proposal:
            name = applied.proposal.id
            said = line("waits in the shared memory as ", Span(name, "yellow"), f" · {at} show {name}")
        elif applied.commit:
            said = line(Span(applied.commit[:10], "yellow"), f" {addition.change.subject} · {at} undo {applied.change}")
        else:
            said = line(json_documents.NOTHING)
        call.out.answer(lambda: document, [said])
