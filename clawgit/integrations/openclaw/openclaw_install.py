"""Connects a workspace with OpenClaw and takes the connection away."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from clawgit.integrations.openclaw import openclaw_config, openclaw_connection, openclaw_target, shipped_files
from clawgit.integrations.openclaw.config_part import Act, Done, Part
from clawgit.integrations.openclaw.install_plan import Plan
from clawgit.integrations.openclaw.openclaw_config import (
    Rewritten,
    Wish,
    own,
    part,
    there,
    tools_hidden,
    value_at,
    wishes,
)
from clawgit.integrations.openclaw.openclaw_target import Put, Record, Target

_ACTS: Mapping[str, Act] = {"missing": "installed", "outdated": "renewed", "installed": "kept"}
_NOT_OURS = "the {} that it is for is not clawgit's"
_TWICE = "the {} that somebody changed would give each turn the same context once more"
_ACCESS = "allowConversationAccess lets it hear the operator, and look up what a turn is about; the command is /clawgit"


def installing(target: Target, asked: str = "") -> Plan:
    """Return what installing by the way of the target would do, which the operator `asked` for or not; touches nothing.

    What stands of the other way goes. Raises ClawgitError where clawgit is not at home.
    """
    target.workspace.require_managed()
    known = openclaw_target.load(target.workspace)
    left = [(other, openclaw_connection.look(other)) for other in target.others]
    stands, learnt = _unless_twice(openclaw_connection.look(target), left), shipped_files.look_at_skill(target)
    gone = [one for one, part in left if part.state in ("installed", "outdated")]
    put = {one.keys for one in known.puts}
    wanted = [_with(wish, stands, there=wish.keys in put) for wish in wishes(target, known)]
    config = openclaw_config.written(target.host.config, known, [wish for wish in wanted if not wish.unfit])
    settings = [_hiding(target, setting) for setting in _settings(wanted, config, known)]
    done = (_whole(stands), *settings, *_goes(target, left, config, known), _whole(learnt))
    learns = learnt.state in ("missing", "outdated")
    files = {
        **(openclaw_connection.files(target, wanted=True) if stands.state in _ACTS else {}),
        **{place: what for one in gone for place, what in openclaw_connection.files(one, wanted=False).items()},
        **(shipped_files.skill_files(target, wanted=True) if learns else {}),
    }
    change = shipped_files.change(target, wanted=True) if learns else None
    kept = config.record if config.after is not None else known
    folders = _folders(target, known)
    installer = target.installer("install") if stands.state in ("missing", "outdated") else ()
    after = replace(kept, folders=folders, way=asked or known.way)
    return Plan(
        *(target, done, files, config, after, change, tuple(map(Path, folders))),
        uninstall=_uninstaller(gone),
        install=installer,
        again=lambda: installing(target, asked),
    )


def _uninstaller(targets: Iterable[Target]) -> tuple[str, ...]:
    """Return OpenClaw's command for the plugin that is linked, () where none of these is."""
    return next(filter(None, (target.installer("uninstall") for target in targets)), ())


def _unless_twice(stands: Part, left: Sequence[tuple[Target, Part]]) -> Part:
    """Return how a part stands; where another way cannot be taken away it is not installed beside it."""
    edited = next((part for _, part in left if part.state == "edited"), None)
    if edited is None:
        return stands
    return Part(stands.name, "unfit", stands.place, _TWICE.format(edited.name), edited.fix)


def _goes(target: Target, left: Sequence[tuple[Target, Part]], config: Rewritten, known: Record) -> Iterator[Done]:
    """Yield what becomes of the parts of the other ways that stand."""
    for _, part_left in left:
        if part_left.state in ("installed", "outdated"):
            yield Done(part_left.name, "removed", part_left.place)
        elif part_left.state == "edited":
            yield Done(part_left.name, "left", part_left.place, part_left.note, part_left.fix)
    for name in openclaw_connection.SETTINGS["hook" if target.way == "plugin" else "plugin"]:
        if any(part(put.keys) == name and put not in config.record.puts for put in known.puts):
            yield Done(name, "removed" if config.after is not None else "left", config.place)


def _with(wish: Wish, stands: Part, *, there: bool) -> Wish:
    """Return a wish, with the reason why it is none where its hook is somebody else's; what is there stays."""
    if there:
        return replace(wish, unfit="")
    if wish.part == "mcp server" or stands.state not in ("foreign", "unfit"):
        return wish
    return replace(
        wish, unfit=_NOT_OURS.format(stands.name) if stands.state == "foreign" else stands.note, fix=stands.fix
    )


def _folders(target: Target, known: Record) -> tuple[str, ...]:
    """Return the folders that installing makes, or has made, the innermost first."""
    home = target.plugin if target.way == "plugin" else target.folder
    places = (home, home.parent, *shipped_files.folders(target))
    new = (str(place) for place in places if not place.exists())
    return tuple(sorted({*known.folders, *new}, key=lambda place: (-place.count("/"), place)))


