"""`clawgit status`."""

import os
from collections.abc import Mapping
from datetime import datetime

import click
from msgspec import to_builtins

from clawgit.cli import agent_choice, model_commands, openclaw_commands, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import agent_options
from clawgit.cli.text_lines import counted, line
from clawgit.context.receipt import count_turns
from clawgit.errors import ClawgitError, Exit
from clawgit.findings.status import status as look
from clawgit.integrations.json_documents import Document, fields, finding_document
from clawgit.llm import voice_record, voices
from clawgit.schedule import runner_state
from clawgit.search import index_state
from clawgit.workspace import line_writers, waiting_batches
from clawgit.workspace.workspace import Workspace

_SHOWN = (
    "workspace managed branch alarms uncommitted=dirty not_kept unread_commits? inbox unapproved=untrusted grown "
    "openclaw runner model=model.why problem=model.problem failure=model.failure batches=model.batches"
)
_OF_AGENTS = f"agents unknown=why fix {_SHOWN}"


@command("clawgit status", "clawgit status --check && echo all is well", "clawgit status --all-agents")
@click.option(
    "--check", is_flag=True, help="Exit with 3 when something waits for you, such as an alarm or an item of the inbox."
)
@agent_options
def status(call: Call, agent: str | None, *, check: bool, all_agents: bool) -> int:
    """Show what needs you, and whether everything works.

    Its branch and commit, what is not committed yet, what stands in the way of a write, and what you have to decide.
    Nothing is touched. With --all-agents the workspaces of all agents of OpenClaw, one below the other; of one that
    cannot be looked at it is unknown how it stands, and --check takes that for something that waits.
    """
    agent_choice.choose(call, agent, every=all_agents)
    if not all_agents:
        with call.workspace() as workspace:
            document = _describe(workspace)
            call.out.answer(document, render.draw_record(_present(document), _SHOWN))
        return Exit.FOUND if check and _is_open(document) else Exit.DONE
    every = [
        agent_choice.describe(one)
        for one in agent_choice.each_workspace(call, lambda _, workspace: _describe(workspace))
    ]
    call.out.answer(every, (row for one in every for row in (*render.draw_record(_present(one), _OF_AGENTS), line(""))))
    return Exit.FOUND if check and any(map(_is_open, every)) else Exit.DONE


def _present(document: Document) -> Document:
    """Return the state of a workspace for people: a word for nothing, and the commands that go on from here."""
    shown: dict[str, object] = {key: "none" for key in ("alarms", "dirty") if document.get(key) == []}
    for key, word, fix in (("inbox", "item", "clawgit inbox"), ("unread_commits", "commit", "clawgit capture")):
        count = document.get(key)
        if isinstance(count, int) and count:
            shown[key] = {"message": counted(count, word), "fix": fix}
    if "runner" in document:
        shown["managed"] = None if document["managed"] else {"message": "no", "fix": "clawgit adopt"}
        shown["runner"] = document["runner"] or {"message": "none", "fix": "clawgit schedule install --apply"}
    if isinstance(connection := document.get("openclaw"), Mapping):
        shown["openclaw"] = {key: connection[key] for key in ("state", "seen", "fix")}
    return {**document, **shown}


def _is_open(document: Document) -> bool:
    """Return whether something waits for the operator, or is unknown."""
    model = document.get("model")
    batches = model.get("batches") if isinstance(model, Mapping) else None
    return bool(batches) or any(document.get(key) for key in ("unknown", "dirty", "alarms", "inbox", "untrusted"))


def _describe(workspace: Workspace) -> Document:
    found, connection = look(workspace), openclaw_commands.connection(workspace)
    counts = count_turns(workspace.store) if connection else (0, 0)
    place = runner_state.known(workspace.root, os.environ)
    return {
        **fields(
            found,
            "workspace managed branch head dirty alarms corrections open_conflicts inbox proposals=inbox untrusted "
            "grown not_kept",
            alarms=[finding_document(one) for one in found.alarms],
            corrections={"total": found.corrections},
            untrusted=[finding_document(one) for one in found.untrusted],
            not_kept=fields(found.not_kept, "files ignored changed unknown"),
            unread_commits=found.unread,
        ),
        "search": _search(workspace),
        "model": _model(workspace),
        "runner": runner_state.describe_runner(place, datetime.now().astimezone()) if place else "",
        "openclaw": openclaw_commands.connection_document(connection, counts),
        "origins": to_builtins(line_writers.count_origins(workspace)),
    }


def _model(workspace: Workspace) -> Document | None:
    """Return who is asked, and which batches wait; None where CONFIG.md cannot be used, which is an alarm."""
    try:
        chosen = voices.choose(workspace.config.value, os.environ, workspace.store)
    except ClawgitError:
        return None
    waits = waiting_batches.waiting(workspace.store, workspace.clock())
    document = model_commands.voice_document(chosen, voice_record.load(workspace.store))
    return {**document, "batches": [to_builtins(one) for one in waits]}


def _search(workspace: Workspace) -> Document:
    """Return how searching stands; an index that is missing or behind is no matter, any search brings it up."""
    found = index_state.read_state(workspace)
    try:
        tier = index_state.read_vectors(workspace, found).tier
    except ClawgitError:  # of CONFIG.md, which is told elsewhere
        tier = "core"
    return {"tier": tier, "fresh": found.fresh, "chunks": found.chunks}
