"""What `clawgit run` prints."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import to_builtins

from clawgit.agents.reading_landing import Outcome
from clawgit.agents.running import Result
from clawgit.cli import history_commands, human_lines
from clawgit.cli.model_output import batches
from clawgit.cli.output import HANG, Line, Output, Span, column, counted, labelled, line, minute
from clawgit.integrations.json_documents import Document, each, fields
from clawgit.reading.operations import State, Verdict
from clawgit.text import diff
from clawgit.workspace.run_ledger import Ran
from clawgit.workspace.waiting_batches import Waits

_COLOURS: Mapping[State, str] = {"landed": "green", "waits": "yellow", "refused": "dim"}
_COULD: Mapping[State, str] = {"landed": "would land"}


def tell_outcome(out: Output, found: Outcome, away: Sequence[Waits] = (), *, applied: bool) -> None:
    """Print what a run came to, and which batches are handed out."""
    if out.as_json:
        out.document({**verdicts_document(found, applied=applied), "handed_out": batches(away)})
        return
    for one in away:
        out.warn(one.message, one.fix)
    for words in found.notes:
        out.note(words)
    if applied:
        out.lines(row for change, one in found.applied for row in human_lines.changed(one, change.subject))
    shown = [verdict for verdict in found.verdicts if not applied or verdict.state != "landed"]
    out.lines([_verdict(one, applied=applied) for one in shown])
    out.lines(_summary(found, applied=applied, away=bool(away)))


def verdicts_document(found: Outcome, *, applied: bool) -> Document:
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


def _verdict(one: Verdict, *, applied: bool) -> Line:
    state = one.state if applied else _COULD.get(one.state, one.state)
    why = f" · {one.why}" if one.why and one.state != "landed" else ""
    return line(Span(f"{state:<10} ", _COLOURS[one.state]), f"{one.operation.act}: {_text(one)}", Span(why, "dim"))


def _text(one: Verdict) -> str:
    operation = one.operation
    if operation.act == "correct":
        return operation.text or f"{operation.wrong} → {operation.right}"
    return operation.text or ", ".join(operation.entries) or operation.reason


def _summary(found: Outcome, *, applied: bool, away: bool) -> list[Line]:
    counts = Counter(verdict.state for verdict in found.verdicts)
    if not found.batches and not found.applied:
        since = "all that is new is handed out" if away else "nothing was said since the last run"
        return [line(f"nothing to do: {since}")] if not found.notes else []
    told = ", ".join(f"{counts[state]:,} {state}" for state in _COLOURS if counts[state]) or "nothing worth keeping"
    rows = [labelled("read", WIDTH, f"{counted(found.read, 'message')}: {told}")]
    if applied and counts["landed"] > 1:
        rows.append(labelled("all back", WIDTH, "clawgit undo --run"))
    if not applied and counts["landed"] + counts["waits"]:
        rows.append(labelled("do it", WIDTH, f"clawgit run {found.agent} --apply"))
    return rows


WIDTH = 11


def tell_result(out: Output, found: Result, *, applied: bool) -> None:
    """Print what a run came to."""
    if out.as_json:
        out.document(document(found))
        return
    for words in found.notes:
        out.note(words)
    if applied:
        done(out, found)
    else:
        out.lines(preview(found, marks=not out.coloured))
    out.lines(_summarise(found, applied=applied), indent=WIDTH)


def done(out: Output, found: Result) -> None:
    """Print the changes that were made, each with the command that takes it back; of several that which takes all."""
    out.lines(row for change, one in found.applied for row in human_lines.changed(one, change.subject))
    if sum(one.commit is not None for _, one in found.applied) > 1:
        out.lines([labelled("all back", WIDTH, "clawgit undo --run")])


def document(found: Result) -> Document:
    """Return it as JSON has it."""
    return {
        "agent": found.agent,
        "read": found.read,
        "proposed": each(found.learnt, "text act tag path? entry? evidence differs"),
        "committed": _list_committed(found),
        "waiting": [one.proposal.id for _, one in found.applied if one.proposal],
        "skipped": skipped_document(found.skipped),
        "notes": found.notes,
        "diff": [
            {"path": path, "hunks": [_hunk(hunk) for hunk in diff.hunks(before, after)]}
            for path, (before, after) in found.texts.items()
        ],
    }


def _list_committed(found: Result | Outcome) -> list[Document]:
    return [
        {"commit": one.commit, **fields(change, "change=id subject", undo=f"clawgit undo {change.id}")}
        for change, one in found.applied
        if one.commit
    ]


def skipped_document(found: Counter[str]) -> list[Document]:
    """Return why something was left out, and how often, as JSON has it."""
    return [{"reason": reason, "n": count} for reason, count in found.most_common()]


def _hunk(hunk: diff.Hunk) -> Document:
    lines = [f"{row.op}{row.text}" for row in hunk.lines]
    return {"section": hunk.section, "line": hunk.new_start, "lines": lines}


def preview(found: Result, *, marks: bool) -> Iterator[Line]:
    """Yield what would become of each file."""
    for path, (before, after) in found.texts.items():
        yield line(Span(path, "bold"))
        yield from history_commands.hunks(diff.hunks(before, after), marks=marks)
        yield line("")


def _summarise(found: Result, *, applied: bool) -> Iterator[Line]:
    if not found.learnt:
        yield line("nothing to do" if found.read else "nothing to do: nothing is new")
    for one in () if applied else found.learnt:
        differs = Span(f" · from {one.differs}", "dim") if one.differs else ""
        yield labelled("would be", WIDTH, one.text, differs, style="")
    if found.skipped:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in found.skipped.most_common() if count)
        yield labelled("left out", WIDTH, Span(reasons, "dim"))
    if found.texts and not applied:
        yield labelled("do it", WIDTH, f"clawgit run {found.agent} --apply")


def tell_agents(out: Output, known: Mapping[str, str], last: Mapping[str, Ran]) -> None:
    """Print what agents there are, and what each did last."""
    names = dict(zip(known, column(known), strict=True))
    out.listed(
        known.items(),
        lambda one: _agent(*one, last.get(one[0])),
        lambda one: [
            line(Span(names[one[0]], "bold"), "  ", HANG, one[1]),
            line("  ", Span(_last(last.get(one[0])), "dim")),
        ],
    )


def _agent(name: str, does: str, ran: Ran | None) -> Document:
    return {"agent": name, "does": does, "last": to_builtins(ran) if ran else None}


def _last(ran: Ran | None) -> str:
    if ran is None:
        return "has not run yet"
    if ran.error:
        return f"failed on {minute(ran.ended)}: {ran.error}"
    read, done = counted(ran.read, "message"), counted(len(ran.committed), "commit")
    return f"ran on {minute(ran.ended)}: {read} read, {done}"
