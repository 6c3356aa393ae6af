"""`clawgit connect`, `disconnect`, `mcp`, `hooks` and `server`."""

import contextlib
import gc
import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli import operator_input, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group, command
from clawgit.cli.options import Words
from clawgit.connect import git_hooks, openclaw_install, openclaw_target
from clawgit.connect.git_hooks import Hook
from clawgit.connect.openclaw_install import ConnectPlan, carry_out
from clawgit.connect.openclaw_target import target
from clawgit.connect.timers import find_other_timer
from clawgit.context.receipt import count_turns
from clawgit.errors import ClawgitError, Command, Exit, connection_broken
from clawgit.git.repository import Repository, find, find_bare
from clawgit.json_documents import Document, fields, map_documents
from clawgit.workspace import outgoing_secrets
from clawgit.workspace.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from clawgit.mcp.mcp_tools import Client


_RESTART = "OpenClaw takes it up when it starts: openclaw gateway restart"
_RIGHTS = "what OpenClaw loads runs with all its rights, and nobody at ClawHub has reviewed this: {}"

dry_option = click.option("--dry-run", is_flag=True, help="Name the planned steps and their files; touch nothing.")
host_argument = click.argument(
    "host", type=click.Choice(("openclaw",)), default="openclaw", required=False, metavar="[openclaw]"
)


@command("clawgit connect --dry-run", "clawgit connect", "clawgit connect openclaw --yes")
@host_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
@dry_option
def connect(call: Call, host: str, *, yes: bool, dry_run: bool) -> int:  # noqa: ARG001 - there is one
    """Connect your agent.

    A plugin hears the operator's messages, gives each turn the memory of its question, and gives the agent tools.
    OpenClaw's own installer links it; without `openclaw` on PATH or in OPENCLAW_CLI_PATH, openclaw.json is edited. It
    needs OpenClaw 2026.9.5 or newer. The files and permissions are shown first. Asks at a
    terminal; elsewhere --yes is needed. A failure changes nothing. Exits with 3 when the plugin or its entry is left to
    you.
    """
    with call.workspace() as workspace:
        connection_target = target(workspace, program())
        openclaw_install.require_version(connection_target)
        plan = openclaw_install.plan_install(connection_target)
        _follow_plan(call, plan, openclaw_target.capabilities(connection_target), dry_run=dry_run, agreed=yes)
        if not dry_run and (fix := find_other_timer(connection_target.host)):
            call.out.note(f"neither systemd nor cron is on this machine; to have the rest done by itself: {fix}")
    is_left = any(item.state == "left" and item.name in openclaw_install.NEEDED for item in plan.done)
    return Exit.FOUND if is_left else Exit.DONE


@command("clawgit disconnect --dry-run", "clawgit disconnect")
@host_argument
@dry_option
def disconnect(call: Call, host: str, *, dry_run: bool) -> None:  # noqa: ARG001 - there is one
    """Remove the connection.

    openclaw.json gets back the bytes that it had; if somebody has set other values since, our values alone are taken
    out. Files edited by hand stay, and are named.
    """
    with call.workspace() as workspace:
        _follow_plan(call, openclaw_install.plan_uninstall(target(workspace, program())), dry_run=dry_run)


def describe_connection(workspace: Workspace) -> Document | None:
    """Return the state of the connection, None if no OpenClaw works in the workspace."""
    try:
        connection = openclaw_install.read_connection(target(workspace, program()))
    except ClawgitError:
        unknown: Document = {
            "state": "unknown",
            "seen": None,
            "fix": "clawgit doctor",
            "unanswered": 0,
            "turns": 0,
            "parts": [],
        }
        return unknown if workspace.host.problems else None
    parts = map_documents(connection.parts, "part=name state path=place note fix")
    counts = dict(zip(("unanswered", "turns"), count_turns(workspace.store), strict=True))
    return {**fields(connection, "state seen? fix"), **counts, "parts": parts}


def plan_removal(workspace: Workspace) -> ConnectPlan | None:
    """Return the plan to disconnect as part of something larger; None if there is nothing connected."""
    try:
        plan = openclaw_install.plan_uninstall(target(workspace, program()))
    except ClawgitError:  # there is no OpenClaw here, or it works elsewhere
        return None
    return plan if any(item.state == "removed" for item in plan.done) else None


def remove_connection(call: Call, plan: ConnectPlan) -> None:
    """Disconnect, and name the remaining files."""
    _carry_out(call, plan)
    for item in plan.done:
        if item.state == "left":
            call.out.note(f"{item.name} stays: {item.place}: {item.note}")


