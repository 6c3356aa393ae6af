"""Tells how the connection with OpenClaw stands."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from clawgit.integrations.openclaw import hook, record, skill
from clawgit.integrations.openclaw.configuration import there, value_at
from clawgit.integrations.openclaw.part import Part
from clawgit.integrations.openclaw.record import Record
from clawgit.integrations.openclaw.target import Target
from clawgit.integrations.openclaw.wishes import Wish, wishes

_INSTALL = "clawgit openclaw install"


def status(target: Target) -> tuple[Part, ...]:
    """Return how each part stands; nothing is touched."""
    known = record.load(target.workspace)
    return tuple(_fixed(part) for part in (hook.look(target), *_settings(target, known), skill.look(target)))


def _settings(target: Target, known: Record) -> Iterator[Part]:
    wanted = wishes(target)
    for name in dict.fromkeys(wish.part for wish in wanted):
        yield _setting(target, known, [wish for wish in wanted if wish.part == name])


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
        return Part(first.part, "installed", place)
    unfit = next((wish for wish in wanted if wish.unfit), None)
    if unfit:
        return Part(first.part, "unfit", place, unfit.unfit, unfit.fix)
    return Part(first.part, "missing", place)


def _fixed(part: Part) -> Part:
    if part.fix or part.state not in ("missing", "outdated"):
        return part
    return Part(part.name, part.state, part.place, part.note, _INSTALL)
