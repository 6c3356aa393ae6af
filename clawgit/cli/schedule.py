"""`clawgit schedule`."""

import os
import signal
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from clawgit.cli import show_schedule
from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import Span
from clawgit.cli.lazy import Group
from clawgit.cli.options import Words, json_option
from clawgit.errors import ClawgitError, Exit

if TYPE_CHECKING:
    from clawgit.integrations.timers.timer import Timer
    from clawgit.schedule.place import Place
    from clawgit.schedule.turn import Ended, Turn

_PATIENCE = 3.0
"""So many seconds a runner waits for the job of one that was killed."""

with_option = click.option(
    "--with",
    "means",
    type=click.Choice(("systemd", "cron", "openclaw")),
    help="By which means.  [default: systemd where it runs, else cron]",
)
apply_option = click.option("--apply", "really", is_flag=True, help="Do it.")


@click.group(cls=Group)
def schedule() -> None:
    """Have the work done by itself, at its times.

    Captures, conversations and corrections every few minutes; each agent at its hour. What the machine slept through
    is done once when it wakes. The times stand in CONFIG.md.
    """


@schedule.command(
    "run", examples=("clawgit schedule run", "clawgit schedule run ~/.openclaw/workspace ~/.openclaw/workspace-work")
)
@click.argument("folders", nargs=-1, metavar="[DIR]...", type=Words())
@json_option
@pass_call
def run_(call: Call, folders: tuple[str, ...]) -> None:
    """Do what is due, and go on until ^C or SIGTERM.

    For the workspace at hand, or for each DIR. Asked to end, it ends after the commit at hand. A second runner for the
    same workspace says so and exits with 75. What is written over between two captures is kept (clawgit log --seen).
    With --json each job that ran is one document on a line of its own.
    """
    from clawgit.schedule import loop  # noqa: PLC0415 - the help does without

    stop = _asked_to_end()
    with ExitStack() as stack:
        turns = [_turn(stack, _place(folder), stop) for folder in folders or (call.place(),)]
        for turn in turns:
            _observe(call, stack, turn)
            call.out.note(f"running {turn.place.root}")
        listeners = loop.Listeners(
            lambda turn, ended: _tell(call, turn, ended, stop), lambda turn, error: _trouble(call, turn, error)
        )
        loop.run(turns, stop, listeners)


@schedule.command(examples=("clawgit schedule once", "clawgit schedule once memory-miner conflict-detector --json"))
@click.argument("jobs", nargs=-1, metavar="[JOB]...", type=Words())
@json_option
@pass_call
def once(call: Call, jobs: tuple[str, ...]) -> int:
    """Do what is due now, or the jobs that are named, and end.

    This is what the timers of clawgit schedule install call. Exits with 1 when a job failed; the others are done all
    the same, and the failed one is tried again later.
    """
    ended: list[Ended] = []
    with ExitStack() as stack:
        turn = _turn(stack, _place(call.place()), _asked_to_end())
        for one in turn.run(jobs):
            ended.append(one)
            if not call.out.as_json:
                _tell(call, turn, one, Event())  # once begun, it does all of it
        problems = turn.problems()
    for problem in problems:
        _trouble(call, turn, problem)
    if call.out.as_json:
        call.out.documents(show_schedule.ended(one) for one in ended)
    elif not ended:
        call.out.note("nothing is due; clawgit schedule status says what comes next")
    failed = problems or any(one.did.result in ("failed", "killed") for one in ended)
    return Exit.FAILED if failed else Exit.DONE


@schedule.command(examples=("clawgit schedule status", "clawgit schedule status --json"))
@json_option
@pass_call
def status(call: Call) -> None:
    """Show what ran last and what comes next.

    Each job with its time, its last run and what that came to. Times are in the time zone of CONFIG.md, else in the
    machine's.
    """
    from clawgit.schedule import lease, standing  # noqa: PLC0415 - the help does without

    place = _place(call.place())
    plan, rows = standing.standing(place, datetime.now().astimezone(), os.environ)
    if call.out.as_json:
        call.out.documents(show_schedule.row(one, plan) for one in rows)
        return
    call.out.lines(show_schedule.table(rows, plan))
    holder = lease.holder(place.home)
    call.out.note(f"a runner is at work: process {holder}" if holder else "no runner is at work at this moment")


