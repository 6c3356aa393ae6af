"""Shows what waits for the operator."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING

from clawgit.cli import compare, show, tracing
from clawgit.cli.layout import Line, Span, line
from clawgit.cli.show import moment
from clawgit.integrations.as_json import Document, hunk
from clawgit.safety import hidden_text

if TYPE_CHECKING:
    from clawgit.workspace.desk.support import Support
    from clawgit.workspace.desk.view import Target, View
    from clawgit.workspace.risk import Risk

_CAPTURE = "capture"
_NAME = 9
_FEW = 4


def proposals(found: Iterable["View"]) -> Iterator[Line]:
    """Yield for each proposal who changes what, how it is graded, and until when it can be approved."""
    for one in found:
        known = one.proposal
        names = f"{show.names(_paths(one))} · {moment(known.created)}, {_until(one)}"
        yield line(Span(known.id, "cyan"), " ", _level(one.risk), " " * (5 - len(one.risk.level)), names)
        yield cleaned(line("  ", Span(known.said.subject, "bold"), f" · {_who(one)}"))
        reasons = one.risk.reasons
        yield from (cleaned(line("    ", Span(reason, "red"))) for reason in reasons[:_FEW])
        if len(reasons) > _FEW:
            yield line("    ", Span(f"and {len(reasons) - _FEW} more", "red"))


def review(found: "View", *, marks: bool) -> Iterator[Line]:
    """Yield all that is needed to decide; `marks` stand in for colours."""
    known = found.proposal
    yield cleaned(line(Span(known.id, "cyan"), " ", Span(known.said.subject, "bold")))
    yield from _graded(found.risk)
    yield cleaned(line(Span("  from   ", "dim"), f"{_who(found)}, {moment(known.created)}"))
    for number, row in enumerate(known.said.why.split("\n") if known.said.why else ()):
        yield cleaned(line(Span(" " * _NAME if number else "  why    ", "dim"), row))
    yield line(
        Span("  until  ", "dim"), moment(known.expires), *([Span(", expired", "yellow")] if found.expired else ())
    )
    yield from _contents(found, marks=marks)
    for one in found.evidence:
        yield line("")
        yield from _support(one)
    yield line("")
    yield from _ways(found)


def _contents(found: "View", *, marks: bool) -> Iterator[Line]:
    for one in found.files:
        yield line("")
        yield line(Span(one.path, "bold"), _fate(one))
        yield from map(
            cleaned, _clash(one) if one.conflicts else islice(compare.hunks(one.hunks, marks=marks), 1, None)
        )
    if found.rows:
        yield line("")
        yield line(f"and what is kept of {len(found.rows)} entries beside their words")


def _fate(one: "Target") -> str:
    if one.then is None:
        return " is deleted"
    return " is new" if one.now is None else ""


def _clash(one: "Target") -> Iterator[Line]:
    from clawgit.workspace.desk.decide import StandoffError  # noqa: PLC0415 - cli is light until a command runs

    yield line(Span("  was changed since in the same place", "red"))
    sides: list[Mapping[str, str]] = [{"base": c.base, "ours": c.ours, "theirs": c.theirs} for c in one.conflicts]
    *rows, _ = show.conflicts(sides, StandoffError.sides)
    yield from rows


def _graded(risk: "Risk") -> Iterator[Line]:
    yield line(Span("  risk   ", "dim"), _level(risk))
    yield from (cleaned(line(" " * _NAME, Span(reason, "red"))) for reason in risk.reasons)


def _support(one: "Support") -> Iterator[Line]:
    yield from map(cleaned, tracing.evidence(one.said))
    if one.said.available and one.missing:
        yield line("  ", Span(f"does not hold: {one.missing}", "red"))


def _ways(found: "View") -> Iterator[Line]:
    """Yield the commands to paste, or why there is nothing to decide."""
    known = found.proposal
    if known.rejection:
        from clawgit.workspace.desk.find import answer  # noqa: PLC0415

        yield cleaned(line(Span(answer(known), "yellow")))
        return
    if obstacle := _obstacle(found):
        yield cleaned(line("it cannot be approved: ", Span(obstacle, "yellow")))
    else:
        yield line(Span("approve: ", "dim"), f"clawgit soul approve {known.id} --hash {found.digest}")
    yield line(Span("reject:  ", "dim"), f"clawgit soul reject {known.id} --why 'the reason'")


def _obstacle(found: "View") -> str:
    if found.problem:
        return found.problem.message
    if found.done:
        return "nothing is left to do, the files say so already"
    if found.expired:
        return f"it waited for too long, until {moment(found.proposal.expires)}"
    return "others have changed the same place" if found.conflicts else ""


def _until(found: "View") -> str:
    if found.proposal.rejection:
        return "rejected"
    return "expired" if found.expired else f"until {moment(found.proposal.expires)}"


def _level(risk: "Risk") -> Span:
    return Span(risk.level, "red" if risk.level == "high" else "green")


def _who(found: "View") -> str:
    agent = found.proposal.agent
    if agent == _CAPTURE:
        return "somebody, found on disk"
    return agent or "in the operator's name"


def _paths(found: "View") -> tuple[str, ...]:
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


def document(found: "View") -> dict[str, object]:
    """Return a proposal as the list of them holds it."""
    known = found.proposal
    paths = _paths(found)
    return {
        "id": known.id,
        "file": paths[0] if paths else None,
        "files": list(paths),
        "subject": known.said.subject,
        "why": known.said.why,
        "risk": found.risk.level,
        "reasons": list(found.risk.reasons),
        "created": known.created.isoformat(),
        "expires": known.expires.isoformat(),
        "diff_hash": found.digest,
        "agent": known.agent,
        "evidence": [_evidence(one) for one in found.evidence],
        "status": "rejected" if known.rejection else "expired" if found.expired else "open",
        "problem": _obstacle(found) or None,
        "commit": known.commit.id,
    }


def detailed(found: "View") -> Document:
    """Return a proposal with all that is needed to decide."""
    return {
        **document(found),
        "hunks": [{"path": one.path, **hunk(part)} for one in found.files if not one.conflicts for part in one.hunks],
        "conflict": [{"ours": one.ours, "theirs": one.theirs, "base": one.base} for one in found.conflicts],
        "rejection": rejection(found),
    }


def rejection(found: "View") -> Document | None:
    """Return when and why a proposal was rejected."""
    no = found.proposal.rejection
    if no is None:
        return None
    from clawgit.workspace import message  # noqa: PLC0415

    return {"date": no.date.isoformat(), "why": message.parse(no.message).why}


def _evidence(one: "Support") -> Document:
    return {
        "pointer": one.said.cited.pointer,
        "quote": one.said.cited.quote,
        "available": one.pointer is not None,
        "missing": one.missing or None,
        "text": one.said.text,
        "from": one.said.first or None,
        "commit": one.said.commit,
    }
