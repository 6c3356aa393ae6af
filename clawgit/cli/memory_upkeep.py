"""`clawgit memory compact` and `promote`, and `clawgit forget`."""

from collections.abc import Iterator

import click

from clawgit.agents import agents, running
from clawgit.agents.memory_compactor import ENABLE, MemoryCompactor
from clawgit.agents.running import Result
from clawgit.cli import change_output, run_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import Words, answering
from clawgit.cli.output import Line, Output, Span, column, labelled, line
from clawgit.errors import Command, option_missing
from clawgit.integrations.json_documents import Document, fields
from clawgit.memory import expiry
from clawgit.memory import promote as promotion
from clawgit.memory.compact import MIN_DAYS, Journal, Plan, place_archive, read_plan
from clawgit.memory.promote import Candidate, Found, Wanted, gather
from clawgit.safety.redaction import redacted
from clawgit.workspace.commit_message import one_line, shorten
from clawgit.workspace.workspace import Workspace


def result(out: Output, found: Result, *, applied: bool) -> None:
    """Print what a run of the compactor came to."""
    run_output.tell_result(out, found, _summary, applied=applied)


def _summary(found: Result, applied: bool) -> Iterator[Line]:  # noqa: FBT001 - as every summary takes it
    if not found.learnt:
        yield line("nothing to compact")
    elif not applied:
        for one in found.learnt:
            yield labelled("would be", run_output.WIDTH, one.text, style="")
    yield from run_output.left_out(found.skipped)
    yield from run_output.do_it(found, applied)


@click.command(
    "compact",
    cls=DocumentedCommand,
    examples=(
        "clawgit memory compact",
        "clawgit memory compact --days 60",
        "clawgit memory compact --apply",
        "clawgit memory compact --apply --remove",
    ),
)
@click.option("--days", type=click.IntRange(0), default=90, show_default=True, help="Only what is older than this.")
@click.option("--apply", "really", is_flag=True, help="Do it: one commit for each archive.")
@click.option("--remove", is_flag=True, help="Remove the originals too, in commits of their own; git keeps them.")
@answering
def compact(call: Call, days: int, *, really: bool, remove: bool) -> None:
    """Put old dated files into an archive for each quarter.

    Their text goes word for word, day after day, into memory/archive/2026-Q1.md. Without --apply the files that are old
    enough are listed. The originals stay beside the archive, unless --remove is given. The last 30 days are never
    compacted.
    """
    if remove and not really:
        raise option_missing("--remove needs --apply", fix=Command("clawgit memory compact --apply --remove"))
    with call.workspace() as workspace:
        workspace.require_managed()
        if days < MIN_DAYS:
            call.out.note(f"the last {MIN_DAYS} days stay as they are")
        agent = MemoryCompactor(Plan("quarterly", max(days, MIN_DAYS), remove=remove, tend=False))
        result = running.apply(agent, workspace) if really else running.preview(agent, workspace)
        if really:
            result.notes += agents.settle(workspace, agent, result)
        _tell(call, result, agent.eligible, days=max(days, MIN_DAYS), applied=really)
        if not really and not read_plan(workspace.config).enabled and not call.out.as_json:
            call.out.note(f"by itself nothing is compacted; see clawgit run memory-compactor, then: {ENABLE}")


def _tell(call: Call, result: Result, found: list[Journal], *, days: int, applied: bool) -> None:
    if call.out.as_json:
        files = [
            {"path": one.path, "day": one.day.isoformat(), "archive": place_archive(one.day, "quarterly")}
            for one in found
        ]
        call.out.document({**run_output.document(result), "days": days, "files": files})
        return
    for words in result.notes:
        call.out.note(words)
    if applied:
        run_output.done(call.out, result)
    call.out.lines(_listed(found, result, days=days, applied=applied))


def _listed(found: list[Journal], result: Result, *, days: int, applied: bool) -> Iterator[Line]:
    if not found:
        yield line(f"nothing to compact: no dated file is older than {days} days")
    elif not applied:
        for name, one in zip(column(one.path for one in found), found, strict=True):
            yield line(name, Span(f"  → {place_archive(one.day, 'quarterly')}", "dim"))
        yield labelled("do it", run_output.WIDTH, "clawgit memory compact --apply")
    elif not result.applied:
        yield line("nothing to do: all of it is in the archives already")
    for reason, count in sorted(result.skipped.items()):
        yield labelled("left out", run_output.WIDTH, Span(f"{reason} {count:,}", "dim"))


