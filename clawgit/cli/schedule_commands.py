"""`clawgit schedule` and `clawgit fleet`."""

import os
import resource
from collections import Counter
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Any

import click
from msgspec import to_builtins

from clawgit import errors
from clawgit.cli import agent_choice, render
from clawgit.cli.call import Call
from clawgit.cli.connect_commands import program
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words, stop_on_signals
from clawgit.cli.render import Span, count_noun, format_minute, line
from clawgit.connect.timers import choose_timer
from clawgit.errors import Advice, ClawgitError, Command, Exit, option_missing, quote_shell, workspace_missing
from clawgit.json_documents import Document, fields, map_documents
from clawgit.schedule import fleet_runner, job_process, runner, runner_state
from clawgit.schedule.fleet_runner import FleetRunner
from clawgit.schedule.job_timetable import DAYS, Timed, When
from clawgit.schedule.runner import Ended, WorkspaceRunner
from clawgit.schedule.runner_state import GoneError, Place
from clawgit.store.database import StateStore
from clawgit.workspace import run_ledger
from clawgit.workspace.shared_memory import Home

_PATIENCE = 3.0
"""So many seconds a runner waits for the job of one that was killed."""
_TICK = 30.0
"""So many seconds a runner of one workspace waits at the most before it looks again."""
_MINUTE = 60


def _describe_time(time: When | None) -> tuple[str | None, str | None]:
    """Return the time of a job and its day, None if it is off."""
    if time is None:
        return None, None
    if isinstance(time, Timed):
        return f"{time.at:%H:%M}", "daily" if time.day is None else DAYS[time.day]
    return f"every {round(time.seconds / _MINUTE)} min", None


def _describe_ended(job: Ended) -> Document:
    """Return a job that ran."""
    return {"job": job.job, **to_builtins(job.last), **fields(job.did, "commits notes fix")}


def _tell_ended(call: Call, root: Path, ended: Ended, stop: Event, home: Home | None = None) -> None:
    """Report a job that ended, in a fleet in which `home`; without a reader `stop` is set."""
    did = ended.did
    if call.out.as_json:
        agents = {"agents": list(home.agents)} if home else {}
        call.out.record({"workspace": str(root), **agents, **_describe_ended(ended)})
    # Most runs find nothing, and would fill the screen.
    elif did.result not in ("nothing", "stopped") or did.commits:
        suffix = f", {count_noun(len(did.commits), 'commit')}" if did.commits else ""
        name = f"{home.name}  " if home else ""
        outcome = Span(f"{did.result}{suffix}", "" if did.result == "done" else "red")
        call.out.lines([line(name, Span(f"{format_minute(ended.last.ended)} ", "dim"), f"{ended.job} ", outcome)])
    call.out.note(*(f"{ended.job}: {words}" for words in did.notes))
    if did.error:
        call.out.warn(f"{root}: {ended.job}: {did.error}", did.fix)
    call.out.flush()
    if call.out.unread:
        stop.set()


def _apply_timer(call: Call, means: str | None, verb: str, *, really: bool) -> None:
    """Install a timer, or remove it, or show a preview."""
    timer = choose_timer(means, _place(call), program(), os.environ)
    steps = timer.apply(installing=verb == "install", really=really)
    call.out.answer({"with": timer.means, "applied": really, "steps": map_documents(steps, "act what path")})
    if not steps:
        words = "it stands already" if verb == "install" else "there is nothing of ours"
        call.out.note(f"nothing to do: {words}")
    elif not really:
        call.out.note(f"nothing was done; clawgit schedule {verb} --with {timer.means} --apply does it")


with_option = click.option(
    "--with",
    "means",
    type=click.Choice(("systemd", "cron", "openclaw")),
    help="By which means.  [default: systemd if it runs, else cron]",
)
apply_option = click.option("--apply", "really", is_flag=True, help="Do it.")


