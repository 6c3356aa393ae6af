"""`clawgit status` and `clawgit model`."""

import os
from collections.abc import Mapping
from datetime import datetime

import click
from msgspec import to_builtins

from clawgit.agents import model_trial
from clawgit.cli import agent_choice, connect_commands, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import agent_options
from clawgit.cli.text_lines import count_noun, line
from clawgit.errors import ClawgitError, Exit, model_missing
from clawgit.findings import status as findings
from clawgit.json_documents import Document, fields, finding_document, map_documents
from clawgit.llm import model_clients, voice_record, voices
from clawgit.llm.asking import Voice
from clawgit.llm.voice_record import Tried
from clawgit.llm.voices import Chosen
from clawgit.schedule import runner_state
from clawgit.search import index_state
from clawgit.workspace import line_writers, run_ledger, waiting_batches
from clawgit.workspace.workspace import Workspace

_SHOWN = (
    "workspace managed branch alarms warnings uncommitted=dirty not_kept unread_commits? inbox unapproved=untrusted "
    "grown openclaw runner model=model.why problem=model.problem failure=model.failure batches=model.batches"
)


@command("clawgit status", "clawgit status --check && echo all is well", "clawgit status --all-agents")
@click.option(
    "--check", is_flag=True, help="Exit with 3 when something waits for you, such as an alarm or an item of the inbox."
)
@agent_options
def status(call: Call, agent: str | None, *, check: bool, all_agents: bool) -> int:
    """Show alarms and waiting items, and whether everything works.

    Nothing is touched. With --all-agents the workspaces of all agents of OpenClaw, one below the other; an unreadable
    one is unknown, and --check counts that as an open item.
    """
    agent_choice.choose(call, agent, every=all_agents)
    if all_agents:
        documents = agent_choice.describe_each_workspace(call, _describe)
        shown = f"agents unknown=why fix {_SHOWN}"
        rows = (row for item in documents for row in (*render.draw_record(_present(item), shown), line("")))
        call.out.answer(documents, rows)
    else:
        with call.workspace() as workspace:
            documents = [_describe(workspace)]
            call.out.answer(documents[0], render.draw_record(_present(documents[0]), _SHOWN))
    return Exit.FOUND if check and any(map(_is_open, documents)) else Exit.DONE


def _present(document: Document) -> Document:
    """Return the state of a workspace for people: a word for nothing, and the commands that go on from here."""
    if document.get("unknown"):
        return document
    alarms = document["alarms"]
    assert isinstance(alarms, list)
    rows: dict[str, object] = {
        "dirty": document["dirty"] or "none",
        "alarms": [finding for finding in alarms if finding["level"] == "alarm"] or "none",
        "warnings": [finding for finding in alarms if finding["level"] != "alarm"] or None,
        "managed": None if document["managed"] else {"message": "no", "fix": "clawgit adopt"},
        "runner": document["runner"] or {"message": "none", "fix": "clawgit schedule install --apply"},
    }
    for key, word, fix in (("inbox", "item", "clawgit inbox"), ("unread_commits", "commit", "clawgit capture")):
        if isinstance(count := document[key], int) and count:
            rows[key] = {"message": count_noun(count, word), "fix": fix}
    if isinstance(connection := document["openclaw"], Mapping):
        rows["openclaw"] = {key: connection[key] for key in ("state", "seen", "fix")}
    return {**document, **rows}


def _is_open(document: Document) -> bool:
    """Return whether something waits for the operator, or is unknown."""
    model = document.get("model")
    batches = model.get("batches") if isinstance(model, Mapping) else None
    return bool(batches) or any(document.get(key) for key in ("unknown", "dirty", "alarms", "inbox", "untrusted"))


def _describe(workspace: Workspace) -> dict[str, object]:
    state = findings.status(workspace)
    place = None if workspace.repo.of else runner_state.find_place(workspace.root, os.environ)
    runner = runner_state.describe_runner(place, datetime.now().astimezone()) if place else "a bare repository has none"
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
        "search": _describe_search(workspace),
        "model": _describe_model(workspace),
        "runner": runner,
        "openclaw": connect_commands.describe_connection(workspace),
        "origins": to_builtins(line_writers.count_origins(workspace)),
    }


