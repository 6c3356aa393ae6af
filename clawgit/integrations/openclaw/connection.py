"""Which way OpenClaw is connected."""

from collections.abc import Mapping

from msgspec.structs import replace

from clawgit.errors import UsageError
from clawgit.integrations.openclaw import hook, plugin, shipped, stamp
from clawgit.integrations.openclaw.part import Name, Part
from clawgit.integrations.openclaw.plan import Files
from clawgit.integrations.openclaw.record import Record
from clawgit.integrations.openclaw.target import Target, Way

SETTINGS: Mapping[Way, tuple[Name, ...]] = {"plugin": ("plugin setting",), "hook": ("hook setting", "mcp server")}
"""The parts of the configuration that each way needs."""


def wanted(target: Target, known: Record, asked: Way | None) -> Target:
    """Return the target with the way that installing takes: as asked now or before, else the best that there is.

    Raises UsageError for one that this OpenClaw does not have.
    """
    able = _able(target)
    if asked == "plugin" and able:
        raise UsageError(f"the plugin cannot be installed: {able}", fix="clawgit openclaw install --with hook")
    kept: Way | None = "hook" if known.way == "hook" else None
    return replace(target, way=asked or kept or ("hook" if able else "plugin"))


def found(target: Target, known: Record) -> Target:
    """Return the target with the way by which it is connected, else the one that installing would take."""
    for way in ("plugin", "hook"):
        there = replace(target, way=way)
        if look(there).state not in ("missing", "foreign"):
            return there
    return wanted(target, known, None)


def other(target: Target) -> Target:
    """Return the target with the other way."""
    return replace(target, way="hook" if target.way == "plugin" else "plugin")


def look(target: Target) -> Part:
    """Return how the folder of the target's way stands."""
    return plugin.look(target) if target.way == "plugin" else hook.look(target)


def files(target: Target, *, wanted: bool) -> Files:
    """Return what becomes of the files of the target's way, where they are to be `wanted` or gone; edited ones stay."""
    home = target.plugin if target.way == "plugin" else target.folder
    new = plugin.files(target) if target.way == "plugin" else hook.files(target)
    was = shipped.standing(home, new)
    if wanted:
        return {home / name: (was.get(name), data) for name, data in new.items()}
    return {home / name: (data, None) for name, data in was.items() if stamp.untouched(data)}


def _able(target: Target) -> str:
    """Return why the plugin cannot be had, "" where it can."""
    known = target.host.version
    if known is None:
        return "nothing tells which version OpenClaw has"
    if known.number < plugin.SINCE:
        return f"it needs OpenClaw {'.'.join(map(str, plugin.SINCE))}, and this is {known.text}"
    return "" if target.speaks else "it needs the extra mcp: pip install 'clawgit[mcp]'"
