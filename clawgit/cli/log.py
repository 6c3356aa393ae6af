"""`clawgit log`."""

from datetime import date, datetime
from itertools import chain, islice
from typing import TYPE_CHECKING

import click

from clawgit.cli import show
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, json_option, log_options, since_for_git
from clawgit.errors import UsageError
from clawgit.integrations import as_json

if TYPE_CHECKING:
    from clawgit.workspace.workspace import Workspace

_SEEN = "clawgit log --seen"
When = date | datetime | str | None


@click.command(
    cls=Command,
    examples=(
        "clawgit log -n 5",
        "clawgit log MEMORY.md --since '2 weeks ago' --agent memory-miner",
        "clawgit log memory --origin untrusted --json",
        "clawgit log MEMORY.md --seen",
    ),
)
@click.argument("path", type=Words(), required=False)
@log_options
@click.option("--seen", is_flag=True, help="What clawgit capture --watch saw written over, and no commit has.")
@json_option
@pass_call
def log(
    call: Call, path: str | None, limit: int | None, since: When, agent: str | None, origin: str | None, *, seen: bool
) -> None:
    """Show what happened, and why.

    In the whole workspace, or to the file or folder PATH. When, by whom, why, and on what evidence; newest first,
    in the order of git log. Commits that clawgit did not make are listed too. With --seen it lists the versions of
    files that were written over before anybody committed them, each with the command that brings it back: how many
    lines that would add to the file as it stands (+) and take from it (-), and some of what it alone says.
    """
    if seen and (agent or origin or since):
        raise UsageError("--seen lists what is in no commit: it has no agent, origin or date of git's", fix=_SEEN)
    with call.workspace() as workspace:
        if seen:
            _tell_seen(call, workspace, path, limit)
            return
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


def _tell_seen(call: Call, workspace: "Workspace", path: str | None, limit: int | None) -> None:
    """Print the versions that were seen of `path` (None: of every file)."""
    from clawgit.safety.paths import check  # noqa: PLC0415
    from clawgit.workspace import seen_versions  # noqa: PLC0415

    found = islice(seen_versions.listed(workspace.repo, check(path) if path else None), limit)
    if call.out.as_json:
        call.out.documents(as_json.seen(one) for one in found)
        return
    first = next(found, None)
    if first is None:
        where = f" of {path}" if path else ""
        call.out.note(f"no version{where} was seen that is in no commit; clawgit capture --watch keeps them")
        return
    call.out.lines(chain.from_iterable(show.seen(one) for one in chain([first], found)))
