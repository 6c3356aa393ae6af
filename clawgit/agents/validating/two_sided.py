"""Finds what a message corrects by telling both sides."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from clawgit.agents.validating import cues, openers, roles, unclaimed
from clawgit.agents.validating.anchoring import Scene, anchored
from clawgit.agents.validating.matter import words
from clawgit.agents.validating.outcome import Candidate, Correction
from clawgit.agents.validating.values import values
from clawgit.triage.triage import Triage

_TERSE = 3
_STOPS = " .!\u3002\uff01"
_BACK = re.compile(
    r"(?:it's|it is|they're|i'm|we're|now|es ist|jetzt|ahora|c'est|maintenant)\b|今は|现在|이제", re.IGNORECASE
)


def told_apart(sure: Sequence[str], found: Triage, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield what comes of each pair that the sentences, or triage, give in full."""
    terse = [f"{a.rstrip(_STOPS)}, {b}" for a, b in pairwise(sure) if not unclaimed.past(a) and _belong(a, b)]
    for sentence in (*sure, *terse):
        for sides in (*roles.told(openers.bare(sentence)), *roles.told(sentence)):
            yield anchored(sides.said, sides.true, scene, sentence)
    if found.pair:
        yield anchored(found.pair.said, found.pair.true, scene, scene.text)


def _belong(one: str, two: str) -> bool:
    """Tell whether a sentence takes up the one before it: it is short, points back, or is about the same."""
    if min(len(one.split()), len(two.split())) <= _TERSE or _BACK.match(two):
        return True
    without = [value.text for value in (*values(one), *values(two))]
    return bool(words(one, without) & words(two, without)) and cues.contradicts(one)
