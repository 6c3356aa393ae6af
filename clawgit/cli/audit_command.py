"""`clawgit audit`."""

import click

from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import answering
from clawgit.cli.output import Line, Span, counted, line
from clawgit.findings import audit as auditing
from clawgit.findings.audit import Audit, Flagged, Part, Score
from clawgit.integrations.json_documents import Document, each, fields
from clawgit.safety.redaction import redacted

_SHOWN = 12


@click.command(cls=DocumentedCommand, examples=("clawgit audit", "clawgit audit --all --json"))
@click.option("--all", "every", is_flag=True, help="Each line that was found, however many.")
@answering
def audit(call: Call, *, every: bool) -> None:
    """Look for what should not be in memory.

    Looks at every entry of the memory file, of the files by topic and of the journals. Each line comes with the reason
    and the command that helps; what could not be looked at is unknown. The score is 100 less the weighted shares of
    what was found.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        found = auditing.audit(workspace)
        past = auditing.history(workspace)
        if not call.reads_only:
            auditing.note(workspace, found)
    call.out.answer(lambda: _document(found, past), list(_told(found, past, every=every)), indent=2)


def _told(found: Audit, past: list[Score], *, every: bool) -> list[Line]:
    before = f", {past[-1].score} on {past[-1].day}" if past else ""
    rows = [
        line(Span(f"{found.score} of 100", "bold"), before, f"; looked at {counted(found.entries, 'entry', 'entries')}")
    ]
    for part in found.parts:
        if part.looked is None:
            rows.append(line(Span(f"  unknown  {auditing.TITLES[part.name]}", "yellow")))
        elif part.found:
            rows += _part(part, every=every)
    if all(not part.found for part in found.parts):
        rows.append(line("nothing was found"))
    return rows


def _part(part: Part, *, every: bool) -> list[Line]:
    shown = part.found if every else part.found[:_SHOWN]
    rows = [line(Span(f"  {len(part.found)}  ", "yellow"), auditing.TITLES[part.name])]
    rows += [_flagged(one) for one in shown]
    if len(part.found) > len(shown):
        rows.append(line(Span(f"    and {counted(len(part.found) - len(shown), 'more line')}; --all has them", "dim")))
    return rows


def _flagged(one: Flagged) -> Line:
    place = f"{one.path}:{one.line}  " if one.line else f"{one.path}  " if one.path else ""
    text = redacted(" ".join(one.text.split()))
    reason = f"{'  ' if text else ''}{one.reason}: {one.fix}"
    return line("    ", Span(place, "cyan"), text, Span(reason, "dim"))


def _document(found: Audit, past: list[Score]) -> Document:
    parts = [
        {"name": part.name, "looked": part.looked, "lost": round(part.lost, 2), "found": _lines(part)}
        for part in found.parts
    ]
    told = {**fields(found, "score entries"), "unknown": list(found.unknown), "parts": parts}
    return {**told, "history": each(past, "day score found")}


def _lines(part: Part) -> list[Document]:
    texts = [redacted(one.text) for one in part.found]
    return [{**one, "text": text} for one, text in zip(each(part.found, "path line reason fix id"), texts, strict=True)]
