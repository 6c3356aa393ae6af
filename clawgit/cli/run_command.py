"""`clawgit run`, `memory compact` and `memory promote`."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from clawgit.agents import agents, reading_landing, running
from clawgit.agents.memory_compactor import ENABLE, MemoryCompactor, Promoter
from clawgit.agents.reading_landing import Outcome
from clawgit.agents.reading_run import Reading
from clawgit.agents.running import Result
from clawgit.cli import change_output, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Since, Words
from clawgit.cli.output import Output
from clawgit.cli.render import Line, count_noun, render_fix
from clawgit.errors import Command, Exit, agent_unknown, option_missing, options_conflict
from clawgit.json_documents import Document, fields, hunk_documents
from clawgit.language.dates import start_of
from clawgit.llm import voices
from clawgit.llm.model import Budget
from clawgit.memory import promote as promotion
from clawgit.memory.compact import MIN_DAYS, CompactionPlan, place_archive, read_plan
from clawgit.memory.promote import Wanted, gather
from clawgit.reading.operations import ROLES, Verdict
from clawgit.safety.redaction import redact
from clawgit.sessions import chat_store
from clawgit.text import diff
from clawgit.workspace import run_ledger, waiting_batches
from clawgit.workspace.change import Edit
from clawgit.workspace.waiting_batches import Waits
from clawgit.workspace.workspace import Workspace


@command(
    "clawgit run memory-miner",
    "clawgit run memory-miner --export batch.json",
    "clawgit run memory-miner --answer answer.json --apply",
    "clawgit run --list",
    apart={"export": "answer really"},
)
@click.argument("name", type=Words(), required=False)
@click.option("--apply", "really", is_flag=True, help="Do it: one commit for each change.")
@click.option("--since", type=Since(), metavar="DATE", help="Look at text from DATE on, whether read before or not.")
@click.option(
    "--export", type=Words(), metavar="FILE", help="Write the text to be read next to FILE, for a reader of yours."
)
@click.option("--answer", type=Words(), metavar="FILE", help="Check that reader's answer; with --apply land it.")
@click.option("--take-back", is_flag=True, help="First take back unanswered text of --export.")
@click.option("--list", "listed", is_flag=True, help="Name the agents and their last runs.")
def run(
    call: Call,
    name: str | None,
    since: date | datetime | None,
    export: str | None,
    answer: str | None,
    *,
    really: bool,
    take_back: bool,
    listed: bool,
) -> Exit:
    """Run an agent now.

    Without --apply it shows the changes and the omissions. Each change cites its source and is one commit that `clawgit
    undo` reverts; it is not learnt again then. The memory miner reads new conversations; the conflict detector compares
    the memories of the last day with similar ones; the soul keeper reads your words on the agent's conduct; the memory
    compactor archives old journals and faded lines, unless compaction in CONFIG.md is off.

    With a model (see `clawgit model`) clawgit checks each of its claims against the cited words. Without one the miner
    keeps only plain requests, whole, and the keeper proposes your standing orders. --export writes the next batch for a
    reader of your own, and --answer takes its answer; until then nobody else reads it, for a week, and a run exits with
    3.
    """
    with call.workspace(managed=True) as workspace:
        if listed:
            last = {item.agent: to_builtins(item) for item in run_ledger.ledger(workspace.store)}
            documents = [
                {"agent": agent, "does": does, "last": last.get(agent)} for agent, does in agents.AGENTS.items()
            ]
            call.out.answer(documents, shown="agent ended=last.ended read=last.read error=last.error does")
            return Exit.DONE
        if not name:
            raise option_missing("say which agent is to run", fix=Command("clawgit run --list"))
        agent = agents.find_agent_name(name)
        if since is not None and agent == "memory-compactor":
            raise options_conflict("memory-compactor goes by compaction_age_days", fix=Command("clawgit run {}", name))
        if (export or answer) is not None and agent not in ROLES:
            names, fix = ", ".join(sorted(ROLES)), Command("clawgit run memory-miner --export batch.json")
            raise agent_unknown(f"only {names} read batches", fix=fix)
        for record in reading_landing.load_all(workspace.store).values() if take_back else ():
            if record.decided is None and record.batch.agent == agent:
                waiting_batches.remove_batch(workspace.store, record.batch.id)
        start = None if since is None else start_of(since, workspace.now().tzinfo).timestamp()
        options: dict[str, Any] = {"start": start, "budget": Budget(int(workspace.config.value("run_tokens")))}
        with chat_store.open_untainted(workspace, os.environ, reading=True) as store:
            workspace.conversations = store.turn
            none = _NOTHING_SAID if store.sessions() else "no conversation is imported yet: clawgit session import"
            if export is not None:
                reading = Reading(workspace, store, agent, None, **options)
                _export(call, reading, Path(export).expanduser(), none)
            elif answer is not None:
                voice = voices.choose(workspace.config.value, os.environ, workspace.store).voice
                reading = Reading(workspace, store, agent, voice, **options)
                reply = reading.read_answer(Path(answer).expanduser())
                outcome = reading.land_answer(reply) if really else reading.show(reply)
                tell_outcome(call.out, outcome, applied=really)
            else:
                result = agents.run_agent(workspace, store, agent, is_applied=really, **options)
                return _print_agent_run(call, workspace, result, applied=really, none=none)
    return Exit.DONE


_NOTHING_SAID = "nothing was said since the last run"


def _print_agent_run(call: Call, workspace: Workspace, result: Result, *, applied: bool, none: str) -> Exit:
    """Show what became of what an agent proposed, and what somebody else is to read."""
    if not isinstance(result, Outcome):
        tell_result(call.out, result, applied=applied)
        return Exit.DONE
    waits = waiting_batches.list_waiting_batches(workspace.store, workspace.clock())
    handed_out = [wait for wait in waits if (wait.kind, wait.agent) == ("out", result.agent)]
    tell_outcome(call.out, result, handed_out, applied=applied, none=none)
    return Exit.FOUND if handed_out else Exit.DONE


def _export(call: Call, reading: Reading, place: Path, none: str) -> None:
    """Write the next batch of an agent to a file, and print the next step; `none` is the note without any."""
    agent = reading.agent
    result = reading.export(place)
    batch, file = (result.batch.id, str(place)) if result else (None, None)
    call.out.answer({"agent": agent, "batch": batch, "file": file})
    if result is None:
        call.out.note(reading.closed or none)
    else:
        call.out.note(f"{count_noun(len(result.batch.turns), 'turn')}; it holds what was said in private")
        call.out.note(
            f'have it read, and write the answer as its key "answer" says, with "id": "{result.batch.id}"; then: '
            f"clawgit run {agent} --answer FILE --apply"
        )


def tell_outcome(
    output: Output, outcome: Outcome, waits: Sequence[Waits] = (), *, applied: bool, none: str = _NOTHING_SAID
) -> None:
    """Print the outcome of a run, and the batches that are handed out; `none` is the note without any."""
    verdicts = [_describe_verdict(verdict) for verdict in outcome.verdicts]
    names = "agent applied batches read verdicts committed notes"
    document = fields(outcome, names, applied=applied, committed=_list_committed(outcome), verdicts=verdicts)
    if output.as_json:
        output.document({**document, "handed_out": [to_builtins(wait) for wait in waits]})
        return
    output.warn_of(waits)
    output.note(*outcome.notes)
    output.lines(draw_applied(outcome))
    landings = [verdict for verdict in verdicts if verdict["state"] == "landed"]
    if applied:
        # Landed changes have their own rows above.
        verdicts = [verdict for verdict in verdicts if verdict not in landings]
    for verdict in () if applied else landings:
        verdict["state"] = "would land"
    output.lines(render.draw_table(verdicts, "state act text why"))
    counts = Counter[str](verdict.state for verdict in outcome.verdicts)
    if outcome.batches or outcome.applied:
        output.lines(render.draw_record({"messages_read": outcome.read, **counts}))
    elif waits or not outcome.notes:
        output.note("nothing to do: all that is new is handed out" if waits else none)
    if not applied and counts["landed"] + counts["waits"]:
        output.note(f"to do it: clawgit run {outcome.agent} --apply")


def _describe_verdict(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON has it."""
    operation = verdict.operation
    values = f"{operation.wrong} → {operation.right}" if operation.act == "correct" else ""
    text = operation.text or values or ", ".join(operation.entries) or operation.reason
    return {**fields(operation, "act turns text", text=text), **fields(verdict, "state why? commit? proposal?")}


