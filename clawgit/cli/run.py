"""`clawgit run`."""

import os
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import click

from clawgit.cli import show_run
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command
from clawgit.cli.options import Words, json_option
from clawgit.errors import UsageError
from clawgit.llm import choose
from clawgit.llm.budget import Budget
from clawgit.resources import resource

if TYPE_CHECKING:
    from clawgit.agents.adviser import Adviser
    from clawgit.agents.by_rules import Reader
    from clawgit.agents.detecting.judging import Judge
    from clawgit.agents.proposal import Agent
    from clawgit.agents.running import Result
    from clawgit.sessions.chat_store import ChatStore
    from clawgit.workspace.workspace import Workspace


@click.command(
    cls=Command,
    examples=(
        "clawgit run memory-miner",
        "clawgit run memory-miner --apply",
        "clawgit run memory-miner --since 2026-03-01 --json",
        "clawgit run conflict-detector --apply",
        "clawgit run --list",
    ),
)
@click.argument("name", type=Words(), required=False)
@click.option("--apply", "really", is_flag=True, help="Do it: one commit for each change.")
@click.option("--since", type=Words(), metavar="DATE", help="Look at what is from DATE on, whatever was read before.")
@click.option("--list", "listed", is_flag=True, help="Name the agents, and what they did last.")
@json_option
@pass_call
def run(call: Call, name: str | None, since: str | None, *, really: bool, listed: bool) -> None:
    """Have an agent do its work now.

    Without --apply it shows what it would change, as a difference, and what it would leave out. Each change cites what
    it comes from and is one commit, which clawgit undo takes back; it is not learnt again then. The memory miner reads
    what triage flagged, then the conversations that clawgit session import brought in, from where it ended the last
    time. The conflict detector holds the memories that changed in the last day against those like them.
    """
    with call.workspace() as workspace:
        workspace.require_managed()
        if listed or not name:
            _list(call, workspace, listed=listed)
            return
        from clawgit.agents import roster, running  # noqa: PLC0415 - the help does without
        from clawgit.sessions import cited, stores  # noqa: PLC0415

        with stores.opened(workspace.state, os.environ, reading=True) as store:
            workspace.conversations = partial(cited.turn, store)
            agent = _agent(workspace, store, roster.find(name), since)
            result = running.apply(agent, workspace) if really else running.preview(agent, workspace)
            if really:
                _settle(workspace, agent, result)
        _show(call, result, applied=really)


def _settle(workspace: "Workspace", agent: "Agent", result: "Result") -> None:
    """Do what an agent leaves to be done when it has run."""
    from clawgit.agents import recall_validator  # noqa: PLC0415

    if isinstance(agent, recall_validator.RecallValidator):
        from clawgit.cli import validating  # noqa: PLC0415 - loads what a search needs

        result.notes += validating.settle(workspace, agent)


def _show(call: Call, result: "Result", *, applied: bool) -> None:
    from clawgit.cli import show_conflicts  # noqa: PLC0415

    shown = {"conflict-detector": show_conflicts.result}.get(result.agent, show_run.result)
    shown(call.out, result, applied=applied)


def _list(call: Call, workspace: "Workspace", *, listed: bool) -> None:
    from clawgit.agents import roster  # noqa: PLC0415
    from clawgit.workspace import runs  # noqa: PLC0415

    if not listed:
        raise UsageError("say which agent is to run", fix="clawgit run --list")
    show_run.agents(call.out, roster.AGENTS, {one.agent: one for one in runs.ledger(workspace.state)})


def _agent(workspace: "Workspace", store: "ChatStore", name: str, since: str | None) -> "Agent":
    """Return the agent called `name`, with all that it needs."""
    from clawgit.agents import conflict_detector, miner, recall_validator  # noqa: PLC0415

    start = None if since is None else _start(workspace, name, since)
    if name == conflict_detector.NAME:
        moment = None if start is None else datetime.fromtimestamp(start, workspace.now().tzinfo)
        return conflict_detector.ConflictDetector(_judge(workspace, name), start=moment)
    if name == recall_validator.NAME:
        from clawgit.cli import validating  # noqa: PLC0415 - loads what a search needs

        return validating.agent(workspace, store)
    assert name == miner.NAME
    return miner.MemoryMiner(store, _reader(workspace, name), start=start)


def _reader(workspace: "Workspace", name: str) -> "Reader":
    """Return what reads messages: the model that is configured, else rules."""
    from clawgit.agents.by_rules import ByRules  # noqa: PLC0415

    rules, adviser = ByRules(workspace), _adviser(workspace, name)
    if adviser is None:
        return rules
    from clawgit.agents.by_model import ByModel  # noqa: PLC0415

    return ByModel(adviser, rules)


def _judge(workspace: "Workspace", name: str) -> "Judge":
    """Return what compares memories: the model that is configured, else rules."""
    from clawgit.agents.detecting import by_model, judging  # noqa: PLC0415

    adviser = _adviser(workspace, name)
    return by_model.ByModel(adviser) if adviser else judging.ByRules()


def _adviser(workspace: "Workspace", name: str) -> "Adviser | None":
    """Return the model that is configured, with the workspace's own prompt for this agent; None without one."""
    value, budget = workspace.config.value, Budget()
    model = choose.model(value("llm_model"), value("llm_command"), os.environ, budget)
    if model is None:
        return None
    from clawgit.agents.adviser import Adviser  # noqa: PLC0415
    from clawgit.llm.answers import Answers  # noqa: PLC0415 - loads sqlite3

    path = f"agents/{name}/SOUL.md"
    prompt = workspace.read(path) or resource(f"templates/{path}").read_text("utf-8")
    return Adviser(model, budget, Answers(workspace.state.parent / "cache" / "answers.db"), prompt)


def _start(workspace: "Workspace", name: str, since: str) -> float:
    from clawgit.text.dates import parse_date, start_of  # noqa: PLC0415

    day = parse_date(since)
    if day is None:
        raise UsageError(f"{since!r} is no date", fix=f"clawgit run {name} --since 2026-03-01")
    return start_of(day, workspace.now().tzinfo).timestamp()
