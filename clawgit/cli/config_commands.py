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
from clawgit.integrations.json_documents import each
from clawgit.workspace import config as configs
from clawgit.workspace import settings
from clawgit.workspace.config import Config, Shown
from clawgit.workspace.workspace import Workspace

CONFIG = "CONFIG.md"
_GUARDS = ("soul_policy", "approve_without_terminal")
_POLICIES = {
    "evolve": "edits in your turns or in an editor are kept and reported; others are reverted and wait in the inbox",
    "review": "edits of the identity are reverted and wait in the inbox, except those made through clawgit",
    "locked": "edits of the identity are reverted and wait in the inbox; approval needs a terminal",
}
"""What each value of `soul_policy` does, in a sentence."""
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
    every, problems = workspace.config.every(), workspace.config.problems()
    for problem in problems:
        call.out.warn(f"{problem.message} ({problem.fix})")
    keys = list(map(_document, every))
    rows = render.draw_table(keys, "key value set says=untrusted reader")
    call.out.answer({"keys": keys, "problems": each(problems, "message fix")}, rows)


def _get(call: Call, workspace: Workspace, key: str) -> None:
    config, found = workspace.config, settings.find(key)
    shown = config.shown(found)
    if shown.problem:
        raise shown.problem
    _tell_odd(call, config, *settings.names(found))
    if shown.untrusted is not None:
        call.out.note(f"{_unused(shown)}: clawgit trust")
    call.out.answer(_document(shown), [line(_plain(shown.value))])
    if shown.untrusted is None:
        _explain_policy(call, workspace, found.name, shown.value)


def _set(call: Call, workspace: Workspace, key: str, value: str) -> None:
    found = settings.find(key)
    meant = settings.read(found, value)
    change, after = configs.change(workspace.read(CONFIG), found, meant, workspace.config.trusted)
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
    else:
        _explain_policy(call, workspace, found.name, shown.value)


def _explain_policy(call: Call, workspace: Workspace, name: str, value: object) -> None:
    """Tell what a policy does, and that nothing of the identity is served while nothing is approved."""
    if name == "soul_policy" and value in _POLICIES:
        call.out.note(f"{value}: {_POLICIES[str(value)]}")
        if value != "evolve" and workspace.managed and not workspace.trust.known:
            call.out.warn("nothing is approved yet, so the agent gets no identity files", "clawgit trust")


def _tell_odd(call: Call, found: Config, *names: str) -> None:
    """Tell what else the file says of a key, or in a block of its own, that has no effect."""
    for problem in found.odd_places(*names):
        call.out.warn(f"{problem.message} ({problem.fix})")


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