def tell_result(output: Output, result: Result, *, applied: bool, **extra: object) -> None:
    """Print the outcome of a run: the changes that were made, or a preview of each file."""
    record = document(result)
    if output.as_json:
        output.document({**record, **extra})
        return
    output.note(*result.notes)
    output.lines(draw_applied(result))
    output.lines(row for change in record["diff"] if not applied for row in render.draw_record(change))
    output.lines(render.draw_record(record, "read proposed left_out=skipped waiting"))
    if not (result.proposed or result.applied):
        output.note("nothing to do")
    elif not applied and result.texts:
        output.note(f"to do it: clawgit run {result.agent} --apply")


def draw_applied(result: Result) -> Iterator[Line]:
    """Yield the changes that were made, each with the command that takes it back; of several that which takes all."""
    for change, applied in result.applied:
        yield from change_output.describe_change(applied, change.subject)
    if sum(applied.commit is not None for _, applied in result.applied) > 1:
        yield render_fix(0, "clawgit undo --run", "undo all: ")


def document(result: Result) -> dict[str, Any]:
    """Return it as JSON has it."""
    return {
        "agent": result.agent,
        "read": result.read,
        "proposed": [
            fields(item, "text=subject why paths evidence", evidence=list(item.evidence)) for item in result.proposed
        ],
        "committed": _list_committed(result),
        "waiting": [applied.proposal.id for _, applied in result.applied if applied.proposal],
        "skipped": skipped_document(result.skipped),
        "notes": result.notes,
        "diff": [{"path": path, "hunks": hunk_documents(diff.hunks(*texts))} for path, texts in result.texts.items()],
    }