@click.group(
    cls=Group,
    invoke_without_command=True,
    examples=("clawgit schedule", "clawgit schedule install --apply", "clawgit schedule status --log"),
)
def schedule(call: Call) -> None:
    """Run the jobs at their times.

    Captures, conversations and corrections every few minutes; each agent at its hour. Missed jobs run once after a
    sleep. The times are in CONFIG.md. Alone it shows the last runs and the next ones.
    """
    if not click.get_current_context().invoked_subcommand:
        _print_status(call)


@schedule.command(
    "run",
    examples=(
        "clawgit schedule run",
        "clawgit schedule run --once",
        "clawgit schedule run --once memory-miner conflict-detector --json",
    ),
)
@click.argument("jobs", nargs=-1, metavar="[JOB]...", type=Words())
@click.option("--once", "is_once", is_flag=True, help="Run due jobs, or the named ones, and end.")
def run_(call: Call, jobs: tuple[str, ...], *, is_once: bool) -> int:
    """Run due jobs until ^C or SIGTERM.

    It ends after the commit at hand. A second runner for the same workspace exits with 75. Versions between two
    captures are kept (clawgit log --seen). With --json each job is one document on a line of its own.

    With --once, as the timers of clawgit schedule install call it, it exits with 1 when a job failed; the job is tried
    again later.
    """
    if jobs and not is_once:
        raise option_missing("a job runs at once with --once", fix=Command("clawgit schedule run --once {}", jobs[0]))
    if is_once:
        return _run_once(call, jobs)
    stop, place, failures = stop_on_signals(), _place(call), list[ClawgitError]()
    from clawgit.workspace.watch import Observer  # noqa: PLC0415 - only who stays pays

    def trouble(error: ClawgitError) -> None:
        if isinstance(error, GoneError):
            failures.append(error)
            stop.set()
        else:
            call.out.warn(f"{place.root}: {error.message}", error.fix)

    listeners = fleet_runner.Listeners(
        lambda _, ended: _tell_ended(call, place.root, ended, stop), lambda _, error: trouble(error)
    )
    with ExitStack() as stack:
        lease = stack.enter_context(runner_state.hold_lease(place.home, _PATIENCE))
        stack.callback(Observer(place.root, trouble).close)  # between two captures
        call.out.note(f"running {place.root}")
        home = Home((place.root.name,), place.root)
        runner = FleetRunner(lambda: (home,), 1, 0, stop, listeners, os.environ, lease=lease, tick=_TICK)
        runner.run()
    if failures:
        raise failures[0]
    return Exit.DONE


def _run_once(call: Call, jobs: tuple[str, ...]) -> int:
    """Run the due jobs, or these."""
    stop, place, ran = stop_on_signals(), _place(call), list[Ended]()
    with runner_state.hold_lease(place.home, _PATIENCE) as handle:
        work, claims = job_process.Hand(handle, os.environ), runner_state.read_claims(os.environ)
        turn = WorkspaceRunner(place, work, lambda: datetime.now().astimezone(), stop.is_set, os.environ, claims=claims)
        for ended in turn.run(jobs):
            ran.append(ended)
            if not call.out.as_json:
                _tell_ended(call, place.root, ended, Event())  # once begun, it does all of it
                if jobs and ended.did.result == "nothing":
                    call.out.note(f"{ended.job}: nothing to do")
        problems = turn.problems()
    for problem in problems:
        call.out.warn(f"{place.root}: {problem.message}", problem.fix)
    failed = bool(problems) or any(ended.did.result in ("failed", "killed") for ended in ran)
    if call.out.as_json:
        call.out.documents(map(_describe_ended, ran))
    elif not ran and not failed:
        call.out.note("nothing is due; clawgit schedule status says what comes next")
    return Exit.FAILED if failed else Exit.DONE


@schedule.command(examples=("clawgit schedule status", "clawgit schedule status --log -n 5"))
@click.option("--log", "is_log", is_flag=True, help="List runs, newest first, but those that found nothing to do.")
@click.option("-n", "limit", type=click.IntRange(0), metavar="N", help="With --log: at most so many.  [default: all]")
def status(call: Call, limit: int | None, *, is_log: bool) -> None:
    """Show the last and the next runs.

    Each job with its time, its last run and its result. Times are in the time zone of CONFIG.md, else in the
    machine's. clawgit fleet status shows many workspaces.
    """
    agent_choice.choose(call, None, all_agents=False)
    if is_log or limit is not None:
        _print_log(call, limit)
    else:
        _print_status(call)


