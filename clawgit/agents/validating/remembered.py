"""Finds the memory that a new value updates."""
# ruff: noqa: E501 -- a pattern is read whole, in its own script

import re
from collections.abc import Iterator

from clawgit.agents.validating import cues, statements
from clawgit.agents.validating.anchoring import Scene, doubtful
from clawgit.agents.validating.clause import around
from clawgit.agents.validating.fitting import differs, fits
from clawgit.agents.validating.matter import alike, equal, places, words
from clawgit.agents.validating.outcome import Candidate, Correction, Stored
from clawgit.agents.validating.replacing import replaced
from clawgit.agents.validating.values import Value, values
from clawgit.language import sentences

_SAME = 4
_TELLING = ("phone", "address", "format", "path")
_BACK = re.compile(
    r"(?:and )?(?:it's|it is|they're|they are|that's|they|it|now it's|new one is|the new one is|the new one|es ist|sie ist|er ist|es|c'est|just looked at it)\b|^(?:今は|现在是?|이제|지금은?)",
    re.IGNORECASE,
)


def stored(true: Value, plain: str, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield the correction of the one memory that says something else of what a sentence speaks of."""
    part = cues.since(around(plain, true.start, true.end))
    if statements.orders(part.lstrip()):
        return
    told = tuple(one.text for one in (true, *values(part)))
    about = _about(part, told, plain, true, scene)
    found: list[tuple[Stored, Value]] = []
    for one in scene.stored:
        low = one.text.casefold()
        if not any(stem[:-1] in low if len(stem) > _SAME else stem in low for stem in about):
            continue
        theirs = [other for other in values(one.text) if alike(true, other)]
        theme = words(one.text, tuple(other.text for other in theirs))
        if not theirs or not fits(about, theme):
            continue
        if len(theirs) > 1 or any(equal(true, other) for other in theirs):
            return
        if not differs(part, true, one.text, theirs[0], about, theme):
            found.append((one, theirs[0]))
    found = _closest(found, about | words(scene.text, told))
    if len(found) == 1:
        ((entry, said),) = found
        rest = said.kind not in _TELLING and _rest(about, entry.text) and not places(scene.agent, said.text)
        if reason := doubtful(plain, true.text, entry, alone=True) or (
            "it may be about more than that" if rest else ""
        ):
            yield Candidate(reason, said.text, true.text, (entry,))
            return
        yield Correction(said.text, true.text, entry, replaced(entry.text, said.start, said.end, true.text))
    elif found:
        yield Candidate("several memories fit", "", true.text, tuple(one for one, _ in found))


def _about(part: str, told: tuple[str, ...], plain: str, true: Value, scene: Scene) -> frozenset[str]:
    """Return what a clause is about; where it only points back, what the sentence before it is."""
    if _BACK.match(part.strip()) or not words(part, told):
        before = scene.text.partition(plain)[0]
        topic = words(cues.since(plain.replace(part, " ")), (true.text,)) or words(cues.since(_last(before)))
        if topic:
            return topic
    return words(part, told) or words(plain, (true.text,)) or words(_last(scene.agent))


def _rest(about: frozenset[str], memory: str) -> bool:
    """Tell whether a sentence is also about something that a memory does not name."""
    known = {stem[:_SAME] for stem in words(memory)}
    return any(stem.isascii() and stem[:_SAME] not in known for stem in about - words(memory))


def _closest(found: list[tuple[Stored, Value]], about: frozenset[str]) -> list[tuple[Stored, Value]]:
    """Return those memories that name most of the matter."""
    scores = [len(about & words(one.text, (other.text,))) for one, other in found]
    return [pair for pair, score in zip(found, scores, strict=True) if score == max(scores)]


def _last(text: str) -> str:
    return next(iter(sentences.texts(text)[-1:]), "")