def _list_committed(result: Result) -> list[Document]:
    return [
        {"commit": applied.commit, **fields(change, "change=id subject", undo=f"clawgit undo {change.id}")}
        for change, applied in result.applied
        if applied.commit
    ]


def skipped_document(counts: Counter[str]) -> list[Document]:
    """Return why something was left out, and how often, as JSON has it."""
    return [{"reason": reason, "n": count} for reason, count in counts.most_common()]


@command(
    "clawgit memory compact",
    "clawgit memory compact --apply --remove",
)
@click.option("--days", type=click.IntRange(0), default=90, show_default=True, help="Only entries older than this.")
@click.option("--apply", "really", is_flag=True, help="Do it: one commit for each archive.")
@click.option("--remove", is_flag=True, help="Remove the originals too, in commits of their own; git keeps them.")
def compact(call: Call, days: int, *, really: bool, remove: bool) -> None:
    """Put old dated files into an archive for each quarter.

    Their text goes word for word, day after day, into memory/archive/2026-Q1.md. Without --apply the old files are
    listed. The originals stay, unless --remove is given. The last 30 days are never compacted.
    """
    if remove and not really:
        raise option_missing("--remove needs --apply", fix=Command("clawgit memory compact --apply --remove"))
    with call.workspace(managed=True) as workspace:
        if days < MIN_DAYS:
            call.out.note(f"the last {MIN_DAYS} days stay as they are")
        agent = MemoryCompactor(CompactionPlan("quarterly", max(days, MIN_DAYS), remove=remove, tend=False))
        # The preview runs the same agent, without commits.
        result = running.apply(agent, workspace) if really else running.preview(agent, workspace)
        if really:
            result.notes += agents.settle(workspace, agent, result)
        is_enabled = read_plan(workspace.config).enabled
    edits = [edit for change in result.proposed for edit in change.edits if isinstance(edit, Edit)]
    files = [
        fields(item, "path day", archive=place_archive(item.day, "quarterly"))
        for item in agent.eligible
        if any(edit.path == item.path or item.text in edit.known for edit in edits)
    ]
    answer = {**document(result), "days": max(days, MIN_DAYS), "files": files}
    call.out.note(*result.notes)
    rows = [*draw_applied(result), *render.draw_table(files)]
    call.out.answer(answer, [*rows, *render.draw_record(answer, "left_out=skipped")])
    if not files:
        hint = "; the archives have the text of %s: clawgit memory compact --apply --remove removes them"
        archived = hint % count_noun(len(agent.eligible), "file") if agent.eligible else ""
        call.out.note(f"nothing to compact in files of more than {answer['days']} days{archived}")
        if result.skipped["brought back"]:
            call.out.note("files that were brought back stay; see COMPACTION_LOG.md, then: clawgit undo --redo CHANGE")
    elif not really:
        call.out.note("to do it: clawgit memory compact --apply")
    if not (really or is_enabled):
        call.out.note(f"by itself nothing is compacted; see clawgit run memory-compactor, then: {ENABLE}")


