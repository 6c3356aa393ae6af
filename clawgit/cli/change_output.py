"""Writes a change and reports its outcome."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from clawgit import json_documents
from clawgit.cli.call import Call
from clawgit.cli.render import Line, Span, line, render_fix
from clawgit.errors import Advice, Command, Fix, quote_shell
from clawgit.json_documents import Document
from clawgit.workspace.change import Applied, Change, refuse_rejected
from clawgit.workspace.workspace import Workspace

_MAX_LISTED_PATHS = 3


def apply(call: Call, workspace: Workspace, change: Change, *, wait: bool | None = None, **extra: Any) -> None:
    """Apply `change` and print its line, or its document with `extra` in it; `wait` keeps it in the inbox."""
    applied = workspace.apply(change, wait=wait)
    print_outcome(call, applied, change.subject, **extra)


def print_outcome(call: Call, applied: Applied, subject: str, root: Path | None = None, **extra: object) -> None:
    """Print the outcome of a change, in another workspace at `root`. Raises ClawgitError for a rejected one."""
    output = call.out
    output.note(*applied.notes)
    if applied.captured:
        output.note(f"captured first what others had written: {applied.captured[:10]}")
    # The captured edits are reported even if the change itself is rejected.
    refuse_rejected(applied)
    output.answer(json_documents.document_change(applied, root, **extra), describe_change(applied, subject, root))


def describe_change(applied: Applied, subject: str, root: Path | None = None) -> Iterator[Line]:
    """Yield the outcome of a change, and below it the command that reverts it, or decides about it."""
    # The printed command has to work from the current folder.
    clawgit = f"clawgit -C {quote_shell(root)}" if root else "clawgit"
    if applied.proposal:
        name = applied.proposal.id
        yield line(Span(name, "cyan"), f" waits in the inbox: {subject}")
        yield render_fix(2, f"{clawgit} show {name}", "see: ")
    elif applied.commit is None:
        yield line(f"nothing to do: {json_documents.NOTHING}")
    else:
        file_spans = [Span(f" · {name_files(applied.files)}", "dim")] if applied.files else []
        yield line(Span(applied.commit[:10], "yellow"), f" {subject}", *file_spans)
        yield render_fix(2, f"{clawgit} undo {applied.change}", "undo: ")


def name_files(paths: Iterable[str]) -> str:
    """Return the first of some paths, and how many more there are."""
    all_paths = list(paths)
    suffix = f" and {len(all_paths) - _MAX_LISTED_PATHS} more" if len(all_paths) > _MAX_LISTED_PATHS else ""
    return ", ".join(all_paths[:_MAX_LISTED_PATHS]) + suffix


def suggest_accept(name: str, choices: Sequence[Document]) -> Fix:
    """Return the command that accepts the correction `name`. If the likeliest has no old value, its text is needed."""
    numbers = [str(choice["number"]) for choice in choices if choice["becomes"]]
    if not numbers or not choices[0]["becomes"]:
        option = " --only 1" if choices else ""
        return Advice(f'clawgit accept {name}{option} --text "…"   # the whole line as it is true')
    note = f"or {','.join(numbers)} for all of these" if len(numbers) > 1 else ""
    return Command(f"clawgit accept {{}} --only {numbers[0]}", name, note=note)
