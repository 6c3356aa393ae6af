"""Tells how the connection with OpenClaw stands."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from clawgit.integrations.openclaw import connection, record, skill
from clawgit.integrations.openclaw.configuration import there, value_at
from clawgit.integrations.openclaw.part import Part
from clawgit.integrations.openclaw.record import Put, Record
from clawgit.integrations.openclaw.target import Target
from clawgit.integrations.openclaw.wishes import Wish, part, tools_hidden, wishes

_INSTALL = "clawgit openclaw install"
_TWICE = "it has to go: each turn would be given the same context by both"


def status(target: Target) -> tuple[Part, ...]:
    """Return how each part stands; nothing is touched."""
    known = record.load(target.workspace)
    beside = connection.look(connection.other(target))
    others = [replace(beside, note=_TWICE)] if beside.state not in ("missing", "foreign") else []
    return tuple(
        _fixed(one) for one in (connection.look(target), *others, *_settings(target, known), skill.look(target))
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
