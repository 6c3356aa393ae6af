"""`clawgit doctor`, `clawgit audit` and `clawgit digest`."""

import os
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from clawgit import clock
from clawgit.cli import agent_choice, render
from clawgit.cli.call import Call, looks_like_workspace
from clawgit.cli.hooks_commands import program
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Since, agent_options
from clawgit.cli.output import progress
from clawgit.cli.text_lines import HANG, Line, Span, count_noun, fixed, line
from clawgit.connect import git_hooks, merge_driver
from clawgit.errors import ClawgitError, Exit
from clawgit.findings import audit as auditing
from clawgit.findings import digest as digests
from clawgit.findings import digest_delivery
from clawgit.findings.checks.repository_checks import OWNERSHIP, check_git
from clawgit.findings.registry import Finding, Ground, examine
from clawgit.findings.status import CHECKS
from clawgit.git import repository
from clawgit.json_documents import fields, map_documents
from clawgit.language.dates import start_of
from clawgit.safety.redaction import redacted
from clawgit.schedule import runner_state
from clawgit.sessions import know_sessions
from clawgit.workspace.workspace import Workspace, open_workspace, refuse_wrong

_WIDTH = 19


@command("clawgit doctor", "clawgit doctor --fix", "clawgit doctor --json")
@click.option(
    "--clock-is-right", "right", is_flag=True, help="Say that this machine's clock is right, whatever it was before."
)
@click.option(
    "--fix",
    is_flag=True,
    help="Make safe repairs: interrupted writes, stale index entries, locks that a dead git left.",
)
def doctor(call: Call, *, fix: bool, right: bool) -> int:
    """List every finding, and make safe repairs.

    Nothing is repaired without --fix. Exits with 3 when something is found. While the clock may be wrong nothing is
    removed by its age, such as old journals: --clock-is-right ends that.
    """
    folder = call.place()
    if right:
        workspace = open_workspace(folder)
        workspace.require_managed()
        clock.confirm(workspace.repo, workspace.clock())
    findings = []
    with progress(call.out, "reading history") as report_progress:
        for finding in _examine(folder, report_progress, fix=fix):
            findings.append(finding)
            if not call.out.as_json:
                call.out.lines(_draw_finding(finding))
    bad = sum(not finding.ok for finding in findings)
    if call.out.as_json:
        call.out.documents(map_documents(findings, "check ok message fix repaired key level paths line"))
    else:
        call.out.note(f"{count_noun(bad, 'thing')} to look at" if bad else "all is well")
    return Exit.FOUND if bad else Exit.DONE


def _examine(folder: Path, report: Callable[[int, int], None], *, fix: bool) -> Iterator[Finding]:
    """Yield the result of each check; for a folder without a repository, of those that apply."""
    try:
        workspace = Workspace(repository.find(folder))
        if looks_like_workspace(folder) and not looks_like_workspace(workspace.root):
            refuse_wrong(folder, "adopt")
    except ClawgitError as exc:
        for finding in (*check_git(), Finding(exc.key, exc.message, exc.fix)):
            yield replace(finding, check="git" if finding.ok else "repository")
        return
    know_sessions(workspace)
    checks = (*CHECKS, git_hooks.check(program()), merge_driver.check(program()), OWNERSHIP)
    yield from examine(checks, Ground(workspace, report), fix=fix)


def _draw_finding(finding: Finding) -> Iterator[Line]:
    mark = Span("•", "yellow") if finding.fix else Span("✓", "green")
    if not finding.ok:
        mark = Span("✗", "red" if finding.level == "alarm" else "yellow")
    message = f"repaired: {finding.message}" if finding.repaired else finding.message
    yield line(mark, " ", Span(f"{finding.check:<{_WIDTH}}", "bold"), "  ", HANG, message)
    if finding.fix:
        yield fixed(_WIDTH + 4, finding.fix)


_MAX_OF_A_PART = 12