def _follow_plan(
    call: Call, plan: ConnectPlan, asks: Sequence[str] = (), *, dry_run: bool, agreed: bool = True
) -> None:
    """Name the changes of the plan and its `asks`, ask the operator unless he `agreed`, then carry it out."""
    parts = map_documents(plan.done, "part=name act=state path=place note fix")
    for problem in plan.target.host.problems:
        call.out.warn(problem)
    for place in plan.outside:
        call.out.note(f"{'would write to' if dry_run else 'writes to'} {place}")
    if plan.calls:
        call.out.note(f"{'would run' if dry_run else 'runs'} {shlex.join(plan.calls)}")
    if asks and plan.outside:
        call.out.note(_RIGHTS.format("; ".join(asks)))
    if not call.out.as_json:
        call.out.lines(render.draw_table(parts))
        call.out.flush()
    if (plan.outside or plan.calls) and not (dry_run or agreed):
        operator_input.confirm(call.out, (), "go on?", "connect", Command("clawgit connect --yes"))
    if not dry_run:
        _carry_out(call, plan)
    if call.out.as_json:
        document = {
            "workspace": str(plan.target.root),
            "agents": [agent.id for agent in plan.target.agents],
            "config": str(plan.target.host.config.path),
            "way": "plugin",
            "parts": parts,
            **fields(plan, "outside runs=calls"),
            "asks": list(asks),
        }
        call.out.document(document)
    if plan.outside and not dry_run:
        call.out.note(_RESTART)


def _carry_out(call: Call, plan: ConnectPlan) -> None:
    if failure := carry_out(plan):
        call.out.warn(failure.message, failure.fix)


@command(
    "clawgit mcp --print-config openclaw",
    "clawgit mcp --print-config claude --read-only",
    "CLAWGIT_WORKSPACE=~/.openclaw/workspace clawgit mcp",
    has_json=False,
)
@click.option("--read-only", is_flag=True, help="Offer only tools that read.")
@click.option(
    "--print-config",
    "client",
    type=click.Choice(("openclaw", "claude", "cursor")),
    help="Print the configuration for this client, and serve nothing.",
)
@click.option("--gateway", is_flag=True, help="Serve the plugin in OpenClaw, which says whose words a message is.")
def mcp(call: Call, client: "Client | None", *, read_only: bool, gateway: bool) -> None:
    """Serve other agents, over the Model Context Protocol.

    A client starts this command and talks to it over stdin and stdout. The tools search, read and explain the memory,
    keep one, suggest a correction, and propose a change of the identity; their writes are the agent's, never the
    operator's. --gateway adds tools that hear a message as the operator's: never give that to an agent.
    """
    workspace = open_workspace(call.place())
    if client:
        from clawgit.mcp.mcp_tools import WHERE, snippet  # noqa: PLC0415

        call.out.note(f"this belongs into {WHERE[client]}")
        call.out.document(snippet(client, program(), workspace.root, read_only=read_only))
        return
    from clawgit.mcp import mcp_server  # noqa: PLC0415 - 0.5 s
    from clawgit.mcp.tool_arguments import make_rooms  # noqa: PLC0415

    if gateway:
        from clawgit.connect.openclaw_target import CONTACT  # noqa: PLC0415

        with contextlib.suppress(ClawgitError):  # a disk that is full keeps nobody from being served
            workspace.store.save_document(CONTACT, workspace.now().isoformat(timespec="seconds"))
    gc.freeze()  # what is loaded stays: to look through it again takes longer than a search
    gc.enable()  # `main` turns it off for processes that end at once
    rest: Exception | None = None
    try:
        mcp_server.serve(make_rooms(workspace.root, read_only=read_only, gateway=gateway))
    # anyio raises the errors of its tasks as a group.
    except* OSError as faults:
        call.out.abandon()
        rest = faults.split(BrokenPipeError)[1]  # without that one: the client has left
    while isinstance(rest, ExceptionGroup):
        rest = rest.exceptions[0]
    if rest:
        fix = Command("clawgit mcp --print-config openclaw", note="how a client starts it")
        raise connection_broken(f"the connection to the client broke: {rest}", fix=fix) from rest


@click.group(cls=Group)
def hooks() -> None:
    """Let git check commits and pushes, and merge memory.

    pre-commit refuses secrets in staged Markdown, post-commit renders the changelog, pre-push refuses secrets. An
    existing hook goes on running.
    """


