"""`clawgit completion`."""

import click

from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command

VARIABLE = "_CLAWGIT_COMPLETE"


@click.command(
    cls=Command,
    examples=(
        "clawgit completion bash > ~/.local/share/bash-completion/completions/clawgit",
        'eval "$(clawgit completion bash)"    # in ~/.bashrc',
        'eval "$(clawgit completion zsh)"     # in ~/.zshrc, after compinit',
        "clawgit completion fish | source     # in ~/.config/fish/config.fish",
    ),
)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@pass_call
def completion(call: Call, shell: str) -> None:
    """Print the script that completes commands in a shell.

    Keep it where the shell looks for such scripts, or let the shell run it at each start: the examples have the line
    for each. It holds for the next shell that is opened.
    """
    from click.shell_completion import get_completion_class  # noqa: PLC0415 - nobody else needs it

    from clawgit.cli.commands import cli  # noqa: PLC0415 - main imports this room

    found = get_completion_class(shell)
    assert found is not None
    maker = found(cli, {}, "clawgit", VARIABLE)
    # click's own source() would ask bash for its version, and complain on stderr where there is none.
    call.out.verbatim(f"{maker.source_template % maker.source_vars()}\n")
