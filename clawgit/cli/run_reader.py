"""`clawgit run` where a model reads, or somebody else."""

import os
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

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
    from collections.abc import Iterator

    from clawgit.agents.protocol.batch_run import Reading
    from clawgit.llm.asking import Voice
    from clawgit.workspace.workspace import Workspace


class Wanted(Struct, frozen=True):
    """What the command was called with."""

    name: str
    start: float | None
    path: str | None
    export: str | None
    answer: str | None
    really: bool


def did(call: Call, workspace: "Workspace", wanted: Wanted) -> bool:
    """Do what is done with batches, and tell whether that was it: without a voice rules read."""
    name = wanted.name
    if wanted.export is not None and (wanted.answer is not None or wanted.really):
        raise UsageError("--export only writes a batch down", fix=f"clawgit run {name} --export batch.json")
    if wanted.export is not None:
        _require(name, "--export")
        _export(call, workspace, wanted, Path(wanted.export).expanduser())
    elif wanted.answer is not None:
        _require(name, "--answer")
        _answer(call, workspace, wanted, Path(wanted.answer).expanduser())
    elif found := _voice(workspace, name):
        _read(call, workspace, wanted, found)
    else:
        return False
    return True


def _voice(workspace: "Workspace", name: str) -> "Voice | None":
    """Return the voice that an agent reads with, None where rules do. Raises ModelError for half a configuration."""
    return voices.find(workspace.config.value, os.environ, workspace.state) if name in readers.AGENTS else None


@contextmanager
def _reading(workspace: "Workspace", wanted: Wanted, found: "Voice | None") -> "Iterator[Reading]":
    budget = Budget(tokens=int(workspace.config.value("run_tokens")))
    path = wanted.path or scope.SOUL
    with stores.opened(workspace.state, os.environ, reading=True) as store:
        workspace.conversations = partial(cited.turn, store)
        yield readers.reading(workspace, store, wanted.name, found, start=wanted.start, path=path, budget=budget)


def _read(call: Call, workspace: "Workspace", wanted: Wanted, found: "Voice") -> None:
    """Have an agent read with a voice, and show what became of what it proposes."""
    with _reading(workspace, wanted, found) as reading:
        outcome = reading.run() if wanted.really else reading.preview()[0]
        if wanted.really:
            readers.look_again(reading, outcome)
        readers.settle(workspace, outcome)
    show_verdicts.outcome(call.out, outcome, applied=wanted.really)


def _export(call: Call, workspace: "Workspace", wanted: Wanted, place: Path) -> None:
    """Write the next batch of an agent to a file, and say what to do with it."""
    with _reading(workspace, wanted, None) as reading:
        kept = outside_answers.export(reading, place)
    if call.out.as_json:
        batch, file = (kept.batch.id, str(place)) if kept else (None, None)
        call.out.document({"agent": wanted.name, "batch": batch, "file": file})
    elif kept is None:
        call.out.lines([line("nothing to do: there is nothing new to read")])
    else:
        count, unit = (len(kept.batch.pairs), "pair") if kept.batch.pairs else (len(kept.batch.turns), "turn")
        turns = f"{count:,} {unit}{'' if count == 1 else 's'}"
        call.out.lines([line(f"batch {kept.batch.id} of {turns} is in {place}; it holds what was said in private")])
        call.out.note(
            f'have it read, and write the answer as its key "answer" says, with "id": "{kept.batch.id}"; then: '
            f"clawgit run {wanted.name} --answer FILE --apply"
        )


def _answer(call: Call, workspace: "Workspace", wanted: Wanted, place: Path) -> None:
    """Check the answer of a reader of one's own, and where that is wanted land what fits."""
    found = voices.choose(workspace.config.value, os.environ, workspace.state).voice
    with _reading(workspace, wanted, found) as reading:
        kept = outside_answers.read(reading, place)
        landed = outside_answers.land(reading, kept) if wanted.really else reading.lander.preview(kept)
        outcome = Outcome(wanted.name)
        outcome.take(kept, landed)
        readers.settle(workspace, outcome)
    show_verdicts.outcome(call.out, outcome, applied=wanted.really)


def _require(name: str, option: str) -> None:
    if name not in readers.AGENTS:
        known = ", ".join(sorted(readers.AGENTS))
        raise UsageError(f"{name} reads no batches; {known} do", fix=f"clawgit run memory-miner {option} batch.json")
