"""`clawgit model`."""

import os

import click
from msgspec import to_builtins

from clawgit.agents import model_trial
from clawgit.agents.model_trial import TrialOutcome as Outcome
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.errors import ClawgitError, Exit, model_missing
from clawgit.json_documents import Document, fields, map_documents
from clawgit.llm import model_clients, voice_record, voices
from clawgit.llm.asking import Voice
from clawgit.llm.voice_record import Record, Tried
from clawgit.llm.voices import Chosen
from clawgit.workspace import run_ledger
from clawgit.workspace.workspace import Workspace

_RUNS = 5


def voice_document(found: Chosen, known: Record) -> Document:
    """Return the voice, the reason for it, and its record."""
    last, failure = known.tests.get(found.kind), known.failure
    is_own = failure and found.voice and failure.voice == found.voice.name
    return {
        "kind": found.kind,
        "why": found.why,
        "name": found.voice.name if found.voice else None,
        "provider": found.voice.provider or None if found.voice else None,
        "problem": fields(found.problem, "message fix") if found.problem else None,
        "test": to_builtins(last) if last else None,
        "failure": to_builtins(failure) if is_own else None,
    }


@command("clawgit model", "clawgit model --test", "clawgit model --test --json")
@click.option("--test", "is_test", is_flag=True, help="Have it read a talk of two turns whose answer is known.")
def model(call: Call, *, is_test: bool) -> int:
    """Show which model reads, and whether it can.

    `voice` in CONFIG.md says who is asked: `openclaw`, the model that your agent uses; `endpoint`, which llm_model and
    CLAWGIT_LLM_URL name; `command`, which llm_command names; or `rules`, nobody. `auto` takes the first that is there
    and set up, OpenClaw's model once it has passed the test. Shown are the last test, the last failure, and the tokens
    of the last runs.

    In the test one fact must come out, and an order that stands in a pasted text must not be obeyed. Nothing of yours
    is shown to the model. Exits with 3 when the answer is not good enough, with 1 when none came.
    """
    return _test(call) if is_test else _show(call)


def _test(call: Call) -> int:
    with call.workspace(managed=True) as workspace:
        found = voices.choose(workspace.config.value, os.environ, workspace.store, is_test=True)
        if found.problem:
            raise found.problem
        if found.voice is None:
            raise model_missing(f"there is no model to try: {found.why}", fix=model_clients.CONNECT)
        outcome = _try_voice(workspace, found, found.voice)
        test = voice_record.load(workspace.store).tests[found.kind]
    operations = map_documents(outcome.operations, "act turns text")
    call.out.answer(
        {"kind": found.kind, **to_builtins(test), "said": outcome.said.text, "proposed": operations},
        shown="kind voice provider model proposed said seconds read written good why",
    )
    return Exit.DONE if outcome.good else Exit.FOUND


def _show(call: Call) -> int:
    with call.workspace() as workspace:
        choice = voices.choose(workspace.config.value, os.environ, workspace.store)
        runs = [run for run in run_ledger.ledger(workspace.store) if run.usage.get("calls")]
        # Of others nobody knows before they are asked.
        socket = workspace.store.folder / voice_record.SOCKET if choice.kind == "openclaw" else None
        document = {
            **voice_document(choice, voice_record.load(workspace.store)),
            "configured": workspace.config.value("voice"),
            "reachable": model_clients.reachable(socket) if socket else None,
            "runs": [{"agent": run.agent, "ended": run.ended, **run.usage} for run in runs[-_RUNS:]],
        }
        is_agents = workspace.host.installed and workspace.host.owners(workspace.root)
    call.out.answer(document)
    if is_agents and choice.kind in ("endpoint", "command"):
        call.out.note("it is another provider than the agent's own: what you said goes there, too")
    return Exit.DONE


def _try_voice(workspace: Workspace, found: Chosen, voice: Voice) -> Outcome:
    """Try a voice, and note the result."""
    start = workspace.now()
    try:
        outcome = model_trial.try_model(voice)
    except ClawgitError as exc:
        voice_record.noting(workspace.store, voice.name, workspace.now)(exc)
        raise
    usage, reply = outcome.usage, outcome.said
    trial = Tried(
        voice.name,
        voice.provider,
        reply.model,
        start.isoformat(timespec="seconds"),
        outcome.good,
        "; ".join(outcome.faults),
        round(usage.seconds, 2),
        usage.read,
        usage.written,
        usage.estimated,
    )
    voice_record.tested(workspace.store, found.kind, trial)
    return outcome
