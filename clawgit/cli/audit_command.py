"""`clawgit audit`."""

from collections.abc import Iterator
from typing import Any

from clawgit.cli import render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.text_lines import Line, Span, line
from clawgit.findings import audit as auditing
from clawgit.findings.audit import Audit, Score
from clawgit.integrations.json_documents import each, fields
from clawgit.safety.redaction import redacted

_SHOWN = 12


@command("clawgit audit", "clawgit audit --json")
def audit(call: Call) -> None:
    """Score the memory, and list what is doubtful in it.

    Looks at every entry of the memory file, of the files by topic and of the journals. Each line comes with the reason
    and the command that helps; what could not be looked at is unknown. The score is 100 less the weighted shares of
    what was found.
    """
    with call.workspace(managed=True) as workspace:
        found = auditing.audit(workspace)
        past = auditing.history(workspace)
        if not call.reads_only:
            auditing.note(workspace, found)
    document = _document(found, past)
    call.out.answer(document, _rows(document))


def _rows(document: dict[str, Any]) -> Iterator[Line]:
    """Yield the score, and what was found under the title of each part."""
    yield from render.draw_record(document, "score entries unknown")
    for part in document["parts"]:
        count = len(part["found"])
        if count:
            more = f", {_SHOWN} of them here; --json has every one" if count > _SHOWN else ""
            yield line(Span(f"{count} {auditing.TITLES[part['name']]}{more}", "yellow"))
            yield from render.draw_table(part["found"][:_SHOWN], "path line text reason fix")


def _document(found: Audit, past: list[Score]) -> dict[str, Any]:
    parts = [
        {
            "name": part.name,
            "looked": part.looked,
            "lost": round(part.lost, 2),
            "found": [fields(one, "path line text reason fix id", text=redacted(one.text)) for one in part.found],
        }
        for part in found.parts
    ]
    told = {**fields(found, "score entries"), "unknown": list(found.unknown), "parts": parts}
    return {**told, "history": each(past, "day score found")}
