"""`clawgit completion`, and what its scripts ask for."""

from typing import TYPE_CHECKING

import click

from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import cli, command
from clawgit.errors import Command, Exit, usage

if TYPE_CHECKING:
    from click.shell_completion import ShellComplete

    from clawgit.cli.output import Output


VARIABLE = "_CLAWGIT_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


@command(
    "clawgit completion bash > ~/.local/share/bash-completion/completions/clawgit",
    'eval "$(clawgit completion bash)"    # in ~/.bashrc',
    'eval "$(clawgit completion zsh)"     # in ~/.zshrc, after compinit',
    "clawgit completion fish | source     # in ~/.config/fish/config.fish",
    has_json=False,
)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(call: Call, shell: str) -> None:
    """Print the completion script of a shell.

    Keep it where the shell looks for such scripts, or let the shell run it at each start: the examples have the line
    for each. It holds for the next shell that is opened.
    """
    call.out.help(script(shell))


def script(shell: str) -> str:
    """Return the text that a shell runs to complete commands."""
    maker = _maker(shell)
    assert maker is not None
    # click's own source() would ask bash for its version, and complain on stderr where there is none.
    return f"{maker.source_template % maker.source_vars()}\n"


def answer(out: "Output", wanted: str) -> int:
    """Print what may come next, as the script of a shell asks for it: `wanted` is `bash_complete`, and so on."""
    shell, _, act = wanted.partition("_")
    maker = _maker(shell)
    try:
        if maker is None or act != "complete":
            raise KeyError(wanted)
        words = maker.complete()
    except KeyError as exc:
        raise usage(f"{VARIABLE} is for the scripts of shells", fix=Command(f"unset {VARIABLE}")) from exc
    out.verbatim(f"{words}\n" if words else "")
    return Exit.DONE


def _maker(shell: str) -> "ShellComplete | None":
    from click.shell_completion import get_completion_class  # noqa: PLC0415 - nobody else needs it

    found = get_completion_class(shell)
    return found(cli, {}, "clawgit", VARIABLE) if found else None