_CENTURY = 36_500


@command(
    "clawgit memory promote",
    "clawgit memory promote --frequency --json",
    "clawgit memory promote --apply --target memory/legal.md",
)
@click.option(
    "--days", type=click.IntRange(1, _CENTURY), default=7, show_default=True, help="Journals of so many days back."
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.4,
    show_default=True,
    help="Only facts at least so sure.",
)
@click.option("--frequency", is_flag=True, help="Only entries found by searches of three sessions or more.")
@click.option("--apply", "really", is_flag=True, help="Do it, in one commit.")
@click.option("--target", type=Words(), metavar="FILE", help="The file for all of it.  [default: by category]")
def promote(call: Call, days: int, min_confidence: float, target: str | None, *, frequency: bool, really: bool) -> None:
    """Move durable facts out of the journals.

    Candidates have a trigger word of the memory tiers, or were found by searches of three sessions; each shows the
    parts of its confidence. With --apply a note goes, with its day, to the file of its category, such as
    memory/legal.md, or to the memory file, and leaves its journal. An undone promotion is not repeated. Words from
    outside stay in place.
    """
    with call.workspace(managed=really) as workspace:
        place = promotion.check_target(workspace, target) if target is not None else ""
        request = Wanted(days, min_confidence, frequency, place)
        change, applied = None, None
        if really:
            agent = Promoter(request)
            result = running.apply(agent, workspace)
            agents.settle(workspace, agent, result)
            selection, (change, applied) = agent.found, next(iter(result.applied), (None, None))
        else:
            selection = gather(workspace, request, workspace.now())
    for words in selection.unread:
        call.out.warn(words)
    candidates = [
        {
            **fields(candidate, "path line=start end date=day category", text=redact(candidate.said)),
            "confidence": candidate.confidence,
            "why": [{"what": part, "value": value} for part, value in candidate.parts],
            **fields(candidate, "sessions to tag origin held?"),
        }
        for candidate in selection.candidates
    ]
    answer: dict[str, Any] = {
        **fields(selection, "candidates read", candidates=candidates),
        "skipped": skipped_document(selection.skipped),
        **fields(selection, "unread"),
    }
    rows = list(render.draw_table(candidates, "confidence path line held to text why"))
    rows += render.draw_record(answer, "left_out=skipped")
    if change and applied:
        if not call.out.as_json:
            call.out.lines(rows)
        change_output.print_outcome(call, applied, change.subject, **answer)
        return
    outcome = {"commit": None, "reason": "there is nothing to promote"} if really else {}
    call.out.answer({**outcome, **answer}, rows, none="nothing to promote")
    if selection.skipped["taken back before"]:
        call.out.note("an undone promotion is not repeated; to redo it: clawgit undo --redo CHANGE")
    if selection.ready and not really:
        call.out.note("to do it: clawgit memory promote --apply")
