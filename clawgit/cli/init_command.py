"""`clawgit init`."""

from pathlib import Path

import click

from clawgit.cli import documents, hooks_commands, operator_input, show
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Command
from clawgit.cli.options import answering
from clawgit.errors import Exit


@click.command(cls=Command, examples=("clawgit init ~/.openclaw/workspace", "clawgit init . --hooks --json"))
@click.argument("path", required=False)
@click.option("--hooks", "wants_hooks", is_flag=True, help="Install the git hooks, as clawgit hooks install does.")
@answering
def init(call: Call, path: str | None, *, wants_hooks: bool) -> int:
    """Make a folder a managed workspace.

    PATH is made if it is not there; without it, -C, $CLAWGIT_WORKSPACE, else the current folder. It gets a git
    repository, the files that OpenClaw and clawgit expect, and one commit. A file that is there already is committed
    as it stands, never changed.
    """
    from clawgit.workspace.bootstrap import init as make  # noqa: PLC0415 - loads libgit2

    made = make(Path(path or call.folder or ".").expanduser().absolute(), attended=operator_input.possible())
    with call.closing(made.workspace):
        for words in made.warnings:
            call.out.warn(words)
        done = hooks_commands.joined(call, made.workspace.repo) if wants_hooks else ()
        if call.out.as_json:
            call.out.document({**documents.born(made), "hooks": hooks_commands.documents(done)})
        else:
            call.out.lines(show.born(made), indent=9)
            call.out.lines(hooks_commands.rows(done))
    return Exit.FAILED if wants_hooks and not done else Exit.DONE
