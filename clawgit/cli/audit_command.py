"""`clawgit audit`."""

import click

from clawgit.agents import audit as auditing
from clawgit.agents.audit import Audit, Flagged, Part, Score
from clawgit.agents.line_claims import AskedOnce, asked_once
from clawgit.cli import change_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import answering
from clawgit.cli.output import Line, Span, counted, line
from clawgit.errors import Command, model_missing
from clawgit.integrations.json_documents import Document, each, fields
from clawgit.safety.redaction import redacted
from clawgit.workspace.workspace import Workspace

_SHOWN = 12


@click.command(cls=DocumentedCommand, examples=("clawgit audit", "clawgit audit --all --json", "clawgit audit --fix"))
@click.option("--all", "every", is_flag=True, help="Each line that was found, however many.")
@click.option("--fix", "mend", is_flag=True, help="Propose to archive what is junk, or said twice.")
@click.option("--read", "reading", is_flag=True, help="Have the model read each line, too.")
@answering
def audit(call: Call, *, every: bool, mend: bool, reading: bool) -> None:
    """Look for what should not be in memory.

    Each line with the reason and the command that helps; what could not be looked at is unknown. The score is 100 less
    the weighted shares of what was found. Rules alone flag some two junk lines of ten; with --read the model reads
    all of them, at some 30 tokens a line within `run_tokens`. With --fix one item of the inbox moves junk and
    repetitions to memory/archive/audit/; nothing is deleted, and nothing happens until you accept it.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        found = auditing.audit(workspace, _voice(workspace) if reading else None)
        if mend:
            change = auditing.fix(workspace, found)
            if change is None:
                call.out.answer(lambda: {"proposal": None}, [line("there is nothing to archive")])
            else:
                change_output.apply(call, workspace, change, wait=True)
            return
        past = auditing.history(workspace)
        if not call.reads_only:
            auditing.note(workspace, found)
    call.out.answer(lambda: _document(found, past), list(_told(found, past, every=every)), indent=2)


def _voice(workspace: Workspace) -> AskedOnce:
    voice = asked_once(workspace)
    if voice is None:
        raise model_missing("no model is configured to read", fix=Command("clawgit model status"))
    return voice


def _told(found: Audit, past: list[Score], *, every: bool) -> list[Line]:
    before = f", {past[-1].score} on {past[-1].day}" if past else ""
    rows = [line(Span(f"{found.score} of 100", "bold"), before)]
    for part in found.parts:
        if part.looked is None:
            rows.append(line(Span(f"  unknown  {auditing.TITLES[part.name]}", "yellow")))
        elif part.found:
            rows += _part(part, every=every)
    rows += [line(Span(f"  unknown  {note}", "yellow")) for note in found.notes]
    if all(not part.found for part in found.parts):
        rows.append(line("nothing was found"))
    return rows


def _part(part: Part, *, every: bool) -> list[Line]:
    shown = part.found if every else part.found[:_SHOWN]
    rows = [line(Span(f"  {len(part.found)}  ", "yellow"), auditing.TITLES[part.name])]
    rows += [_flagged(one) for one in shown]
    if len(part.found) > len(shown):
        rows.append(line(Span(f"    and {counted(len(part.found) - len(shown), 'more line')}; --all has them", "dim")))
    helps = dict.fromkeys(one.fix for one in part.found if one.fix)
    return [*rows, *(line(Span(f"    {fix}", "dim")) for fix in list(helps)[:1])]


def _flagged(one: Flagged) -> Line:
    place = f"{one.path}:{one.line}  " if one.line else f"{one.path}  " if one.path else ""
    text = redacted(" ".join(one.text.split()))
    return line("    ", Span(place, "cyan"), text, Span(f"{'  ' if text else ''}{one.reason}", "dim"))


def _document(found: Audit, past: list[Score]) -> Document:
    parts = [
        {"name": part.name, "looked": part.looked, "lost": round(part.lost, 2), "found": _lines(part)}
        for part in found.parts
    ]
    return {**fields(found, "score"), "unknown": list(found.unknown), "notes": list(found.notes), "parts": parts} | {
        "history": each(past, "day score found")
    }


def _lines(part: Part) -> list[Document]:
    texts = [redacted(one.text) for one in part.found]
    return [{**one, "text": text} for one, text in zip(each(part.found, "path line reason fix id"), texts, strict=True)]
