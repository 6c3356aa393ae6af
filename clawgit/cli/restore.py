"""`clawgit restore`."""

import click

from clawgit.cli import changing
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, as_of_option, json_option
from clawgit.errors import UsageError, quoted


@click.command(
    cls=Command,
    examples=(
        "clawgit restore memory/2026-01-20.md",
        "clawgit restore 'SOUL.md#Core Truths' --as-of 2026-01-20",
        "clawgit restore kxqmwrtzvn",
        "clawgit restore MEMORY.md --seen 1f3c9ab20e",
        "clawgit restore SOUL.md --approved",
    ),
)
@click.argument("wanted", type=Words(), metavar="PATH|ENTRY")
@as_of_option("As it was then: a change, a revision, or the end of a day.  [default: as it was last]")
@click.option(
    "--seen",
    type=Words(),
    metavar="ID",
    help="As it was written over, uncommitted: clawgit log PATH --seen lists them.",
)
@click.option("--approved", is_flag=True, help="As you approved it: an identity file.")
@json_option
@pass_call
def restore(call: Call, wanted: str, name: str | None, seen: str | None, *, approved: bool) -> None:
    """Bring back a file, a section or an entry.

    However long it is gone. PATH is a file, or 'PATH#Section'; ENTRY is the id of a memory, or its beginning.
    Where the change that took an entry away put other words in its place, both are shown and nothing is written
    (exit 1); so also when nothing is missing.
    """
    if seen is not None and name is not None:
        raise UsageError("--as-of and --seen name two versions", fix=f"clawgit restore {quoted(wanted)} --seen {seen}")
    if approved and (seen is not None or name is not None):
        raise UsageError("--approved names a version itself", fix=f"clawgit restore {quoted(wanted)} --approved")
    from clawgit.workspace import restore as restoring  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        workspace.require_managed()
        if approved:
            changing.back(call, workspace, restoring.restore_approved(workspace, wanted))
            return
        if seen is not None:
            changing.back(call, workspace, restoring.restore_seen(workspace, wanted, seen))
            return
        changing.back(call, workspace, restoring.restore(workspace, wanted, name))
