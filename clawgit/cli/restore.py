"""`clawgit restore`."""

import click

from clawgit.cli import changing
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, as_of_option, json_option


@click.command(
    cls=Command,
    examples=(
        "clawgit restore memory/2026-01-20.md",
        "clawgit restore 'SOUL.md#Core Truths' --as-of 2026-01-20",
        "clawgit restore kxqmwrtzvn",
    ),
)
@click.argument("wanted", type=Words(), metavar="PATH|ENTRY")
@as_of_option("As it was then: a change, a revision, or the end of a day.  [default: as it was last]")
@json_option
@pass_call
def restore(call: Call, wanted: str, name: str | None) -> None:
    """Bring back a file, a section or an entry.

    However long it is gone. PATH is a file, or 'PATH#Section'; ENTRY is the id of a memory, or its beginning.
    Where the change that took an entry away put other words in its place, both are shown and nothing is written
    (exit 1); so also when nothing is missing.
    """
    from clawgit.workspace import restore as restoring  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        workspace.require_managed()
        changing.apply(call, workspace, restoring.restore(workspace, wanted, name))
