"""`clawgit audit`."""

from collections.abc import Iterator
from typing import Any

import click

from clawgit.cli import render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import answering
from clawgit.cli.text_lines import Line, Span, line
from clawgit.findings import audit as auditing
from clawgit.findings.audit import Audit, Part, Score
from clawgit.integrations.json_documents import Document, each, fields
from clawgit.safety.redaction import redacted

_SHOWN = 12


@click.command(cls=DocumentedCommand, examples=("clawgit audit", "clawgit audit --all --json"))
@click.option("--all", "every", is_flag=True, help="Each line that was found, however many.")
@answering
def audit(call: Call, *, every: bool) -> None:
    """Score the memory, and list what is doubtful in it.

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
    document = _document(found, past)
    call.out.answer(document, _rows(document, every=every))


def _rows(document: dict[str, Any], *, every: bool) -> Iterator[Line]:
    """Yield the score, and what was found under the title of each part."""
    yield from render.draw_record(document, "score entries unknown")
    for part in document["parts"]:
        lines = part["found"] if every else part["found"][:_SHOWN]
        if lines:
            more = "" if len(lines) == len(part["found"]) else f", {len(lines)} of them here; --all has every one"
            yield line(Span(f"{len(part['found'])} {auditing.TITLES[part['name']]}{more}", "yellow"))
            yield from render.draw_table(lines, "path line text reason fix")


def _document(found: Audit, past: list[Score]) -> dict[str, Any]:
    parts = [
        {"name": part.name, "looked": part.looked, "lost": round(part.lost, 2), "found": _lines(part)}
        for part in found.parts
    ]
    told = {**fields(found, "score entries"), "unknown": list(found.unknown), "parts": parts}
    return {**told, "history": each(past, "day score found")}


def _lines(part: Part) -> list[Document]:
    texts = [redacted(one.text) for one in part.found]
    return [{**one, "text": text} for one, text in zip(each(part.found, "path line reason fix id"), texts, strict=True)]
