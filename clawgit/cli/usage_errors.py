"""Explains typos, naming the nearest existing word."""

from collections.abc import Iterator

import click

from clawgit.errors import Advice, ClawgitError, Command, command_unknown, option_missing, usage
from clawgit.text.spelling import misspelt

_BULLET = "- "
_LISTS = ("list", "ls", "show")
_MOST = 3  # commands that are named instead


def explained(exc: click.UsageError) -> ClawgitError:
    """Return the mistake in our words, with the command to type instead."""
    path = exc.ctx.command_path if exc.ctx else "clawgit"
    match exc:
        case click.NoSuchOption():
            return _option(exc, path)
        case click.exceptions.NoSuchCommand():
            return _command(exc, path)
        case click.MissingParameter():
            name = exc.param.get_error_hint(exc.ctx).strip("'") if exc.param and exc.ctx else exc.param_hint
            return option_missing(f"{path}: {name} is missing", fix=Command(f"{path} --help"))
        case _:
            words = exc.format_message().rstrip(".")
            return usage(f"{path}: {words[:1].lower()}{words[1:]}", fix=Command(f"{path} --help"))


def _option(exc: click.NoSuchOption, path: str) -> ClawgitError:
    name = exc.option_name
    message = f"{path} has no option {name}"
    assert exc.ctx is not None
    if name == _BULLET:
        return usage(
            f"{path}: a text that begins with a dash is taken for an option", fix=Advice(f"{path} … -- '- text'")
        )
    if name in _options(exc.ctx.find_root().command):
        rest = path.partition(" ")[2]
        return usage(f"{message}: it stands before the command", fix=Advice(f"clawgit {name} … {rest}"))
    match = misspelt(name, _options(exc.ctx.command))
    return usage(message, fix=Advice(f"{path} {match}") if match else Command(f"{path} --help"))


def _options(command: click.Command) -> list[str]:
    return [name for param in command.params if isinstance(param, click.Option) for name in param.opts]


def _command(exc: click.exceptions.NoSuchCommand, path: str) -> ClawgitError:
    assert exc.ctx is not None
    name, root, group = exc.command_name, exc.ctx.find_root().command, exc.ctx.command
    assert isinstance(root, click.Group)
    assert isinstance(group, click.Group)
    if f"--{name}" in _options(root):
        return command_unknown(f"there is no command {path} {name}", fix=Command("clawgit --{}", name))
    commands = list(leaves(root))
    command = f"clawgit {name}"
    matches = [command] if any(f"{whole} ".startswith(f"{command} ") for whole in commands) else []
    elsewhere = [whole for whole in commands if whole.split()[-1] == name]
    if group.invoke_without_command and name in _LISTS:
        elsewhere = [path]  # which lists by itself
    match = misspelt(name, group.list_commands(exc.ctx))
    nearest = f"{path} {match or '--help'}"
    first, *others = list(dict.fromkeys([*matches, *elsewhere])) or [nearest]
    fix = Command(first, note="   # ".join(f"or: {command}" for command in others[: _MOST - 1]))
    return command_unknown(f"there is no command {path} {name}", fix=fix)


def leaves(root: click.Group) -> Iterator[str]:
    """Yield every command in full, as it is typed."""
    context = click.Context(root, info_name="clawgit")
    for name in root.list_commands(context):
        command = root.get_command(context, name)
        verbs = command.list_commands(context) if isinstance(command, click.Group) else []
        yield from [f"clawgit {name} {verb}" for verb in verbs] or [f"clawgit {name}"]