@command("clawgit audit", "clawgit audit --json")
def audit(call: Call) -> None:
    """Score the memory, and list its doubtful lines.

    Every entry of the memory file, of topic files and of journals is examined. Each line comes with the reason and a
    command that helps. The score is 100 less the weighted shares of the findings.
    """
    with call.workspace(managed=True) as workspace:
        result = auditing.audit(workspace)
        scores = auditing.history(workspace)
        if not call.reads_only:
            auditing.note(workspace, result)
    parts = [
        {
            **fields(part, "name looked", lost=round(part.lost, 2)),
            "found": [fields(flag, "path line text reason fix id", text=redacted(flag.text)) for flag in part.found],
        }
        for part in result.parts
    ]
    document = {**fields(result, "score entries unknown"), "parts": parts}
    call.out.answer({**document, "history": map_documents(scores, "day score found")}, _draw_audit(document))


def _draw_audit(document: dict[str, Any]) -> Iterator[Line]:
    """Yield the score, and the findings under the title of each part."""
    yield from render.draw_record(document, "score entries unknown")
    for part in document["parts"]:
        if count := len(part["found"]):
            suffix = f", {_MAX_OF_A_PART} of them here; --json has every one" if count > _MAX_OF_A_PART else ""
            yield line(Span(f"{count} {auditing.TITLES[part['name']]}{suffix}", "yellow"))
            yield from render.draw_table(part["found"][:_MAX_OF_A_PART], "path line text reason fix")


@command(
    "clawgit digest",
    "clawgit digest --send",
    "CLAWGIT_WEBHOOK_URL=https://chat.example/hooks/1 clawgit digest --send",
)
@click.option("--since", type=Since(), metavar="DATE", help="From DATE on, whatever was sent before.")
@click.option("--send", "really", is_flag=True, help="Deliver it, unless it is empty or was told before.")
@agent_options
def digest(call: Call, since: date | datetime | None, agent: str | None, *, really: bool, all_agents: bool) -> int:
    """Print the news on one page: done, changed, waiting, due.

    Since the last digest that was sent, and since a day ago at least. Each item comes with the command that decides or
    reverts it. No secrets are in it, and words from outside are counted only.

    --send hands it to digest_command of CONFIG.md, else to CLAWGIT_WEBHOOK_URL, else to a file, once.
    """
    agent_choice.choose(call, agent, every=all_agents)
    if all_agents:
        documents = agent_choice.describe_each_workspace(
            call, lambda workspace: _make_digest(workspace, since, really=really)
        )
        if call.out.as_json:
            call.out.document(documents)
        for item in () if call.out.as_json else documents:
            call.out.lines([line(Span(", ".join(item["agents"]), "bold"))])
            _tell_digest(call, item)
        return Exit.FAILED if all(item.get("unknown") for item in documents) else Exit.DONE
    with call.workspace() as workspace:
        document = _make_digest(workspace, since, really=really)
        is_run = not workspace.managed or runner_state.holder(workspace.repo.commondir / "clawgit") is not None
    if call.out.as_json:
        call.out.document(document)
        return Exit.DONE
    _tell_digest(call, document)
    if not (really or is_run):
        call.out.note("no runner is at work here: no digest is sent by itself; clawgit schedule install --apply")
    return Exit.DONE


def _make_digest(workspace: Workspace, since: date | datetime | None, *, really: bool) -> dict[str, Any]:
    """Return a digest in its JSON form, with its text, and its outcome if it was sent."""
    now = workspace.now()
    if since is None:
        news = digests.since_last(workspace, now)
    else:
        news = digests.digest(workspace, start_of(since, now.tzinfo), now)
    sent = digest_delivery.send(workspace, news, os.environ) if really else None
    names = "text details command?"
    return {
        **fields(news, "id workspace since until head empty", settled=list(news.settled)),
        "last": fields(news.last, names) if news.last else None,
        **{part.name: map_documents(part.items, names) for part in news.parts},
        "unquoted": {part.name: part.unquoted for part in news.parts if part.unquoted},
        "text": digest_delivery.render(news),
        "delivery": fields(sent, "outcome by? words file?") if sent else None,
    }


def _tell_digest(call: Call, document: Mapping[str, Any]) -> None:
    if document.get("unknown"):
        call.out.lines([line(f"unknown: {document['why']}"), line(document["fix"])])
    elif (delivery := document["delivery"]) is None:
        call.out.verbatim(document["text"])
    elif delivery["outcome"] in ("refused", "unsure"):
        call.out.warn(delivery["words"])
    else:
        call.out.lines([line(delivery["words"])])
