"""The commands of the review desk."""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

import click

from clawgit.cli import change_output, history_commands, human_lines, operator_input
from clawgit.cli.call import Call
from clawgit.cli.human_lines import moment
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import Words, answering, hash_option
from clawgit.cli.output import Line, Span, line
from clawgit.errors import Advice, Command, not_confirmed, terminal_needed
from clawgit.integrations.json_documents import Document, each, fields, hunk
from clawgit.safety import hidden_text
from clawgit.workspace import commit_message, desk_decisions, proposal
from clawgit.workspace.desk_decisions import StandoffError
from clawgit.workspace.proposal import answer, find
from clawgit.workspace.proposal_view import CAPTURE, Support, Target, View, view

if TYPE_CHECKING:
    from clawgit.workspace.risk import Risk
    from clawgit.workspace.workspace import Workspace


_NAME = 9
_FEW = 4


def tell_proposal(one: View) -> Iterator[Line]:
    """Yield who changes what, how it is graded, and until when it can be approved."""
    known = one.proposal
    names = f"{human_lines.names(_paths(one))} · {moment(known.created)}, {_until(one)}"
    yield line(Span(known.id, "cyan"), " ", _level(one.risk), " " * (5 - len(one.risk.level)), names)
    yield cleaned(line("  ", Span(known.said.subject, "bold"), f" · {_who(one)}"))
    reasons = one.risk.reasons
    yield from (cleaned(line("    ", Span(reason, "red"))) for reason in reasons[:_FEW])
    if len(reasons) > _FEW:
        yield line("    ", Span(f"and {len(reasons) - _FEW} more", "red"))


def tell_review(found: View, *, marks: bool) -> Iterator[Line]:
    """Yield all that is needed to decide; `marks` stand in for colours."""
    known = found.proposal
    yield cleaned(line(Span(known.id, "cyan"), " ", Span(known.said.subject, "bold")))
    yield line(Span("  risk   ", "dim"), _level(found.risk))
    yield from (cleaned(line(" " * _NAME, Span(reason, "red"))) for reason in found.risk.reasons)
    yield cleaned(line(Span("  from   ", "dim"), f"{_who(found)}, {moment(known.created)}"))
    for number, row in enumerate(known.said.why.split("\n") if known.said.why else ()):
        yield cleaned(line(Span(" " * _NAME if number else "  why    ", "dim"), row))
    yield line(
        Span("  until  ", "dim"), moment(known.expires), *([Span(", expired", "yellow")] if found.expired else ())
    )
    yield from _contents(found, marks=marks)
    for one in found.evidence:
        yield line("")
        yield from map(cleaned, history_commands.evidence(one.said))
        if one.said.available and one.missing:
            yield line("  ", Span(f"does not hold: {one.missing}", "red"))
    yield line("")
    yield from _ways(found)


def _contents(found: View, *, marks: bool) -> Iterator[Line]:
    for one in found.files:
        yield line("")
        yield line(Span(one.path, "bold"), _fate(one))
        yield from map(
            cleaned, _clash(one) if one.conflicts else islice(history_commands.hunks(one.hunks, marks=marks), 1, None)
        )
    if found.rows:
        yield line("")
        yield line(f"and what is kept of {len(found.rows)} entries beside their words")


def _fate(one: Target) -> str:
    if one.then is None:
        return " is deleted"
    mode = ", executable" if one.entry and one.entry.executable else ""
    return (" is new" if one.now is None else "") + mode


def _clash(one: Target) -> Iterator[Line]:
    yield line(Span("  was changed since in the same place", "red"))
    *rows, _ = human_lines.conflicts(one.conflicts, StandoffError.sides)
    yield from rows


def _ways(found: View) -> Iterator[Line]:
    """Yield the commands to paste, or why there is nothing to decide."""
    known = found.proposal
    if known.rejection:
        yield cleaned(line(Span(answer(known), "yellow")))
        return
    if obstacle := _obstacle(found):
        yield cleaned(line("it cannot be approved: ", Span(obstacle, "yellow")))
    else:
        yield line(Span("approve: ", "dim"), f"clawgit soul approve {known.id} --hash {found.digest}")
    yield line(Span("reject:  ", "dim"), f"clawgit soul reject {known.id} --why 'the reason'")


def _obstacle(found: View) -> str:
    if found.problem:
        return found.problem.message
    if found.done:
        return "nothing is left to do, the files say so already"
    if found.expired:
        return f"it waited for too long, until {moment(found.proposal.expires)}"
    return "others have changed the same place" if found.conflicts else ""


def _until(found: View) -> str:
    if found.proposal.rejection:
        return "rejected"
    return "expired" if found.expired else f"until {moment(found.proposal.expires)}"


def _level(risk: "Risk") -> Span:
    return Span(risk.level, "red" if risk.level == "high" else "green")


def _who(found: View) -> str:
    agent = found.proposal.agent
    if agent == CAPTURE:
        return "somebody, found on disk"
    return agent or "in the operator's name"


def _paths(found: View) -> tuple[str, ...]:
    known = found.proposal
    return tuple(one.path for one in found.files) or (() if found.problem else known.paths)


def cleaned(row: Line) -> Line:
    """Return a line in which characters that nobody sees are written out as their numbers."""
    return tuple(Span(_revealed(span.text), span.style) for span in row)


def _revealed(text: str) -> str:
    for run in reversed(hidden_text.scan(text)):
        codes = "".join(f"<U+{ord(letter):04X}>" for letter in text[run.start : run.end])
        text = f"{text[: run.start]}{codes}{text[run.end :]}"
    return text


