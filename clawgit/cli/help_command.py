"""`clawgit help`, `clawgit completion`, and help after typos."""

import os
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

import click

from clawgit.cli import lazy_commands
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import cli, command
from clawgit.cli.options import Words
from clawgit.errors import KEYS, Advice, ClawgitError, Command, Exit, command_unknown, option_missing, usage
from clawgit.text.spelling import misspelt

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
        # `clawgit help undo --run` shows the help of undo, and runs nothing.
        command_words = takewhile(lambda word: word[:1] != "-", lazy_commands.rename_command(list(words), call))
        return lazy_commands.run([*command_words, "--help"], call)
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


def complete_words(output: "Output", instruction: str) -> int:
    """Print completions for the script of a shell: `instruction` is `bash_complete`, and so on."""
    shell, _, act = instruction.partition("_")
    maker = _maker(shell)
    if maker is None or act != "complete" or not {"COMP_WORDS", "COMP_CWORD"} <= os.environ.keys():
        raise usage(f"{VARIABLE} is for the scripts of shells", fix=Command(f"unset {VARIABLE}"))
    words = maker.complete()
    output.verbatim(f"{words}\n" if words else "")
    return Exit.DONE


def _maker(shell: str) -> "ShellComplete | None":
    from click.shell_completion import get_completion_class  # noqa: PLC0415 - nobody else needs it

    completer = get_completion_class(shell)
    return completer(cli, {}, "clawgit", VARIABLE) if completer else None


_BULLET = "- "


def explain_usage_error(exc: click.UsageError) -> ClawgitError:
    """Return the mistake in our words, with the command to type instead."""
    path = exc.ctx.command_path if exc.ctx else "clawgit"
    match exc:
        case click.NoSuchOption():
            return _explain_option(exc, path)
        case click.exceptions.NoSuchCommand():
            return _explain_command(exc, path)
        case click.MissingParameter():
            name = exc.param.get_error_hint(exc.ctx).strip("'") if exc.param and exc.ctx else exc.param_hint
            return option_missing(f"{path}: {name} is missing", fix=Command(f"{path} --help"))
        case _:
            words = exc.format_message().rstrip(".")
            return usage(f"{path}: {words[:1].lower()}{words[1:]}", fix=Command(f"{path} --help"))


def _explain_option(exc: click.NoSuchOption, path: str) -> ClawgitError:
    name = exc.option_name
    message = f"{path} has no option {name}"
    assert exc.ctx is not None
    # click takes a bullet of Markdown for an option.
    if name == _BULLET:
        words = f"{path}: a text that begins with a dash is taken for an option"
        return usage(words, fix=Advice(f"{path} … -- '- text'"))
    if name in _list_options(exc.ctx.find_root().command):
        rest = path.partition(" ")[2]
        return usage(f"{message}: it stands before the command", fix=Advice(f"clawgit {name} … {rest}"))
    if name == "--all" and exc.ctx.parent is None:
        return usage(message, fix=Command("clawgit help --all"))
    match = misspelt(name, _list_options(exc.ctx.command))
    return usage(message, fix=Advice(f"{path} {match}") if match else Command(f"{path} --help"))


def _list_options(command: click.Command) -> list[str]:
    return [name for param in command.params if isinstance(param, click.Option) for name in param.opts]


def _explain_command(exc: click.exceptions.NoSuchCommand, path: str) -> ClawgitError:
    assert exc.ctx is not None
    name, root, group = exc.command_name, exc.ctx.find_root().command, exc.ctx.command
    assert isinstance(root, click.Group)
    assert isinstance(group, click.Group)
    match = misspelt(name, group.list_commands(exc.ctx))
    # `clawgit version` means `clawgit --version`, and a group may list by itself.
    others = [f"clawgit --{name}"] if f"--{name}" in _list_options(root) else []
    others += [path] if group.invoke_without_command and name in ("list", "ls", "show") else []
    # The word may be a command of another group, or of the top level.
    others += [f"clawgit {name}"] if name in root.list_commands(exc.ctx) else []
    others += [command for command in leaves(root) if command.split()[-1] == name]
    fix = Command(others[0] if others else f"{path} {match or '--help'}")
    return command_unknown(f"there is no command {path} {name}", fix=fix)


def leaves(root: click.Group) -> Iterator[str]:
    """Yield every command in full, as it is typed."""
    context = click.Context(root, info_name="clawgit")
    for name in root.list_commands(context):
        command = root.get_command(context, name)
        verbs = command.list_commands(context) if isinstance(command, click.Group) else []
        yield from [f"clawgit {name} {verb}" for verb in verbs] or [f"clawgit {name}"]