@hooks.command(examples=("clawgit hooks install", "clawgit hooks install --force"))
@click.option("--force", is_flag=True, help="Also if the hooks belong to the project or to all your repositories.")
def install(call: Call, *, force: bool) -> None:
    """Install the three hooks, and have git merge memory by entry and line.

    An existing hook is set aside, and runs as before. The merge driver is written to .git/config and
    .git/info/attributes.
    """
    with call.workspace(managed=True) as workspace:
        call.out.answer(documents(_install(workspace.repo, force=force)))


@hooks.command(examples=("clawgit hooks uninstall",))
def uninstall(call: Call) -> None:
    """Remove the hooks, and restore the former ones.

    A hook that another program has written since is left alone. Git merges as ever then.
    """
    repo = find(call.place())
    git_hooks.uninstall_driver(repo)
    call.out.answer(documents(git_hooks.uninstall_hooks(repo)))


fingerprints_argument = click.argument("fingerprints", nargs=-1, required=True, type=Words(), metavar="FINGERPRINT...")


@hooks.command(examples=("clawgit hooks allow 9b1c07aa42de",))
@fingerprints_argument
def allow(call: Call, fingerprints: tuple[str, ...]) -> None:
    """Let secrets be pushed.

    For false alarms and replaced secrets. FINGERPRINT is named by a refused commit or push, and by `clawgit status`. It
    is noted for this clone alone.
    """
    with call.workspace() as workspace:
        new = outgoing_secrets.allow(workspace.repo, fingerprints)
        if new and not operator_input.is_interactive():
            words = f"{', '.join(new)} may be pushed, a secret by its shape"
            workspace.trusted.note_unattended(words, workspace.clock())
    call.out.answer({"allowed": list(fingerprints), "new": list(new)})


def install_alongside(call: Call, repo: Repository) -> tuple[Hook, ...]:
    """Install the hooks as part of something larger, which a failure of theirs does not end; empty if they failed."""
    try:
        return _install(repo)
    except ClawgitError as exc:
        call.out.warn(f"no hooks were installed: {exc.message}", exc.fix)
        return ()


def _install(repo: Repository, *, force: bool = False) -> tuple[Hook, ...]:
    git_hooks.install_driver(repo, program())
    return git_hooks.install_hooks(repo, program(), force=force)


def program() -> Path:
    """Return the place of this command, for a hook that is run without our PATH."""
    # A virtual environment has the command beside its interpreter.
    neighbour = Path(sys.executable).with_name("clawgit")
    return neighbour if neighbour.exists() else Path(shutil.which("clawgit") or sys.argv[0]).absolute()


def documents(hooks: Iterable[Hook]) -> list[Document]:
    """Return the outcome of each hook as a document."""
    return map_documents(hooks, "hook=name act=state path=place chained=before")


_MB = 1 << 20

place_argument = click.argument(
    "repo", metavar="REPO.git", type=Words(), callback=lambda _ctx, _param, value: find_bare(Path(value).expanduser())
)


@click.group(cls=Group)
def server() -> None:
    """Guard a shared repository.

    A bare repository of git, reached by ssh or a folder, or behind Forgejo, Gitea or GitLab. Run these on the server,
    as the user of the hooks.
    """


@server.command(
    "install",
    examples=(
        "clawgit server install /srv/git/mira.git",
        "clawgit server install /srv/git/mira.git --max-push 200",
    ),
)
@place_argument
@click.option(
    "--max-push",
    "largest",
    type=click.IntRange(1),
    default=git_hooks.LARGEST_PUSH // _MB,
    show_default=True,
    metavar="MB",
    help="How much one push may have.",
)
def install_server(call: Call, repo: Repository, largest: int) -> None:
    """Install pre-receive.

    A push with a secret, or with purged text, is refused as a whole before it comes in. Git refuses to rewrite
    history, to delete a branch and to take damaged objects. A hook that was there goes on running.
    """
    call.out.answer({"hooks": documents(git_hooks.install_server_hook(repo, program(), largest=largest * _MB))})


@server.command("uninstall", examples=("clawgit server uninstall /srv/git/mira.git",))
@place_argument
def uninstall_server(call: Call, repo: Repository) -> None:
    """Remove the hooks and our settings, and restore the former ones."""
    call.out.answer(documents(git_hooks.uninstall_server_hook(repo)))


@server.command("allow", examples=("clawgit server allow /srv/git/mira.git 9b1c07aa42de",))
@place_argument
@fingerprints_argument
def allow_server(call: Call, repo: Repository, fingerprints: tuple[str, ...]) -> None:
    """Allow text that only looks like a secret.

    A refused push names its FINGERPRINT.
    """
    new = outgoing_secrets.allow(repo, fingerprints)
    call.out.answer({"allowed": list(fingerprints), "new": list(new)})
