"""`clawgit memory show`."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import human_lines, json_answers
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import Words, answering
from clawgit.errors import ClawgitError, id_unknown
from clawgit.integrations import json_documents
from clawgit.search import recall_log
from clawgit.workspace.memory_lines import find_line

if TYPE_CHECKING:
    from clawgit.workspace.memory_lines import MemoryLine
    from clawgit.workspace.workspace import Workspace


@click.command("show", cls=DocumentedCommand, examples=("clawgit memory show kxqmwrtzvn",))
@click.argument("wanted", type=Words(), metavar="ID")
@answering
def show_(call: Call, wanted: str) -> None:
    """Show what is known of one memory.

    ID is the one that `memory list` shows, or its beginning. The last lines say which conversations found it in a
    search, and when.
    """
    with call.workspace() as workspace:
        _print_memory(call, workspace, find_line(workspace, wanted))


def show_memory(call: Call, workspace: "Workspace", wanted: str) -> bool:
    """Print the memory whose id begins with `wanted`; return False where there is none."""
    try:
        memory = find_line(workspace, wanted)
    except ClawgitError as exc:
        if exc.key != id_unknown.name:
            raise
        return False
    _print_memory(call, workspace, memory)
    return True


def _print_memory(call: Call, workspace: "Workspace", memory: "MemoryLine") -> None:
    hits = recall_log.of_text(workspace.store, memory.text)
    document = {**json_answers.memory(memory), "retrieved": json_documents.each(hits, "at session path")}
    call.out.answer(lambda: document, [*human_lines.memory(memory), *human_lines.retrieved(hits)], indent=13)
