"""`clawgit taint`."""

import click

from clawgit.cli import change_output, operator_input, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words, hash_option
from clawgit.errors import Command, quoted
from clawgit.integrations.json_documents import Document, each, fields
from clawgit.memory import taint as tainting
from clawgit.memory.taint import Report
from clawgit.safety.redaction import redacted

_SHOWN = "source direct derived leaves stays suspected notes"


@command(
    "clawgit taint session:5b0f3c1e",
    "clawgit taint memory/2026-01-20.md#L4-L6",
    "clawgit taint domain:evil.example --apply",
    "clawgit taint origin:untrusted --since 2026-05-01 --apply --hash 9b1c07aa42de",
)
@click.argument("source", type=Words(), required=False)
@click.option("--since", type=Words(), default="", metavar="DATE", help="Only what was learnt from that day on.")
@click.option("--apply", "wanted", is_flag=True, help="Take it back, in one commit.")
@click.option("--why", type=Words(), default="", help="The reason; it stands in the register and in the commit.")
@hash_option("clawgit taint")
def taint(call: Call, source: str | None, since: str, why: str, digest: str | None, *, wanted: bool) -> None:
    """Revert everything that one source taught.

    SOURCE is session:ID, session:ID#EVENT, FILE, FILE@REV#L4-L6, a change, agent:NAME, contact:ID, domain:HOST or
    origin:untrusted; without one, the tainted sources are listed. What rests on it directly, and what was promoted,
    merged, told or corrected from that, is found through the evidence of each change, and shown. With --apply it
    leaves; an entry that something else bears out stays. Nothing is learnt from the source any more. Asks at a
    terminal; elsewhere --hash says what was seen. `clawgit undo` lifts the taint.
    """
    with call.workspace(managed=True) as workspace:
        if source is None:
            taints = [
                fields(one, "id source when by why", why=redacted(one.why)) for one in tainting.list_taints(workspace)
            ]
            call.out.answer(taints, none="no source is tainted")
            return
        found = tainting.report(workspace, source, since)
        if not wanted:
            call.out.answer(_document(found), shown=_SHOWN)
            more = f" --since {since}" if since else ""
            call.out.note(f"take it back: clawgit taint {quoted(source)}{more} --apply --hash {found.hash}")
            return
        rows, look = render.draw_record(_document(found), _SHOWN), Command("clawgit taint {}", source, note="shows it")
        operator_input.confirm_shown(call.out, digest, found.hash, rows, "Take it back?", "taking back", look)
        change_output.apply(call, workspace, tainting.make_change(workspace, found, why), source=found.source.spelled)


def _document(found: Report) -> Document:
    names = "change commit date subject"
    return {
        "source": found.source.spelled,
        "hash": found.hash,
        "direct": each(found.direct, names),
        "derived": each(found.derived, names),
        "leaves": [fields(one, "path line", text=redacted(one.text)) for one in found.leaving],
        "stays": each(found.kept, "id file"),
        "suspected": [
            {"path": path, "text": redacted(said), "reason": reason} for (path, said), reason in found.suspected.items()
        ],
        "notes": list(found.notes),
    }
