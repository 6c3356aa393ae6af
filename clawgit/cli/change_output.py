"""Writes a change and tells what became of it."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from clawgit.cli.call import Call
from clawgit.cli.text_lines import Line, Span, fixed, line
from clawgit.errors import quoted
from clawgit.integrations import json_documents

if TYPE_CHECKING:
    from clawgit.workspace.change import Applied, Change, Origin
    from clawgit.workspace.workspace import Workspace

_FEW = 3


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
    out.answer(json_documents.changed(applied, **more), describe_change(applied, subject))


def describe_change(applied: "Applied", subject: str) -> Iterator[Line]:
    """Yield what a change came to, and below it the command that takes it back, or decides about it."""
    if applied.proposal:
        name = applied.proposal.id
        yield line(Span(name, "cyan"), f" waits in the inbox: {subject}")
        yield fixed(2, f"clawgit show {name}", "see: ")
    elif applied.commit is None:
        yield line(f"nothing to do: {json_documents.NOTHING}")
    else:
        where = [Span(f" · {name_files(applied.files)}", "dim")] if applied.files else []
        yield line(Span(applied.commit[:10], "yellow"), f" {subject}", *where)
        yield fixed(2, f"clawgit undo {applied.change}", "undo: ")


def name_files(paths: Iterable[str]) -> str:
    """Return the first of some paths, and how many more there are."""
    every = list(paths)
    more = f" and {len(every) - _FEW} more" if len(every) > _FEW else ""
    return ", ".join(every[:_FEW]) + more


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
        call.out.answer(document, [said])
