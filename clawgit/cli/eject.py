"""`clawgit eject`."""

import sys
from typing import TYPE_CHECKING

import click

from clawgit.cli import documents, openclaw, show_adoption
from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import Span, line
from clawgit.cli.lazy import Command
from clawgit.cli.options import json_option
from clawgit.errors import ClawgitError, UsageError, quoted

if TYPE_CHECKING:
    from clawgit.integrations.openclaw.plan import Plan
    from clawgit.workspace.eject import Farewell


@click.command(cls=Command, examples=("clawgit eject", "clawgit eject --yes --json"))
@click.argument("path", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--keep-sidecar", is_flag=True, help="Leave .clawgit/ tracked, but for its format file.")
@json_option
@pass_call
def eject(call: Call, path: str | None, *, yes: bool, keep_sidecar: bool) -> None:
    """Give a workspace back: take away what clawgit brought.

    Files that clawgit added and nobody changed since go, in one commit on top; history is never rewritten. Its
    references, its hooks, what connects OpenClaw with it, and what it keeps in .git/clawgit go as well. Memories,
    journals and the identity stay as they are. Asks at a terminal; elsewhere --yes is needed.
    """
    from clawgit.git import repository  # noqa: PLC0415 - loads libgit2
    from clawgit.integrations import githooks  # noqa: PLC0415
    from clawgit.workspace import eject as ejection  # noqa: PLC0415 - loads libgit2

    call.folder = path or call.folder
    with call.workspace() as workspace:
        found = ejection.farewell(workspace, keep_sidecar=keep_sidecar)
        connection = openclaw.parting(workspace)
        _ask(call, found, list(githooks.ours(workspace.repo)), connection, yes=yes)
        if connection:
            openclaw.part(call, connection)
            found = ejection.farewell(workspace, keep_sidecar=keep_sidecar)
        commit = ejection.eject(workspace, found, lambda: githooks.uninstall(workspace.repo))
    if call.out.as_json:
        call.out.document(documents.ejected(found, str(workspace.root), repository.branch(workspace.repo), commit))
    else:
        back = Span("back: clawgit adopt", "dim")
        head = [Span(f"{commit[:10]} ", "yellow")] if commit else []
        call.out.lines([line(*head, f"{workspace.root} is yours alone again", Span(" · ", "dim"), back)])


def _ask(call: Call, found: "Farewell", hooks: list[str], connection: "Plan | None", *, yes: bool) -> None:
    if yes:
        return
    folder = f" {quoted(call.folder)}" if call.folder else ""
    if not sys.stdin.isatty():
        raise UsageError("eject asks, and there is no terminal", fix=f"clawgit eject{folder} --yes")
    for row in show_adoption.farewell(found, hooks):
        call.out.talk(*row)
    for words in openclaw.removed(connection):
        call.out.talk(f"  takes {words} away")
    call.out.talk("go on? [y/N] ")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise ClawgitError("nothing was touched", fix=f"clawgit eject{folder} --yes")
