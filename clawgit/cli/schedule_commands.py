"""`clawgit schedule`."""

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from clawgit.cli import show
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words, answering
from clawgit.cli.output import Line, Output, Span, counted, line, minute
from clawgit.errors import ClawgitError, Exit
from clawgit.integrations.json_documents import Document, fields

if TYPE_CHECKING:
    from clawgit.integrations.timers.timer import Step, Timer
    from clawgit.schedule.job_timetable import When
    from clawgit.schedule.runner import Ended, Plan, Standing, Turn
    from clawgit.schedule.runner_state import Place
    from clawgit.workspace.run_ledger import Ran


_COLOURS = {"failed": "red", "killed": "red", "stopped": "yellow", "capped": "yellow"}
_MINUTE = 60
_JOB, _AT, _NEXT, _LAST = 17, 12, 11, 11
_ACTS = {"write": "writes", "remove": "removes", "run": "runs"}


def row(one: "Standing", plan: "Plan") -> Document:
    """Return a row of the timetable as JSON has it."""
    at, day = _at(one.row.when)
    known = one.kept
    return {
        "job": one.row.job,
        "at": at,
        "day": day,
        "timezone": plan.zone_name,
        "last": to_builtins(known.last) if known.last else None,
        "next": one.next.isoformat() if one.next else None,
        "enabled": one.row.when is not None,
        "attempts": known.attempts,
        "moved_from": one.row.moved or None,
        "problem": one.row.problem.message if one.row.problem else None,
    }


def _at(when: "When | None") -> tuple[str | None, str | None]:
    from clawgit.schedule.job_timetable import (  # noqa: PLC0415 - shown only where it is loaded already
        DAYS,
        Daily,
        Weekly,
    )

    match when:
        case None:
            return None, None
        case Daily():
            return f"{when.at:%H:%M}", "daily"
        case Weekly():
            return f"{when.at:%H:%M}", DAYS[when.day]
    return f"every {round(when.seconds / _MINUTE)} min", None


def table(rows: "Iterable[Standing]", plan: "Plan") -> Iterator[Line]:
    """Yield the timetable in at most 80 columns."""
    heads = (("job", _JOB), ("at", _AT), ("next", _NEXT), ("last", _LAST), ("came to", 0))
    yield line(Span(" ".join(f"{word:<{width}}" for word, width in heads).rstrip(), "dim"))
    for one in rows:
        yield _table_line(one)
        if one.row.problem:
            yield line(" " * (_JOB + 1), Span(one.row.problem.message, "red"), f"; {one.row.problem.fix}")
    yield line(Span(f"times in {plan.zone_name}", "dim"))


def _table_line(one: "Standing") -> Line:
    at, day = _at(one.row.when)
    said = "off" if at is None else at if day in (None, "daily") else f"{day} {at}"
    last = one.kept.last
    when = _short(datetime.fromisoformat(last.ended)) if last else "-"
    then = _short(one.next) if one.next else "-"
    mark = Span(_came(last.result, last.commits), _COLOURS.get(last.result, "")) if last else Span("")
    name = Span(f"{one.row.job:<{_JOB}} ", "bold")
    return line(name, f"{said:<{_AT}} {then:<{_NEXT}} {when:<{_LAST}} ", mark)


def _short(when: datetime) -> str:
    return f"{when:%m-%d %H:%M}"


def _came(result: str, commits: int) -> str:
    return f"{result}, {counted(commits, 'commit')}" if commits else result


def ended_document(one: "Ended") -> Document:
    """Return a job that ran as JSON has it."""
    return {"job": one.job, **to_builtins(one.last), **fields(one.did, "commits notes fix")}


def ended_line(one: "Ended") -> Line:
    """Return the same for people."""
    when = show.moment(datetime.fromisoformat(one.last.ended))
    result = Span(_came(one.did.result, len(one.did.commits)), _COLOURS.get(one.did.result, ""))
    hint = Span(f" · clawgit log -n {len(one.did.commits)}", "dim") if one.did.commits else Span("")
    return line(Span(f"{when} ", "dim"), Span(f"{one.job} ", "bold"), result, hint)


def ran(one: "Ran") -> Document:
    """Return a run of the ledger as JSON has it."""
    values = to_builtins(one)
    return {"job": values.pop("agent"), **values}


def ran_lines(one: "Ran") -> Iterator[Line]:
    """Yield the same for people."""
    commits = tuple(commit[:10] for commit in one.committed)
    result = Span(_came("failed" if one.error else "done", len(commits)), "red" if one.error else "")
    yield line(Span(f"{minute(one.started)} ", "dim"), Span(f"{one.agent:<{_JOB}} ", "bold"), result)
    if commits:
        yield line(" " * _JOB, Span(" ".join(commits), "yellow"))
    for words in filter(None, (one.error, *one.notes)):
        yield line(" " * _JOB, Span(words, "dim"))


def tell_timer(out: Output, timer: "Timer", steps: "tuple[Step, ...]", *, applied: bool, verb: str) -> None:
    """Print what setting a timer up, or taking it away, does or did."""
    if out.as_json:
        out.document({"with": timer.means, "applied": applied, "steps": [to_builtins(one) for one in steps]})
        return
    out.lines(row for one in steps for row in _step(one))
    if not steps:
        out.note("nothing to do: it stands already" if verb == "install" else "nothing to do: there is nothing of ours")
    elif not applied:
        out.note(f"nothing was done; clawgit schedule {verb} --with {timer.means} --apply does it")


