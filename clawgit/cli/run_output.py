"""What `clawgit run` prints."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import to_builtins

from clawgit.agents.reading_landing import Outcome
from clawgit.agents.running import Result
from clawgit.cli import change_output, render
from clawgit.cli.output import Output
from clawgit.cli.text_lines import Line, fixed
from clawgit.integrations.json_documents import Document, fields, hunk_documents
from clawgit.reading.operations import Verdict
from clawgit.text import diff
from clawgit.workspace.waiting_batches import Waits

_STATES = {"landed": "would land"}
"""Of what is only shown."""


def tell_outcome(out: Output, found: Outcome, away: Sequence[Waits] = (), *, applied: bool) -> None:
    """Print what a run came to, and which batches are handed out."""
    document = {**verdicts_document(found, applied=applied), "handed_out": [to_builtins(one) for one in away]}
    if out.as_json:
        out.document(document)
        return
    out.warn_of(away)
    out.note(*found.notes)
    out.lines(draw_applied(found))
    verdicts = [one for one in document["verdicts"] if not applied or one["state"] != "landed"]
    shown = [{**one, "state": one["state"] if applied else _STATES.get(one["state"], one["state"])} for one in verdicts]
    out.lines(render.draw_table(shown, "state act text why"))
    counts = Counter[str](verdict.state for verdict in found.verdicts)
    if found.batches or found.applied:
        out.lines(render.draw_record({"messages_read": found.read, **counts}))
    else:
        out.note("nothing to do: all that is new is handed out" if away else "nothing was said since the last run")
    if not applied and counts["landed"] + counts["waits"]:
        out.note(f"to do it: clawgit run {found.agent} --apply")


def verdicts_document(found: Outcome, *, applied: bool) -> dict[str, Any]:
    """Return it as JSON has it."""
    return fields(
        found,
        "agent applied batches read verdicts committed notes",
        applied=applied,
        committed=_list_committed(found),
        verdicts=[
            fields(
                verdict.operation,
                "act turns text",
                text=_text(verdict),
                **fields(verdict, "state why? commit? proposal?"),
            )
            for verdict in found.verdicts
        ],
    )


def _text(one: Verdict) -> str:
    operation = one.operation
    if operation.act == "correct":
        return operation.text or f"{operation.wrong} → {operation.right}"
    return operation.text or ", ".join(operation.entries) or operation.reason


def tell_result(out: Output, found: Result, *, applied: bool, **more: object) -> None:
    """Print what a run came to: the changes that were made, or what would become of each file."""
    told = document(found)
    if out.as_json:
        out.document({**told, **more})
        return
    out.note(*found.notes)
    out.lines(draw_applied(found))
    files = () if applied else found.texts.items()
    changed = [{"path": path, "hunks": hunk_documents(diff.hunks(*texts))} for path, texts in files]
    out.lines(row for one in changed for row in render.draw_record(one))
    out.lines(render.draw_record(told, "read proposed left_out=skipped waiting"))
    if not found.proposed:
        out.note("nothing to do" if found.read else "nothing to do: nothing was said since the last run")
    elif not applied and found.texts:
        out.note(f"to do it: clawgit run {found.agent} --apply")


def draw_applied(found: Result) -> Iterator[Line]:
    """Yield the changes that were made, each with the command that takes it back; of several that which takes all."""
    for change, one in found.applied:
        yield from change_output.describe_change(one, change.subject)
    if sum(one.commit is not None for _, one in found.applied) > 1:
        yield fixed(0, "clawgit undo --run", "undo all: ")


def document(found: Result) -> Document:
    """Return it as JSON has it."""
    return {
        "agent": found.agent,
        "read": found.read,
        "proposed": [
            fields(one, "text=subject why paths evidence", evidence=list(one.evidence)) for one in found.proposed
        ],
        "committed": _list_committed(found),
        "waiting": [one.proposal.id for _, one in found.applied if one.proposal],
        "skipped": skipped_document(found.skipped),
        "notes": found.notes,
        "diff": [
            {
                "path": path,
                "hunks": [
                    {
                        "section": one.section,
                        "line": one.new_start,
                        "lines": [f"{row.op}{row.text}" for row in one.lines],
                    }
                    for one in diff.hunks(before, after)
                ],
            }
            for path, (before, after) in found.texts.items()
        ],
    }


def _list_committed(found: Result) -> list[Document]:
    return [
        {"commit": one.commit, **fields(change, "change=id subject", undo=f"clawgit undo {change.id}")}
        for change, one in found.applied
        if one.commit
    ]


def skipped_document(found: Counter[str]) -> list[Document]:
    """Return why something was left out, and how often, as JSON has it."""
    return [{"reason": reason, "n": count} for reason, count in found.most_common()]
