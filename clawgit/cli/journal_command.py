"""`clawgit journal`."""

import click

from clawgit.cli import change_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words, answering


@click.group(cls=Group)
def journal() -> None:
    """Write the journal of the day."""


@journal.command(
    examples=(
        'clawgit journal add "Deploy moved to Tuesday; Ana tells the others."',
        'git log -1 | clawgit journal add - --title "Released"',
    )
)
@click.argument("text", type=Words(stdin=True))
@click.option("--title", type=Words(), default="", help="Stands beside the time, above the note.")
@answering
def add(call: Call, text: str, title: str) -> None:
    """Append a note to today's journal, under the time of day.

    The file is memory/YYYY-MM-DD.md, or lies in memory/clawgit/ where OpenClaw records who wrote its own; today is in
    the time zone that CONFIG.md names. `-` reads the note from stdin.
    """
    from clawgit.workspace import memory as journals  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        change_output.apply(call, workspace, journals.add_note(workspace, text, title=title))
