"""Shows who is asked, and what came of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from clawgit.cli.output import Line, Span, counted, fixed, labelled, minute
from clawgit.integrations.json_documents import fields
from clawgit.llm.model import plain

if TYPE_CHECKING:
    from clawgit.agents.model_trial import TrialOutcome as Outcome
    from clawgit.llm.voice_record import Failure, Record, Tried
    from clawgit.llm.voices import Chosen
    from clawgit.workspace.waiting_batches import Waits


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
        yield from _wrong(found.problem.message, str(found.problem.fix))
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
