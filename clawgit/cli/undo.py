"""`clawgit undo`."""

from typing import TYPE_CHECKING

import click

from clawgit.cli import changing
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, json_option
from clawgit.integrations import as_json

if TYPE_CHECKING:
    from clawgit.workspace.change import Change
    from clawgit.workspace.workspace import Workspace

EXAMPLES = (
    "clawgit undo",
    "clawgit undo kxqmwrtzvn",
    "clawgit undo --run",
    "clawgit undo 1f3c9ab20e --run",
    "clawgit undo 1f3c9ab20e --json",
)


@click.command(cls=Command, examples=EXAMPLES)
@click.argument("change", type=Words(), required=False)
@click.option("--run", "whole", is_flag=True, help="Take back all that the same run of an agent changed.")
@click.option("--again", is_flag=True, help="Let what is taken back be learnt again.")
@json_option
@pass_call
def undo(call: Call, change: str | None, *, whole: bool, again: bool) -> None:
    """Take one change back; what came later stays.

    CHANGE is the id that a change printed, or any revision; without it, the newest change that is neither undone nor
    itself an undo. With --run all changes of the run that made it go, the newest first; without CHANGE, those of the
    newest run that still stands. Which run that is, is said first.
    Where a later change stands in the way nothing is written and both sides are shown (exit 1); of a run the changes
    that came after it are back by then.
    """
    from clawgit.workspace import undo as undoing  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        if whole:
            _run(call, workspace, change, again=again)
        else:
            changing.back(call, workspace, undoing.undo(workspace, change, again=again))


def _run(call: Call, workspace: "Workspace", name: str | None, *, again: bool) -> None:
    """Take the changes of a run back, one commit each."""
    from clawgit.workspace import run_commits  # noqa: PLC0415
    from clawgit.workspace import undo as undoing  # noqa: PLC0415

    found = run_commits.standing(workspace, name)
    many = f"{len(found.commits)} change{'' if len(found.commits) == 1 else 's'}"
    call.out.note(f"takes back the run of {found.ran.agent} of {found.ran.ended[:16].replace('T', ' ')}: {many}")
    changes = (undoing.undo(workspace, commit, again=again) for commit in found.commits)
    if call.out.as_json:
        call.out.documents([_back(call, workspace, change) for change in changes])
    else:
        for change in changes:
            changing.back(call, workspace, change)
            call.out.flush()


def _back(call: Call, workspace: "Workspace", change: "Change") -> as_json.Document:
    changing.warn(call, workspace, change)
    return as_json.changed(workspace.apply(change))