def document(found: View) -> Document:
    """Return a proposal as the list of them holds it."""
    known = found.proposal
    paths = _paths(found)
    return {
        "id": known.id,
        "file": paths[0] if paths else None,
        "files": list(paths),
        **fields(known.said, "subject why"),
        **fields(found.risk, "risk=level reasons"),
        **fields(known, "kind created expires diff_hash agent", diff_hash=found.digest),
        "evidence": [_evidence(one) for one in found.evidence],
        "status": "rejected" if known.rejection else "expired" if found.expired else "open",
        "problem": _obstacle(found) or None,
        "commit": known.commit.id,
    }


def detailed(found: View) -> Document:
    """Return a proposal with all that is needed to decide."""
    no = found.proposal.rejection
    return {
        **document(found),
        "hunks": [{"path": one.path, **hunk(part)} for one in found.files if not one.conflicts for part in one.hunks],
        "conflict": each(found.conflicts, "ours theirs base"),
        "rejection": no and {"date": no.date.isoformat(), "why": commit_message.parse(no.message).why},
    }


def _evidence(one: Support) -> Document:
    cited, available = fields(one.said.cited, "pointer quote"), one.pointer is not None
    return {
        **cited,
        "available": available,
        "missing": one.missing or None,
        **fields(one.said, "text from=first? commit"),
    }


@click.command(cls=DocumentedCommand, examples=("clawgit soul proposals", "clawgit soul proposals --all --json"))
@click.option("--all", "everything", is_flag=True, help="Also what expired or was rejected.")
@answering
def proposals(call: Call, *, everything: bool) -> None:
    """List what waits for your decision.

    Changes of agents that soul_policy does not let through, edits found on disk that may not stand, and what you
    proposed yourself; the oldest first. A proposal expires after 14 days.
    """
    with call.workspace() as workspace:
        rejected = tuple(proposal.rejected_proposals(workspace.repo)) if everything else ()
        views = [view(workspace, one) for one in (*proposal.waiting_proposals(workspace.repo), *rejected)]
    found = [one for one in views if everything or not one.expired]
    call.out.listed(found, document, tell_proposal, indent=4)
    if call.out.as_json:
        return
    if len(views) > len(found):
        call.out.note(f"{len(views) - len(found)} expired: clawgit soul proposals --all")
    call.out.note(f"look at one: clawgit soul review {found[0].proposal.id}" if found else "nothing waits")


@click.command(cls=DocumentedCommand, examples=("clawgit soul review kxqmwrtzvn", "clawgit soul review kxqm --json"))
@click.argument("name", type=Words(), metavar="ID")
@answering
def review(call: Call, name: str) -> None:
    """Show what a proposal does, and what it rests on.

    Word by word, on the files as they are now; how it is graded and why; and each piece of evidence with the lines
    around it. The last lines are the commands that decide. ID may be its first four letters.
    """
    with call.workspace() as workspace:
        found = view(workspace, find(workspace, name))
    if call.out.as_json:
        call.out.documents([detailed(found)])
    else:
        call.out.lines(tell_review(found, marks=not call.out.coloured))


@click.command(
    cls=DocumentedCommand,
    examples=("clawgit soul approve kxqmwrtzvn", "clawgit soul approve kxqmwrtzvn --hash 9b1c07aa42de"),
)
@click.argument("name", type=Words(), metavar="ID")
@hash_option("clawgit soul review")
@answering
def approve(call: Call, name: str, digest: str | None) -> None:
    """Land a proposal as it was shown.

    One commit, on what the files are now; what others wrote in them is captured first. Asks at a terminal; elsewhere
    --hash is needed, the one that `clawgit soul review` shows (if something else would land now, nothing does), and
    `approve_without_terminal` has to be on.
    """
    with call.workspace() as workspace:
        found = find(workspace, name)
        if digest:
            operator_input.require_operator(workspace, "approve lands a proposal")
        applied = desk_decisions.approve(workspace, found.id, digest or _asked(call, workspace, found.id))
        change_output.tell(call, applied, found.said.subject, proposal=found.id)


@click.command(cls=DocumentedCommand, examples=("clawgit soul reject kxqmwrtzvn --why 'only in tests'",))
@click.argument("name", type=Words(), metavar="ID")
@click.option("--why", type=Words(), required=True, help="The reason; it is kept, and told to whoever asks.")
@answering
def reject(call: Call, name: str, why: str) -> None:
    """Decline a proposal, with the reason.

    The files stay as they are. The same change does not come back, unless it brings new evidence. Without a terminal
    the digest tells of it.
    """
    with call.workspace() as workspace:
        found = desk_decisions.reject(workspace, name, why)
        if not operator_input.present():
            workspace.trusted.note_unattended(f"proposal {found.id} was rejected", workspace.now())
        if call.out.as_json:
            call.out.documents([detailed(view(workspace, found))])
            return
    again = Span(f"look again: clawgit soul review {found.id}", "dim")
    call.out.lines([line(Span(found.id, "cyan"), " is rejected", Span(" · ", "dim"), again)])


def _asked(call: Call, workspace: "Workspace", name: str) -> str:
    """Show a proposal, ask, and return the hash of what was shown."""
    if not operator_input.possible():
        raise terminal_needed(
            "approval needs a terminal, or --hash",
            fix=Command("clawgit soul review {}", name, note="shows it, with the hash"),
        )
    found = view(workspace, find(workspace, name))
    if not (found.proposal.rejection or found.problem or found.done or found.expired or found.conflicts):
        operator_input.show(call.out, tell_review(found, marks=not call.out.coloured))
        if not operator_input.agreed(call.out, "Approve?"):
            raise not_confirmed("nothing was decided", fix=Advice(f"clawgit soul reject {name} --why 'the reason'"))
    return found.digest
