"""`clawgit undo`."""

import click

from clawgit.cli import changing
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, json_option


@click.command(cls=Command, examples=("clawgit undo", "clawgit undo kxqmwrtzvn", "clawgit undo 1f3c9ab20e --json"))
@click.argument("change", type=Words(), required=False)
@click.option("--again", is_flag=True, help="Let what is taken back be learnt again.")
@json_option
@pass_call
def undo(call: Call, change: str | None, *, again: bool) -> None:
    """Take one change back; what came later stays.

    CHANGE is the id that a change printed, or any revision; without it, the newest change that is neither undone nor
    itself an undo. Where a later change stands in the way nothing is written and both sides are shown (exit 1).
    """
    from clawgit.workspace import undo as undoing  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        changing.apply(call, workspace, undoing.undo(workspace, change, again=again))