def _print_status(call: Call) -> None:
    place, now = _place(call), datetime.now().astimezone()
    timetable, states = runner.read_standing(place, now, os.environ)
    documents, rows = list[Document](), list[Document]()
    for state in states:
        time, day = _describe_time(state.row.when)
        problem = state.row.problem.message if state.row.problem else None
        document = {
            "job": state.row.job,
            "at": time,
            "day": day,
            "timezone": timetable.zone_name,
            "last": to_builtins(state.kept.last),
            "next": state.next and state.next.isoformat(),
            "enabled": state.row.when is not None,
            "attempts": state.kept.attempts,
            "problem": problem,
        }
        documents.append(document)
        label = time or (not problem and "off") if day in (None, "daily") else f"{day} {time}"
        rows.append({**document, "at": label, "problem": {"message": problem} if problem else None})
    call.out.answer(documents, render.draw_table(rows, "job at next ended=last.ended result=last.result problem"))
    call.out.note(f"times in {timetable.zone_name}")
    runner_words = runner_state.describe_runner(place, now)
    call.out.note(runner_words or "nothing runs by itself: clawgit schedule install --apply")


def _print_log(call: Call, limit: int | None) -> None:
    ledger = [to_builtins(run) for run in run_ledger.ledger(StateStore(_place(call).home))]
    runs = sorted(({"job": run.pop("agent"), **run} for run in ledger), key=lambda run: str(run["started"]))
    runs.reverse()  # after sorting, so that of two in one second the later stands first
    call.out.answer(runs[:limit], shown="job started error read committed notes", none="nothing ran yet")


@schedule.command(examples=("clawgit schedule install", "clawgit schedule install --with cron --apply"))
@with_option
@apply_option
def install(call: Call, means: str | None, *, really: bool) -> None:
    """Show the timer that calls clawgit every few minutes; --apply sets it up.

    A timer of systemd, a block in the crontab, or a job of OpenClaw's own schedule; each calls clawgit schedule
    run --once.
    """
    _apply_timer(call, means, "install", really=really)


@schedule.command(examples=("clawgit schedule uninstall", "clawgit schedule uninstall --with cron --apply"))
@with_option
@apply_option
def uninstall(call: Call, means: str | None, *, really: bool) -> None:
    """Show which timer would be removed; --apply removes it.

    Former lines are left as they were, to the byte.
    """
    _apply_timer(call, means, "uninstall", really=really)


def _place(call: Call) -> Place:
    return runner_state.find_runner_place(call.place(), os.environ)


@click.group(cls=Group)
def fleet() -> None:
    """Run many workspaces at once.

    Those of OpenClaw's agents, and those of ~/.config/clawgit/fleet.yaml, or of the file CLAWGIT_FLEET: folders, or
    patterns such as ~/agents/*. One process serves all of them.
    """


@fleet.command("run", examples=("clawgit fleet run", "CLAWGIT_FLEET=/etc/clawgit/fleet.yaml clawgit fleet run"))
def run_fleet(call: Call) -> int:
    """Run due jobs of every workspace until ^C or SIGTERM.

    Each job is a process with bounds of its own, and each workspace gets the same share. The list of workspaces is read
    anew every minute. With --json each job is one document on a line of its own.
    """
    place, fleet_config = _fleet()
    if not fleet_runner.homes(fleet_config, os.environ):
        raise workspace_missing(
            f"there is no workspace to run: OpenClaw has none, and {place} names none",
            fix=Advice(f"mkdir -p {place.parent} && printf 'workspaces:\\n  - ~/agents/*\\n' > {place}"),
        )
    with suppress(OSError, ValueError):  # each job has some open files
        _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
    stop = stop_on_signals()
    listeners = fleet_runner.Listeners(
        lambda home, ended: _tell_ended(call, home.root, ended, stop, home),
        lambda home, error: call.out.warn(f"{home.root}: {error.message}", error.fix),
        lambda news: _print_news(call, news),
    )

    def homes() -> tuple[Home, ...]:
        return fleet_runner.homes(_fleet()[1], os.environ)

    left = FleetRunner(homes, fleet_config.jobs, fleet_config.memory_mb, stop, listeners, os.environ).run()
    for home in left:
        call.out.warn(f"{home.root} does not answer; what was asked of it is left", "mount   # is its disk there?")
    if left:
        call.out.flush()
        os._exit(Exit.FAILED)  # a thread that waits for a disk cannot be ended
    return Exit.DONE


