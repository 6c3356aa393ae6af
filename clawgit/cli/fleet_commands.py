"""`clawgit fleet`."""

import os
import resource
from collections import Counter
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from clawgit.cli import render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words, stop_on_signals
from clawgit.cli.schedule_commands import tell_ended
from clawgit.cli.text_lines import Span, counted, line
from clawgit.errors import Advice, ClawgitError, Exit, Fix, quoted, workspace_missing
from clawgit.schedule import runner, runner_state
from clawgit.schedule.fleet import fleet_file, fleet_runner
from clawgit.schedule.fleet.fleet_runner import FleetRunner, Limits, Listeners
from clawgit.workspace.agent_workspaces import Home

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
    fleet = FleetRunner(lambda: fleet_file.homes(_fleet(file)[1], os.environ), limits, stop, listeners, os.environ)
    left = fleet.run()
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
    found = [_look(home, now) for home in fleet_file.homes(_fleet(file)[1], os.environ)]
    worst_first = sorted(found, key=lambda one: not one["trouble"])
    states = Counter(one["state"] for one in found)
    head = line(Span(counted(len(found), "workspace"), "bold"), *(f"  {n:,} {state}" for state, n in states.items()))
    rows = render.draw_table(worst_first, "agents state job=last.job ended=last.ended trouble")
    call.out.answer(found, [head, *rows])
    return Exit.FOUND if check and any(one["trouble"] for one in found) else Exit.DONE


def _look(home: Home, now: datetime) -> dict[str, Any]:
    """Return how one workspace stands, by what its runners noted; nothing is opened there, and nothing written.

    `well`: each job ended well when it ran last; `failing`: one of them did not, or does not run though it should;
    `new`: nothing ran yet; `unknown`: it could not be looked at.
    """
    document: dict[str, Any] = {"agents": list(home.agents), "workspace": str(home.root), "state": "unknown"}
    document |= dict.fromkeys(("last", "next", "runner"))
    try:
        place = fleet_runner.place(home, os.environ)
        _, rows = runner.standing(place, now, os.environ)
        holder = runner_state.holder(place.home)
    except ClawgitError as exc:
        return {**document, "trouble": [_trouble("", exc.message, exc.fix)]}
    except OSError as exc:
        words = f"{exc.filename or home.root}: {exc.strerror}"
        return {**document, "trouble": [_trouble("", words, f"ls -ld {home.root}")]}
    runs = [(row.row.job, row.kept.last) for row in rows if row.kept.last]
    again = f"clawgit -C {quoted(home.root)} schedule once"
    problems = [(row.row.job, row.row.problem) for row in rows if row.row.problem]
    failed = [(job, last) for job, last in runs if last.result in ("failed", "killed")]
    trouble = [_trouble(job, problem.message, problem.fix) for job, problem in problems]
    trouble += [_trouble(job, last.error or last.result, f"{again} {job}") for job, last in failed]
    newest = max(runs, key=lambda one: datetime.fromisoformat(one[1].ended), default=None)
    coming = min((row.next for row in rows if row.next), default=None)
    return {
        **document,
        "state": "failing" if trouble else "well" if newest else "new",
        "last": {"job": newest[0], "ended": newest[1].ended} if newest else None,
        "next": coming.isoformat() if coming else None,
        "runner": holder,
        "trouble": trouble,
    }


def _trouble(job: str, words: str, fix: Fix | str) -> dict[str, str]:
    """Return what is wrong with a job, or with the workspace itself."""
    return {"job": job, "words": words, "fix": str(fix)}


def _fleet(file: str | None) -> tuple[Path, fleet_file.Fleet]:
    place = fleet_file.place(file, os.environ)
    return place, fleet_file.load(place, named=bool(file or os.environ.get(fleet_file.VARIABLE)))


def _room_for_handles() -> None:
    """Take as many open files as this process may have: each job has some."""
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _listed(call: Call, news: int | ClawgitError) -> None:
    if isinstance(news, ClawgitError):
        call.out.warn(f"the workspaces stay the ones they were: {news.message}", news.fix)
    else:
        call.out.note(f"running {counted(news, 'workspace')}")
    call.out.flush()
