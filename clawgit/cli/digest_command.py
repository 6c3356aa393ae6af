"""`clawgit digest`."""

import os
from datetime import date, datetime
from typing import NamedTuple

import click
from msgspec.structs import replace

from clawgit.cli import agent_choice
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import DocumentedCommand
from clawgit.cli.options import Since, agent_options, answering, choose_agents
from clawgit.cli.text_lines import Span, line
from clawgit.errors import Exit
from clawgit.findings import digest_delivery, digest_text
from clawgit.findings.digest import digest as gather
from clawgit.findings.digest_delivery import Delivery
from clawgit.integrations.json_documents import Document, fields
from clawgit.language.iso_dates import start_of
from clawgit.schedule import runner_state
from clawgit.workspace.agent_workspaces import Home, Unread
from clawgit.workspace.workspace import Workspace


@click.command(
    cls=DocumentedCommand,
    examples=(
        "clawgit digest",
        "clawgit digest --since 2026-11-13",
        "clawgit digest --send",
        "clawgit digest --all-agents",
        "CLAWGIT_WEBHOOK_URL=https://chat.example/hooks/1 clawgit digest --send",
    ),
)
@click.option("--since", type=Since(), metavar="DATE", help="From DATE on, whatever was sent before.")
@click.option("--send", "really", is_flag=True, help="Deliver it, unless it is empty or was told before.")
@agent_options
@answering
def digest(call: Call, since: date | datetime | None, agent: str | None, *, really: bool, all_agents: bool) -> int:
    """Print the news on one page: done, changed, waiting, due.

    What waits for you, changes of the identity with their words, memories, corrections, conflicts, what was removed,
    what the agents did and cost; each with the command that decides it or takes it back. Since the last digest that was
    sent, at first since the workspace was adopted, and since a day ago at least. No secrets are in it, and words
    that came from outside are counted, but for those that stand in the identity.

    It is sent by digest_command in CONFIG.md, else to the webhook that CLAWGIT_WEBHOOK_URL names; where neither is set,
    it is kept in a file, and the changelog is rendered. What fails is told in a note; nothing is sent twice.

    With --all-agents there is one for each agent of OpenClaw, sent as its own CONFIG.md says.
    """
    choose_agents(call, agent, every=all_agents)
    if not all_agents:
        with call.workspace() as workspace:
            made = _made(workspace, since, really=really)
            is_run = not workspace.managed or runner_state.holder(workspace.repo.commondir / "clawgit") is not None
        _tell(call, made)
        if not (really or call.out.as_json or is_run):
            call.out.note("no runner is at work here: no digest is sent by itself; clawgit schedule install --apply")
        return Exit.DONE
    every = list(agent_choice.each(call, lambda _, workspace: _made(workspace, since, really=really)))
    if call.out.as_json:
        call.out.document([_of(one) for one in every])
    for one in every if not call.out.as_json else ():
        call.out.lines([line(Span(one[0].name if isinstance(one, tuple) else one.name, "bold"))])
        if isinstance(one, tuple):
            _tell(call, one[1])
        else:
            call.out.lines([line(f"unknown: {one.why}"), line(str(one.fix))])
    return Exit.DONE if any(isinstance(one, tuple) for one in every) else Exit.FAILED


class _Made(NamedTuple):
    """A digest: as JSON has it, for people, and what became of it."""

    document: Document
    text: str
    done: Delivery | None


def _made(workspace: Workspace, since: date | datetime | None, *, really: bool) -> _Made:
    now = workspace.now()
    if since is None:
        found = digest_delivery.since_last(workspace, now)
    else:
        start = start_of(since, now.tzinfo)
        found = gather(workspace, start, now)
    shown = digest_delivery.behind_last(workspace, found) if since is None else found
    done = digest_delivery.send(workspace, found, os.environ) if really else None
    delivery = fields(done, "outcome by? words file?") if done else None
    document = {**digest_text.document(replace(found, settled=shown.settled)), "delivery": delivery}
    return _Made(document, "" if done else digest_text.render(shown), done)


def _tell(call: Call, made: _Made) -> None:
    if call.out.as_json:
        call.out.document(made.document)
    elif made.done is None:
        call.out.verbatim(made.text)
    elif made.done.outcome in ("refused", "unsure"):
        call.out.warn(made.done.words)
    else:
        call.out.lines([line(made.done.words)])


def _of(one: tuple[Home, _Made] | Unread) -> Document:
    if not isinstance(one, tuple):
        return one.document
    home, made = one
    return {"agent": home.agents[0], "agents": list(home.agents), **made.document}
