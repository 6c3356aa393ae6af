"""`clawgit run`."""

import os
from functools import partial
from typing import TYPE_CHECKING

import click

from clawgit.cli import show_run
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, json_option
from clawgit.errors import UsageError

if TYPE_CHECKING:
    from clawgit.agents.running import Result
    from clawgit.workspace.workspace import Workspace


@click.command(
    cls=Command,
    examples=(
        "clawgit run memory-miner",
        "clawgit run memory-miner --apply",
        "clawgit run memory-miner --since 2026-03-01 --json",
        "clawgit run conflict-detector --apply",
        "clawgit run soul-keeper --apply",
        "clawgit run memory-compactor",
        "clawgit run memory-miner --export batch.json",
        "clawgit run memory-miner --answer answer.json --apply",
        "clawgit run --list",
    ),
)
@click.argument("name", type=Words(), required=False)
@click.option("--apply", "really", is_flag=True, help="Do it: one commit for each change.")
@click.option("--since", type=Words(), metavar="DATE", help="Look at what is from DATE on, whatever was read before.")
@click.option("--file", "path", type=Words(), metavar="FILE", help="The soul to keep: SOUL.md, or agents/NAME/SOUL.md.")
@click.option(
    "--export", type=Words(), metavar="FILE", help="Write what is to be read next to FILE, for a reader of yours."
)
@click.option("--answer", type=Words(), metavar="FILE", help="Check what that reader answered; with --apply land it.")
@click.option("--list", "listed", is_flag=True, help="Name the agents, and what they did last.")
@json_option
@pass_call
def run(
    call: Call,
    name: str | None,
    since: str | None,
    path: str | None,
    export: str | None,
    answer: str | None,
    *,
    really: bool,
    listed: bool,
) -> None:
    """Have an agent do its work now.

    Without --apply it shows what it would change, as a difference, and what it would leave out. Each change cites what
    it comes from and is one commit, which clawgit undo takes back; it is not learnt again then. The memory miner reads
    what triage flagged, then the conversations that clawgit session import brought in, from where it ended the last
    time. The conflict detector holds the memories that changed in the last day against those like them. The soul keeper
    reads what you said of the agent's conduct in private, and edits a line of its soul at a time; --file names it. The
    memory compactor moves journals that are old enough into the chronicle of their month before it removes them, if
    compaction in CONFIG.md says so, and has what faded leave the memory file; COMPACTION_LOG.md says how each comes
    back.

    Where a model is set up (clawgit model status) it reads for the miner, the keeper, the validator and the detector,
    a batch of turns at a time, and clawgit checks each of its claims against the words that it cites; without one rules
    read. --export writes the next batch for a reader of your own, and --answer takes what it says.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        if listed or not name:
            _list(call, workspace, listed=listed)
            return
        from clawgit.agents import building, roster, running  # noqa: PLC0415 - the help does without
        from clawgit.cli import run_reader  # noqa: PLC0415
        from clawgit.cli.run_reader import Wanted  # noqa: PLC0415
        from clawgit.sessions import cited, stores  # noqa: PLC0415

        found = roster.find(name)
        if path is not None and found != "soul-keeper":
            raise UsageError("--file is for the soul keeper", fix=f"clawgit run {name}")
        if since is not None and found == "memory-compactor":
            raise UsageError("the memory compactor goes by age alone: compaction_age_days", fix=f"clawgit run {name}")
        start = None if since is None else _start(workspace, found, since)
        if run_reader.did(call, workspace, Wanted(found, start, path, export, answer, really)):
            return
        with stores.opened(workspace.state, os.environ, reading=True) as store:
            workspace.conversations = partial(cited.turn, store)
            agent = building.agent(workspace, store, found, start=start, path=path, applying=really)
            result = running.apply(agent, workspace) if really else running.preview(agent, workspace)
            if really:
                result.notes += building.settle(workspace, agent, result)
        _show(call, result, applied=really)


def _show(call: Call, result: "Result", *, applied: bool) -> None:
    from clawgit.cli import show_compaction, show_conflicts  # noqa: PLC0415

    own = {"conflict-detector": show_conflicts.result, "memory-compactor": show_compaction.result}
    own.get(result.agent, show_run.result)(call.out, result, applied=applied)


def _list(call: Call, workspace: "Workspace", *, listed: bool) -> None:
    from clawgit.agents import roster  # noqa: PLC0415
    from clawgit.workspace import runs  # noqa: PLC0415

    if not listed:
        raise UsageError("say which agent is to run", fix="clawgit run --list")
    show_run.agents(call.out, roster.AGENTS, {one.agent: one for one in runs.ledger(workspace.state)})


def _start(workspace: "Workspace", name: str, since: str) -> float:
    from clawgit.language.iso_dates import parse_date, start_of  # noqa: PLC0415

    day = parse_date(since)
    if day is None:
        raise UsageError(f"{since!r} is no date", fix=f"clawgit run {name} --since 2026-03-01")
    return start_of(day, workspace.now().tzinfo).timestamp()
