"""By which way OpenClaw is connected, and its state."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import Command, openclaw_version
from clawgit.integrations.openclaw import openclaw_target, shipped_files
from clawgit.integrations.openclaw.openclaw_config import (
    Wish,
    is_loaded,
    is_there,
    part,
    tools_hidden,
    value_at,
    wishes,
)
from clawgit.integrations.openclaw.openclaw_target import Name, Part, Record, State, Target, Way

SETTINGS: Mapping[Way, tuple[Name, ...]] = {"plugin": ("plugin setting",), "hook": ("hook setting", "mcp server")}
"""The parts of the configuration that each way needs."""
_INSTALL = "clawgit connect"
_RESTART = "openclaw gateway restart"
_TWICE = "it has to go: each turn would be given the same context by both"


def wanted(target: Target, known: Record, asked: Way | None) -> Target:
    """Return the target with the way that installing takes: as asked now or before, else the best that there is.

    Raises UsageError for one that this OpenClaw does not have.
    """
    unable = _find_reason_against_plugin(target)
    if asked == "plugin" and unable:
        raise openclaw_version(f"cannot use the plugin: {unable}", fix=Command("clawgit connect --with hook"))
    way: Way = asked or ("hook" if unable or known.way == "hook" else "plugin")
    linked = replace(target, way="plugin", linked=True)
    return replace(linked, way=way, linked=bool(target.host.program) or look(linked).state != "missing")


def found(target: Target, known: Record) -> Target:
    """Return the target with the way by which it is connected, else the one that installing would take."""
    best = wanted(target, known, None)
    every = sorted((best, *best.others), key=lambda other: (other.way == "hook", not other.linked))
    return next((other for other in every if look(other).state not in ("missing", "foreign")), best)


def look(target: Target) -> Part:
    """Return the state of the folder of the target's way."""
    folder = shipped_files.look_at_folder(target)
    if folder.state == "installed" and target.way == "plugin" and target.linked and not is_loaded(target):
        return replace(folder, state="outdated", note="OpenClaw does not load it from there")
    return folder


def _find_reason_against_plugin(target: Target) -> str:
    known = target.host.version
    if known is None:
        return "nothing tells which version OpenClaw has"
    if known.number < shipped_files.SINCE:
        return f"it needs OpenClaw {'.'.join(map(str, shipped_files.SINCE))}, and this is {known.text}"
    return ""


class Connection(Struct, frozen=True):
    """Whether a workspace is connected: its `parts`, and as `state` that of the worst part that it needs.

    Of a plugin that is installed it is "connected" once its process reached clawgit, which it did last when it was
    `seen`; `fix` is the command to run next.
    """

    state: State | Literal["connected"]
    seen: str
    fix: str
    parts: tuple[Part, ...]


def read_connection(target: Target) -> Connection:
    """Return the state of the connection; nothing is touched."""
    parts = status(target)
    needed = (target.way, *SETTINGS[target.way])
    for missing in (one for one in parts if one.name in needed and one.state != "installed"):
        return Connection(missing.state, "", missing.fix or _INSTALL, parts)
    seen = openclaw_target.read_contact(target.workspace.store)
    if seen:
        return Connection("connected", seen, "", parts)
    return Connection("installed", "", _RESTART if target.way == "plugin" else "", parts)


def status(target: Target) -> tuple[Part, ...]:
    """Return the state of each part; nothing is touched."""
    known = openclaw_target.load(target.workspace)
    folder = look(target)
    if folder.state == "installed" and wanted(target, known, None).way != target.way:
        folder = replace(folder, state="outdated", note="this OpenClaw takes the plugin")
    others = (replace(one, note=_TWICE) for one in map(look, target.others) if one.state not in ("missing", "foreign"))
    parts = (folder, *others, *_list_settings(target, known), shipped_files.look_at_skill(target))
    return tuple(
        replace(one, fix=_INSTALL) if not one.fix and one.state in ("missing", "outdated") else one for one in parts
    )


def _list_settings(target: Target, known: Record) -> Iterator[Part]:
    """Yield the parts of the configuration; a name from before may keep OpenClaw from loading other hooks."""
    needed = wishes(target, known)
    past = {part(put.keys) for put in known.puts if put.keys not in {wish.keys for wish in needed}}
    for name in dict.fromkeys(wish.part for wish in needed):
        setting = _look_at_setting(target, known, [wish for wish in needed if wish.part == name])
        if setting.state == "installed" and name in past:
            setting = replace(setting, state="outdated", note="it keeps OpenClaw from loading other hooks")
        yield setting


def _look_at_setting(target: Target, known: Record, needed: Sequence[Wish]) -> Part:
    """Return the state of one part of the configuration: that of the worst of its values."""
    setting = Part(needed[0].part, "installed", target.host.config.path)
    values = {wish.keys: value_at(target.host.config.values, wish.keys) for wish in needed}
    ours = {put.keys: replace(needed[0], value=put.value).read for put in known.puts}
    for wish in needed:
        value, name = values[wish.keys], ".".join(wish.keys)
        if value is False or (isinstance(value, dict) and value.get("enabled") is False):
            return replace(setting, state="off", note=f"{name} switches it off", fix=wish.command)
        if is_there(value) and value != wish.read:
            if value == ours.get(wish.keys):
                return replace(setting, state="outdated")
            return replace(setting, state="edited", note=f"{name} was changed by somebody", fix=wish.command)
    if all(map(is_there, values.values())):
        note, fix = tools_hidden(target) if setting.name == "plugin setting" else ("", "")
        return replace(setting, note=note, fix=fix)
    for wish in needed:
        if wish.unfit:
            return replace(setting, state="unfit", note=wish.unfit, fix=wish.fix)
    return replace(setting, state="missing")
