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
from clawgit.cli.text_lines import count_noun, line
from clawgit.context.receipt import count_turns
from clawgit.errors import ClawgitError, Exit
from clawgit.findings.status import status as look
from clawgit.json_documents import Document, fields, finding_document
from clawgit.llm import voice_record, voices
from clawgit.schedule import runner_state
from clawgit.search import index_state
from clawgit.workspace import line_writers, waiting_batches
from clawgit.workspace.workspace import Workspace

_SHOWN = (
    "workspace managed branch alarms warnings uncommitted=dirty not_kept unread_commits? inbox unapproved=untrusted "
    "grown openclaw runner model=model.why problem=model.problem failure=model.failure batches=model.batches"
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
    documents = [
        agent_choice.describe(result)
        for result in agent_choice.look_at_each_workspace(call, lambda _, workspace: _describe(workspace))
    ]
    call.out.answer(
        documents, (row for item in documents for row in (*render.draw_record(_present(item), _OF_AGENTS), line("")))
    )
    return Exit.FOUND if check and any(map(_is_open, documents)) else Exit.DONE


def _present(document: Document) -> Document:
    """Return the state of a workspace for people: a word for nothing, and the commands that go on from here."""
    rows: dict[str, object] = {"dirty": document.get("dirty") or "none"}
    if isinstance(found := document.get("alarms"), list):
        rows["alarms"] = [finding for finding in found if finding["level"] == "alarm"] or "none"
        rows["warnings"] = [finding for finding in found if finding["level"] != "alarm"] or None
    for key, word, fix in (("inbox", "item", "clawgit inbox"), ("unread_commits", "commit", "clawgit capture")):
        if isinstance(count := document.get(key), int) and count:
            rows[key] = {"message": count_noun(count, word), "fix": fix}
    if "runner" in document:
        rows["managed"] = None if document["managed"] else {"message": "no", "fix": "clawgit adopt"}
        rows["runner"] = document["runner"] or {"message": "none", "fix": "clawgit schedule install --apply"}
    if isinstance(connection := document.get("openclaw"), Mapping):
        rows["openclaw"] = {key: connection[key] for key in ("state", "seen", "fix")}
    return {**document, **rows}


def _is_open(document: Document) -> bool:
    """Return whether something waits for the operator, or is unknown."""
    model = document.get("model")
    batches = model.get("batches") if isinstance(model, Mapping) else None
    return bool(batches) or any(document.get(key) for key in ("unknown", "dirty", "alarms", "inbox", "untrusted"))


def _describe(workspace: Workspace) -> Document:
    state, connection = look(workspace), openclaw_commands.connection(workspace)
    counts = count_turns(workspace.store) if connection else (0, 0)
    place = None if workspace.repo.of else runner_state.find_place(workspace.root, os.environ)
    return {
        **fields(
            state,
            "workspace managed branch head dirty alarms corrections open_conflicts inbox proposals=inbox untrusted "
            "grown not_kept",
            alarms=[finding_document(finding) for finding in state.alarms],
            corrections={"total": state.corrections},
            untrusted=[finding_document(finding) for finding in state.untrusted],
            not_kept=fields(state.not_kept, "files ignored changed unknown"),
            unread_commits=state.unread if place else None,
        ),
        "search": _search(workspace),
        "model": _model(workspace),
        "runner": runner_state.describe_runner(place, datetime.now().astimezone())
        if place
        else "a bare repository has none",
        "openclaw": openclaw_commands.connection_document(connection, counts),
        "origins": to_builtins(line_writers.count_origins(workspace)),
    }


def _model(workspace: Workspace) -> Document | None:
    """Return the voice, and the waiting batches; None if CONFIG.md cannot be used, which is an alarm."""
    try:
        choice = voices.choose(workspace.config.value, os.environ, workspace.store)
    except ClawgitError:
        return None
    waits = waiting_batches.waiting(workspace.store, workspace.clock())
    document = model_commands.voice_document(choice, voice_record.load(workspace.store))
    return {**document, "batches": [to_builtins(wait) for wait in waits]}


def _search(workspace: Workspace) -> Document:
    """Return the state of the search; an index that is missing or behind does not matter, any search updates it."""
    state = index_state.read_state(workspace)
    try:
        tier = index_state.read_vectors(workspace, state).tier
    except ClawgitError:  # of CONFIG.md, which is told elsewhere
        tier = "core"
    return {"tier": tier, "fresh": state.fresh, "chunks": state.chunks}
