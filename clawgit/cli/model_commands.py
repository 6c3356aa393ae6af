"""`clawgit model`."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from clawgit.agents.protocol import reader_runs
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import answering
from clawgit.cli.output import Line, Span, counted, fixed, labelled, minute
from clawgit.errors import ClawgitError, Exit
from clawgit.integrations.json_documents import fields
from clawgit.llm import model_clients, voice_record, voices
from clawgit.llm.model import plain
from clawgit.llm.voice_record import Tried
from clawgit.workspace import run_ledger

if TYPE_CHECKING:
    from clawgit.agents.protocol.reader_runs import TrialOutcome as Outcome
    from clawgit.llm.asking import Voice
    from clawgit.llm.voice_record import Failure, Record, Tried
    from clawgit.llm.voices import Chosen, Kind
    from clawgit.workspace.waiting_batches import Waits
    from clawgit.workspace.workspace import Workspace


WIDTH = 12
_SHOWN = 400
_ELSEWHERE = "it is another provider than the agent's own: what you said goes there, too"


def voice_document(found: "Chosen", known: "Record") -> dict[str, object]:
    """Return who is asked, why, and what is remembered of it."""
    last, failure = known.tests.get(found.kind), _failure(found, known)
    return {
        "kind": found.kind,
        "why": found.why,
        "name": found.voice.name if found.voice else None,
        "provider": found.voice.provider or None if found.voice else None,
        "problem": fields(found.problem, "message fix") if found.problem else None,
        "test": to_builtins(last) if last else None,
        "failure": to_builtins(failure) if failure else None,
    }


def told(found: "Chosen", known: "Record") -> Iterator[Line]:
    """Yield who is asked, and the last failure."""
    name = found.voice.name if found.voice else found.kind
    provider = f", {found.voice.provider}" if found.voice and found.voice.provider not in ("", name) else ""
    yield _row("model", f"{name}{provider}: {found.why}")
    if found.problem:
        yield from _wrong(found.problem.message, found.problem.fix)
    if failure := _failure(found, known):
        yield from _wrong(f"it gave no answer on {minute(failure.when)}: {failure.message}", failure.fix)


def batches(found: "Sequence[Waits]") -> list[dict[str, object]]:
    """Return what waits, for programs."""
    return [to_builtins(one) for one in found]


def waiting(found: "Sequence[Waits]") -> Iterator[Line]:
    """Yield which batches wait, and where the voice is not good enough, each with what to do."""
    for one in found:
        poor = one.kind == "poor"
        yield from _wrong(one.message, one.fix) if poor else (_row("batches", one.message), fixed(WIDTH, one.fix))


def tell_status(
    found: "Chosen", known: "Record", used: Sequence[Mapping[str, Any]], *, own: bool, reached: bool | None
) -> Iterator[Line]:
    """Yield that, the last test, and what the last runs used.

    `own` tells that an OpenClaw works in the workspace, `reached` whether its gateway takes a connection.
    """
    yield from told(found, known)
    if own and found.kind in ("endpoint", "command"):
        yield _row("", _ELSEWHERE)
    if reached is False:
        yield from _wrong("OpenClaw's gateway does not run just now", "openclaw gateway restart")
    if last := known.tests.get(found.kind):
        came = "good enough" if last.good else f"not good enough: {plain(last.why, _SHOWN)}"
        yield _row("last test", f"{minute(last.when)}, {last.model or last.voice}: {came}")
    for one in used:
        calls = int(one["calls"])
        yield _row("run", f"{minute(one['ended'])} {one['agent']}: {counted(calls, 'request')}, {_tokens(one)}")


def outcome_text(found: "Chosen", noted: "Tried", came: "Outcome") -> Iterator[Line]:
    """Yield what a test came to."""
    whose = ", ".join(filter(None, (noted.provider if noted.provider != noted.voice else "", noted.model)))
    yield _row("model", noted.voice, f" ({whose})" if whose else "", f": {found.why}")
    for one in came.operations:
        yield _row("proposed", f"{one.act}: {plain(one.text, _SHOWN)} (turns {', '.join(map(str, one.turns))})")
    if not came.operations:
        yield _row("said", plain(came.said.text, _SHOWN) or "nothing")
    yield _row("took", f"{noted.seconds:.2f} s, {_tokens(to_builtins(noted))}")
    if came.good:
        yield _row("good enough", Span("yes", "green"))
    for fault in came.faults:
        yield _row("good enough", Span("no", "red"), f": {plain(fault, _SHOWN)}")


def _failure(found: "Chosen", known: "Record") -> "Failure | None":
    """Return the last failure, where it is that of the voice that is asked."""
    failure = known.failure
    return failure if failure and found.voice and failure.voice == found.voice.name else None


def _tokens(used: Mapping[str, Any]) -> str:
    about = "about " if used.get("estimated") else ""
    return f"{about}{int(used['read']):,} tokens read and {int(used['written']):,} written"


def _wrong(words: str, fix: str) -> Iterator[Line]:
    yield _row("", Span(words, "red"))
    yield fixed(WIDTH, fix)


def _row(name: str, *rest: "str | Span") -> Line:
    return labelled(name, WIDTH, *rest)


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
def test(call: Call, kind: "Kind | None") -> int:
    """Have the model read a talk of two turns whose answer is known.

    One fact must come out of it, and an order that stands in a pasted text must not be obeyed. Nothing of yours is
    shown to the model. What it came to is remembered. Exits with 3 when the answer is not good enough, with 1 when
    none came.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        given = (workspace.config.value, os.environ, workspace.state)
        found = voices.of_kind(kind, *given, "you named it") if kind else voices.candidate(*given)
        if found.problem:
            fix = "clawgit config show" if kind and found.problem.fix == voices.AUTO else found.problem.fix
            raise ClawgitError(found.problem.message, fix=fix)
        if found.voice is None:
            raise ClawgitError(f"there is no model to try: {found.why}", fix=model_clients.CONNECT)
        outcome = _tried(workspace, found, found.voice)
        noted = voice_record.load(workspace.state).tests[found.kind]
    call.out.answer(
        lambda: {"kind": found.kind, **to_builtins(noted), "said": outcome.said.text, "proposed": _proposed(outcome)},
        outcome_text(found, noted, outcome),
        indent=WIDTH,
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
        found = voices.choose(workspace.config.value, os.environ, workspace.state)
        known, used = voice_record.load(workspace.state), _used(workspace)
        reached = _reached(workspace, found)
        own = bool(workspace.host.installed and workspace.host.owners(workspace.root))
        document = {
            **voice_document(found, known),
            "configured": workspace.config.value("voice"),
            "reachable": reached,
        }
    call.out.answer(
        lambda: {**document, "runs": used},
        tell_status(found, known, used, own=own, reached=reached),
        indent=WIDTH,
    )


def _tried(workspace: "Workspace", found: "Chosen", voice: "Voice") -> "Outcome":
    """Try a voice, and note what it came to."""
    when = workspace.now()
    try:
        outcome = reader_runs.run(voice)
    except ClawgitError as exc:
        voice_record.noting(workspace.state, voice.name, workspace.now)(exc)
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
    voice_record.tested(workspace.state, found.kind, noted)
    return outcome


def _reached(workspace: "Workspace", found: "Chosen") -> bool | None:
    """Tell whether OpenClaw's gateway takes a connection; of others nobody knows before they are asked."""
    if found.kind != "openclaw":
        return None
    return model_clients.reachable(workspace.state.parent / voice_record.SOCKET)


def _used(workspace: "Workspace") -> list[dict[str, Any]]:
    """Return what the last runs that asked a model used."""
    asked = [one for one in run_ledger.ledger(workspace.state) if one.usage.get("calls")]
    return [{"agent": one.agent, "ended": one.ended, **one.usage} for one in asked[-_RUNS:]]


def _proposed(outcome: "Outcome") -> list[dict[str, object]]:
    return [{"act": one.act, "turns": list(one.turns), "text": one.text} for one in outcome.operations]
