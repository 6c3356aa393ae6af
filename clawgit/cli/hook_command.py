"""`clawgit hook`."""

import click

from clawgit.cli import hook_runner
from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy_commands import Group


@click.group(cls=Group)
def hook() -> None:
    """Do what a hook is for; git calls it once the hooks are installed."""


@hook.command(examples=("clawgit hook run pre-commit", 'clawgit hook run pre-push "$@"'))
@click.argument("name", type=click.Choice(tuple(hook_runner.HOOKS)), metavar="NAME")
@click.argument("arguments", nargs=-1)
@pass_call
def run(call: Call, name: str, arguments: tuple[str, ...]) -> int:
    """Run one hook in the current folder, with what git gives it.

    NAME is pre-commit, which exits with 1 when soul_policy refuses what is staged of the identity, post-commit, or
    pre-push, which exits with 1 when what is pushed holds a secret. ARGUMENTS are those of the hook.
    """
    return hook_runner.run_hook(call.out, name, arguments)
