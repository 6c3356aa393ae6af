"""The output of `clawgit run`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import to_builtins

from clawgit.agents.reading_landing import Outcome
from clawgit.agents.running import Result
from clawgit.cli import change_output, render
from clawgit.cli.output import Output
from clawgit.cli.text_lines import Line, fixed
from clawgit.json_documents import Document, fields, hunk_documents
from clawgit.reading.operations import Verdict
from clawgit.text import diff
from clawgit.workspace.waiting_batches import Waits


def tell_outcome(output: Output, found: Outcome, waits: Sequence[Waits] = (), *, applied: bool) -> None:
    """Print the outcome of a run, and the batches that are handed out."""
    verdicts = [_describe_verdict(verdict) for verdict in found.verdicts]
    names = "agent applied batches read verdicts committed notes"
    document = fields(found, names, applied=applied, committed=_list_committed(found), verdicts=verdicts)
    if output.as_json:
        output.document({**document, "handed_out": [to_builtins(wait) for wait in waits]})
        return
    output.warn_of(waits)
    output.note(*found.notes)
    output.lines(draw_applied(found))
    landed = [verdict for verdict in verdicts if verdict["state"] == "landed"]
    if applied:
        verdicts = [verdict for verdict in verdicts if verdict not in landed]
    for verdict in () if applied else landed:
        verdict["state"] = "would land"
    output.lines(render.draw_table(verdicts, "state act text why"))
    counts = Counter[str](verdict.state for verdict in found.verdicts)
    if found.batches or found.applied:
        output.lines(render.draw_record({"messages_read": found.read, **counts}))
    elif not found.unanswered:
        output.note("nothing to do: all that is new is handed out" if waits else "nothing was said since the last run")
    if not applied and counts["landed"] + counts["waits"]:
        output.note(f"to do it: clawgit run {found.agent} --apply")


def _describe_verdict(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON has it."""
    operation = verdict.operation
    values = f"{operation.wrong} → {operation.right}" if operation.act == "correct" else ""
    text = operation.text or values or ", ".join(operation.entries) or operation.reason
    return {**fields(operation, "act turns text", text=text), **fields(verdict, "state why? commit? proposal?")}


def tell_result(output: Output, found: Result, *, applied: bool, **more: object) -> None:
    """Print the outcome of a run: the changes that were made, or a preview of each file."""
    record = document(found)
    if output.as_json:
        output.document({**record, **more})
        return
    output.note(*found.notes)
    output.lines(draw_applied(found))
    output.lines(row for change in record["diff"] if not applied for row in render.draw_record(change))
    output.lines(render.draw_record(record, "read proposed left_out=skipped waiting"))
    if not found.proposed:
        output.note("nothing to do")
    elif not applied and found.texts:
        output.note(f"to do it: clawgit run {found.agent} --apply")


def draw_applied(found: Result) -> Iterator[Line]:
    """Yield the changes that were made, each with the command that takes it back; of several that which takes all."""
    for change, applied in found.applied:
        yield from change_output.describe_change(applied, change.subject)
    if sum(applied.commit is not None for _, applied in found.applied) > 1:
        yield fixed(0, "clawgit undo --run", "undo all: ")


def document(found: Result) -> dict[str, Any]:
    """Return it as JSON has it."""
    return {
        "agent": found.agent,
        "read": found.read,
        "proposed": [
            fields(one, "text=subject why paths evidence", evidence=list(one.evidence)) for one in found.proposed
        ],
        "committed": _list_committed(found),
        "waiting": [applied.proposal.id for _, applied in found.applied if applied.proposal],
        "skipped": skipped_document(found.skipped),
        "notes": found.notes,
        "diff": [{"path": path, "hunks": hunk_documents(diff.hunks(*texts))} for path, texts in found.texts.items()],
    }


def _list_committed(found: Result) -> list[Document]:
    return [
        {"commit": applied.commit, **fields(change, "change=id subject", undo=f"clawgit undo {change.id}")}
        for change, applied in found.applied
        if applied.commit
    ]


def skipped_document(found: Counter[str]) -> list[Document]:
    """Return why something was left out, and how often, as JSON has it."""
    return [{"reason": reason, "n": count} for reason, count in found.most_common()]
