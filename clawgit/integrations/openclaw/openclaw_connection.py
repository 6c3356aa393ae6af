"""What is connected, by which way, and how it stands."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import Command, openclaw_version
from clawgit.integrations.openclaw import openclaw_target, shipped_files
from clawgit.integrations.openclaw.config_part import Name, Part, State
from clawgit.integrations.openclaw.install_plan import Files
from clawgit.integrations.openclaw.openclaw_config import (
    Wish,
    is_loaded,
    part,
    there,
    tools_hidden,
    value_at,
    wishes,
)
from clawgit.integrations.openclaw.openclaw_target import Put, Record, Target, Way

SETTINGS: Mapping[Way, tuple[Name, ...]] = {"plugin": ("plugin setting",), "hook": ("hook setting", "mcp server")}
"""The parts of the configuration that each way needs."""


def wanted(target: Target, known: Record, asked: Way | None) -> Target:
    """Return the target with the way that installing takes: as asked now or before, else the best that there is.

    Raises UsageError for one that this OpenClaw does not have.
    """
    able = _able(target)
    if asked == "plugin" and able:
        raise openclaw_version(f"cannot use the plugin: {able}", fix=Command("clawgit connect --with hook"))
    kept: Way | None = "hook" if known.way == "hook" else None
    linked = replace(target, way="plugin", linked=True)
    way = asked or kept or ("hook" if able else "plugin")
    return replace(linked, way=way, linked=bool(target.host.program) or look(linked).state != "missing")


def found(target: Target, known: Record) -> Target:
    """Return the target with the way by which it is connected, else the one that installing would take."""
    best = wanted(target, known, None)
    every = sorted((best, *best.others), key=lambda one: (one.way == "hook", not one.linked))
    return next((one for one in every if look(one).state not in ("missing", "foreign")), best)


def look(target: Target) -> Part:
    """Return how the folder of the target's way stands."""
    if target.way == "hook":
        return shipped_files.look_at_hook(target)
    stands = shipped_files.look_at_plugin(target)
    if stands.state == "installed" and target.linked and not is_loaded(target):
        return replace(stands, state="outdated", note="OpenClaw does not load it from there")
    return stands


def files(target: Target, *, wanted: bool) -> Files:
    """Return what becomes of the files of the target's way, where they are to be `wanted` or gone; edited ones stay."""
    home = target.plugin if target.way == "plugin" else target.folder
    new = shipped_files.plugin_files(target) if target.way == "plugin" else shipped_files.hook_files(target)
    was = shipped_files.standing(home, new)
    if wanted:
        return {home / name: (was.get(name), data) for name, data in new.items()}
    return {home / name: (data, None) for name, data in was.items() if shipped_files.untouched(data)}


def _able(target: Target) -> str:
    """Return why the plugin cannot be had, "" where it can."""
    known = target.host.version
    if known is None:
        return "nothing tells which version OpenClaw has"
    if known.number < shipped_files.SINCE:
        return f"it needs OpenClaw {'.'.join(map(str, shipped_files.SINCE))}, and this is {known.text}"
    return ""


_INSTALL = "clawgit connect"
_RESTART = "openclaw gateway restart"


class Connection(Struct, frozen=True):
    """Whether a workspace is connected: `parts` as they stand, `state` that of the worst part that it needs.

    Of a plugin that is installed it is "connected" once its process reached clawgit, which it did last when it was
    `seen`; `fix` is the command to run next.
    """

    state: State | Literal["connected"]
    seen: str
    fix: str
    parts: tuple[Part, ...]


def read_connection(target: Target) -> Connection:
    """Return how the connection stands; nothing is touched."""
    parts = status(target)
    needed = [one for one in parts if one.name in (target.way, *SETTINGS[target.way]) and one.state != "installed"]
    if needed:
        return Connection(needed[0].state, "", needed[0].fix or _INSTALL, parts)
    seen = openclaw_target.read_contact(target.workspace.store)
    if seen:
        return Connection("connected", seen, "", parts)
    return Connection("installed", "", _RESTART if target.way == "plugin" else "", parts)


_TWICE = "it has to go: each turn would be given the same context by both"


def status(target: Target) -> tuple[Part, ...]:
    """Return how each part stands; nothing is touched."""
    known = openclaw_target.load(target.workspace)
    beside = [look(other) for other in target.others]
    others = [replace(one, note=_TWICE) for one in beside if one.state not in ("missing", "foreign")]
    stands = look(target)
    if stands.state == "installed" and wanted(target, known, None).way != target.way:
        stands = replace(stands, state="outdated", note="this OpenClaw takes the plugin")
    return tuple(
        _fixed(one) for one in (stands, *others, *_settings(target, known), shipped_files.look_at_skill(target))
    )


def _settings(target: Target, known: Record) -> Iterator[Part]:
    wanted = wishes(target, known)
    for name in dict.fromkeys(wish.part for wish in wanted):
        found = _setting(target, known, [wish for wish in wanted if wish.part == name])
        yield _silencing(target, known, wanted, found)


def _setting(target: Target, known: Record, wanted: Sequence[Wish]) -> Part:
    """Return how one part of the configuration stands: as the worst of its values does."""
    place, first = target.host.config.path, wanted[0]
    held = {wish.keys: value_at(target.host.config.values, wish.keys) for wish in wanted}
    ours = {put.keys: replace(first, value=put.value).read for put in known.puts}
    for wish in wanted:
        value = held[wish.keys]
        if value is False or (isinstance(value, dict) and value.get("enabled") is False):
            return Part(first.part, "off", place, f"{'.'.join(wish.keys)} switches it off", wish.command)
        if there(value) and value != wish.read:
            if value == ours.get(wish.keys):
                return Part(first.part, "outdated", place)
            words = f"{'.'.join(wish.keys)} was changed by somebody"
            return Part(first.part, "edited", place, words, wish.command)
    if all(there(value) for value in held.values()):
        note, fix = tools_hidden(target) if first.part == "plugin setting" else ("", "")
        return Part(first.part, "installed", place, note, fix)
    unfit = next((wish for wish in wanted if wish.unfit), None)
    if unfit:
        return Part(first.part, "unfit", place, unfit.unfit, unfit.fix)
    return Part(first.part, "missing", place)


def _silencing(target: Target, known: Record, wanted: Sequence[Wish], found: Part) -> Part:
    """Return how a part stands where a name of ours from before keeps other hooks from being loaded."""
    past = [put for put in known.puts if part(put.keys) == found.name and put.keys not in {w.keys for w in wanted}]
    if found.state != "installed" or not any(_same(target, one) for one in past):
        return found
    return replace(found, state="outdated", note="it keeps OpenClaw from loading other hooks")


def _same(target: Target, one: Put) -> bool:
    return bool(value_at(target.host.config.values, one.keys) == one.value)


def _fixed(one: Part) -> Part:
    if one.fix or one.state not in ("missing", "outdated"):
        return one
    return Part(one.name, one.state, one.place, one.note, _INSTALL)
