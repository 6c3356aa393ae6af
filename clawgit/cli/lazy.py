"""Commands that are imported when they are called."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import click

from clawgit.cli.call import Call


class Listed(NamedTuple):
    """Where a command is found, and its line in the help of the group."""

    place: str
    help: str


class Command(click.Command):
    """A command, or with Group several, whose help ends in examples."""

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option --help, which prints as every command does: click's own passes our printer by."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _help
        return option

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, each on a line of its own."""
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"{'':>{formatter.current_indent}}{example}\n")
        super().format_epilog(ctx, formatter)


def _help(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's signature
    if value and not ctx.resilient_parsing:
        print_and_exit(ctx, ctx.get_help())


def print_and_exit(ctx: click.Context, text: str) -> None:
    """Print what an option shows instead of running its command."""
    call = ctx.find_object(Call)
    assert call is not None
    call.out.help(f"{text}\n")
    ctx.exit()


class Group(Command, click.Group):
    """Commands in the order they were written down; those in `listed` follow, and are imported only to be run."""

    command_class = Command

    def __init__(self, *args: Any, listed: Mapping[str, Listed] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.listed = listed or {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names, in order."""
        return [*self.commands, *self.listed]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command, importing its module."""
        if cmd_name not in self.listed:
            return super().get_command(ctx, cmd_name)
        module, _, name = self.listed[cmd_name].place.partition(":")
        found: click.Command = getattr(import_module(module), name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands without importing one that is listed."""
        if not self.listed:
            super().format_commands(ctx, formatter)
            return
        limit = formatter.width - 6 - max(map(len, self.list_commands(ctx)))
        here = [(name, command.get_short_help_str(limit)) for name, command in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl([*here, *((name, one.help) for name, one in self.listed.items())])
