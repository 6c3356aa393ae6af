"""`clawgit run` for an agent that reads with a model, or is read for."""

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from clawgit.agents.protocol import outside_answers, readers
from clawgit.agents.protocol.batch_run import Outcome
from clawgit.cli import show_verdicts
from clawgit.cli.call import Call
from clawgit.cli.layout import line
from clawgit.errors import UsageError
from clawgit.llm import voices
from clawgit.llm.budget import Budget
from clawgit.sessions import cited, stores
from clawgit.workspace import scope

if TYPE_CHECKING:
    from clawgit.llm.asking import Voice
    from clawgit.workspace.workspace import Workspace


def voice(workspace: "Workspace", name: str) -> "Voice | None":
    """Return the voice that an agent reads with, None where rules do. Raises ModelError for half a configuration."""
    if name not in readers.VOICED:
        return None
    return voices.find(workspace.config.value, os.environ, workspace.state)


def read(
    call: Call,
    workspace: "Workspace",
    name: str,
    found: "Voice",
    start: float | None,
    path: str | None,
    *,
    really: bool,
) -> None:
    """Have an agent read with a voice, and show what became of what it proposes."""
    budget = Budget(tokens=int(workspace.config.value("run_tokens")))
    with stores.opened(workspace.state, os.environ, reading=True) as store:
        workspace.conversations = partial(cited.turn, store)
        reading = readers.reading(workspace, store, name, found, start=start, path=path or scope.SOUL, budget=budget)
        outcome = reading.run() if really else reading.preview()[0]
        readers.settle(workspace, outcome)
    show_verdicts.outcome(call.out, outcome, applied=really)


def export(call: Call, workspace: "Workspace", name: str, place: Path, start: float | None) -> None:
    """Write the next batch of an agent to a file, and say what to do with it."""
    _require(name, "--export")
    with stores.opened(workspace.state, os.environ, reading=True) as store:
        workspace.conversations = partial(cited.turn, store)
        kept = outside_answers.export(readers.reading(workspace, store, name, None, start=start), place)
    if call.out.as_json:
        call.out.document(
            {"agent": name, "batch": kept.batch.id if kept else None, "file": str(place) if kept else None}
        )
    elif kept is None:
        call.out.lines([line("nothing to do: nothing was said since the last run")])
    else:
        turns = f"{len(kept.batch.turns):,} turn{'' if len(kept.batch.turns) == 1 else 's'}"
        call.out.lines([line(f"batch {kept.batch.id} of {turns} is in {place}; it holds what was said in private")])
        call.out.note(
            f'have it read, and write the answer as its key "answer" says, with "id": "{kept.batch.id}"; then: '
            f"clawgit run {name} --answer FILE --apply"
        )


def answer(call: Call, workspace: "Workspace", name: str, place: Path, *, really: bool) -> None:
    """Check the answer of a reader of one's own, and with `really` land what fits."""
    _require(name, "--answer")
    found = voices.choose(workspace.config.value, os.environ, workspace.state).voice
    with stores.opened(workspace.state, os.environ, reading=True) as store:
        workspace.conversations = partial(cited.turn, store)
        reading = readers.reading(workspace, store, name, found)
        kept = outside_answers.read(reading, place)
        landed = outside_answers.land(reading, kept) if really else reading.lander.preview(kept)
        outcome = Outcome(name)
        outcome.take(kept, landed)
        readers.settle(workspace, outcome)
    show_verdicts.outcome(call.out, outcome, applied=really)


def _require(name: str, option: str) -> None:
    if name not in readers.AGENTS:
        known = ", ".join(sorted(readers.AGENTS))
        raise UsageError(f"{name} reads no batches; {known} do", fix=f"clawgit run memory-miner {option} batch.json")