def _whole(part: Part) -> Done:
    """Return what becomes of a part that is put there whole."""
    return Done(part.name, _ACTS.get(part.state, "left"), part.place, part.note, part.fix)


def _hiding(target: Target, one: Done) -> Done:
    """Return what becomes of a setting; beside the plugin's, why OpenClaw would show none of its tools."""
    why, fix = tools_hidden(target)
    return replace(one, note=why, fix=fix) if why and one.name == "plugin setting" and one.act != "left" else one


def _settings(wanted: Sequence[Wish], config: Rewritten, known: Record) -> tuple[Done, ...]:
    """Return what becomes of each part of the configuration."""
    names = dict.fromkeys(wish.part for wish in wanted)
    return tuple(_setting([wish for wish in wanted if wish.part == name], config, known) for name in names)


def _setting(wanted: Sequence[Wish], config: Rewritten, known: Record) -> Done:
    first = wanted[0]
    for wish in wanted:
        if wish.unfit:
            return Done(wish.part, "left", config.place, wish.unfit, wish.fix)
        if wish.keys in config.left:
            words = f"{config.left[wish.keys]}; it needs {wish.snippet}"
            return Done(wish.part, "left", config.place, words, wish.command)
    new = {put.keys: put.value for put in config.record.puts if part(put.keys) == first.part}
    old = {put.keys: put.value for put in known.puts if part(put.keys) == first.part}
    note = _ACCESS if first.part == "plugin setting" else ""
    if new == old or config.after == config.before:
        return Done(first.part, "kept", config.place, note)
    return Done(first.part, "renewed" if old else "installed", config.place, note)


_ACTS_OF_REMOVAL: Mapping[str, Act] = {
    "installed": "removed",
    "outdated": "removed",
    "missing": "kept",
    "unfit": "kept",
}


def removing(target: Target) -> Plan:
    """Return what uninstalling would do; touches nothing."""
    known = openclaw_target.load(target.workspace)
    if not known.place:
        known = replace(_guessed(target), folders=known.folders)
    whole = [openclaw_connection.look(target), *map(openclaw_connection.look, target.others)]
    whole[1:] = [one for one in whole[1:] if one.state != "missing"]
    learnt = shipped_files.look_at_skill(target)
    config = openclaw_config.cleared(target.host.config, known)
    done = (
        _whole_removal(whole[0]),
        *_settings_to_remove(target, config, known),
        *map(_whole_removal, whole[1:]),
        _whole_removal(learnt),
    )
    puts = tuple(put for put in known.puts if put.keys in config.kept)
    kept = replace(known, puts=puts, way="", original="")
    folders = tuple(map(Path, known.folders)) or (target.plugin, target.folder, shipped_files.folders(target)[0])
    goes = learnt.state in ("installed", "outdated")
    files = {**(shipped_files.skill_files(target, wanted=False) if goes else {})}
    for one in (target, *target.others):
        files |= (
            {} if openclaw_connection.look(one).state == "foreign" else openclaw_connection.files(one, wanted=False)
        )
    change = shipped_files.change(target, wanted=False) if goes and target.workspace.managed else None
    return Plan(
        *(target, done, files, config, kept if kept.puts else None, change, folders),
        uninstall=_uninstaller(one for one in (target, *target.others) if openclaw_config.is_loaded(one)),
        again=lambda: removing(target),
    )


def _guessed(target: Target) -> Record:
    """Return what a configuration holds of ours where no record tells of it: what nobody else would have put there."""
    mine = own(target)
    both = [wish for one in (target, *target.others) for wish in wishes(one, Record())]
    puts = tuple(Put(one.keys, one.value, len(one.keys) - 1) for one in both if one.keys in mine)
    return Record(os.path.realpath(target.host.config.path), puts=puts)


def _whole_removal(one: Part) -> Done:
    note = one.note if one.state in ("edited", "foreign") else ""
    return Done(one.name, _ACTS_OF_REMOVAL.get(one.state, "left"), one.place, note)


def _settings_to_remove(target: Target, config: Rewritten, known: Record) -> tuple[Done, ...]:
    """Return what becomes of each part of the configuration."""
    found = []
    for name in dict.fromkeys(
        (*openclaw_connection.SETTINGS[target.way], *(part(put.keys) for put in known.puts if _there(put, target)))
    ):
        puts = [put.keys for put in known.puts if part(put.keys) == name]
        kept = [".".join(keys) for keys in puts if keys in config.kept]
        act: Act = "left" if kept else "removed" if puts and config.after != config.before else "kept"
        note = f"{', '.join(kept)} was changed since, or is needed by others" if kept else ""
        found.append(Done(name, act, config.place, note))
    return tuple(found)


def _there(one: Put, target: Target) -> bool:
    return there(value_at(target.host.config.values, one.keys))
