"""Shows what an agent did, or would do."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from clawgit.cli import compare, show
from clawgit.cli.documents import Document
from clawgit.cli.layout import Line, Span, columns, line
from clawgit.cli.output import Output
from clawgit.text import diff

if TYPE_CHECKING:
    from clawgit.agents.running import Result
    from clawgit.workspace.runs import Ran


_SEVERAL = 20


def result(out: Output, found: "Result", *, applied: bool) -> None:
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
    out.lines(_summary(found, applied=applied), indent=11)


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
        yield from compare.hunks(diff.hunks(before, after), marks=marks)
        yield line("")


def _summary(found: "Result", *, applied: bool) -> Iterator[Line]:
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


def agents(out: Output, known: Mapping[str, str], last: "Mapping[str, Ran]") -> None:
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
