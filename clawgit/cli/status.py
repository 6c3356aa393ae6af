"""`clawgit status`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from clawgit.cli import documents, show
from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import Line, Span, line
from clawgit.cli.lazy import Command
from clawgit.cli.options import json_option
from clawgit.errors import Exit

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace


@click.command(cls=Command, examples=("clawgit status", "clawgit status --check && echo all is well"))
@click.option("--check", is_flag=True, help="Exit with 3 when something waits for you, such as an alarm or a proposal.")
@json_option
@pass_call
def status(call: Call, *, check: bool) -> int:
    """Show how the workspace stands.

    Its branch and commit, what is not committed yet, what stands in the way of a write, and what you have to decide.
    Nothing is touched.
    """
    from clawgit.workspace.status import status as look  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        found, search = look(workspace), _search(workspace)
        if call.out.as_json:
            call.out.document({**documents.status(found), "search": search})
        else:
            call.out.lines([*show.status(found), _told(search)], indent=12)
    waits = found.dirty or found.alarms or found.open_conflicts or found.proposals or found.untrusted
    return Exit.FOUND if check and waits else Exit.DONE


def _search(workspace: "Workspace") -> Mapping[str, str | bool | int]:
    """Return how searching stands; an index that is missing or behind is no matter, any search brings it up."""
    from clawgit.errors import ClawgitError  # noqa: PLC0415
    from clawgit.search import enhanced, state  # noqa: PLC0415 - loads sqlite3

    try:
        tier = enhanced.state(workspace).tier
    except ClawgitError:  # of CONFIG.md, which is told elsewhere
        tier = "core"
    found = state.glance(workspace)
    return {"tier": tier, "fresh": found.fresh, "chunks": found.chunks}


def _told(search: Mapping[str, str | bool | int]) -> Line:
    state = "" if search["fresh"] else "; any search brings the index up to the files"
    return line(Span("search      ", "dim"), f"{search['tier']}, {search['chunks']:,} chunks{state}")
