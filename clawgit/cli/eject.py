"""`clawgit eject`."""

import os
from typing import TYPE_CHECKING

import click

from clawgit.cli import asking, documents, hooks, openclaw, show_adoption
from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import Span, line
from clawgit.cli.lazy import Command
from clawgit.cli.options import json_option
from clawgit.errors import ClawgitError, UsageError, quoted

if TYPE_CHECKING:
    from clawgit.integrations.openclaw.plan import Plan
    from clawgit.integrations.timers.timer import Timer
    from clawgit.workspace.eject import Farewell
    from clawgit.workspace.workspace import Workspace


@click.command(cls=Command, examples=("clawgit eject", "clawgit eject --yes --json"))
@click.argument("path", required=False)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--keep-sidecar", is_flag=True, help="Leave .clawgit/ tracked, but for its format file.")
@json_option
@pass_call
def eject(call: Call, path: str | None, *, yes: bool, keep_sidecar: bool) -> None:
    """Give a workspace back: take away what clawgit brought.

    Files that clawgit added and nobody changed since go, in one commit on top; history is never rewritten. Its
    references, its hooks, its timers, what connects OpenClaw with it, and what it keeps in .git/clawgit go as well.
    Memories, journals and the identity stay as they are. Asks at a terminal; elsewhere --yes is needed. What you
    approved is forgotten with it: under `soul_policy: review` and `locked` that takes a terminal.
    """
    from clawgit.git import repository  # noqa: PLC0415 - loads libgit2
    from clawgit.integrations import githooks  # noqa: PLC0415
    from clawgit.workspace import eject as ejection  # noqa: PLC0415 - loads libgit2
    from clawgit.workspace import enforcement  # noqa: PLC0415

    call.folder = path or call.folder
    with call.workspace() as workspace:
        if enforcement.enforces(workspace):
            asking.require_operator(workspace, "eject forgets what you approved")
        found = ejection.farewell(workspace, keep_sidecar=keep_sidecar)
        connection = openclaw.parting(workspace)
        timers, unknown = _timers(workspace)
        for words in unknown:
            call.out.warn(words)
        _ask(call, found, list(githooks.ours(workspace.repo)), connection, timers, yes=yes)
        if connection:
            openclaw.part(call, connection)
            found = ejection.farewell(workspace, keep_sidecar=keep_sidecar)
        commit = ejection.eject(workspace, found, lambda: _leave(workspace, timers))
    if call.out.as_json:
        told = documents.ejected(found, str(workspace.root), repository.branch(workspace.repo), commit)
        call.out.document({**told, "timers": [one.means for one in timers]})
    else:
        back = Span("back: clawgit adopt", "dim")
        head = [Span(f"{commit[:10]} ", "yellow")] if commit else []
        for one in timers:
            call.out.note(f"the timer of {one.means} is taken away")
        call.out.lines([line(*head, f"{workspace.root} is yours alone again", Span(" · ", "dim"), back)])


def _timers(workspace: "Workspace") -> "tuple[list[Timer], list[str]]":
    """Return what calls clawgit here by the clock, and a sentence for each that could not be looked at."""
    from clawgit.integrations.timers import choosing  # noqa: PLC0415
    from clawgit.schedule import place  # noqa: PLC0415

    found = place.known(workspace.root, os.environ)
    return choosing.standing(found, hooks.program(), os.environ) if found else ([], [])


def _leave(workspace: "Workspace", timers: "list[Timer]") -> None:
    """Take away what would call clawgit here: timers and hooks."""
    from clawgit.integrations import githooks  # noqa: PLC0415

    for one in timers:
        one.uninstall()
    githooks.uninstall(workspace.repo)


def _ask(
    call: Call,
    found: "Farewell",
    hooks: list[str],
    connection: "Plan | None",
    timers: "list[Timer]",
    *,
    yes: bool,
) -> None:
    if yes:
        return
    folder = f" {quoted(call.folder)}" if call.folder else ""
    if not asking.possible():
        raise UsageError("eject asks, and there is no terminal", fix=f"clawgit eject{folder} --yes")
    for row in show_adoption.farewell(found, hooks):
        call.out.talk(*row)
    for words in openclaw.removed(connection):
        call.out.talk(f"  takes {words} away")
    for one in timers:
        call.out.talk(f"  takes the timer of {one.means} away that calls clawgit here")
    if not asking.agreed(call, "go on?"):
        raise ClawgitError("nothing was touched", fix=f"clawgit eject{folder} --yes")