@fleet.command("status", examples=("clawgit fleet status", "clawgit fleet status --json"))
def fleet_status(call: Call) -> None:
    """Show how the workspaces stand.

    The last run in each, the next one, and failures, by the notes of the runners; no memory is read.
    """
    documents = [_look_at_tenant(home) for home in fleet_runner.homes(_fleet()[1], os.environ)]
    states = Counter(tenant["state"] for tenant in documents)
    counts = (f"  {count:,} {state}" for state, count in states.items())
    head = line(Span(count_noun(len(documents), "workspace"), "bold"), *counts)
    # `sorted` is stable, so the order within each group stays.
    worst_first = sorted(documents, key=lambda tenant: not tenant["trouble"])
    rows = render.draw_table(worst_first, "agents state job=last.job ended=last.ended trouble")
    call.out.answer(documents, [head, *rows])


def _look_at_tenant(home: Home) -> dict[str, Any]:
    """Return the state of one workspace, by its runners' notes; nothing is opened there, and nothing written.

    `well`: each job ended well when it ran last; `failing`: one of them did not, or does not run though it should;
    `new`: nothing ran yet; `unknown`: it could not be looked at.
    """
    document: dict[str, Any] = {"agents": list(home.agents), "workspace": str(home.root), "state": "unknown"}
    document |= dict.fromkeys(("last", "next", "runner"))
    try:
        place = fleet_runner.open_place(home, os.environ)
        _, rows = runner.read_standing(place, datetime.now().astimezone(), os.environ)
        holder = runner_state.find_runner_process(place.home)
    except (ClawgitError, OSError) as exc:
        error = errors.explain_partial_failure(exc)
        return {**document, "trouble": [{"job": "", "words": error.message, "fix": str(error.fix)}]}
    command = f"clawgit -C {quote_shell(home.root)} schedule run --once"
    trouble, runs = list[Document](), list[tuple[datetime, Document]]()
    for row in rows:
        job, problem, last = row.row.job, row.row.problem, row.kept.last
        if problem:
            trouble.append({"job": job, "words": problem.message, "fix": str(problem.fix)})
        if last:
            runs.append((datetime.fromisoformat(last.ended), {"job": job, "ended": last.ended}))
        if last and last.result in ("failed", "killed"):
            trouble.append({"job": job, "words": last.error or last.result, "fix": f"{command} {job}"})
    coming = min((row.next for row in rows if row.next), default=None)
    return {
        **document,
        "state": "failing" if trouble else "well" if runs else "new",
        "last": max(runs, key=lambda pair: pair[0])[1] if runs else None,
        "next": coming.isoformat() if coming else None,
        "runner": holder,
        "trouble": trouble,
    }


def _fleet() -> tuple[Path, fleet_runner.Fleet]:
    place = fleet_runner.locate_fleet_file(os.environ)
    return place, fleet_runner.load_fleet(place, named=bool(os.environ.get(fleet_runner.VARIABLE)))


def _print_news(call: Call, news: int | ClawgitError) -> None:
    if isinstance(news, ClawgitError):
        call.out.warn(f"the workspaces stay the ones they were: {news.message}", news.fix)
    else:
        call.out.note(f"running {count_noun(news, 'workspace')}")
    call.out.flush()
