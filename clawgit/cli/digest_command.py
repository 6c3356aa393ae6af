"""`clawgit digest`."""

import os
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import click

from clawgit.cli import agent_choice
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Since, agent_options
from clawgit.cli.text_lines import Span, line
from clawgit.errors import Exit
from clawgit.findings import digest_delivery, digest_text
from clawgit.findings.digest import digest as gather
from clawgit.json_documents import fields, map_documents
from clawgit.language.dates import start_of
from clawgit.schedule import runner_state
from clawgit.workspace.workspace import Workspace


@command(
    "clawgit digest",
    "clawgit digest --since 2026-11-13",
    "clawgit digest --send",
    "clawgit digest --all-agents",
    "CLAWGIT_WEBHOOK_URL=https://chat.example/hooks/1 clawgit digest --send",
)
@click.option("--since", type=Since(), metavar="DATE", help="From DATE on, whatever was sent before.")
@click.option("--send", "really", is_flag=True, help="Deliver it, unless it is empty or was told before.")
@agent_options
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
    agent_choice.choose(call, agent, every=all_agents)
    if not all_agents:
        with call.workspace() as workspace:
            document = _make(workspace, since, really=really)
            is_run = not workspace.managed or runner_state.holder(workspace.repo.commondir / "clawgit") is not None
        if call.out.as_json:
            call.out.document(document)
        else:
            _tell(call, document)
        if not (really or call.out.as_json or is_run):
            call.out.note("no runner is at work here: no digest is sent by itself; clawgit schedule install --apply")
        return Exit.DONE
    pairs = agent_choice.look_at_each_workspace(call, lambda _, workspace: _make(workspace, since, really=really))
    documents = [agent_choice.describe(result) for result in pairs]
    if call.out.as_json:
        call.out.document(documents)
    for item in documents if not call.out.as_json else ():
        call.out.lines([line(Span(", ".join(item["agents"]), "bold"))])
        if item.get("unknown"):
            call.out.lines([line(f"unknown: {item['why']}"), line(item["fix"])])
        else:
            _tell(call, item)
    return Exit.FAILED if all(item.get("unknown") for item in documents) else Exit.DONE


def _make(workspace: Workspace, since: date | datetime | None, *, really: bool) -> dict[str, Any]:
    """Return a digest in its JSON form, with its text, and its outcome if it was sent."""
    now = workspace.now()
    if since is None:
        news = digest_delivery.since_last(workspace, now)
    else:
        news = gather(workspace, start_of(since, now.tzinfo), now)
    page = digest_delivery.follow_last(workspace, news) if since is None else news
    sent = digest_delivery.send(workspace, news, os.environ) if really else None
    delivery = fields(sent, "outcome by? words file?") if sent else None
    names = "text details command?"
    return {
        **fields(news, "id workspace since until head empty", settled=list(page.settled)),
        "last": fields(news.last, names) if news.last else None,
        **{part.name: map_documents(part.items, names) for part in news.parts},
        "unquoted": {part.name: part.unquoted for part in news.parts if part.unquoted},
        "text": digest_text.render(page),
        "delivery": delivery,
    }


def _tell(call: Call, document: Mapping[str, Any]) -> None:
    delivery = document["delivery"]
    if delivery is None:
        call.out.verbatim(document["text"])
    elif delivery["outcome"] in ("refused", "unsure"):
        call.out.warn(delivery["words"])
    else:
        call.out.lines([line(delivery["words"])])
