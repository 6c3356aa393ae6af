"""`clawgit help` and `clawgit completion`."""

from itertools import takewhile
from typing import TYPE_CHECKING

import click

from clawgit.cli import lazy_commands
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import cli, command
from clawgit.cli.options import Words
from clawgit.errors import KEYS, Command, Exit, usage

if TYPE_CHECKING:
    from click.shell_completion import ShellComplete

    from clawgit.cli.output import Output


@command(
    "clawgit help",
    "clawgit help soul diff",
    "clawgit help errors",
    name="help",
    has_json=False,
    apart={"words": "everything"},
)
@click.argument("words", nargs=-1, metavar="[COMMAND]...", type=Words())
@click.option("--all", "everything", is_flag=True, help="Every command, under headings.")
@click.pass_context
def help_(ctx: click.Context, call: Call, words: tuple[str, ...], *, everything: bool) -> object:
    """Show the help of a command, or list all commands or errors."""
    if words == ("errors",):
        call.out.help("".join(f"{key:<24}{value.meaning}\n" for key, value in KEYS.items()))
        return Exit.DONE
    if not everything:
        named = takewhile(lambda word: word[:1] != "-", lazy_commands.rename_command(list(words), call))
        return lazy_commands.run([*named, "--help"], call)
    root = ctx.find_root()
    root.meta[lazy_commands.ALL] = True
    call.out.help(f"{root.get_help()}\n")
    return Exit.DONE


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

    Keep it in the shell's folder for such scripts, or let the shell run it at each start: the examples have the line
    for each. It holds for the next shell that is opened.
    """
    call.out.help(script(shell))


def script(shell: str) -> str:
    """Return the text that a shell runs to complete commands."""
    maker = _maker(shell)
    assert maker is not None
    # click's own source() would ask bash for its version, and complain on stderr where there is none.
    return f"{maker.source_template % maker.source_vars()}\n"


def answer(output: "Output", wanted: str) -> int:
    """Print completions for the script of a shell: `wanted` is `bash_complete`, and so on."""
    shell, _, act = wanted.partition("_")
    maker = _maker(shell)
    try:
        if maker is None or act != "complete":
            raise KeyError(wanted)
        words = maker.complete()
    except KeyError as exc:
        raise usage(f"{VARIABLE} is for the scripts of shells", fix=Command(f"unset {VARIABLE}")) from exc
    output.verbatim(f"{words}\n" if words else "")
    return Exit.DONE


def _maker(shell: str) -> "ShellComplete | None":
    from click.shell_completion import get_completion_class  # noqa: PLC0415 - nobody else needs it

    completer = get_completion_class(shell)
    return completer(cli, {}, "clawgit", VARIABLE) if completer else None
