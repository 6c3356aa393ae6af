"""`clawgit openclaw`."""

from collections.abc import Iterable, Iterator

import click

from clawgit.cli.call import Call
from clawgit.cli.hooks_commands import program
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import answering
from clawgit.cli.output import Line, Span, fixed, labelled, line
from clawgit.errors import ClawgitError, Exit
from clawgit.integrations import json_documents
from clawgit.integrations.json_documents import Document, each
from clawgit.integrations.openclaw import openclaw_connection, openclaw_install, openclaw_target
from clawgit.integrations.openclaw import openclaw_connection as stands
from clawgit.integrations.openclaw.config_part import Done, Part
from clawgit.integrations.openclaw.install_plan import Plan, carry_out
from clawgit.integrations.openclaw.openclaw_target import Target, Way, target
from clawgit.workspace.workspace import Workspace

_WIDTH = 16
_ACTS = {
    "installed": "is put in place",
    "renewed": "is written anew",
    "kept": "stays as it is",
    "removed": "is taken away",
    "left": "is left alone",
}
_RESTART = "OpenClaw takes it up when it starts: openclaw gateway restart"

dry_option = click.option("--dry-run", is_flag=True, help="Name what would be done and in which files; touch nothing.")


@click.group(cls=Group)
def openclaw() -> None:
    """Connect the workspace with the OpenClaw that works in it.

    A plugin hears what the operator says, gives each turn what is remembered of its question, and gives the agent
    tools; a skill tells it when to use them. Where OpenClaw is older than the plugin, a hook and an MCP server do.
    """


@openclaw.command(examples=("clawgit openclaw install --dry-run", "clawgit openclaw install"))
@click.option(
    "--with",
    "way",
    type=click.Choice(("plugin", "hook")),
    help="By a plugin, or by a hook and an MCP server.  [default: the plugin, from OpenClaw 2026.9.6 on]",
)
@dry_option
@answering
def install(call: Call, way: Way | None, *, dry_run: bool) -> int:
    """Connect OpenClaw with this workspace.

    The plugin goes to OpenClaw's folder of extensions, its entry into openclaw.json, where comments and every other
    byte stay; where that is not safe, the line to add is printed instead. The entry has allowConversationAccess: what a
    turn is about is in the conversation. An older OpenClaw gets a hook and an MCP server; --with decides, and is
    remembered. There is never more than one of both. The skill goes into the plugin, or, where agents of other
    workspaces would see it, is committed to skills/clawgit. Each file outside the workspace is named before it is
    written. If something fails, all is as before.

    Exits with 3 when the plugin or its entry, or the hook or its, is left to you: OpenClaw is not connected until then.
    """
    with call.workspace() as workspace:
        target = openclaw_connection.wanted(_target(workspace), openclaw_target.load(workspace), way)
        plan = openclaw_install.installing(target, way or "")
        _follow(call, plan, dry_run=dry_run)
    needed = (target.way, f"{target.way} setting")
    return Exit.FOUND if any(one.act == "left" and one.name in needed for one in plan.done) else Exit.DONE


@openclaw.command(examples=("clawgit openclaw uninstall --dry-run", "clawgit openclaw uninstall"))
@dry_option
@answering
def uninstall(call: Call, *, dry_run: bool) -> None:
    """Take the connection away.

    openclaw.json gets back the bytes that it had; where somebody has written to it since, our values alone are taken
    out. What was edited by hand stays, and is named.
    """
    with call.workspace() as workspace:
        _follow(call, openclaw_install.removing(_standing(workspace)), dry_run=dry_run)


@openclaw.command(examples=("clawgit openclaw status", "clawgit openclaw status --json"))
@answering
def status(call: Call) -> None:
    """Show how each part of the connection stands.

    installed, missing, outdated, edited by somebody, foreign, off, or unfit for this OpenClaw.
    """
    with call.workspace() as workspace:
        target = _standing(workspace)
        found = stands.status(target)
    parts = each(found, "part=name state path=place note fix")
    call.out.answer(lambda: {**_whose(target), "parts": parts}, _stands(found), indent=_WIDTH)


def parting(workspace: Workspace) -> Plan | None:
    """Return how the connection would be taken away, as part of something larger; None where there is none."""
    try:
        plan = openclaw_install.removing(_standing(workspace))
    except ClawgitError:  # there is no OpenClaw here, or it works elsewhere
        return None
    return plan if any(one.act == "removed" for one in plan.done) else None


def removed(plan: Plan | None) -> list[str]:
    """Return what a plan takes away, for people."""
    return [f"OpenClaw's {one.name} {one.place}" for one in plan.done if one.act == "removed"] if plan else []


def part(call: Call, plan: Plan) -> None:
    """Take the connection away, and name what stays."""
    carry_out(plan)
    for one in plan.done:
        if one.act == "left":
            call.out.note(f"{one.name} stays: {one.place}: {one.note}")


def _target(workspace: Workspace) -> Target:
    return target(workspace, program())


def _standing(workspace: Workspace) -> Target:
    """Return what is connected, by the way by which it is."""
    return openclaw_connection.found(_target(workspace), openclaw_target.load(workspace))


def _follow(call: Call, plan: Plan, *, dry_run: bool) -> None:
    """Name what the plan touches, then carry it out."""
    for problem in plan.target.host.problems:
        call.out.warn(problem)
    verb = "would write to" if dry_run else "writes to"
    for place in plan.outside:
        call.out.note(f"{verb} {place}")
    if not call.out.as_json:
        call.out.lines(_becomes(plan.done), indent=_WIDTH)
        call.out.flush()
    applied = None if dry_run else carry_out(plan)
    for words in applied.notes if applied else ():
        call.out.note(words)
    if call.out.as_json:
        reason = "nothing was touched" if dry_run else json_documents.NOTHING
        change = json_documents.changed(applied) if applied else {"commit": None, "reason": reason}
        parts = each(plan.done, "part=name act path=place note fix")
        call.out.document({**_whose(plan.target), "parts": parts, "outside": list(map(str, plan.outside)), **change})
    elif applied and applied.commit and plan.skill:
        call.out.lines([line(Span(applied.commit[:10], "yellow"), f" {plan.skill.subject}")])
    if plan.outside and not dry_run:
        call.out.note(_RESTART)


def _whose(target: Target) -> Document:
    agents = [agent.id for agent in target.agents]
    return {"workspace": str(target.root), "agents": agents, "config": str(target.host.config.path), "way": target.way}


def _stands(found: Iterable[Part]) -> Iterator[Line]:
    for part in found:
        yield labelled(part.name, _WIDTH, f"{part.state:<11}", Span(str(part.place), "dim"), style="bold")
        yield from _more(part)


def _becomes(done: Iterable[Done]) -> Iterator[Line]:
    for one in done:
        yield labelled(one.name, _WIDTH, _ACTS[one.act], Span(f"  {one.place}", "dim"), style="bold")
        yield from _more(one)


def _more(one: Part | Done) -> Iterator[Line]:
    if one.note:
        yield line(" " * _WIDTH, one.note)
    if one.fix:
        yield fixed(_WIDTH, one.fix)
