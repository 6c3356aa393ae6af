"""`clawgit state`."""

import os
from pathlib import Path

import click

from clawgit.cli import operator_input
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.json_documents import fields, map_documents
from clawgit.sessions import chat_databases
from clawgit.workspace import state_transfer

_FILE = click.Path(path_type=Path)


@click.group(cls=Group)
def state() -> None:
    """Move local state to another machine."""


@state.command(examples=("clawgit state export ~/clawgit-state", "clawgit state export /media/stick/work.state --json"))
@click.argument("file", type=_FILE)
def export(call: Call, file: Path) -> None:
    """Write what this clone keeps beside git into FILE.

    That is the conversations, approvals, inbox, flags, recalls, reading positions and the record of runs. FILE is
    readable for you alone, and holds private words: keep it as you keep the workspace.
    """
    place = file.expanduser()
    with call.workspace() as workspace:
        path = os.environ.get(chat_databases.VARIABLE, "").strip()
        words = f"the conversations are where {chat_databases.VARIABLE} says, and are not carried"
        manifest = state_transfer.export_state(workspace, place, (words,) if path else ())
    items = map_documents(manifest.items, "name size")
    document = {"file": str(file), "bytes": place.stat().st_size, "items": items, "without": list(manifest.without)}
    call.out.answer(document, shown="file bytes items")
    call.out.note(*manifest.without)


@state.command(
    "import", examples=("clawgit state import ~/clawgit-state --dry-run", "clawgit state import ~/clawgit-state")
)
@click.argument("file", type=_FILE)
@click.option("--dry-run", is_flag=True, help="Only say what would become of each part.")
@click.option("--keep-local", is_flag=True, help="Leave what differs as it is here, and take in the rest.")
@click.option("--without-approvals", is_flag=True, help="Leave out what you approved on the other machine.")
def import_(call: Call, file: Path, *, dry_run: bool, keep_local: bool, without_approvals: bool) -> None:
    """Take in what `clawgit state export` wrote on another machine.

    Take only a file that you wrote yourself: a checksum tells damage, not forgery. It has to be of the same workspace.
    Missing data is added, and nothing is removed. Approvals are taken in at a terminal only; different approvals on
    both sides change nothing.
    """
    with call.workspace() as workspace:
        if not (dry_run or without_approvals):
            operator_input.require_operator(workspace, "state import brings what was approved on another machine")
        manifest, steps = state_transfer.import_state(
            workspace, file.expanduser(), dry_run=dry_run, keep_local=keep_local, approvals=not without_approvals
        )
    parts = map_documents(steps, "name act count")
    document = {"applied": not dry_run, **fields(manifest, "written steps without", steps=parts)}
    call.out.answer(document, shown="written steps")
    if dry_run:
        call.out.note("nothing was changed")
    call.out.note(*manifest.without)
