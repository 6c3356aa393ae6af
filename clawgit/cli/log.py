"""`clawgit log`."""

from datetime import date, datetime
from itertools import chain
from typing import TYPE_CHECKING

import click

from clawgit.cli import show
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, json_option, log_options, since_for_git
from clawgit.integrations import as_json

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace

When = date | datetime | str | None


@click.command(
    cls=Command,
    examples=(
        "clawgit log -n 5",
        "clawgit log MEMORY.md --since '2 weeks ago' --agent memory-miner",
        "clawgit log memory --origin untrusted --json",
    ),
)
@click.argument("path", type=Words(), required=False)
@log_options
@json_option
@pass_call
def log(call: Call, path: str | None, limit: int | None, since: When, agent: str | None, origin: str | None) -> None:
    """Show what happened, and why.

    In the whole workspace, or to the file or folder PATH. When, by whom, why, and on what evidence; newest first,
    in the order of git log. Commits that clawgit did not make are listed too.
    """
    with call.workspace() as workspace:
        tell(call, workspace, path, limit, since, agent, origin)


def tell(
    call: Call,
    workspace: "Workspace",
    path: str | None,
    limit: int | None,
    since: When,
    agent: str | None,
    origin: str | None,
) -> None:
    """Print the log of `path` (None: of everything)."""
    from clawgit.safety.paths import check  # noqa: PLC0415
    from clawgit.workspace import records  # noqa: PLC0415

    paths = (check(path),) if path else ()
    moment = since_for_git(since, workspace.now().tzinfo) if since else None
    found = records.log(workspace, *paths, limit=limit, since=moment, agent=agent, origin=origin)
    if call.out.as_json:
        call.out.documents(as_json.record(one) for one in found)
        return
    first = next(found, None)
    if first is None:
        call.out.note(f"nothing happened to {path}" if path else "nothing happened")
        return
    call.out.lines(chain.from_iterable(show.record(one, named=path is None) for one in chain([first], found)))
