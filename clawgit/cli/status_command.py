"""`clawgit status`."""

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import click
from msgspec import to_builtins

from clawgit.cli import agent_choice, human_lines, json_answers, model_output, openclaw_commands
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import agent_options, answering, choose_agents
from clawgit.cli.output import Line, Span, line
from clawgit.context.turn_log import count_turns
from clawgit.errors import ClawgitError, Exit
from clawgit.findings.status import status as look
from clawgit.llm import voice_record, voices
from clawgit.llm.voice_record import Record
from clawgit.llm.voices import Chosen
from clawgit.search import index_state
from clawgit.workspace import line_writers, waiting_batches
from clawgit.workspace.agent_workspaces import Home, Unread
from clawgit.workspace.workspace import Workspace


@click.command(
    cls=DocumentedCommand,
    examples=("clawgit status", "clawgit status --check && echo all is well", "clawgit status --all-agents"),
)
@click.option(
    "--check", is_flag=True, help="Exit with 3 when something waits for you, such as an alarm or an item of the inbox."
)
@agent_options
@answering
def status(call: Call, agent: str | None, *, check: bool, all_agents: bool) -> int:
    """Show how the workspace stands.

    Its branch and commit, what is not committed yet, what stands in the way of a write, and what you have to decide.
    Nothing is touched. With --all-agents the workspaces of all agents of OpenClaw, one below the other; of one that
    cannot be looked at it is unknown how it stands, and --check takes that for something that waits.
    """
    choose_agents(call, agent, every=all_agents)
    if not all_agents:
        with call.workspace() as workspace:
            found = _look(workspace)
            call.out.answer(lambda: found.document, found.rows, indent=12)
        return Exit.FOUND if check and found.waits else Exit.DONE
    every = [_of(one) for one in agent_choice.each(call, lambda _, workspace: _look(workspace))]
    call.out.answer(
        lambda: [one.document for one in every], (row for one in every for row in (*one.rows, line(""))), indent=12
    )
    return Exit.FOUND if check and any(one.waits for one in every) else Exit.DONE


class _Standing(NamedTuple):
    """How a workspace stands, as JSON has it and for people, and whether something waits."""

    document: Mapping[str, object]
    rows: Sequence[Line]
    waits: bool


def _look(workspace: Workspace) -> _Standing:
    found, search, connection = look(workspace), _search(workspace), openclaw_commands.connection(workspace)
    chosen = _voice(workspace)
    voice = chosen[0].voice if chosen else None
    waits = list(waiting_batches.waiting(workspace.store, workspace.clock(), voice.name if voice else ""))
    asked = {**model_output.voice_document(*chosen), "batches": model_output.batches(waits)} if chosen else None
    counts = count_turns(workspace.store) if connection else (0, 0)
    linked = [openclaw_commands.connection_row(connection, counts, 12)] if connection else []
    origins = line_writers.count_origins(workspace)
    linked += [openclaw_commands.origins_row(origins, 12)] if origins.total else []
    rows = [*human_lines.status(found), *linked, _told(search), *(model_output.told(*chosen) if chosen else ())]
    document = openclaw_commands.connection_document(connection, counts)
    more = {"search": search, "model": asked, "openclaw": document, "origins": to_builtins(origins)}
    open_ = found.dirty or found.alarms or found.inbox or found.untrusted
    return _Standing(
        {**json_answers.status(found), **more}, [*rows, *model_output.waiting(waits)], bool(open_ or waits)
    )


def _of(one: tuple[Home, _Standing] | Unread) -> _Standing:
    """Return how the workspace of an agent stands; of one that cannot be looked at it is unknown."""
    if isinstance(one, tuple):
        home, found = one
        names = {"agent": home.agents[0], "agents": list(home.agents)}
        return _Standing({**names, **found.document}, [_headed(home.name), *found.rows], found.waits)
    why = line(Span("unknown     ", "dim"), Span(one.why, "red"))
    return _Standing(one.document, [_headed(one.name), why, line(" " * 12, str(one.fix))], waits=True)


def _headed(name: str) -> Line:
    return line(Span("agent       ", "dim"), Span(name, "bold"))


def _voice(workspace: Workspace) -> tuple[Chosen, Record] | None:
    """Return who is asked, and what is remembered of it; None where CONFIG.md cannot be used, which is an alarm."""
    try:
        return voices.choose(workspace.config.value, os.environ, workspace.store), voice_record.load(workspace.store)
    except ClawgitError:
        return None


def _search(workspace: Workspace) -> Mapping[str, str | bool | int]:
    """Return how searching stands; an index that is missing or behind is no matter, any search brings it up."""
    found = index_state.read_state(workspace)
    try:
        tier = index_state.read_vectors(workspace, found).tier
    except ClawgitError:  # of CONFIG.md, which is told elsewhere
        tier = "core"
    return {"tier": tier, "fresh": found.fresh, "chunks": found.chunks}


def _told(search: Mapping[str, str | bool | int]) -> Line:
    state = "" if search["fresh"] else "; any search brings the index up to the files"
    return line(Span("search      ", "dim"), f"{search['tier']}, {search['chunks']:,} chunks{state}")