@click.command("forget", cls=DocumentedCommand, examples=("clawgit forget kxqm", 'clawgit forget "the old printer"'))
@click.argument("wanted", type=Words(), metavar="ID|WORDS")
@answering
def forget(call: Call, wanted: str) -> None:
    """Move a memory to the archive.

    WORDS are some that only this memory has. It goes to memory/archive/memories/, with what is nested below it; git
    keeps it where it was, and clawgit undo brings it back.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        change_output.apply(call, workspace, expiry.forget_line(workspace, wanted))


_CENTURY = 36_500
_SHOWN = 300


@click.command(
    "promote",
    cls=DocumentedCommand,
    examples=(
        "clawgit memory promote",
        "clawgit memory promote --days 30 --min-confidence 0.6",
        "clawgit memory promote --frequency --json",
        "clawgit memory promote --apply",
        "clawgit memory promote --apply --target memory/legal.md",
    ),
)
@click.option(
    "--days", type=click.IntRange(1, _CENTURY), default=7, show_default=True, help="Journals of so many days back."
)
@click.option(
    "--min-confidence",
    "least",
    type=click.FloatRange(0, 1),
    default=0.4,
    show_default=True,
    help="Only what is at least so sure.",
)
@click.option("--frequency", is_flag=True, help="Only what searches of three sessions or more found, however old.")
@click.option("--apply", "really", is_flag=True, help="Do it, in one commit.")
@click.option("--target", type=Words(), metavar="FILE", help="Where all of it goes.  [default: by category]")
@answering
def promote(call: Call, days: int, least: float, target: str | None, *, frequency: bool, really: bool) -> None:
    """Move what is worth keeping for good out of the journals.

    Decisions, architecture, money, law, people, milestones, strategy, and what was asked to be kept are found by the
    trigger words of the memory tiers; what searches of three sessions found is a candidate, too. Each says why it is as
    sure as it is. Without --apply nothing is written. A note goes, with its day before it, to the
    file of its category, such as memory/legal.md, or to the memory file, and leaves its journal; clawgit undo takes it
    back, and it is not promoted again then. What came from outside is shown, and left where it is.
    """
    with call.workspace() as workspace:
        place = promotion.check_target(workspace, target) if target is not None else ""
        wanted = Wanted(days, least, frequency, place)
        if really:
            _apply(call, workspace, wanted)
            return
        found = gather(workspace, wanted, workspace.now())
    _warn(call, found)
    call.out.answer(lambda: _document(found), _rows(found), indent=6)


def _warn(call: Call, found: Found) -> None:
    for words in found.unread:
        call.out.warn(words)


def _apply(call: Call, workspace: Workspace, wanted: Wanted) -> None:
    workspace.require_managed()
    found, change, applied = promotion.apply(workspace, wanted)
    _warn(call, found)
    if not call.out.as_json:
        call.out.lines((row for candidate in found.candidates for row in _candidate(candidate)), indent=6)
    if change and applied:
        change_output.tell(call, applied, change.subject, **_document(found))
    elif call.out.as_json:
        call.out.document({"commit": None, "reason": "there is nothing to promote", **_document(found)})
    else:
        call.out.lines([line("nothing to promote"), *_left(found)])


def _document(found: Found) -> Document:
    told = fields(found, "candidates read", candidates=[_one(candidate) for candidate in found.candidates])
    return {**told, "skipped": run_output.skipped_document(found.skipped), **fields(found, "unread")}


def _one(one: Candidate) -> Document:
    return {
        **fields(one, "path line=start end date=day", text=redacted(one.said)),
        "category": one.category,
        "confidence": one.weight.confidence,
        "why": [{"what": what, "value": value} for what, value in one.weight.parts],
        **fields(one, "sessions to tag origin held?"),
    }


def _rows(found: Found) -> Iterator[Line]:
    for one in found.candidates:
        yield from _candidate(one)
    if not found.candidates:
        yield line("nothing to promote")
    yield from _left(found)
    if found.ready:
        yield line(Span("do it  ", "dim"), "clawgit memory promote --apply")


def _left(found: Found) -> Iterator[Line]:
    if found.skipped:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in found.skipped.most_common())
        yield line(Span(f"left out  {reasons}", "dim"))


def _candidate(one: Candidate) -> Iterator[Line]:
    text = shorten(one_line(redacted(one.text)), _SHOWN)
    yield line(Span(f"{one.weight.confidence:.2f}", "bold"), f"  {text}")
    where = f"{one.path}#L{one.start} "
    to = Span(f"held back: {one.held}", "yellow") if one.held else Span(f"→ {one.to}", "dim")
    yield line("      ", Span(where, "dim"), to)
    why = ", ".join(f"{what} {value:+.2f}" for what, value in one.weight.parts)
    yield line("      ", Span(why, "dim"))
