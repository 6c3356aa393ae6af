"""What is connected, by which way, and how it stands."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from clawgit.errors import Command, openclaw_version
from clawgit.integrations.openclaw import openclaw_target, shipped_files
from clawgit.integrations.openclaw.config_part import Name, Part
from clawgit.integrations.openclaw.install_plan import Files
from clawgit.integrations.openclaw.openclaw_config import Wish, part, there, tools_hidden, value_at, wishes
from clawgit.integrations.openclaw.openclaw_target import Put, Record, Target, Way

SETTINGS: Mapping[Way, tuple[Name, ...]] = {"plugin": ("plugin setting",), "hook": ("hook setting", "mcp server")}
"""The parts of the configuration that each way needs."""


def wanted(target: Target, known: Record, asked: Way | None) -> Target:
    """Return the target with the way that installing takes: as asked now or before, else the best that there is.

    Raises UsageError for one that this OpenClaw does not have.
    """
    able = _able(target)
    if asked == "plugin" and able:
        raise openclaw_version(f"cannot use the plugin: {able}", fix=Command("clawgit openclaw install --with hook"))
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
    return shipped_files.look_at_plugin(target) if target.way == "plugin" else shipped_files.look_at_hook(target)


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


_INSTALL = "clawgit openclaw install"
_TWICE = "it has to go: each turn would be given the same context by both"


def status(target: Target) -> tuple[Part, ...]:
    """Return how each part stands; nothing is touched."""
    known = openclaw_target.load(target.workspace)
    beside = look(other(target))
    others = [replace(beside, note=_TWICE)] if beside.state not in ("missing", "foreign") else []
    return tuple(
        _fixed(one) for one in (look(target), *others, *_settings(target, known), shipped_files.look_at_skill(target))
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
    ours = {one.keys: replace(first, value=one.value).read for one in known.puts}
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
    past = [one for one in known.puts if part(one.keys) == found.name and one.keys not in {w.keys for w in wanted}]
    if found.state != "installed" or not any(_same(target, one) for one in past):
        return found
    return replace(found, state="outdated", note="it keeps OpenClaw from loading other hooks")


def _same(target: Target, one: Put) -> bool:
    return bool(value_at(target.host.config.values, one.keys) == one.value)


def _fixed(one: Part) -> Part:
    if one.fix or one.state not in ("missing", "outdated"):
        return one
    return Part(one.name, one.state, one.place, one.note, _INSTALL)
