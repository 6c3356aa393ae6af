"""Plans the connection of a workspace with OpenClaw."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from clawgit.integrations.openclaw import configuration, hook, record, skill
from clawgit.integrations.openclaw.configuration import Rewritten
from clawgit.integrations.openclaw.part import Act, Done, Part
from clawgit.integrations.openclaw.plan import Files, Plan
from clawgit.integrations.openclaw.record import Record
from clawgit.integrations.openclaw.target import Target
from clawgit.integrations.openclaw.wishes import Wish, part, wishes

_ACTS: Mapping[str, Act] = {"missing": "installed", "outdated": "renewed", "installed": "kept"}
_NO_HOOK = "the hook that it is for is not clawgit's"


def installing(target: Target) -> Plan:
    """Return what installing would do; touches nothing. Raises ClawgitError where clawgit is not at home."""
    target.workspace.require_managed()
    known = record.load(target.workspace)
    stands, learnt = hook.look(target), skill.look(target)
    put = {one.keys for one in known.puts}
    wanted = [_with(wish, stands, there=wish.keys in put) for wish in wishes(target, known)]
    config = configuration.written(target.host.config, known, [wish for wish in wanted if not wish.unfit])
    done = (_whole(stands), *_settings(wanted, config, known), _whole(learnt))
    learns = learnt.state in ("missing", "outdated")
    files = {**_files(target, stands), **(skill.files(target, wanted=True) if learns else {})}
    change = skill.change(target, wanted=True) if learns else None
    kept = config.record if config.after is not None else known
    folders = _folders(target, known)
    return Plan(target, done, files, config, replace(kept, folders=folders), change, tuple(map(Path, folders)))


def _with(wish: Wish, stands: Part, *, there: bool) -> Wish:
    """Return a wish, with the reason why it is none where its hook is somebody else's; what is there stays."""
    if there:
        return replace(wish, unfit="")
    if wish.part != "hook setting" or stands.state != "foreign":
        return wish
    return replace(wish, unfit=_NO_HOOK, fix=stands.fix)


def _folders(target: Target, known: Record) -> tuple[str, ...]:
    """Return the folders that installing makes, or has made, the innermost first."""
    places = (target.folder, target.folder.parent, *skill.folders(target))
    new = (str(place) for place in places if not place.exists())
    return tuple(sorted({*known.folders, *new}, key=lambda place: (-place.count("/"), place)))


def _files(target: Target, stands: Part) -> Files:
    if stands.state not in _ACTS:
        return {}
    found = hook.standing(target.folder)
    return {target.folder / name: (found.get(name), data) for name, data in hook.files(target).items()}


def _whole(part: Part) -> Done:
    """Return what becomes of a part that is put there whole."""
    return Done(part.name, _ACTS.get(part.state, "left"), part.place, part.note, part.fix)


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
    new = {one.keys: one.value for one in config.record.puts if part(one.keys) == first.part}
    old = {one.keys: one.value for one in known.puts if part(one.keys) == first.part}
    if new == old or config.after == config.before:
        return Done(first.part, "kept", config.place)
    return Done(first.part, "renewed" if old else "installed", config.place)
