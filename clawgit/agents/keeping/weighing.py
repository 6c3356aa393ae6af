"""Weighs remarks: what is a lesson, what passes."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from clawgit.agents.keeping.aspects import Aim
from clawgit.agents.keeping.signal import Kind, Signal
from clawgit.agents.keeping.wording import specific, tidied
from clawgit.text.sameness.relation import compare

_OCCASIONS = 2
_MOST_CITED = 5
_AGREED = 0.75
_SHARED = 0.5
_WORD = re.compile(r"[^\W_]{3,}|[\u3041-\u9fff\uac00-\ud7a3]")


class Lesson(Struct, frozen=True):
    """What is to be learnt, with the remarks that it rests on, the newest last."""

    kind: Kind
    aim: Aim | None
    signals: tuple[Signal, ...]

    @property
    def newest(self) -> Signal:
        """The remark that counts most."""
        return self.signals[-1]

    @property
    def cited(self) -> tuple[str, ...]:
        """The pointers to its evidence."""
        return tuple(dict.fromkeys(one.pointer for one in self.signals))[-_MOST_CITED:]

    @property
    def occasions(self) -> int:
        """On how many occasions it was said."""
        return len({one.occasion for one in self.signals})

    @property
    def guessed(self) -> bool:
        """Whether it was read out of one remark that names no side of conduct."""
        return self.occasions < _OCCASIONS and self.newest.guessed

    @property
    def proven(self) -> bool:
        """Whether the operator's own words bear it without what nobody can check."""
        return _enough([one for one in self.signals if one.proven])


def weigh(signals: Iterable[Signal], done: Collection[str], skipped: Counter[str]) -> Iterator[Lesson]:
    """Yield the lessons, in the order in which they were last said (spec P2).

    One strong remark is enough; of others it takes two occasions. Of remarks against each other the newest counts.
    `done` are the ids of remarks that something was made of before; what passes is counted in `skipped`, by reason.
    """
    groups = _groups(sorted(signals, key=lambda one: (one.time, one.pointer)))
    found = [lesson for group in groups for lesson in _lesson(group, done, skipped)]
    yield from sorted(found, key=lambda one: (one.newest.time, one.newest.pointer))


def _groups(signals: Sequence[Signal]) -> list[list[Signal]]:
    """Return the remarks on one matter each, the oldest first."""
    sides: dict[str, list[Signal]] = {}
    rest: list[list[Signal]] = []
    for one in signals:
        if one.matter:
            sides.setdefault(one.matter, []).append(one)
        elif one.aim and not (specific(one.words) and one.kind == "wish"):
            sides.setdefault(one.aim.aspect, []).append(one)
        else:
            alike = _alike(one)
            group = next((some for some in rest if some[-1].kind == one.kind and alike(some[-1])), None)
            if group is None:
                rest.append([one])
            else:
                group.append(one)
    return [*sides.values(), *rest]


def _alike(one: Signal) -> Callable[[Signal], bool]:
    if one.kind == "capability":
        return lambda other: _common(one.words, other.words) >= _SHARED
    return lambda other: (
        one.aim == other.aim and compare(tidied(one.words), tidied(other.words)).relation in ("same", "conflict")
    )


def _common(one: str, other: str) -> float:
    mine, theirs = (set(_WORD.findall(text.casefold())) for text in (one, other))
    return len(mine & theirs) / max(1, len(mine | theirs))


def _lesson(group: Sequence[Signal], done: Collection[str], skipped: Counter[str]) -> Iterator[Lesson]:
    strong = [one for one in group if one.strong]
    leading = (strong or group)[-1]
    last_against = max((at for at, one in enumerate(group) if _against(one, leading) and one.strong), default=-1)
    support = [one for one in group[last_against + 1 :] if not _against(one, leading)]
    against = [one for one in group[last_against + 1 :] if _against(one, leading)]
    overruled = sum(_against(one, leading) for one in group)
    skipped["gave way to a newer wish"] += overruled if strong else 0
    fresh = [one for one in support if one.id not in done]
    if not fresh:
        skipped["learnt before"] += len(support)
    elif not strong and len(support) < _AGREED * (len(support) + len(against)):
        skipped["now this, now that"] += len(group)
    elif not _enough(fresh):
        skipped["said once, in passing"] += len(fresh)
    else:
        newest = max(fresh, key=lambda one: (one.strong, one.time, one.pointer))
        yield Lesson(newest.kind, newest.aim, (*(one for one in fresh if one != newest), newest))


def _against(one: Signal, other: Signal) -> bool:
    """Tell whether one remark cannot be followed together with a newer one."""
    if one.matter:
        return False
    if not one.aim or not other.aim:
        return one.kind != "capability" and compare(tidied(one.words), tidied(other.words)).relation == "conflict"
    if one.aim.sign == 0:
        return one.aim == other.aim and compare(tidied(one.words), tidied(other.words)).relation != "same"
    return one.aim.opposes(other.aim)


def _enough(some: Sequence[Signal]) -> bool:
    return any(one.strong for one in some) or len({one.occasion for one in some}) >= _OCCASIONS
