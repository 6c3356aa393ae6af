"""`clawgit completion`."""

import click

from clawgit.cli.call import Call, pass_call
from clawgit.cli.lazy import Command

VARIABLE = "_CLAWGIT_COMPLETE"


@click.command(
    cls=Command,
    examples=(
        "clawgit completion bash > ~/.local/share/bash-completion/completions/clawgit",
        "clawgit completion zsh > ~/.zfunc/_clawgit   # fpath+=~/.zfunc stands before compinit in ~/.zshrc",
        "clawgit completion fish > ~/.config/fish/completions/clawgit.fish",
    ),
)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@pass_call
def completion(call: Call, shell: str) -> None:
    """Print the script that completes commands in a shell.

    Keep it where the shell looks for such scripts, or add one line to ~/.bashrc: eval "$(clawgit completion bash)";
    to ~/.zshrc, after compinit: eval "$(clawgit completion zsh)"; to ~/.config/fish/config.fish:
    clawgit completion fish | source. It holds for the next shell that is opened.
    """
    from click.shell_completion import get_completion_class  # noqa: PLC0415 - nobody else needs it

    from clawgit.cli.main import cli  # noqa: PLC0415 - main imports this room

    found = get_completion_class(shell)
    assert found is not None
    maker = found(cli, {}, "clawgit", VARIABLE)
    # click's own source() would ask bash for its version, and complain on stderr where there is none.
    call.out.verbatim(f"{maker.source_template % maker.source_vars()}\n")
