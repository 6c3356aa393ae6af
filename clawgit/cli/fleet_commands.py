"""`clawgit fleet`."""

import os
import resource
from collections import Counter
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from clawgit.cli import render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words, stop_on_signals
from clawgit.cli.schedule_commands import tell_ended
from clawgit.cli.text_lines import Span, counted, line
from clawgit.errors import Advice, ClawgitError, Exit, workspace_missing
from clawgit.integrations.json_documents import Document
from clawgit.schedule.fleet import fleet_file, fleet_standing
from clawgit.schedule.fleet.fleet_runner import FleetRunner, Limits, Listeners

if TYPE_CHECKING:
    from clawgit.schedule.fleet.fleet_file import Fleet
    from clawgit.schedule.fleet.fleet_standing import Standing

file_option = click.option(
    "--file",
    "file",
    type=Words(),
    metavar="FILE",
    help=f"What names the workspaces.  [default: {fleet_file.VARIABLE}, else clawgit/fleet.yaml below ~/.config]",
)


@click.group(cls=Group)
def fleet() -> None:
    """Run many workspaces at once.

    Those of OpenClaw's agents, and those that clawgit/fleet.yaml below ~/.config names: folders, or patterns such as
    ~/agents/*. One process watches over all of them.
    """


@fleet.command("run", examples=("clawgit fleet run", "clawgit fleet run --file /etc/clawgit/fleet.yaml --jobs 4"))
@file_option
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="So many at once.  [default: workers of the file]",
)
def run_(call: Call, file: str | None, jobs: int | None) -> int:
    """Do what is due in every workspace, and go on until ^C or SIGTERM.

    What is written is captured once its writer has paused; everything else runs at the times of each CONFIG.md. Each
    job is a process with bounds of its own, and each workspace gets the same share: one that is stuck, or that never
    rests, delays no other. The list of workspaces is read anew every minute. With --json each job that ran is one
    document on a line of its own.
    """
    place, found = _fleet(file)
    if not fleet_file.homes(found, os.environ):
        raise workspace_missing(
            f"there is no workspace to run: OpenClaw has none, and {place} names none",
            fix=Advice(f"mkdir -p {place.parent} && printf 'workspaces:\\n  - ~/agents/*\\n' > {place}"),
        )
    _room_for_handles()
    stop = stop_on_signals()
    listeners = Listeners(
        lambda home, ended: tell_ended(call, home.root, ended, stop, home),
        lambda home, error: call.out.warn(f"{home.root}: {error.message}", error.fix),
        lambda news: _listed(call, news),
    )
    limits = Limits(jobs or found.jobs, found.memory_mb)
    runner = FleetRunner(lambda: fleet_file.homes(_fleet(file)[1], os.environ), limits, stop, listeners, os.environ)
    left = runner.run()
    for home in left:
        call.out.warn(f"{home.root} does not answer; what was asked of it is left", "mount   # is its disk there?")
    if left:
        call.out.flush()
        os._exit(Exit.FAILED)  # a thread that waits for a disk cannot be ended
    return Exit.DONE


@fleet.command("status", examples=("clawgit fleet status", "clawgit fleet status --check --json"))
@click.option("--check", is_flag=True, help="Exit with 3 when a job fails, or a workspace cannot be looked at.")
@file_option
def status(call: Call, file: str | None, *, check: bool) -> int:
    """Show how the workspaces stand.

    What ran last in each, what comes next, and what fails, by what the runners noted. It tells nothing that is
    remembered, so it asks for no leave to read.
    """
    now = datetime.now().astimezone()
    found = [fleet_standing.look(home, now, os.environ) for home in fleet_file.homes(_fleet(file)[1], os.environ)]
    documents = [_document(one) for one in sorted(found, key=lambda one: not one.trouble)]
    states = Counter(one.state for one in found)
    head = line(Span(counted(len(found), "workspace"), "bold"), *(f"  {n:,} {state}" for state, n in states.items()))
    call.out.answer(
        [_document(one) for one in found],
        [head, *render.draw_table(documents, "agents state job=last.job ended=last.ended trouble")],
    )
    return Exit.FOUND if check and any(one.trouble for one in found) else Exit.DONE


def _fleet(file: str | None) -> "tuple[Any, Fleet]":
    place = fleet_file.place(file, os.environ)
    return place, fleet_file.load(place, named=bool(file or os.environ.get(fleet_file.VARIABLE)))


def _room_for_handles() -> None:
    """Take as many open files as this process may have: each job has some."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _listed(call: Call, news: "int | ClawgitError") -> None:
    if isinstance(news, ClawgitError):
        call.out.warn(f"the workspaces stay the ones they were: {news.message}", news.fix)
    else:
        call.out.note(f"running {counted(news, 'workspace')}")
    call.out.flush()


def _document(one: "Standing") -> Document:
    return {
        "agents": list(one.home.agents),
        "workspace": str(one.home.root),
        "state": one.state,
        "last": {"job": one.job, "ended": one.last} if one.last else None,
        "next": one.next or None,
        "runner": one.runner or None,
        "trouble": [to_builtins(trouble) for trouble in one.trouble],
    }
