"""`clawgit memory show`."""

import click

from clawgit.cli import human_lines, json_answers
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import Words, answering
from clawgit.integrations import json_documents
from clawgit.search import recall_log
from clawgit.workspace.memory import find


@click.command("show", cls=DocumentedCommand, examples=("clawgit memory show kxqmwrtzvn",))
@click.argument("wanted", type=Words(), metavar="ID")
@answering
def show_(call: Call, wanted: str) -> None:
    """Show what is known of one memory.

    ID is the one that `memory list` shows, or its beginning. The last lines say which conversations found it in a
    search, and when.
    """
    with call.workspace() as workspace:
        found = find(workspace, wanted)
        hits = recall_log.of_text(workspace.state, found.text)
    told = {**json_answers.memory(found), "retrieved": json_documents.each(hits, "at session path")}
    call.out.answer(lambda: told, [*human_lines.memory(found), *human_lines.retrieved(hits)], indent=13)
