"""Explains typos, naming the nearest existing word."""

from collections.abc import Iterator

import click

from clawgit.errors import Advice, ClawgitError, Command, command_unknown, option_missing, usage
from clawgit.text.spelling import misspelt

_BULLET = "- "
_LISTS = ("list", "ls", "show")
_MAX_COMMANDS = 3


def explained(exc: click.UsageError) -> ClawgitError:
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
    if name == _BULLET:
        words = f"{path}: a text that begins with a dash is taken for an option"
        return usage(words, fix=Advice(f"{path} … -- '- text'"))
    if name in _list_options(exc.ctx.find_root().command):
        rest = path.partition(" ")[2]
        return usage(f"{message}: it stands before the command", fix=Advice(f"clawgit {name} … {rest}"))
    match = misspelt(name, _list_options(exc.ctx.command))
    return usage(message, fix=Advice(f"{path} {match}") if match else Command(f"{path} --help"))


def _list_options(command: click.Command) -> list[str]:
    return [name for param in command.params if isinstance(param, click.Option) for name in param.opts]


def _explain_command(exc: click.exceptions.NoSuchCommand, path: str) -> ClawgitError:
    assert exc.ctx is not None
    name, root, group = exc.command_name, exc.ctx.find_root().command, exc.ctx.command
    assert isinstance(root, click.Group)
    assert isinstance(group, click.Group)
    if f"--{name}" in _list_options(root):
        return command_unknown(f"there is no command {path} {name}", fix=Command("clawgit --{}", name))
    commands = list(leaves(root))
    matches = [command for command in commands if command.split()[-1] == name]
    if group.invoke_without_command and name in _LISTS:
        matches = [path]  # which lists by itself
    if any(command.startswith(f"clawgit {name} ") or command == f"clawgit {name}" for command in commands):
        matches.insert(0, f"clawgit {name}")
    match = misspelt(name, group.list_commands(exc.ctx))
    first, *others = list(dict.fromkeys(matches)) or [f"{path} {match or '--help'}"]
    fix = Command(first, note="   # ".join(f"or: {command}" for command in others[: _MAX_COMMANDS - 1]))
    return command_unknown(f"there is no command {path} {name}", fix=fix)


def leaves(root: click.Group) -> Iterator[str]:
    """Yield every command in full, as it is typed."""
    context = click.Context(root, info_name="clawgit")
    for name in root.list_commands(context):
        command = root.get_command(context, name)
        verbs = command.list_commands(context) if isinstance(command, click.Group) else []
        yield from [f"clawgit {name} {verb}" for verb in verbs] or [f"clawgit {name}"]