def _describe_model(workspace: Workspace) -> Document | None:
    """Return the voice, and the waiting batches; None if CONFIG.md cannot be used, which is an alarm."""
    try:
        choice = voices.choose(workspace.config.value, os.environ, workspace.store)
    except ClawgitError:
        return None
    waits = waiting_batches.waiting(workspace.store, workspace.clock())
    return {**_describe_voice(workspace, choice), "batches": [to_builtins(wait) for wait in waits]}


def _describe_search(workspace: Workspace) -> Document:
    """Return the state of the search; an index that is missing or behind does not matter, any search updates it."""
    state = index_state.read_state(workspace)
    try:
        tier = index_state.read_vectors(workspace, state).tier
    except ClawgitError:  # of CONFIG.md, which is told elsewhere
        tier = "core"
    return {"tier": tier, "fresh": state.fresh, "chunks": state.chunks}


def _describe_voice(workspace: Workspace, choice: Chosen) -> dict[str, object]:
    """Return the voice, the reason for it, and its record."""
    record, voice = voice_record.load(workspace.store), choice.voice
    failure = record.failure if voice and record.failure and record.failure.voice == voice.name else None
    return {
        **fields(choice, "kind why"),
        "name": voice.name if voice else None,
        "provider": voice.provider or None if voice else None,
        "problem": fields(choice.problem, "message fix") if choice.problem else None,
        "test": to_builtins(record.tests.get(choice.kind)),
        "failure": to_builtins(failure),
    }


_RUNS = 5


@command("clawgit model", "clawgit model --test", "clawgit model --test --json")
@click.option("--test", "is_test", is_flag=True, help="Have it read a talk of two turns whose answer is known.")
def model(call: Call, *, is_test: bool) -> int:
    """Show which model reads, and whether it can.

    `voice` in CONFIG.md chooses it: `openclaw`, the model of your agent; `endpoint`, by llm_model and CLAWGIT_LLM_URL;
    `command`, by llm_command; or `rules`, none. `auto` takes the first that is set up, OpenClaw's model once it has
    passed the test. The test is a made-up talk: nothing of yours is shown to the model. Exits with 3 when the answer is
    not good enough, with 1 when none came.
    """
    with call.workspace(managed=is_test) as workspace:
        choice = voices.choose(workspace.config.value, os.environ, workspace.store, is_test=is_test)
        if is_test:
            return _test_voice(call, workspace, choice)
        runs = [run for run in run_ledger.ledger(workspace.store) if run.usage.get("calls")]
        # Of others nobody knows before they are asked.
        socket = workspace.store.folder / voice_record.SOCKET if choice.kind == "openclaw" else None
        document = {
            **_describe_voice(workspace, choice),
            "configured": workspace.config.value("voice"),
            "reachable": model_clients.reachable(socket) if socket else None,
            "runs": [{"agent": run.agent, "ended": run.ended, **run.usage} for run in runs[-_RUNS:]],
        }
        call.out.answer(document)
        is_connected = workspace.host.installed and workspace.host.owners(workspace.root)
        if is_connected and choice.kind in ("endpoint", "command"):
            call.out.note("it is another provider than the agent's own: what you said goes there, too")
    return Exit.DONE


def _test_voice(call: Call, workspace: Workspace, choice: Chosen) -> int:
    """Try a voice, note the result, and print it."""
    if choice.problem:
        raise choice.problem
    if choice.voice is None:
        raise model_missing(f"there is no model to try: {choice.why}", fix=model_clients.CONNECT)
    outcome, test = _try_voice(workspace, choice.voice)
    voice_record.tested(workspace.store, choice.kind, test)
    operations = map_documents(outcome.operations, "act turns text")
    call.out.answer(
        {"kind": choice.kind, **to_builtins(test), "said": outcome.said.text, "proposed": operations},
        shown="kind voice provider model proposed said seconds read written good why",
    )
    return Exit.DONE if outcome.good else Exit.FOUND


def _try_voice(workspace: Workspace, voice: Voice) -> tuple[model_trial.TrialOutcome, Tried]:
    start = workspace.now()
    try:
        outcome = model_trial.try_model(voice)
    except ClawgitError as exc:
        voice_record.noting(workspace.store, voice.name, workspace.now)(exc)
        raise
    usage, faults = outcome.usage, "; ".join(outcome.faults)
    when = start.isoformat(timespec="seconds")
    cost = (round(usage.seconds, 2), usage.read, usage.written, usage.estimated)
    return outcome, Tried(voice.name, voice.provider, outcome.said.model, when, outcome.good, faults, *cost)
