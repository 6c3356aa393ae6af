"""`clawgit soul drift`."""

import os
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, file_option, json_option

if TYPE_CHECKING:
    from clawgit.agents.keeping.drift import Score
    from clawgit.workspace.workspace import Workspace

_OF_LATE = timedelta(days=30)


@click.command(
    cls=Command,
    examples=("clawgit soul drift", "clawgit soul drift --since 2026-01-01", "clawgit soul drift --json"),
)
@file_option
@click.option(
    "--since", type=Words(), metavar="REV|DATE", help="A change, a revision or a day.  [default: the first version]"
)
@json_option
@pass_call
def drift(call: Call, path: str, since: str | None) -> None:
    """Show how far the identity moved, and what is lived of it.

    For each section: tokens added and removed, how much of what stood there then still stands, and who wrote the
    rest: an agent, you, or somebody unknown. Then, for each principle that can be seen in what the agent said to you
    in the last 30 days: the share of occasions that contradict it. Nothing is changed for that.
    """
    from clawgit.cli import show_drift  # noqa: PLC0415 - loads what it shows
    from clawgit.workspace import soul_drift  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        found = soul_drift.drift(workspace, path, since)
        scores = _scores(workspace, path) if path.endswith("SOUL.md") else ()
    if call.out.as_json:
        call.out.document(show_drift.document(found, scores))
    else:
        call.out.lines(show_drift.lines(found, scores))


def _scores(workspace: "Workspace", path: str) -> "tuple[Score, ...]":
    """Return how the principles of a soul fare in the conversations that are kept here."""
    from clawgit.agents import soul_keeper  # noqa: PLC0415 - loads the rules
    from clawgit.sessions import stores  # noqa: PLC0415

    start = (workspace.now() - _OF_LATE).timestamp()
    with stores.opened(workspace.state, os.environ, reading=True) as store:
        return soul_keeper.scores(workspace, store, path, start)
