"""`clawgit config`."""

import json
from typing import Any

import click
from msgspec.structs import replace

from clawgit.cli import change_output, operator_input, render
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import command
from clawgit.cli.options import Words
from clawgit.cli.render import line
from clawgit.errors import Command, value_invalid
from clawgit.findings.checks import loss_checks
from clawgit.json_documents import map_documents
from clawgit.messages import triage
from clawgit.workspace import config as configs
from clawgit.workspace import settings
from clawgit.workspace.config import Shown
from clawgit.workspace.workspace import Workspace

CONFIG = "CONFIG.md"
_GUARD = "soul_policy"
"""Who may change the identity: whatever else is looser than trusted is merely not used."""


@command(
    "clawgit config",
    "clawgit config soul_max_tokens 1200",
    "clawgit config timezone Europe/Berlin",
    "clawgit config heartbeat_custom_patterns \"['ship it', 'for the record']\"",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("key", type=Words(), required=False)
@click.argument("value", type=Words(), required=False)
def config(call: Call, key: str | None, value: str | None) -> None:
    """Read and set the settings.

    They are in the first yaml block of CONFIG.md. Without KEY every key is shown, with its
    value, its line and its reader; with KEY alone its value, else the default.

    VALUE is set in one commit; comments, order and quotes stay. Typed at a terminal it has your trust, but for
    soul_policy.
    """
    with call.workspace() as workspace:
        if key is None:
            _print_settings(call, workspace)
            return
        setting_key = settings.find_setting(key)
        if value is not None:
            setting = _set(call, workspace, setting_key, value)
        else:
            setting = workspace.config.shown(setting_key)
            if setting.problem:
                raise setting.problem
            call.out.answer(_describe_setting(setting), [line(_format_setting(setting.value))])
        for problem in workspace.config.odd_places(*settings.names(setting_key)):
            call.out.warn(f"{problem.message} ({problem.fix})")
        # Under review and locked only approved identity files are served.
        is_strict = setting_key.name == "soul_policy" and setting.value != "evolve"
        if setting.untrusted is not None:
            place = _cite_setting(setting) or CONFIG
            words = f"{place} says {setting_key.name}: {_format_setting(setting.untrusted)}, which is not used"
            call.out.warn(f"{words} before you say so", "clawgit trust")
        elif is_strict and workspace.managed and not workspace.trust.known:
            call.out.warn("nothing is approved yet, so the agent gets no identity files", "clawgit trust")


def _print_settings(call: Call, workspace: Workspace) -> None:
    entries, problems = workspace.config.every(), loss_checks.list_setting_problems(workspace.config)
    for problem in problems:
        call.out.warn(f"{problem.message} ({problem.fix})")
    keys = list(map(_describe_setting, entries))
    values = [_format_setting(key["value"]) if isinstance(key["value"], dict) else key["value"] for key in keys]
    rows = [{**key, "value": value} for key, value in zip(keys, values, strict=True)]
    document = {"keys": keys, "problems": map_documents(problems, "message fix")}
    call.out.answer(document, render.draw_table(rows, "key value set says=untrusted reader"))


def _set(call: Call, workspace: Workspace, key: settings.Key, value: str) -> Shown:
    """Set a key in one commit, and return what is used from now on."""
    new_value = settings.read_setting(key, value)
    try:
        for entry in new_value if key.name == "heartbeat_custom_patterns" else ():
            triage.make_pattern(entry)
    except ValueError as exc:
        raise value_invalid(f"{key.name}: {exc}", fix=Command("clawgit config {} {}", key.name, "[ship it]")) from exc
    change, after = configs.change(workspace.read(CONFIG), key, new_value, workspace.config.trusted)
    if key.name == _GUARD and after.shown(key).untrusted is not None:
        operator_input.require_operator(workspace, f"{key.name} would give more leave")
    workspace.config = after  # what is set now holds for its own commit: a bad time zone can be put right
    change_output.apply(call, workspace, change, key=key.name, value=new_value)
    setting = after.shown(key)
    if setting.untrusted is None or key.name == _GUARD or not operator_input.is_interactive():
        return setting
    files = {key.name: setting.files} if setting.files else {}
    workspace.trusted.pin({key.name: new_value}, files)  # the operator has just typed it
    return replace(setting, value=new_value, untrusted=None, changed=())


def _describe_setting(entry: Shown) -> dict[str, Any]:
    key = entry.key
    return {
        "key": key.name,
        "value": _jsonable(entry.value),
        "default": key.default,
        "set": _cite_setting(entry),
        "kind": key.kind.name,
        "reader": key.reader,
        "problem": entry.problem.message if entry.problem else None,
        **({} if entry.untrusted is None else {"untrusted": _jsonable(entry.untrusted)}),
    }


def _jsonable(value: object) -> object:
    """Return a bad value in a form for JSON, a date say, as text."""
    return value if isinstance(value, (str, int, float, list, dict)) and value == value else str(value)  # noqa: PLR0124 - nan


def _cite_setting(entry: Shown) -> str | None:
    return f"{CONFIG}:{entry.line}" if entry.line else None


def _format_setting(value: object) -> str:
    if isinstance(value, dict):
        return settings.show_map(value)
    return value if isinstance(value, str) else json.dumps(_jsonable(value), ensure_ascii=False)
