"""`clawgit memory compact` and `promote`, and `clawgit forget`."""

from typing import Any

import click

from clawgit.agents import agents, running
from clawgit.agents.memory_compactor import ENABLE, MemoryCompactor, Promoter
from clawgit.cli import change_output, memory_commands, render, run_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words, sentence_argument
from clawgit.errors import Command, option_missing
from clawgit.json_documents import Document, fields
from clawgit.memory import expiry
from clawgit.memory import promote as promotion
from clawgit.memory.compact import MIN_DAYS, Plan, place_archive, read_plan
from clawgit.memory.promote import Candidate, Wanted, gather
from clawgit.safety.redaction import redacted


@command(
    "clawgit memory compact",
    "clawgit memory compact --days 60",
    "clawgit memory compact --apply",
    "clawgit memory compact --apply --remove",
)
@click.option("--days", type=click.IntRange(0), default=90, show_default=True, help="Only what is older than this.")
@click.option("--apply", "really", is_flag=True, help="Do it: one commit for each archive.")
@click.option("--remove", is_flag=True, help="Remove the originals too, in commits of their own; git keeps them.")
def compact(call: Call, days: int, *, really: bool, remove: bool) -> None:
    """Put old dated files into an archive for each quarter.

    Their text goes word for word, day after day, into memory/archive/2026-Q1.md. Without --apply the files that are old
    enough are listed. The originals stay beside the archive, unless --remove is given. The last 30 days are never
    compacted.
    """
    if remove and not really:
        raise option_missing("--remove needs --apply", fix=Command("clawgit memory compact --apply --remove"))
    with call.workspace(managed=True) as workspace:
        if days < MIN_DAYS:
            call.out.note(f"the last {MIN_DAYS} days stay as they are")
        agent = MemoryCompactor(Plan("quarterly", max(days, MIN_DAYS), remove=remove, tend=False))
        result = running.apply(agent, workspace) if really else running.preview(agent, workspace)
        if really:
            result.notes += agents.settle(workspace, agent, result)
        is_enabled = read_plan(workspace.config).enabled
    files = [fields(item, "path day", archive=place_archive(item.day, "quarterly")) for item in agent.eligible]
    document = {**run_output.document(result), "days": max(days, MIN_DAYS), "files": files}
    call.out.note(*result.notes)
    rows = [
        *run_output.draw_applied(result),
        *render.draw_table(files),
        *render.draw_record(document, "left_out=skipped"),
    ]
    call.out.answer(document, rows)
    if not files:
        call.out.note(f"nothing to compact: no dated file is older than {document['days']} days")
    elif not really:
        call.out.note("to do it: clawgit memory compact --apply")
    elif not result.applied:
        call.out.note("nothing to do: all of it is in the archives already")
    if not (really or is_enabled):
        call.out.note(f"by itself nothing is compacted; see clawgit run memory-compactor, then: {ENABLE}")


@command("clawgit forget kxqm", 'clawgit forget "the old printer"')
@sentence_argument("wanted", metavar="ID|WORDS")
def forget(call: Call, wanted: str) -> None:
    """Move a memory to the archive; git keeps it.

    WORDS are some words of this memory alone, or its place in the results of a search (MEMORY.md#L12). It goes to
    memory/archive/memories/, with everything nested below it. The agent is not given it any more, and no search finds
    it. git keeps it at its old place, and clawgit undo brings it back.
    """
    with call.workspace(managed=True) as workspace:
        name = memory_commands.find_on_line(workspace, wanted)
        change_output.apply(call, workspace, expiry.forget_line(workspace, name))


_CENTURY = 36_500


@command(
    "clawgit memory promote",
    "clawgit memory promote --days 30 --min-confidence 0.6",
    "clawgit memory promote --frequency --json",
    "clawgit memory promote --apply",
    "clawgit memory promote --apply --target memory/legal.md",
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
        request = Wanted(days, least, frequency, place)
        if really:
            workspace.require_managed()
            agent = Promoter(request)
            result = running.apply(agent, workspace)
            agents.settle(workspace, agent, result)
            found, (change, applied) = agent.found, next(iter(result.applied), (None, None))
        else:
            found, change, applied = gather(workspace, request, workspace.now()), None, None
    for words in found.unread:
        call.out.warn(words)
    document: dict[str, Any] = {
        **fields(found, "candidates read", candidates=list(map(_describe_candidate, found.candidates))),
        "skipped": run_output.skipped_document(found.skipped),
        **fields(found, "unread"),
    }
    rows = [
        *render.draw_table(document["candidates"], "confidence path line held to text why"),
        *render.draw_record(document, "left_out=skipped"),
    ]
    if change and applied:
        if not call.out.as_json:
            call.out.lines(rows)
        change_output.tell(call, applied, change.subject, **document)
        return
    outcome = {"commit": None, "reason": "there is nothing to promote"} if really else {}
    call.out.answer({**outcome, **document}, rows, none="nothing to promote")
    if found.ready and not really:
        call.out.note("to do it: clawgit memory promote --apply")
    if found.skipped.get("taken back before"):
        call.out.note("what an undo took back is not promoted again; to bring it back: clawgit undo --redo")


def _describe_candidate(candidate: Candidate) -> Document:
    return {
        **fields(candidate, "path line=start end date=day", text=redacted(candidate.said)),
        "category": candidate.category,
        "confidence": candidate.weight.confidence,
        "why": [{"what": part, "value": value} for part, value in candidate.weight.parts],
        **fields(candidate, "sessions to tag origin held?"),
    }
