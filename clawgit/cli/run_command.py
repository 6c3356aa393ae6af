"""`clawgit run`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec import Struct, to_builtins

from clawgit.agents import agents, kept_readings, outside_reader, reading_run, running
from clawgit.agents.reading_landing import Outcome
from clawgit.agents.reading_run import Reading
from clawgit.cli import run_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Since, Words
from clawgit.cli.text_lines import counted
from clawgit.errors import Command, Exit, agent_unknown, option_missing, options_conflict
from clawgit.language.iso_dates import start_of
from clawgit.llm import voices
from clawgit.llm.asking import Voice
from clawgit.llm.model import Budget
from clawgit.reading.operations import ROLES
from clawgit.sessions import turn_lookup, untainted_chats
from clawgit.sessions.chat_store import ChatStore
from clawgit.workspace import file_roles, run_ledger, waiting_batches
from clawgit.workspace.workspace import Workspace


class Wanted(Struct, frozen=True):
    """What the command was called with."""

    name: str
    start: float | None
    path: str | None
    export: str | None
    answer: str | None
    really: bool


def did(call: Call, workspace: Workspace, wanted: Wanted) -> Exit:
    """Do what is done with batches, or have the agent work; return the exit code."""
    name = wanted.name
    if wanted.export is not None and (wanted.answer is not None or wanted.really):
        raise options_conflict("--export only writes a batch", fix=Command("clawgit run {} --export batch.json", name))
    if wanted.export is not None:
        _require(name, "--export")
        _export(call, workspace, wanted, Path(wanted.export).expanduser())
    elif wanted.answer is not None:
        _require(name, "--answer")
        _answer(call, workspace, wanted, Path(wanted.answer).expanduser())
    else:
        voice = reading_run.find_voice(workspace, name)
        if voice or name in reading_run.BY_RULES:
            return _read(call, workspace, wanted, voice)
        _by_rules(call, workspace, wanted)
    return Exit.DONE


@contextmanager
def _reading(workspace: Workspace, wanted: Wanted, found: Voice | None) -> Iterator[Reading]:
    with _opened(workspace) as store:
        yield reading_run.make_reading(workspace, store, wanted.name, found, **_options(workspace, wanted))


@contextmanager
def _opened(workspace: Workspace) -> Iterator[ChatStore]:
    with untainted_chats.opened(workspace, os.environ, reading=True) as store:
        workspace.conversations = partial(turn_lookup.turn, store)
        yield store


def _options(workspace: Workspace, wanted: Wanted) -> dict[str, Any]:
    budget = Budget(tokens=int(workspace.config.value("run_tokens")))
    return {"start": wanted.start, "path": wanted.path or file_roles.SOUL, "budget": budget}


def _read(call: Call, workspace: Workspace, wanted: Wanted, found: Voice | None) -> Exit:
    """Have an agent read, and show what became of what it proposes, and what somebody else is to read."""
    with _opened(workspace) as store:
        options = _options(workspace, wanted)
        if wanted.really:
            apply = partial(running.apply, workspace=workspace)
            outcome = reading_run.read(workspace, store, wanted.name, found, apply_rules=apply, **options)
        else:
            outcome = reading_run.preview(workspace, store, wanted.name, found, **options)
    every = waiting_batches.waiting(workspace.store, workspace.clock())
    away = [one for one in every if (one.kind, one.agent) == ("out", wanted.name)]
    run_output.tell_outcome(call.out, outcome, away, applied=wanted.really)
    return Exit.FOUND if away else Exit.DONE


def _export(call: Call, workspace: Workspace, wanted: Wanted, place: Path) -> None:
    """Write the next batch of an agent to a file, and say what to do with it."""
    with _reading(workspace, wanted, None) as reading:
        kept = outside_reader.export(reading, place)
    batch, file = (kept.batch.id, str(place)) if kept else (None, None)
    call.out.answer({"agent": wanted.name, "batch": batch, "file": file})
    if kept is None:
        call.out.note("nothing to do: there is nothing new to read")
    else:
        call.out.note(f"{counted(len(kept.batch.turns), 'turn')}; it holds what was said in private")
        call.out.note(
            f'have it read, and write the answer as its key "answer" says, with "id": "{kept.batch.id}"; then: '
            f"clawgit run {wanted.name} --answer FILE --apply"
        )


def _answer(call: Call, workspace: Workspace, wanted: Wanted, place: Path) -> None:
    """Check the answer of a reader of one's own, and where that is wanted land what fits."""
    found = voices.choose(workspace.config.value, os.environ, workspace.store).voice
    with _reading(workspace, wanted, found) as reading:
        kept = outside_reader.read_file(reading, place)
        outcome = (
            outside_reader.land(reading, kept) if wanted.really else reading.lander.show(kept, Outcome(wanted.name))
        )
    run_output.tell_outcome(call.out, outcome, applied=wanted.really)


