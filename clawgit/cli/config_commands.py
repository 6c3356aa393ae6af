"""`clawgit config`."""

import json
from typing import Any

import click
from msgspec.structs import replace

from clawgit.cli import change_output, operator_input, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words
from clawgit.cli.text_lines import line
from clawgit.json_documents import map_documents
from clawgit.workspace import config as configs
from clawgit.workspace import settings
from clawgit.workspace.config import Config, Shown
from clawgit.workspace.workspace import Workspace

CONFIG = "CONFIG.md"
_GUARDS = ("soul_policy", "approve_without_terminal")
"""Who may change the identity: whatever else is looser than trusted is merely not used."""


@command(
    "clawgit config",
    "clawgit config soul_max_tokens --json",
    "clawgit config soul_max_tokens 1200",
    "clawgit config timezone Europe/Berlin",
    "clawgit config heartbeat_custom_patterns \"['ship it', 'for the record']\"",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("key", type=Words(), required=False)
@click.argument("value", type=Words(), required=False)
def config(call: Call, key: str | None, value: str | None) -> None:
    """Read and set the settings.

    They stand in the first yaml block of CONFIG.md, which you may edit as well. Without KEY every key is shown, with
    its value, its place, and who reads it; what is wrong with the file is told on stderr, each time with its line. With
    KEY alone its value is printed: the one that is used, else the default.

    VALUE is set in one commit. Only its own bytes change: comments, order and quotes stay. A key that is missing is
    added at the end of the block, a missing block or file is made. What needs your trust has it at once when you type
    it at a terminal, but for soul_policy and approve_without_terminal.
    """
    with call.workspace() as workspace:
        if key is None:
            _show(call, workspace)
        elif value is None:
            _get(call, workspace, key)
        else:
            _set(call, workspace, key, value)


def _show(call: Call, workspace: Workspace) -> None:
    all_settings, problems = workspace.config.every(), workspace.config.problems()
    for problem in problems:
        call.out.warn(f"{problem.message} ({problem.fix})")
    keys = list(map(_document, all_settings))
    plain_keys = [
        {**key, "value": _plain(key["value"]) if isinstance(key["value"], dict) else key["value"]} for key in keys
    ]
    rows = render.draw_table(plain_keys, "key value set says=untrusted reader")
    call.out.answer({"keys": keys, "problems": map_documents(problems, "message fix")}, rows)


def _get(call: Call, workspace: Workspace, key: str) -> None:
    config, setting_key = workspace.config, settings.find(key)
    setting = config.shown(setting_key)
    if setting.problem:
        raise setting.problem
    _tell_odd(call, config, *settings.names(setting_key))
    if setting.untrusted is not None:
        call.out.note(f"{_unused(setting)}: clawgit trust")
    call.out.answer(_document(setting), [line(_plain(setting.value))])
    if setting.untrusted is None:
        _warn_of_policy(call, workspace, setting_key.name, setting.value)


def _set(call: Call, workspace: Workspace, key: str, value: str) -> None:
    setting_key = settings.find(key)
    new_value = settings.read(setting_key, value)
    change, after = configs.change(workspace.read(CONFIG), setting_key, new_value, workspace.config.trusted)
    if setting_key.name in _GUARDS and after.shown(setting_key).untrusted is not None:
        operator_input.require_operator(workspace, f"{setting_key.name} would give more leave")
    workspace.config = after  # what is set now holds for its own commit: a bad time zone can be put right
    change_output.apply(call, workspace, change, key=setting_key.name, value=new_value)
    setting = after.shown(setting_key)
    if setting.untrusted is not None and setting_key.name not in _GUARDS and operator_input.possible():
        files = {setting_key.name: setting.files} if setting.files else {}
        workspace.trusted.pin({setting_key.name: new_value}, files)  # the operator has just typed it
        setting = replace(setting, value=new_value, untrusted=None, changed=())
    _tell_odd(call, after, *settings.names(setting_key))
    if setting.untrusted is not None:
        call.out.warn(f"{_unused(setting)} before you say so", "clawgit trust")
    else:
        _warn_of_policy(call, workspace, setting_key.name, setting.value)


def _warn_of_policy(call: Call, workspace: Workspace, name: str, value: object) -> None:
    """Warn of a policy under which nothing of the identity is served without an approval, where there is none."""
    if name == "soul_policy" and value != "evolve" and workspace.managed and not workspace.trust.known:
        call.out.warn("nothing is approved yet, so the agent gets no identity files", "clawgit trust")


def _tell_odd(call: Call, found: Config, *names: str) -> None:
    """Report other mentions of a key in the file, or in a block of its own, that have no effect."""
    for problem in found.odd_places(*names):
        call.out.warn(f"{problem.message} ({problem.fix})")


def _document(shown: Shown) -> dict[str, Any]:
    key = shown.key
    return {
        "key": key.name,
        "value": _jsonable(shown.value),
        "default": key.default,
        "set": _cite_setting(shown),
        "kind": key.kind.name,
        "reader": key.reader,
        "problem": shown.problem.message if shown.problem else None,
        **({} if shown.untrusted is None else {"untrusted": _jsonable(shown.untrusted)}),
    }


def _jsonable(value: object) -> object:
    """Return a bad value in a form for JSON, a date say, as text."""
    return value if isinstance(value, (str, int, float, list, dict)) and value == value else str(value)  # noqa: PLR0124 - nan


def _cite_setting(shown: Shown) -> str | None:
    return f"{CONFIG}:{shown.line}" if shown.line else None


def _unused(shown: Shown) -> str:
    return f"{_cite_setting(shown) or CONFIG} says {shown.key.name}: {_plain(shown.untrusted)}, which is not used"


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return settings.show_map(value)
    return value if isinstance(value, str) else json.dumps(_jsonable(value), ensure_ascii=False)
