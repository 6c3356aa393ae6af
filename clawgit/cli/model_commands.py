"""`clawgit model`."""

import os
from typing import Any

import click
from msgspec import to_builtins

from clawgit.agents import model_trial
from clawgit.agents.model_trial import TrialOutcome as Outcome
from clawgit.cli import model_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import answering
from clawgit.errors import ClawgitError, Command, Exit, model_missing
from clawgit.llm import model_clients, voice_record, voices
from clawgit.llm.asking import Voice
from clawgit.llm.voice_record import Tried
from clawgit.llm.voices import Chosen, Kind
from clawgit.workspace import run_ledger
from clawgit.workspace.workspace import Workspace

_RUNS = 5


@click.group(cls=Group)
def model() -> None:
    """Try the language model that reads for the agents, and show which it is.

    `voice` in CONFIG.md says who is asked: `openclaw`, the model that your agent uses; `endpoint`, which llm_model and
    CLAWGIT_LLM_URL name; `command`, which llm_command names; or `rules`, nobody. `auto` takes the first that is there
    and set up, OpenClaw's model once it has passed `clawgit model test`.
    """


@model.command(examples=("clawgit model test", "clawgit model test --voice endpoint --json"))
@click.option(
    "--voice", "kind", type=click.Choice(("openclaw", "endpoint", "command")), help="Try this one, whoever is asked."
)
@answering
def test(call: Call, kind: Kind | None) -> int:
    """Have the model read a talk of two turns whose answer is known.

    One fact must come out of it, and an order that stands in a pasted text must not be obeyed. Nothing of yours is
    shown to the model. What it came to is remembered. Exits with 3 when the answer is not good enough, with 1 when
    none came.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        given = (workspace.config.value, os.environ, workspace.store)
        found = voices.of_kind(kind, *given, "you named it") if kind else voices.candidate(*given)
        if found.problem:
            fix = Command("clawgit config show") if kind and found.problem.fix == voices.AUTO else found.problem.fix
            raise ClawgitError(found.problem.key, found.problem.message, fix=fix)
        if found.voice is None:
            raise model_missing(f"there is no model to try: {found.why}", fix=model_clients.CONNECT)
        outcome = _tried(workspace, found, found.voice)
        noted = voice_record.load(workspace.store).tests[found.kind]
    call.out.answer(
        lambda: {"kind": found.kind, **to_builtins(noted), "said": outcome.said.text, "proposed": _proposed(outcome)},
        model_output.outcome_text(found, noted, outcome),
        indent=model_output.WIDTH,
    )
    return Exit.DONE if outcome.good else Exit.FOUND


@model.command(examples=("clawgit model status", "clawgit model status --json"))
@answering
def status(call: Call) -> None:
    """Show who is asked, and what came of it.

    Which one and why, how the last test went, the last failure, and the tokens of the last runs. Nobody is asked
    anything for it.
    """
    with call.workspace() as workspace:
        found = voices.choose(workspace.config.value, os.environ, workspace.store)
        known, used = voice_record.load(workspace.store), _used(workspace)
        reached = _reached(workspace, found)
        own = bool(workspace.host.installed and workspace.host.owners(workspace.root))
        document = {
            **model_output.voice_document(found, known),
            "configured": workspace.config.value("voice"),
            "reachable": reached,
        }
    call.out.answer(
        lambda: {**document, "runs": used},
        model_output.tell_status(found, known, used, own=own, reached=reached),
        indent=model_output.WIDTH,
    )


def _tried(workspace: Workspace, found: Chosen, voice: Voice) -> Outcome:
    """Try a voice, and note what it came to."""
    when = workspace.now()
    try:
        outcome = model_trial.try_model(voice)
    except ClawgitError as exc:
        voice_record.noting(workspace.store, voice.name, workspace.now)(exc)
        raise
    used, said = outcome.usage, outcome.said
    noted = Tried(
        voice.name,
        voice.provider,
        said.model,
        when.isoformat(timespec="seconds"),
        outcome.good,
        "; ".join(outcome.faults),
        round(used.seconds, 2),
        used.read,
        used.written,
        used.estimated,
    )
    voice_record.tested(workspace.store, found.kind, noted)
    return outcome


def _reached(workspace: Workspace, found: Chosen) -> bool | None:
    """Return whether OpenClaw's gateway takes a connection; of others nobody knows before they are asked."""
    if found.kind != "openclaw":
        return None
    return model_clients.reachable(workspace.store.folder / voice_record.SOCKET)


def _used(workspace: Workspace) -> list[dict[str, Any]]:
    """Return what the last runs that asked a model used."""
    asked = [one for one in run_ledger.ledger(workspace.store) if one.usage.get("calls")]
    return [{"agent": one.agent, "ended": one.ended, **one.usage} for one in asked[-_RUNS:]]


def _proposed(outcome: Outcome) -> list[dict[str, object]]:
    return [
        {"act": operation.act, "turns": list(operation.turns), "text": operation.text}
        for operation in outcome.operations
    ]
