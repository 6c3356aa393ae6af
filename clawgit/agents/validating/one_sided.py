"""Finds what is wrong where only the truth is told."""

import re
from collections.abc import Iterator, Sequence

from clawgit.agents.validating import cues, slots
from clawgit.agents.validating.anchoring import Scene, anchored, best_of, replaced
from clawgit.agents.validating.matter import alike, equal, places, words
from clawgit.agents.validating.outcome import Candidate, Correction, Stored
from clawgit.agents.validating.values import Value, names, values

_HALF, _TERSE = 0.5, 4
_BESIDE = 20


def single(plain: str, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield what comes of a sentence that says only what is true."""
    if not plain:
        return
    mine = values(plain)
    yield from _by_kind(plain, mine, scene)
    if not mine:
        yield from _by_name(plain, scene)
    yield from _by_slot(plain, scene)


def changed(plain: str, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield the correction of a memory by what is another way now, which nobody had to contradict."""
    mine = values(plain)
    if len(mine) == 1:
        yield from _stored(mine[0], plain, scene)


def _by_kind(plain: str, mine: Sequence[Value], scene: Scene) -> Iterator[Correction | Candidate]:
    pairs: list[tuple[Value, Value]] = []
    for one in mine:
        heard = _of_matter([other for other in values(scene.agent) if alike(one, other)], plain, scene.agent)
        if any(equal(one, other) for other in heard):
            continue
        if len({other.canon for other in heard}) == 1:
            pairs.append((heard[0], one))
        elif len(heard) > 1:
            yield Candidate("the agent said several such things", "", one.text)
            return
    if len(pairs) > 1:
        yield Candidate("more than one thing differs", pairs[0][0].text, pairs[0][1].text)
    elif pairs:
        yield _heard(*pairs[0], plain, scene)
    elif len(mine) == 1 and not any(alike(mine[0], other) for other in values(scene.agent)):
        yield from _stored(mine[0], plain, scene)


def _of_matter(heard: list[Value], plain: str, agent: str) -> list[Value]:
    """Return those of several values beside which the agent speaks of the same, all where none stands out."""
    if len({one.canon for one in heard}) < 2:  # noqa: PLR2004 - one thing is no choice
        return heard
    about = words(plain)
    near = [one for one in heard if about & words(agent[max(0, one.start - _BESIDE) : one.end + _BESIDE])]
    return near if len(near) == 1 else heard


def _heard(said: Value, true: Value, plain: str, scene: Scene) -> Correction | Candidate:
    outcome = anchored(said.text, true.text, scene, plain)
    if isinstance(outcome, Correction) and outcome.entry is None:
        others = [
            one for one in scene.stored for other in values(one.text) if alike(true, other) and not equal(true, other)
        ]
        if best := best_of(others, scene, plain, said.text, true.text):
            return Candidate("what is stored says something else again", said.text, true.text, tuple(best))
    return outcome


def _stored(true: Value, plain: str, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield the correction of the one memory that says something else of what a sentence speaks of."""
    about = words(plain, (true.text,)) or words(_last(scene.agent))
    if not about:
        return
    fits: list[tuple[Stored, Value]] = []
    for one in scene.stored:
        theirs = [other for other in values(one.text) if alike(true, other)]
        theme = words(one.text, tuple(other.text for other in theirs))
        shared, size = len(about & theme), len(theme)
        if theirs and shared >= max(1, _HALF * min(len(about), size)):
            if any(equal(true, other) for other in theirs) or len(theirs) > 1:
                return
            fits.append((one, theirs[0]))
    if len(fits) == 1:
        ((entry, said),) = fits
        text = replaced(entry.text, said.start, said.end, true.text)
        yield Correction(said.text, true.text, entry, text)
    elif fits:
        yield Candidate("several memories fit", "", true.text, tuple(one for one, _ in fits))


def _last(text: str) -> str:
    return next(iter(cues.sentences(text)[-1:]), "")


def _by_name(plain: str, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield the correction of the one name that the agent used, where the operator uses another."""
    terse = len(plain.split()) <= _TERSE
    mine = [one for one in names(plain, opening=terse) if not places(scene.agent, one.text)]
    near = [one for one in names(scene.agent, values(scene.agent)) if not places(plain, one.text)]
    heard = [one for at, one in enumerate(near) if one.canon not in {other.canon for other in near[:at]}]
    if len(mine) != 1:
        return
    fits = [one for one in heard if _lead(scene.agent, one) == _lead(plain, mine[0]) and _lead(plain, mine[0])]
    if len(fits) != 1:
        fits = heard if len(heard) == 1 and not _lead(plain, mine[0]) else []
    for one in fits[:1]:
        outcome = anchored(one.text, mine[0].text, scene, plain)
        if _lead(plain, mine[0]) or (isinstance(outcome, Correction) and outcome.entry):
            yield outcome


def _lead(text: str, one: Value) -> str:
    """Return the word before a value, "" at the beginning."""
    found = re.search(r"([^\W\d_]+(?:'s)?)\W*$", text[: one.start])
    word = found[1].casefold() if found else ""
    return "is" if word.endswith("'s") or word in ("was", "are") else word


def _by_slot(plain: str, scene: Scene) -> Iterator[Correction | Candidate]:
    found = [(one, sides) for one in scene.stored if (sides := slots.differing(plain, one.text))]
    if len(found) == 1:
        ((entry, (said, true)),) = found
        yield anchored(said, true, Scene(scene.text, scene.agent, scene.talk, (entry,)), plain)
    elif found:
        yield Candidate("several memories fit", "", found[0][1][1], tuple(one for one, _ in found))
    else:
        for other in cues.sentences(scene.agent):
            if sides := slots.differing(plain, other):
                yield anchored(*sides, scene, plain)