def _step(one: "Step") -> Iterator[Line]:
    head = Span(f"{_ACTS[one.act]} ", "dim")
    yield line(head, Span(one.path or one.what, "bold"))
    if one.path and one.what:
        yield from (line(Span(f"  {words}")) for words in one.what.splitlines())


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
@answering
def run_(call: Call, folders: tuple[str, ...]) -> None:
    """Do what is due, and go on until ^C or SIGTERM.

    For the workspace at hand, or for each DIR. Asked to end, it ends after the commit at hand. A second runner for the
    same workspace says so and exits with 75. What is written over between two captures is kept (clawgit log --seen).
    With --json each job that ran is one document on a line of its own.
    """
    from clawgit.schedule import runner  # noqa: PLC0415 - the help does without

    stop = _asked_to_end()
    with ExitStack() as stack:
        turns = [_turn(stack, _place(folder), stop) for folder in folders or (call.place(),)]
        for turn in turns:
            _observe(call, stack, turn)
            call.out.note(f"running {turn.place.root}")
        listeners = runner.Listeners(
            lambda turn, ended: _tell(call, turn, ended, stop), lambda turn, error: _trouble(call, turn, error)
        )
        runner.run(turns, stop, listeners)


@schedule.command(examples=("clawgit schedule once", "clawgit schedule once memory-miner conflict-detector --json"))
@click.argument("jobs", nargs=-1, metavar="[JOB]...", type=Words())
@answering
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
        call.out.documents(ended_document(one) for one in ended)
    elif not ended:
        call.out.note("nothing is due; clawgit schedule status says what comes next")
    failed = problems or any(one.did.result in ("failed", "killed") for one in ended)
    return Exit.FAILED if failed else Exit.DONE


@schedule.command(examples=("clawgit schedule status", "clawgit schedule status --json"))
@answering
def status(call: Call) -> None:
    """Show what ran last and what comes next.

    Each job with its time, its last run and what that came to. Times are in the time zone of CONFIG.md, else in the
    machine's.
    """
    from clawgit.schedule import runner, runner_state  # noqa: PLC0415 - the help does without

    place = _place(call.place())
    plan, rows = runner.standing(place, datetime.now().astimezone(), os.environ)
    if call.out.as_json:
        call.out.documents(row(one, plan) for one in rows)
        return
    call.out.lines(table(rows, plan))
    holder = runner_state.holder(place.home)
    call.out.note(f"a runner is at work: process {holder}" if holder else "no runner is at work at this moment")


@schedule.command(examples=("clawgit schedule log", "clawgit schedule log -n 5 --json"))
@click.option("-n", "limit", type=click.IntRange(0), metavar="N", help="At most so many.  [default: all]")
@answering
def log(call: Call, limit: int | None) -> None:
    """Say what ran, the newest first.

    Runs that found nothing to do are left out, but for those of the agents.
    """
    from clawgit.workspace import run_ledger  # noqa: PLC0415 - the help does without

    found = list(run_ledger.ledger(_place(call.place()).home / "state"))[::-1][:limit]
    call.out.listed(found, ran, ran_lines, "nothing ran yet", indent=19)


@schedule.command(examples=("clawgit schedule install", "clawgit schedule install --with cron --apply"))
@with_option
@apply_option
@answering
def install(call: Call, means: str | None, *, really: bool) -> None:
    """Show what would call clawgit every few minutes, and with --apply set it up.

    A timer of systemd, a block in the crontab, or a job of OpenClaw's own schedule; each calls clawgit schedule once.
    """
    timer = _timer(call, means)
    done = timer.install() if really else timer.plan()
    tell_timer(call.out, timer, done, applied=really, verb="install")


@schedule.command(examples=("clawgit schedule uninstall", "clawgit schedule uninstall --with cron --apply"))
@with_option
@apply_option
@answering
def uninstall(call: Call, means: str | None, *, really: bool) -> None:
    """Show what would be taken away again, and with --apply take it away.

    What stood there before is left as it was, to the byte.
    """
    timer = _timer(call, means)
    done = timer.uninstall() if really else timer.farewell()
    tell_timer(call.out, timer, done, applied=really, verb="uninstall")


def _timer(call: Call, means: str | None) -> "Timer":
    from clawgit.cli.hooks_commands import program  # noqa: PLC0415
    from clawgit.integrations.timers import choosing  # noqa: PLC0415

    return choosing.timer(means, _place(call.place()), program(), os.environ)


def _place(folder: "str | Path") -> "Place":
    from clawgit.schedule import runner_state  # noqa: PLC0415

    return runner_state.place(Path(folder).expanduser(), os.environ)


def _turn(stack: ExitStack, place: "Place", stop: Event) -> "Turn":
    """Take the lease of a workspace for as long as `stack` lasts, and return what looks at it."""
    from clawgit.schedule import job_process, runner, runner_state  # noqa: PLC0415

    handle = stack.enter_context(runner_state.held(place.home, _PATIENCE))
    work = job_process.Hand(handle, os.environ)
    return runner.Turn(place, work, lambda: datetime.now().astimezone(), stop.is_set, os.environ)


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
        call.out.record({"workspace": str(turn.place.root), **ended_document(ended)})
    elif did.result not in ("nothing", "stopped") or did.commits:
        call.out.lines([ended_line(ended)])
    for words in did.notes:
        call.out.note(f"{ended.job}: {words}")
    if did.error:
        _trouble(call, turn, ClawgitError(f"{ended.job}: {did.error}", fix=did.fix))
    call.out.flush()
    if call.out.unread:
        stop.set()


def _trouble(call: Call, turn: "Turn", error: ClawgitError) -> None:
    call.out.warn(f"{turn.place.root}: {error.message}", error.fix)
