"""`clawgit status`."""

import click

from clawgit.cli import documents, show
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import json_option
from clawgit.errors import Exit


@click.command(cls=Command, examples=("clawgit status", "clawgit status --check && echo all is well"))
@click.option("--check", is_flag=True, help="Exit with 3 when something waits: an alarm, a conflict, uncommitted text.")
@json_option
@pass_call
def status(call: Call, *, check: bool) -> int:
    """Show how the workspace stands.

    Its branch and commit, what is not committed yet, and what stands in the way of a write. Nothing is touched.
    """
    from clawgit.workspace.status import status as look  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        found = look(workspace)
        if call.out.as_json:
            call.out.document(documents.status(found))
        else:
            call.out.lines(show.status(found), indent=12)
    waits = found.dirty or found.alarms or found.open_conflicts
    return Exit.FOUND if check and waits else Exit.DONE
