"""By which way OpenClaw is connected, and its state."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import Command, openclaw_version
from clawgit.integrations.openclaw import openclaw_target, shipped_files
from clawgit.integrations.openclaw.openclaw_config import (
    as_read,
    find_obstacle,
    is_loaded,
    is_there,
    list_needed,
    set_command,
    tools_hidden,
    value_at,
)
from clawgit.integrations.openclaw.openclaw_target import Act, Name, Part, Record, State, Target

FORMER: tuple[Name, ...] = ("hook setting", "mcp server")
"""The parts of the configuration that clawgit 0.2 had for an older OpenClaw."""
NEEDED = ("plugin", "plugin setting")
"""The parts without which OpenClaw is not connected."""
_INSTALL = "clawgit connect"
_RESTART = "openclaw gateway restart"
_TWICE = "it has to go: each turn would be given the same context by both"


def wanted(target: Target) -> Target:
    """Return the target as installing connects it: linked where OpenClaw can be called, or was."""
    linked = replace(target, linked=True)
    return linked if target.host.program or look(linked).state != "missing" else replace(target, linked=False)


def require_version(target: Target) -> None:
    """Raise ClawgitError for an OpenClaw that is too old for the plugin; one of no version is not refused."""
    known = target.host.version
    if known and known.number < shipped_files.SINCE:
        words = f"the plugin needs OpenClaw {'.'.join(map(str, shipped_files.SINCE))}, and this is {known.text}"
        raise openclaw_version(words, fix=Command("openclaw update"))


def found(target: Target) -> Target:
    """Return the target as it is connected, else as installing would connect it."""
    every = (replace(target, linked=linked) for linked in (True, False))
    return next((one for one in every if look(one).state not in ("missing", "foreign")), wanted(target))


def look(target: Target) -> Part:
    """Return the state of the folder of the target's way."""
    folder = shipped_files.look_at_folder(target)
    if folder.state == "installed" and target.linked and not is_loaded(target):
        return replace(folder, state="outdated", note="OpenClaw does not load it from there")
    return folder


class Connection(Struct, frozen=True):
    """Whether a workspace is connected: its `parts`, and as `state` that of the worst part that it needs.

    Of a plugin that is installed it is "connected" once its process reached clawgit, which it did last when it was
    `seen`; `fix` is the command to run next.
    """

    state: State | Act | Literal["connected"]
    seen: str
    fix: str
    parts: tuple[Part, ...]


def read_connection(target: Target) -> Connection:
    """Return the state of the connection; nothing is touched."""
    known = openclaw_target.load(target.workspace)
    others = (replace(one, note=_TWICE) for one in map(look, target.others) if one.state not in ("missing", "foreign"))
    parts = tuple(
        replace(one, fix=_INSTALL) if not one.fix and one.state in ("missing", "outdated") else one
        for one in (look(target), *others, _look_at_setting(target, known), shipped_files.look_at_skill(target))
    )
    for missing in (one for one in parts if one.name in NEEDED and one.state != "installed"):
        return Connection(missing.state, "", missing.fix or _INSTALL, parts)
    seen = openclaw_target.read_contact(target.workspace.store)
    return Connection("connected", seen, "", parts) if seen else Connection("installed", "", _RESTART, parts)


def _look_at_setting(target: Target, known: Record) -> Part:
    """Return the state of the configuration: that of the worst of its values."""
    setting = Part("plugin setting", "installed", target.host.config.path)
    needed = list_needed(target)
    values = [value_at(target.host.config.values, put.keys) for put in needed]
    ours = {put.keys: as_read(put.value) for put in known.puts}
    for put, value in zip(needed, values, strict=True):
        name = ".".join(put.keys)
        if value is False or (isinstance(value, dict) and value.get("enabled") is False):
            return replace(setting, state="off", note=f"{name} switches it off", fix=set_command(put))
        if is_there(value) and value != as_read(put.value):
            if value == ours.get(put.keys):
                return replace(setting, state="outdated")
            return replace(setting, state="edited", note=f"{name} was changed by somebody", fix=set_command(put))
    if all(map(is_there, values)):
        note, fix = tools_hidden(target)
        return replace(setting, note=note, fix=fix)
    note, fix = find_obstacle(target)
    return replace(setting, state="unfit" if note else "missing", note=note, fix=fix)
