"""The command `clawgit`."""

import gc
import io
import os
import sys
from collections.abc import Sequence
from typing import TextIO

import click

from clawgit import __version__
from clawgit.cli.boundary import guarded
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Group, Listed
from clawgit.cli.output import Colour, Output

COMMANDS = {
    "init": Listed("clawgit.cli.init:init", "Make a folder a managed workspace."),
    "status": Listed("clawgit.cli.status:status", "Show how the workspace stands."),
    "doctor": Listed("clawgit.cli.doctor:doctor", "Look for what is broken, and repair what is safe to repair."),
    "log": Listed("clawgit.cli.log:log", "Show what happened, and why."),
    "why": Listed("clawgit.cli.why:why", "Tell where a line came from, and why."),
    "undo": Listed("clawgit.cli.undo:undo", "Take one change back; what came later stays."),
    "restore": Listed("clawgit.cli.restore:restore", "Bring back a file, a section or an entry."),
    "soul": Listed("clawgit.cli.soul:soul", "Show, compare, edit and revert the identity."),
    "memory": Listed("clawgit.cli.memory:memory", "Add and read memories."),
    "journal": Listed("clawgit.cli.journal:journal", "Write the journal of the day."),
    "changelog": Listed("clawgit.cli.changelog:changelog", "Render what happened to the identity."),
    "config": Listed("clawgit.cli.config:config", "Read and set the values of CONFIG.md."),
    "completion": Listed("clawgit.cli.completion:completion", "Print the script that completes commands in a shell."),
}

EXAMPLES = (
    "clawgit init ~/.openclaw/workspace",
    'clawgit memory add "Chose REST over GraphQL for the public API." --tag decision',
    "clawgit soul log -n 5",
    "clawgit undo",
)


@click.group(cls=Group, listed=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}, examples=EXAMPLES)
@click.option(
    "-C",
    "folder",
    metavar="DIR",
    envvar="CLAWGIT_WORKSPACE",
    show_envvar=True,
    help="The workspace, or a folder inside it.",
)
@click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    help="Auto means on a terminal, unless NO_COLOR is set.",
)
@click.option("--debug", is_flag=True, help="Show where an error comes from.")
@click.version_option(__version__, message="clawgit %(version)s")
@pass_call
def cli(call: Call, folder: str | None, color: Colour, *, debug: bool) -> None:
    """Keep what an OpenClaw agent remembers, and who it is, in git.

    Every change is one commit with its reason; everything can be looked up and undone. Without -C the workspace is
    the one around the current folder, else OpenClaw's own: $OPENCLAW_WORKSPACE_DIR or ~/.openclaw/workspace.

    Exit codes: 0 done, 1 failed, 2 mistyped, 3 a check found something, 70 a mistake in clawgit, 75 busy,
    130 interrupted.
    """
    call.folder, call.debug = folder, debug
    call.out.colour = color


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `clawgit ARGUMENTS` (None: those of the process) and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        gc.disable()  # the process ends sooner than garbage matters; collecting costs 7 ms of start-up
    if "_CLAWGIT_COMPLETE" in os.environ:
        cli.main(given, prog_name="clawgit")
    call = Call(Output(_usable(sys.stdout), _usable(sys.stderr)))
    return guarded(lambda: _run(given, call), call, given)


def _usable(stream: TextIO | None) -> TextIO:
    """Return a stream that takes any text: one that its owner closed leads nowhere."""
    if stream is None:
        return io.StringIO()
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def _run(arguments: list[str], call: Call) -> object:
    try:
        with cli.make_context("clawgit", arguments, obj=call) as context:
            return cli.invoke(context)
    except click.exceptions.Exit as exc:
        return exc.exit_code
