"""`clawgit help`."""

from collections.abc import Sequence

import click

from clawgit.cli import help_groups
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy_commands import Command
from clawgit.cli.options import Words
from clawgit.errors import UsageError


@click.command("help", cls=Command, examples=("clawgit help", "clawgit help --all", "clawgit help soul diff"))
@click.argument("words", nargs=-1, metavar="[COMMAND]...", type=Words())
@click.option("--all", "everything", is_flag=True, help="Every command, under headings.")
@pass_call
@click.pass_context
def help_(ctx: click.Context, call: Call, words: tuple[str, ...], *, everything: bool) -> None:
    """Show the help of a command, or list every command."""
    if words and everything:
        raise UsageError("--all lists the commands, and stands alone", fix="clawgit help --all")
    root = ctx.find_root()
    if everything:
        root.meta[help_groups.ALL] = True
    call.out.help(f"{_named(root, words).get_help()}\n")


def _named(root: click.Context, words: Sequence[str]) -> click.Context:
    """Return the context of the command that `words` name. Raises NoSuchCommand, of the group that lacks it."""
    found = root
    for word in words:
        group = found.command
        if not isinstance(group, click.Group):
            raise UsageError(f"{found.command_path} has no commands below it", fix=f"{found.command_path} --help")
        name, command, _ = group.resolve_command(found, [word])
        assert command is not None
        found = click.Context(command, info_name=name, parent=found)
    return found
