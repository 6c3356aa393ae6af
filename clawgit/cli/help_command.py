"""`clawgit help`."""

from collections.abc import Sequence
from itertools import takewhile

import click

from clawgit.cli import lazy_commands
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words
from clawgit.errors import KEYS, Command, command_unknown, options_conflict


@command("clawgit help", "clawgit help soul diff", "clawgit help errors", name="help", has_json=False)
@click.argument("words", nargs=-1, metavar="[COMMAND]...", type=Words())
@click.option("--all", "everything", is_flag=True, help="Every command, under headings.")
@click.pass_context
def help_(ctx: click.Context, call: Call, words: tuple[str, ...], *, everything: bool) -> None:
    """Show the help of a command, or list all commands or errors."""
    if words and everything:
        raise options_conflict("--all lists the commands, and stands alone", fix=Command("clawgit help --all"))
    if words == ("errors",):
        call.out.help("".join(f"{key:<24}{value.meaning}\n" for key, value in KEYS.items()))
        return
    root = ctx.find_root()
    if everything:
        root.meta[lazy_commands.ALL] = True
    renamed = lazy_commands.rename_command(list(words), call)
    call.out.help(f"{_named(root, list(takewhile(lambda word: word[:1] != '-', renamed))).get_help()}\n")


def _named(root: click.Context, words: Sequence[str]) -> click.Context:
    """Return the context of the command that `words` name. Raises NoSuchCommand, of the group that lacks it."""
    found = root
    for word in words:
        group = found.command
        if not isinstance(group, click.Group):
            raise command_unknown(f"{found.command_path} has no commands", fix=Command(f"{found.command_path} --help"))
        name, command, _ = group.resolve_command(found, [word])
        assert command is not None
        found = click.Context(command, info_name=name, parent=found)
    return found
