"""Plans how a connection with OpenClaw is taken away."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from clawgit.integrations.openclaw import configuration, connection, record, skill
from clawgit.integrations.openclaw.configuration import Rewritten, there, value_at
from clawgit.integrations.openclaw.part import Act, Done, Part
from clawgit.integrations.openclaw.plan import Plan
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
        known = replace(_guessed(target), folders=known.folders)
    whole = [connection.look(target), connection.look(connection.other(target))]
    whole[1:] = [one for one in whole[1:] if one.state != "missing"]
    learnt = skill.look(target)
    config = configuration.cleared(target.host.config, known)
    done = (_whole(whole[0]), *_settings(target, config, known), *map(_whole, whole[1:]), _whole(learnt))
    kept = replace(known, digest="", slips=(), puts=tuple(one for one in known.puts if one.keys in config.kept), way="")
    folders = tuple(map(Path, known.folders)) or (target.plugin, target.folder, skill.folders(target)[0])
    goes = learnt.state in ("installed", "outdated")
    files = {**(skill.files(target, wanted=False) if goes else {})}
    for one in (target, connection.other(target)):
        files |= {} if connection.look(one).state == "foreign" else connection.files(one, wanted=False)
    change = skill.change(target, wanted=False) if goes and target.workspace.managed else None
    return Plan(target, done, files, config, kept if kept.puts else None, change, folders)


def _guessed(target: Target) -> Record:
    """Return what a configuration holds of ours where no record tells of it: what nobody else would have put there."""
    mine = own(target)
    both = (*wishes(target, Record()), *wishes(connection.other(target), Record()))
    puts = tuple(Put(one.keys, one.value, len(one.keys) - 1) for one in both if one.keys in mine)
    return Record(os.path.realpath(target.host.config.path), puts=puts)


def _whole(one: Part) -> Done:
    note = one.note if one.state in ("edited", "foreign") else ""
    return Done(one.name, _ACTS.get(one.state, "left"), one.place, note)


def _settings(target: Target, config: Rewritten, known: Record) -> tuple[Done, ...]:
    """Return what becomes of each part of the configuration."""
    found = []
    for name in dict.fromkeys(
        (*connection.SETTINGS[target.way], *(part(one.keys) for one in known.puts if _there(one, target)))
    ):
        puts = [one.keys for one in known.puts if part(one.keys) == name]
        kept = [".".join(keys) for keys in puts if keys in config.kept]
        act: Act = "left" if kept else "removed" if puts and config.after != config.before else "kept"
        note = f"{', '.join(kept)} was changed since, or is needed by others" if kept else ""
        found.append(Done(name, act, config.place, note))
    return tuple(found)


def _there(one: Put, target: Target) -> bool:
    return there(value_at(target.host.config.values, one.keys))
