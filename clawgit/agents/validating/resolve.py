"""Resolves what a message corrects."""

from collections.abc import Iterable, Iterator, Sequence

from clawgit.agents.validating import cues, roles
from clawgit.agents.validating.anchoring import Scene, anchored
from clawgit.agents.validating.one_sided import changed, single
from clawgit.agents.validating.outcome import Candidate, Correction, Stored, Turn
from clawgit.agents.validating.values import values
from clawgit.triage.own_words import own_words
from clawgit.triage.pattern import VALIDATOR
from clawgit.triage.reassurance import reassures
from clawgit.triage.triage import Triage

LONGEST = 2_000
"""Characters from which on a message is a text, and no answer."""
_TURNS = 4


def resolve(
    message: str, found: Triage, before: Sequence[Turn], stored: Sequence[Stored]
) -> Correction | Candidate | None:
    """Return the correction that a message makes, a candidate where a side is missing or open, None for neither.

    `found` is what triage says of it, `before` the turns until then, the newest last. The words are taken for the
    operator's own: whoever calls has made sure of that.
    """
    text = cues.spoken(message)
    called = any(match.route == VALIDATOR for match in found.matches)
    if not text or _waves_off(text) or cues.agrees(text):
        return None
    wanted = called or cues.strongly(own_words(message))
    if len(text) > LONGEST:
        return Candidate("it is a long text") if wanted else None
    agent = next((turn.text for turn in reversed(before) if turn.who == "agent"), "")
    talk = "\n".join(turn.text for turn in before[-_TURNS:])
    outcome = _outcome(Scene(text, agent, talk, stored), found, wanted=wanted)
    if isinstance(outcome, Correction) and outcome.entry:
        return outcome
    return outcome if (wanted or isinstance(outcome, Correction)) and not cues.plays(text) else None


def _waves_off(text: str) -> bool:
    return cues.waves_off(text) or (reassures(text, 0) and not values(text))


def _outcome(scene: Scene, found: Triage, *, wanted: bool) -> Correction | Candidate:
    said = cues.sentences(scene.text)
    echo = _first(anchored(one.said, one.true, scene, scene.text) for one in roles.echoed(scene.text))
    if isinstance(echo, Correction):
        return echo
    if any(cues.unsure(one) for one in said if cues.contradicts(one) or len(said) == 1):
        return Candidate("it is not said for certain", *_pair(found))
    sure = [one for one in said if not cues.unsure(one)]
    outcome = _first(_two_sided(sure, found, scene))
    if outcome is None and wanted:
        outcome = _first(one for sentence in sure for one in single(cues.bare(sentence), scene))
    elif not wanted and not isinstance(outcome, Correction):
        outcome = _first(one for sentence in sure if cues.changes(sentence) for one in changed(sentence, scene))
    return outcome or Candidate("it tells one side only")


def _first(outcomes: Iterable[Correction | Candidate]) -> Correction | Candidate | None:
    """Return the first correction, else the first candidate."""
    every = list(outcomes)
    return next((one for one in every if isinstance(one, Correction)), every[0] if every else None)


def _two_sided(sure: Iterable[str], found: Triage, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield what comes of each pair that the sentences, or triage, give in full."""
    for sentence in sure:
        for sides in (*roles.told(cues.bare(sentence)), *roles.told(sentence)):
            yield anchored(sides.said, sides.true, scene, sentence)
    if found.pair:
        yield anchored(found.pair.said, found.pair.true, scene, scene.text)


def _pair(found: Triage) -> tuple[str, str]:
    return (found.pair.said, found.pair.true) if found.pair else ("", "")
