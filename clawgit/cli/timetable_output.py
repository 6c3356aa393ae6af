"""The timetable and what ran, for people and as JSON."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import to_builtins

from clawgit.cli import human_lines
from clawgit.cli.output import Line, Span, counted, line, minute
from clawgit.integrations.json_documents import Document, fields

if TYPE_CHECKING:
    from clawgit.schedule.job_timetable import When
    from clawgit.schedule.runner import Ended, Plan, Standing
    from clawgit.workspace.run_ledger import Ran


_COLOURS = {"failed": "red", "killed": "red", "stopped": "yellow", "capped": "yellow"}
_MINUTE = 60
_JOB, _AT, _NEXT, _LAST = 17, 12, 11, 11


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
    when = human_lines.moment(datetime.fromisoformat(one.last.ended))
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
