"""Shows what became of what a reader proposed."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from clawgit.cli import show
from clawgit.cli.documents import Document
from clawgit.cli.layout import Line, Span, line
from clawgit.cli.output import Output

if TYPE_CHECKING:
    from clawgit.agents.protocol.batch_run import Outcome
    from clawgit.agents.protocol.operations import State, Verdict

_COLOURS: "Mapping[State, str]" = {"landed": "green", "waits": "yellow", "refused": "dim"}
_COULD: "Mapping[State, str]" = {"landed": "would land"}


def outcome(out: Output, found: "Outcome", *, applied: bool) -> None:
    """Print what a run came to."""
    if out.as_json:
        out.document(document(found, applied=applied))
        return
    for words in found.notes:
        out.note(words)
    if applied:
        out.lines(show.changed(one, change.subject) for change, one in found.applied)
    shown = [one for one in found.verdicts if not applied or one.state != "landed"]
    out.lines([_verdict(one, applied=applied) for one in shown])
    out.lines(_summary(found, applied=applied))


def document(found: "Outcome", *, applied: bool) -> Document:
    """Return it as JSON has it."""
    return {
        "agent": found.agent,
        "applied": applied,
        "batches": found.batches,
        "read": found.read,
        "waiting": found.waiting,
        "verdicts": [
            {
                "act": one.operation.act,
                "turns": list(one.operation.turns),
                "text": _text(one),
                "state": one.state,
                "why": one.why or None,
                "commit": one.commit or None,
                "proposal": one.proposal or None,
            }
            for one in found.verdicts
        ],
        "notes": found.notes,
    }


def _verdict(one: "Verdict", *, applied: bool) -> Line:
    state = one.state if applied else _COULD.get(one.state, one.state)
    why = f" · {one.why}" if one.why and one.state != "landed" else ""
    return line(Span(f"{state:<10} ", _COLOURS[one.state]), f"{one.operation.act}: {_text(one)}", Span(why, "dim"))


def _text(one: "Verdict") -> str:
    operation = one.operation
    if operation.act == "correct":
        return operation.text or f"{operation.wrong} → {operation.right}"
    if operation.act == "conflict":
        return " / ".join(operation.differs)
    return operation.text or ", ".join(operation.entries) or operation.reason


def _summary(found: "Outcome", *, applied: bool) -> list[Line]:
    counts = Counter(one.state for one in found.verdicts)
    if not found.batches:
        since = "nothing was said since the last run" if found.unit == "message" else "nothing new to compare"
        return [line(f"nothing to do: {since}")] if not found.notes else []
    messages = f"{found.read:,} {found.unit}{'' if found.read == 1 else 's'}"
    told = ", ".join(f"{counts[state]:,} {state}" for state in _COLOURS if counts[state]) or "nothing worth keeping"
    rows = [line(Span(f"{'read':<10} ", "dim"), f"{messages}: {told}")]
    if applied and counts["landed"] > 1:
        rows.append(line(Span(f"{'all back':<10} ", "dim"), "clawgit undo --run"))
    if not applied and counts["landed"] + counts["waits"]:
        rows.append(line(Span(f"{'do it':<10} ", "dim"), f"clawgit run {found.agent} --apply"))
    return rows
