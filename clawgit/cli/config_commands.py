"""`clawgit config`."""

import json
from typing import Any

import click
from msgspec.structs import replace

from clawgit.cli import change_output, operator_input, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words, answering
from clawgit.cli.text_lines import line
from clawgit.integrations.json_documents import each
from clawgit.workspace import config as configs
from clawgit.workspace import settings
from clawgit.workspace.config import Config, Shown

CONFIG = "CONFIG.md"
_GUARDS = ("soul_policy", "approve_without_terminal")
"""Who may change the identity: whatever else is looser than trusted is merely not used."""


@click.group(cls=Group)
def config() -> None:
    """Read and set the settings.

    They stand in the first yaml block of that file, which you may edit as well.
    """


@config.command(examples=("clawgit config show", "clawgit config show --json"))
@answering
def show(call: Call) -> None:
    """Show every key with its value, where it is set, and who reads it.

    What is wrong with the file is told on stderr, each time with its line.
    """
    with call.workspace() as workspace:
        every, problems = workspace.config.every(), workspace.config.problems()
    for problem in problems:
        call.out.warn(f"{problem.message} ({problem.fix})")
    keys = list(map(_document, every))
    rows = render.draw_table(keys, "key value set says=untrusted reader")
    call.out.answer({"keys": keys, "problems": each(problems, "message fix")}, rows)


@config.command(examples=("clawgit config get soul_max_tokens", "clawgit config get timezone --json"))
@click.argument("key", type=Words())
@answering
def get(call: Call, key: str) -> None:
    """Print the value of one key: the one that is used, else the default.

    What CONFIG.md says instead, where you have not approved it, is told on stderr.
    """
    with call.workspace() as workspace:
        config, found = workspace.config, settings.find(key)
        shown = config.shown(found)
    if shown.problem:
        raise shown.problem
    _tell_odd(call, config, *settings.names(found))
    if shown.untrusted is not None:
        call.out.note(f"{_unused(shown)}: clawgit trust")
    call.out.answer(_document(shown), [line(_plain(shown.value))])


@config.command(
    "set",
    context_settings={"ignore_unknown_options": True},  # a value may be -5
    examples=(
        "clawgit config set soul_max_tokens 1200",
        "clawgit config set timezone Europe/Berlin",
        "clawgit config set heartbeat_custom_patterns \"['ship it', 'for the record']\"",
    ),
)
@click.argument("key", type=Words())
@click.argument("value", type=Words())
@answering
def set_(call: Call, key: str, value: str) -> None:
    """Set one key, in one commit.

    Only the value's own bytes change: comments, order and quotes stay. A key that is missing is added at the end of
    the block, a missing block or file is made. What needs your trust has it at once when you type it at a terminal, but
    for soul_policy and approve_without_terminal.
    """
    found = settings.find(key)
    meant = settings.read(found, value)
    with call.workspace() as workspace:
        trusted = (lambda: workspace.trust.config), workspace.command_files
        change, after = configs.change(workspace.read(CONFIG), found, meant, *trusted)
        if found.name in _GUARDS and after.shown(found).untrusted is not None:
            operator_input.require_operator(workspace, f"{found.name} would give more leave")
        workspace.config = after  # what is set now holds for its own commit: a bad time zone can be put right
        change_output.apply(call, workspace, change, key=found.name, value=meant)
        shown = after.shown(found)
        if shown.untrusted is not None and found.name not in _GUARDS and operator_input.possible():
            files = {found.name: shown.files} if shown.files else {}
            workspace.trusted.pin({found.name: meant}, files)  # the operator has just typed it
            shown = replace(shown, value=meant, untrusted=None, changed=())
    _tell_odd(call, after, *settings.names(found))
    if shown.untrusted is not None:
        call.out.warn(f"{_unused(shown)} before you say so", "clawgit trust")


def _tell_odd(call: Call, found: Config, *names: str) -> None:
    """Tell what else the file says of a key, or in a block of its own, that has no effect."""
    for problem in found.odd_places(*names):
        call.out.warn(f"{problem.message} ({problem.fix})")


@config.command(examples=("clawgit config path", '"$EDITOR" "$(clawgit config path)"'))
@answering
def path(call: Call) -> None:
    """Print where CONFIG.md is, or would be."""
    with call.workspace() as workspace:
        place = workspace.root / CONFIG
    call.out.answer({"path": str(place), "exists": place.exists()}, [line(str(place))])


def _document(shown: Shown) -> dict[str, Any]:
    key = shown.key
    return {
        "key": key.name,
        "value": _jsonable(shown.value),
        "default": key.default,
        "set": _where(shown),
        "kind": key.kind.name,
        "reader": key.reader,
        "problem": shown.problem.message if shown.problem else None,
        **({} if shown.untrusted is None else {"untrusted": _jsonable(shown.untrusted)}),
    }


def _jsonable(value: object) -> object:
    """Return what a bad value may be as well, a date say, as text."""
    return value if isinstance(value, (str, int, float, list)) and value == value else str(value)  # noqa: PLR0124 - nan


def _where(shown: Shown) -> str | None:
    return f"{CONFIG}:{shown.line}" if shown.line else None


def _unused(shown: Shown) -> str:
    return f"{_where(shown) or CONFIG} says {shown.key.name}: {_plain(shown.untrusted)}, which is not used"


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(_jsonable(value), ensure_ascii=False)
