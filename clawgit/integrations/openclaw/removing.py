"""Plans how a connection with OpenClaw is taken away."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from clawgit.integrations.openclaw import configuration, hook, record, skill, stamp
from clawgit.integrations.openclaw.configuration import Rewritten
from clawgit.integrations.openclaw.part import Act, Done, Part
from clawgit.integrations.openclaw.plan import Files, Plan
from clawgit.integrations.openclaw.record import Put, Record
from clawgit.integrations.openclaw.target import Target
from clawgit.integrations.openclaw.wishes import own, part, wishes

_ACTS: Mapping[str, Act] = {
    "installed": "removed",
    "outdated": "removed",
    "missing": "kept",
    "unfit": "kept",
}


def removing(target: Target) -> Plan:
    """Return what uninstalling would do; touches nothing."""
    known = record.load(target.workspace)
    if not known.place:
        known = _guessed(target)
    stands, learnt = hook.look(target), skill.look(target)
    config = configuration.cleared(target.host.config, known)
    done = (_whole(stands), *_settings(target, config, known), _whole(learnt))
    kept = replace(known, digest="", slips=(), puts=tuple(one for one in known.puts if one.keys in config.kept))
    folders = tuple(map(Path, known.folders)) or (target.folder, skill.folders(target)[0])
    goes = learnt.state in ("installed", "outdated")
    files = {**_files(target, stands), **(skill.files(target, wanted=False) if goes else {})}
    change = skill.change(target, wanted=False) if goes and target.workspace.managed else None
    return Plan(target, done, files, config, kept if kept.puts else None, change, folders)


def _guessed(target: Target) -> Record:
    """Return what a configuration holds of ours where no record tells of it: what nobody else would have put there."""
    mine = own(target)
    puts = tuple(Put(one.keys, one.value, len(one.keys) - 1) for one in wishes(target, Record()) if one.keys in mine)
    return Record(os.path.realpath(target.host.config.path), puts=puts)


def _files(target: Target, stands: Part) -> Files:
    if stands.state == "foreign":
        return {}
    found = hook.standing(target.folder)
    return {target.folder / name: (data, None) for name, data in found.items() if stamp.untouched(data)}


def _whole(one: Part) -> Done:
    note = one.note if one.state in ("edited", "foreign") else ""
    return Done(one.name, _ACTS.get(one.state, "left"), one.place, note)


def _settings(target: Target, config: Rewritten, known: Record) -> tuple[Done, ...]:
    """Return what becomes of each part of the configuration."""
    found = []
    for name in dict.fromkeys(wish.part for wish in wishes(target, known)):
        puts = [one.keys for one in known.puts if part(one.keys) == name]
        kept = [".".join(keys) for keys in puts if keys in config.kept]
        act: Act = "left" if kept else "removed" if puts and config.after != config.before else "kept"
        note = f"{', '.join(kept)} was changed since, or is needed by others" if kept else ""
        found.append(Done(name, act, config.place, note))
    return tuple(found)
