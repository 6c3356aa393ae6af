"""Every command, and what stands before it."""

import click
from click.core import ParameterSource

from clawgit import __version__
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Group, Listed, print_and_exit
from clawgit.cli.output import Colour
from clawgit.errors import UsageError

COMMANDS = {
    "init": Listed("clawgit.cli.init:init", "Make a folder a managed workspace."),
    "adopt": Listed("clawgit.cli.adopt:adopt", "Make a folder that an agent lives in already a managed workspace."),
    "eject": Listed("clawgit.cli.eject:eject", "Give a workspace back: take away what clawgit brought."),
    "status": Listed("clawgit.cli.status:status", "Show how the workspace stands."),
    "capture": Listed("clawgit.cli.capture:capture", "Commit what others wrote."),
    "doctor": Listed("clawgit.cli.doctor:doctor", "Look for what is broken, and repair what is safe to repair."),
    "log": Listed("clawgit.cli.log:log", "Show what happened, and why."),
    "why": Listed("clawgit.cli.why:why", "Tell where a line came from, and why."),
    "undo": Listed("clawgit.cli.undo:undo", "Take one change back; what came later stays."),
    "restore": Listed("clawgit.cli.restore:restore", "Bring back a file, a section or an entry."),
    "soul": Listed("clawgit.cli.soul:soul", "Show, compare, edit and revert the identity; decide what waits."),
    "trust": Listed("clawgit.cli.trust:trust", "Show what differs from what you approved, and approve it."),
    "review": Listed("clawgit.cli.review:review", "Show what nobody approved of the identity; pause its keeper."),
    "quarantine": Listed("clawgit.cli.quarantine:quarantine", "Decide about what was taken out of the identity."),
    "memory": Listed("clawgit.cli.memory:memory", "Add, read and find memories."),
    "search": Listed("clawgit.cli.search:search", "Find what is remembered."),
    "context": Listed("clawgit.cli.context:context", "Print what an agent should know for a conversation."),
    "eval": Listed("clawgit.cli.eval:eval_", "Measure how well your own questions are answered."),
    "journal": Listed("clawgit.cli.journal:journal", "Write the journal of the day."),
    "triage": Listed("clawgit.cli.triage:triage", "Tell whether a message should be remembered, or corrects."),
    "session": Listed("clawgit.cli.session:session", "Keep and read the conversations of OpenClaw."),
    "run": Listed("clawgit.cli.run:run", "Have an agent do its work now."),
    "schedule": Listed("clawgit.cli.schedule:schedule", "Have the work done by itself, at its times."),
    "correct": Listed("clawgit.cli.correct:correct", "Correct what is remembered."),
    "corrections": Listed(
        "clawgit.cli.corrections:corrections", "List what was corrected; decide what could be a correction."
    ),
    "conflicts": Listed(
        "clawgit.cli.conflicts:conflicts", "Show memories that contradict each other, and decide between them."
    ),
    "mcp": Listed("clawgit.cli.mcp:mcp", "Serve the workspace to agents, over the Model Context Protocol."),
    "changelog": Listed("clawgit.cli.changelog:changelog", "Render what happened to the identity."),
    "digest": Listed("clawgit.cli.digest:digest", "Tell what happened that you should know of, and send it."),
    "hooks": Listed("clawgit.cli.hooks:hooks", "Have git call clawgit at every commit and push."),
    "hook": Listed("clawgit.cli.hook:hook", "Do what a hook is for; git calls it once the hooks are installed."),
    "openclaw": Listed("clawgit.cli.openclaw:openclaw", "Connect the workspace with the OpenClaw that works in it."),
    "model": Listed(
        "clawgit.cli.voice:model", "Try the language model that reads for the agents, and show which it is."
    ),
    "config": Listed("clawgit.cli.config:config", "Read and set the values of CONFIG.md."),
    "completion": Listed("clawgit.cli.completion:completion", "Print the script that completes commands in a shell."),
}

EXAMPLES = (
    "clawgit init ~/.openclaw/workspace",
    'clawgit memory add "Chose REST over GraphQL for the public API." --tag decision',
    "clawgit soul log -n 5",
    "clawgit undo",
)


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's signature
    if value and not ctx.resilient_parsing:
        print_and_exit(ctx, f"clawgit {__version__}")


@click.group(cls=Group, listed=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}, examples=EXAMPLES)
@click.option(
    "-C",
    "folder",
    metavar="DIR",
    envvar="CLAWGIT_WORKSPACE",
    show_envvar=True,
    help="The workspace, or a folder inside it.",
)
@click.option("--agent", default="", metavar="ID", help="The workspace of this agent of OpenClaw.")
@click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    help="Auto means on a terminal, unless NO_COLOR is set.",
)
@click.option("--show-secrets", is_flag=True, help="Print secrets as they are, instead of naming them.")
@click.option("--debug", is_flag=True, help="Show where an error comes from.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit."
)
@pass_call
def cli(call: Call, folder: str | None, agent: str, color: Colour, *, debug: bool, show_secrets: bool) -> None:
    """Keep what an OpenClaw agent remembers, and who it is, in git.

    Every change is one commit with its reason; everything can be looked up and undone. Without -C the workspace is
    the one around the current folder, else the one that OpenClaw itself works in, as its configuration says.

    Exit codes: 0 done, 1 failed, 2 mistyped, 3 a check found something, 70 a mistake in clawgit, 75 busy,
    130 interrupted.
    """
    if agent and click.get_current_context().get_parameter_source("folder") is ParameterSource.COMMANDLINE:
        raise UsageError("-C and --agent both name a workspace", fix="leave one of them out")
    call.folder, call.agent, call.debug = folder, agent, debug
    call.out.colour, call.out.secrets = color, show_secrets


def run(arguments: list[str], call: Call) -> object:
    """Run the command that `arguments` name and return what it returns."""
    try:
        with cli.make_context("clawgit", arguments, obj=call) as context:
            return cli.invoke(context)
    except click.exceptions.Exit as exc:
        return exc.exit_code
