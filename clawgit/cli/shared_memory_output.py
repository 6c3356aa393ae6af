"""Adds to the shared memory."""

from clawgit.cli.call import Call
from clawgit.cli.output import Span, line
from clawgit.errors import quoted
from clawgit.integrations import json_documents
from clawgit.workspace import shared_memory
from clawgit.workspace.change import Origin, refuse_rejected
from clawgit.workspace.workspace import Workspace


def add(call: Call, own: Workspace, text: str, tag: str | None, origin: Origin, evidence: tuple[str, ...]) -> None:
    """Keep a memory for all agents, and print what became of it. Raises ClawgitError where none is shared."""
    shared = shared_memory.required(own)
    with call.closing(shared):
        addition, applied = shared_memory.add(own, shared, text, tag=tag, origin=origin, evidence=evidence)
        for words in applied.notes:
            call.out.note(words)
        refuse_rejected(applied)
        document = json_documents.shared(applied, shared.root, id=addition.id, merged_into=addition.merged_into)
        at = f"clawgit -C {quoted(shared.root)}"
        if applied.proposal:
            name = applied.proposal.id
            said = line("waits in the shared memory as ", Span(name, "yellow"), f" · {at} soul review {name}")
        elif applied.commit:
            said = line(Span(applied.commit[:10], "yellow"), f" {addition.change.subject} · {at} undo {applied.change}")
        else:
            said = line(json_documents.NOTHING)
        call.out.answer(lambda: document, [said])
