"""What `clawgit run` prints."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from clawgit.cli import history_commands, show
from clawgit.cli.documents import Document
from clawgit.cli.output import Line, Output, Span, columns, line
from clawgit.text import diff

if TYPE_CHECKING:
    from clawgit.agents.protocol.batch_run import Outcome
    from clawgit.agents.protocol.operations import State, Verdict
    from clawgit.agents.running import Result
    from clawgit.workspace.run_ledger import Ran


_COLOURS: "Mapping[State, str]" = {"landed": "green", "waits": "yellow", "refused": "dim"}
_COULD: "Mapping[State, str]" = {"landed": "would land"}


def tell_outcome(out: Output, found: "Outcome", *, applied: bool) -> None:
    """Print what a run came to."""
    if out.as_json:
        out.document(verdicts_document(found, applied=applied))
        return
    for words in found.notes:
        out.note(words)
    if applied:
        out.lines(show.changed(one, change.subject) for change, one in found.applied)
    shown = [one for one in found.verdicts if not applied or one.state != "landed"]
    out.lines([_verdict(one, applied=applied) for one in shown])
    out.lines(_summary(found, applied=applied))


def verdicts_document(found: "Outcome", *, applied: bool) -> Document:
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


_SEVERAL = 20


def tell_result(out: Output, found: "Result", *, applied: bool) -> None:
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
    out.lines(_run_summary(found, applied=applied), indent=11)


def done(out: Output, found: "Result") -> None:
    """Print the changes that were made, each with the command that takes it back; of several that which takes all."""
    out.lines(show.changed(one, change.subject) for change, one in found.applied)
    if sum(one.commit is not None for _, one in found.applied) > 1:
        out.lines([line(Span(f"{'all back':<11}", "dim"), "clawgit undo --run")])


def document(found: "Result") -> Document:
    """Return it as JSON has it."""
    done = [(change, one) for change, one in found.applied if one.commit]
    return {
        "agent": found.agent,
        "read": found.read,
        "proposed": [
            {
                "text": one.text,
                "act": one.act,
                "tag": one.tag,
                "path": one.path or None,
                "entry": one.entry or None,
                "evidence": one.evidence,
                "differs": one.differs,
            }
            for one in found.learnt
        ],
        "committed": [
            {"commit": one.commit, "change": change.id, "subject": change.subject, "undo": f"clawgit undo {change.id}"}
            for change, one in done
        ],
        "waiting": [one.proposal.id for _, one in found.applied if one.proposal],
        "skipped": [{"reason": reason, "n": count} for reason, count in found.skipped.most_common()],
        "notes": found.notes,
        "diff": [
            {"path": path, "hunks": [_hunk(one) for one in diff.hunks(before, after)]}
            for path, (before, after) in found.texts.items()
        ],
    }


def _hunk(hunk: diff.Hunk) -> Document:
    lines = [f"{row.op}{row.text}" for row in hunk.lines]
    return {"section": hunk.section, "line": hunk.new_start, "lines": lines}


def preview(found: "Result", *, marks: bool) -> Iterator[Line]:
    """Yield what would become of each file."""
    for path, (before, after) in found.texts.items():
        yield line(Span(path, "bold"))
        yield from history_commands.hunks(diff.hunks(before, after), marks=marks)
        yield line("")


def _run_summary(found: "Result", *, applied: bool) -> Iterator[Line]:
    counts = {act: sum(one.act == act for one in found.learnt) for act in ("add", "mention", "note", "lesson")}
    words = {"add": "new", "mention": "mentioned again", "note": "noted", "lesson": "of how to do things"}
    told = ", ".join(f"{count:,} {words[act]}" for act, count in counts.items() if count)
    messages = "1 message" if found.read == 1 else f"{found.read:,} messages"
    if not found.read:
        yield line("nothing to do: nothing was said since the last run")
    else:
        yield line(f"{'read':<10} ", f"{messages}: {told or 'nothing worth keeping'}")
    if found.skipped:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in found.skipped.most_common())
        yield line(Span(f"{'left out':<10} ", "dim"), Span(reasons, "dim"))
    for one in [one for one in found.learnt if one.differs][:_SEVERAL]:
        yield line(Span(f"{'differs':<10} ", "yellow"), f"{one.text} ", Span(f"· from {one.differs}", "dim"))
    if found.texts and not applied:
        yield line(Span(f"{'do it':<10} ", "dim"), f"clawgit run {found.agent} --apply")


def tell_agents(out: Output, known: Mapping[str, str], last: "Mapping[str, Ran]") -> None:
    """Print what agents there are, and what each did last."""
    if out.as_json:
        out.documents(_agent(name, does, last.get(name)) for name, does in known.items())
        return
    names = columns((name, "") for name in known)
    for (name, _), (agent, does) in zip(names, known.items(), strict=True):
        out.lines([line(Span(name, "bold"), f"  {does}"), line("  ", Span(_last(last.get(agent)), "dim"))])


def _agent(name: str, does: str, ran: "Ran | None") -> Document:
    from msgspec import to_builtins  # noqa: PLC0415 - imports inspect

    return {"agent": name, "does": does, "last": to_builtins(ran) if ran else None}


def _last(ran: "Ran | None") -> str:
    if ran is None:
        return "has not run yet"
    if ran.error:
        return f"failed on {ran.ended[:16].replace('T', ' ')}: {ran.error}"
    done = f"{len(ran.committed)} commits" if len(ran.committed) != 1 else "1 commit"
    read = "1 message" if ran.read == 1 else f"{ran.read:,} messages"
    return f"ran on {ran.ended[:16].replace('T', ' ')}: {read} read, {done}"