@schedule.command(examples=("clawgit schedule log", "clawgit schedule log -n 5 --json"))
@click.option("-n", "limit", type=click.IntRange(0), metavar="N", help="At most so many.  [default: all]")
@json_option
@pass_call
def log(call: Call, limit: int | None) -> None:
    """Say what ran, the newest first.

    Runs that found nothing to do are left out, but for those of the agents.
    """
    from clawgit.workspace import runs  # noqa: PLC0415 - the help does without

    found = list(runs.ledger(_place(call.place()).home / "state"))[::-1][:limit]
    if call.out.as_json:
        call.out.documents(show_schedule.ran(one) for one in found)
        return
    call.out.lines((row for one in found for row in show_schedule.ran_lines(one)), indent=19)
    if not found:
        call.out.note("nothing ran yet")


@schedule.command(examples=("clawgit schedule install", "clawgit schedule install --with cron --apply"))
@with_option
@apply_option
@json_option
@pass_call
def install(call: Call, means: str | None, *, really: bool) -> None:
    """Show what would call clawgit every few minutes, and with --apply set it up.

    A timer of systemd, a block in the crontab, or a job of OpenClaw's own schedule; each calls clawgit schedule once.
    """
    timer = _timer(call, means)
    done = timer.install() if really else timer.plan()
    show_schedule.timer(call.out, timer, done, applied=really, verb="install")


@schedule.command(examples=("clawgit schedule uninstall", "clawgit schedule uninstall --with cron --apply"))
@with_option
@apply_option
@json_option
@pass_call
def uninstall(call: Call, means: str | None, *, really: bool) -> None:
    """Show what would be taken away again, and with --apply take it away.

    What stood there before is left as it was, to the byte.
    """
    timer = _timer(call, means)
    done = timer.uninstall() if really else timer.farewell()
    show_schedule.timer(call.out, timer, done, applied=really, verb="uninstall")


def _timer(call: Call, means: str | None) -> "Timer":
    from clawgit.cli.hooks import program  # noqa: PLC0415
    from clawgit.integrations.timers import choosing  # noqa: PLC0415

    return choosing.timer(means, _place(call.place()), program(), os.environ)


def _place(folder: "str | Path") -> "Place":
    from clawgit.schedule import place  # noqa: PLC0415

    return place.place(Path(folder).expanduser(), os.environ)


def _turn(stack: ExitStack, place: "Place", stop: Event) -> "Turn":
    """Take the lease of a workspace for as long as `stack` lasts, and return what looks at it."""
    from clawgit.schedule import hand, lease, turn  # noqa: PLC0415

    handle = stack.enter_context(lease.held(place.home, _PATIENCE))
    work = hand.Hand(handle, os.environ)
    return turn.Turn(place, work, lambda: datetime.now().astimezone(), stop.is_set, os.environ)


def _observe(call: Call, stack: ExitStack, turn: "Turn") -> None:
    """Keep what is written over between two captures, for as long as `stack` lasts."""
    from clawgit.workspace.observer import Observer  # noqa: PLC0415 - only who stays pays

    stack.callback(Observer(turn.place.root, lambda error: _trouble(call, turn, error)).close)


def _asked_to_end() -> Event:
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop


def _tell(call: Call, turn: "Turn", ended: "Ended", stop: Event) -> None:
    """Tell of a job that ended; nobody to tell it to sets `stop`."""
    did = ended.did
    if call.out.as_json:
        call.out.record({"workspace": str(turn.place.root), **show_schedule.ended(ended)})
    elif did.result not in ("nothing", "stopped") or did.commits:
        call.out.lines([show_schedule.ended_line(ended)])
    for words in did.notes:
        call.out.note(f"{ended.job}: {words}")
    if did.error:
        _trouble(call, turn, ClawgitError(f"{ended.job}: {did.error}", fix=did.fix))
    call.out.flush()
    if call.out.unread:
        stop.set()


def _trouble(call: Call, turn: "Turn", error: ClawgitError) -> None:
    call.out.warn(f"{turn.place.root}: {error.message}")
    if error.fix:
        call.out.talk(Span("  fix: ", "cyan"), error.fix)