def _require(name: str, option: str) -> None:
    if name not in ROLES:
        known = ", ".join(sorted(ROLES))
        raise agent_unknown(f"only {known} read batches", fix=Command(f"clawgit run memory-miner {option} batch.json"))


@command(
    "clawgit run memory-miner",
    "clawgit run memory-miner --apply",
    "clawgit run memory-miner --since 2026-03-01 --json",
    "clawgit run conflict-detector --apply",
    "clawgit run soul-keeper --apply",
    "clawgit run memory-compactor",
    "clawgit run memory-miner --export batch.json",
    "clawgit run memory-miner --answer answer.json --apply",
    "clawgit run --list",
)
@click.argument("name", type=Words(), required=False)
@click.option("--apply", "really", is_flag=True, help="Do it: one commit for each change.")
@click.option("--since", type=Since(), metavar="DATE", help="Look at what is from DATE on, whatever was read before.")
@click.option("--file", "path", type=Words(), metavar="FILE", help="The soul to keep: SOUL.md, or agents/NAME/SOUL.md.")
@click.option(
    "--export", type=Words(), metavar="FILE", help="Write what is to be read next to FILE, for a reader of yours."
)
@click.option("--answer", type=Words(), metavar="FILE", help="Check what that reader answered; with --apply land it.")
@click.option("--take-back", is_flag=True, help="First take back what --export handed out and nobody answered.")
@click.option("--list", "listed", is_flag=True, help="Name the agents, and what they did last.")
def run(
    call: Call,
    name: str | None,
    since: date | datetime | None,
    path: str | None,
    export: str | None,
    answer: str | None,
    *,
    really: bool,
    take_back: bool,
    listed: bool,
) -> Exit:
    """Run an agent now.

    Without --apply it shows what it would change, and what it would leave out. Each change cites what it comes from and
    is one commit, which clawgit undo takes back; it is not learnt again then. The memory miner reads what triage
    flagged, then the conversations that clawgit session import brought in, from where it ended the last time. The
    conflict detector holds the memories that changed in the last day against those like them. The soul keeper reads
    what you said of the agent's conduct in private, and edits a line of its soul at a time; --file names it. The
    memory compactor moves journals that are old enough into the chronicle of their month, unless compaction in
    CONFIG.md is off, and lines of clawgit's that faded out of the memory file; lines of others it proposes, at most
    five a week. COMPACTION_LOG.md says how each comes back.

    Where a model is set up (clawgit model) it reads for the miner, the keeper, the validator and the detector,
    and clawgit checks each of its claims against the words that it cites. Without one the miner keeps what you asked
    for in so many words, whole, and the keeper proposes your standing orders. By schedule one reading serves all four;
    this command keeps the operations of the agent that it names. --export writes the next batch for a reader of your
    own, and --answer takes its answer; until then nobody else reads it, for a week, and a run exits with 3.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        if listed or not name:
            _list(call, workspace, listed=listed)
            return Exit.DONE

        found = agents.find(name)
        if path is not None and found != "soul-keeper":
            raise options_conflict("--file is for the soul keeper", fix=Command("clawgit run {}", name))
        if since is not None and found == "memory-compactor":
            raise options_conflict("memory-compactor goes by compaction_age_days", fix=Command("clawgit run {}", name))
        start = None if since is None else start_of(since, workspace.now().tzinfo).timestamp()
        for kept in kept_readings.load_all(workspace.store).values() if take_back else ():
            if kept.out and kept.batch.agent == found:
                waiting_batches.drop(workspace.store, kept.batch.id)
        return did(call, workspace, Wanted(found, start, path, export, answer, really))


def _by_rules(call: Call, workspace: Workspace, wanted: Wanted) -> None:
    """Have an agent work without a voice."""
    with untainted_chats.opened(workspace, os.environ, reading=True) as store:
        workspace.conversations = partial(turn_lookup.turn, store)
        really = wanted.really
        agent = agents.agent(workspace, store, wanted.name, start=wanted.start, applying=really)
        result = running.apply(agent, workspace) if really else running.preview(agent, workspace)
        if really:
            result.notes += agents.settle(workspace, agent, result)
    run_output.tell_result(call.out, result, applied=really)


def _list(call: Call, workspace: Workspace, *, listed: bool) -> None:
    if not listed:
        raise option_missing("say which agent is to run", fix=Command("clawgit run --list"))
    last = {one.agent: to_builtins(one) for one in run_ledger.ledger(workspace.store)}
    known = [{"agent": name, "does": does, "last": last.get(name)} for name, does in agents.AGENTS.items()]
    call.out.answer(known, shown="agent ended=last.ended read=last.read error=last.error does")
