"""`clawgit status`."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from clawgit.cli import documents, model_output, show
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Command
from clawgit.cli.options import answering
from clawgit.cli.output import Line, Span, line
from clawgit.errors import ClawgitError, Exit
from clawgit.llm import voice_record, voices
from clawgit.workspace import waiting_batches

if TYPE_CHECKING:
    from clawgit.llm.voice_record import Record
    from clawgit.llm.voices import Chosen
    from clawgit.workspace.workspace import Workspace


@click.command(cls=Command, examples=("clawgit status", "clawgit status --check && echo all is well"))
@click.option("--check", is_flag=True, help="Exit with 3 when something waits for you, such as an alarm or a proposal.")
@answering
def status(call: Call, *, check: bool) -> int:
    """Show how the workspace stands.

    Its branch and commit, what is not committed yet, what stands in the way of a write, and what you have to decide.
    Nothing is touched.
    """
    from clawgit.workspace.status import status as look  # noqa: PLC0415 - loads libgit2

    with call.workspace() as workspace:
        found, search = look(workspace), _search(workspace)
        chosen = _voice(workspace)
        voice = chosen[0].voice if chosen else None
        waits = list(waiting_batches.waiting(workspace.state, workspace.clock(), voice.name if voice else ""))
        if call.out.as_json:
            asked = {**model_output.voice_document(*chosen), "batches": model_output.batches(waits)} if chosen else None
            call.out.document({**documents.status(found), "search": search, "model": asked})
        else:
            rows = [*show.status(found), _told(search), *(model_output.told(*chosen) if chosen else ())]
            call.out.lines([*rows, *model_output.waiting(waits)], indent=12)
    open_ = found.dirty or found.alarms or found.open_conflicts or found.proposals or found.untrusted
    return Exit.FOUND if check and (open_ or waits) else Exit.DONE


def _voice(workspace: "Workspace") -> "tuple[Chosen, Record] | None":
    """Return who is asked, and what is remembered of it; None where CONFIG.md cannot be used, which is an alarm."""
    try:
        return voices.choose(workspace.config.value, os.environ, workspace.state), voice_record.load(workspace.state)
    except ClawgitError:
        return None


def _search(workspace: "Workspace") -> Mapping[str, str | bool | int]:
    """Return how searching stands; an index that is missing or behind is no matter, any search brings it up."""
    from clawgit.search import index_state  # noqa: PLC0415 - loads sqlite3

    try:
        tier = index_state.vectors(workspace).tier
    except ClawgitError:  # of CONFIG.md, which is told elsewhere
        tier = "core"
    found = index_state.glance(workspace)
    return {"tier": tier, "fresh": found.fresh, "chunks": found.chunks}


def _told(search: Mapping[str, str | bool | int]) -> Line:
    state = "" if search["fresh"] else "; any search brings the index up to the files"
    return line(Span("search      ", "dim"), f"{search['tier']}, {search['chunks']:,} chunks{state}")
