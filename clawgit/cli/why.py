"""`clawgit why`."""

import click

from clawgit.cli import tracing
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, json_option
from clawgit.integrations import as_json


@click.command(cls=Command, examples=("clawgit why SOUL.md:7", "clawgit why 'memory/2026-01-20.md:12' --json"))
@click.argument("place", type=Words(), metavar="FILE:LINE")
@json_option
@pass_call
def why(call: Call, place: str) -> None:
    """Tell where a line came from, and why.

    When, by whom, for what reason and on what evidence. LINE counts from 1, in the file as it is on disk. The
    evidence is followed to the words themselves, as they stood when they were cited, with some lines around them.
    FILE may hold colons.
    """
    from clawgit.workspace import origins  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        path, number = origins.place(workspace, place)
        line, said = origins.why(workspace, path, number)
        undo = origins.undo(workspace, line.record)
    if line.cut_off:
        call.out.note(tracing.CUT_OFF)
    if call.out.as_json:
        call.out.document([as_json.reason(path, line, said, undo)])
    else:
        call.out.lines(tracing.reason(path, line, said, undo))
