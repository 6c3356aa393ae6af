"""`clawgit run`."""

import os
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from clawgit.agents import agents, outside_reader, reading_landing, reading_run
from clawgit.agents.reading_landing import Outcome
from clawgit.agents.running import Result
from clawgit.cli import run_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Since, Words
from clawgit.cli.text_lines import count_noun
from clawgit.errors import Command, Exit, agent_unknown, option_missing, options_conflict
from clawgit.language.dates import start_of
from clawgit.llm import voices
from clawgit.llm.model import Budget
from clawgit.reading.operations import ROLES
from clawgit.sessions import chat_store
from clawgit.workspace import run_ledger, waiting_batches
from clawgit.workspace.workspace import Workspace


@command(
    "clawgit run memory-miner",
    "clawgit run memory-miner --export batch.json",
    "clawgit run memory-miner --answer answer.json --apply",
    "clawgit run --list",
    apart={"export": "answer really"},
)
@click.argument("name", type=Words(), required=False)
@click.option("--apply", "really", is_flag=True, help="Do it: one commit for each change.")
@click.option("--since", type=Since(), metavar="DATE", help="Look at text from DATE on, whether read before or not.")
@click.option(
    "--export", type=Words(), metavar="FILE", help="Write the text to be read next to FILE, for a reader of yours."
)
@click.option("--answer", type=Words(), metavar="FILE", help="Check that reader's answer; with --apply land it.")
@click.option("--take-back", is_flag=True, help="First take back unanswered text of --export.")
@click.option("--list", "listed", is_flag=True, help="Name the agents and their last runs.")
def run(
    call: Call,
    name: str | None,
    since: date | datetime | None,
    export: str | None,
    answer: str | None,
    *,
    really: bool,
    take_back: bool,
    listed: bool,
) -> Exit:
    """Run an agent now.

    Without --apply it shows the changes and the omissions. Each change cites its source and is one commit that `clawgit
    undo` reverts; it is not learnt again then. The memory miner reads new conversations; the conflict detector compares
    the memories of the last day with similar ones; the soul keeper reads your words on the agent's conduct; the memory
    compactor archives old journals and faded lines, unless compaction in CONFIG.md is off.

    With a model (see `clawgit model`) clawgit checks each of its claims against the cited words. Without one the miner
    keeps only plain requests, whole, and the keeper proposes your standing orders. --export writes the next batch for a
    reader of your own, and --answer takes its answer; until then nobody else reads it, for a week, and a run exits with
    3.
    """
    with call.workspace(managed=True) as workspace:
        if listed:
            last = {item.agent: to_builtins(item) for item in run_ledger.ledger(workspace.store)}
            documents = [
                {"agent": agent, "does": does, "last": last.get(agent)} for agent, does in agents.AGENTS.items()
            ]
            call.out.answer(documents, shown="agent ended=last.ended read=last.read error=last.error does")
            return Exit.DONE
        if not name:
            raise option_missing("say which agent is to run", fix=Command("clawgit run --list"))
        agent = agents.find(name)
        if since is not None and agent == "memory-compactor":
            raise options_conflict("memory-compactor goes by compaction_age_days", fix=Command("clawgit run {}", name))
        if (export or answer) is not None and agent not in ROLES:
            names, fix = ", ".join(sorted(ROLES)), Command("clawgit run memory-miner --export batch.json")
            raise agent_unknown(f"only {names} read batches", fix=fix)
        for kept in reading_landing.load_all(workspace.store).values() if take_back else ():
            if kept.decided is None and kept.batch.agent == agent:
                waiting_batches.drop(workspace.store, kept.batch.id)
        start = None if since is None else start_of(since, workspace.now().tzinfo).timestamp()
        options: dict[str, Any] = {"start": start, "budget": Budget(int(workspace.config.value("run_tokens")))}
        with chat_store.open_untainted(workspace, os.environ, reading=True) as store:
            workspace.conversations = store.turn
            if export is not None:
                reading = reading_run.make_reading(workspace, store, agent, None, **options)
                _export(call, reading, agent, Path(export).expanduser())
            elif answer is not None:
                voice = voices.choose(workspace.config.value, os.environ, workspace.store).voice
                reading = reading_run.make_reading(workspace, store, agent, voice, **options)
                given = outside_reader.read_file(reading, Path(answer).expanduser())
                outcome = outside_reader.land(reading, given) if really else reading.lander.show(given, Outcome(agent))
                run_output.tell_outcome(call.out, outcome, applied=really)
            else:
                result = agents.run(workspace, store, agent, is_applied=really, **options)
                return _tell(call, workspace, result, applied=really)
    return Exit.DONE


def _tell(call: Call, workspace: Workspace, result: Result, *, applied: bool) -> Exit:
    """Show what became of what an agent proposed, and what somebody else is to read."""
    if not isinstance(result, Outcome):
        run_output.tell_result(call.out, result, applied=applied)
        return Exit.DONE
    waits = waiting_batches.waiting(workspace.store, workspace.clock())
    handed_out = [wait for wait in waits if (wait.kind, wait.agent) == ("out", result.agent)]
    run_output.tell_outcome(call.out, result, handed_out, applied=applied)
    return Exit.FOUND if handed_out else Exit.DONE


def _export(call: Call, reading: reading_run.Reading, agent: str, place: Path) -> None:
    """Write the next batch of an agent to a file, and print the next step."""
    result = outside_reader.export(reading, place)
    batch, file = (result.batch.id, str(place)) if result else (None, None)
    call.out.answer({"agent": agent, "batch": batch, "file": file})
    if result is None:
        call.out.note("nothing to do: there is nothing new to read")
    else:
        call.out.note(f"{count_noun(len(result.batch.turns), 'turn')}; it holds what was said in private")
        call.out.note(
            f'have it read, and write the answer as its key "answer" says, with "id": "{result.batch.id}"; then: '
            f"clawgit run {agent} --answer FILE --apply"
        )
