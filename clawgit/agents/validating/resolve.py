"""Resolves what a message corrects."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from pathlib import Path

from clawgit.agents.validating import contradicting_words, roles, unclaimed
from clawgit.agents.validating.anchoring import Scene, anchored
from clawgit.agents.validating.contradicting_words import Candidate, Correction, Stored, Turn
from clawgit.agents.validating.matter import alike, equal, places, words
from clawgit.agents.validating.standalone_sentences import differing_words, replaced, says_so, within
from clawgit.agents.validating.value_finder import Value, values
from clawgit.language import pattern_tables, sentences
from clawgit.language.own_words import own_words
from clawgit.messages.patterns import VALIDATOR
from clawgit.messages.triage import Triage, reassures
from clawgit.text import spelling

_pattern = partial(pattern_tables.pattern, Path(__file__).parent / "data/corrections.toml", "resolve")

_TERSE = 3
_STOPS = " .!\u3002\uff01"


def told_apart(sure: Sequence[str], found: Triage, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield what comes of each pair that the sentences, or triage, give in full."""
    terse = [f"{a.rstrip(_STOPS)}, {b}" for a, b in pairwise(sure) if not unclaimed.past(a) and _belong(a, b)]
    for sentence in (*sure, *terse):
        for sides in (*roles.told(contradicting_words.bare(sentence)), *roles.told(sentence)):
            yield anchored(sides.said, sides.true, scene, sentence)
    if found.pair:
        yield anchored(found.pair.said, found.pair.true, scene, scene.text)
    for sentence in (one for one in sure if one in scene.mine and not unclaimed.laughs(scene.text)):
        for sides in (*roles.phrased(contradicting_words.bare(sentence)), *roles.phrased(sentence)):
            yield anchored(sides.said, sides.true, scene, sentence)


def _belong(one: str, two: str) -> bool:
    """Tell whether a sentence takes up the one before it: it is short, points back, or is about the same."""
    if min(len(one.split()), len(two.split())) <= _TERSE or _pattern("back").match(two):
        return True
    without = [value.text for value in (*values(one), *values(two))]
    return bool(words(one, without) & words(two, without)) and contradicting_words.contradicts(one)


LONGEST = 2_000
"""Characters from which on a message is a text, and no answer."""
_TURNS = 4
_SHORT = 160


def resolve(
    message: str, found: Triage, before: Sequence[Turn], stored: Sequence[Stored]
) -> Correction | Candidate | None:
    """Return the correction that a message makes, a candidate where a side is missing or open, None for neither.

    `found` is what triage says of it, `before` the turns until then, the newest last. The words are taken for the
    operator's own: whoever calls has made sure of that.
    """
    text = _meant(contradicting_words.spoken(message))
    if _leaves(text) or not (found.matches or contradicting_words.speaks_up(text)):
        return None
    mine = own_words(message)
    agent = [turn.text for turn in reversed(before) if turn.who == "agent"][:_TURNS]
    complains = _complains(mine, found, agent[0] if agent else "")
    if len(text) > LONGEST:
        return Candidate("it is a long text") if complains else None
    talk = "\n".join(turn.text for turn in before[-_TURNS:])
    states = [unclaimed.claims(one) for one in agent]
    own = tuple(turn.text for turn in reversed(before) if turn.who == "operator")
    scene = Scene(text, states[0] if states else "", talk, stored, tuple(states[1:]), own, mine)
    outcome = _outcome(scene, found, wanted=complains or contradicting_words.strongly(mine))
    if not _remembered(outcome) and unclaimed.observes(text, agent[0] if agent else ""):
        return None
    if isinstance(outcome, Correction):
        return outcome
    choice = isinstance(outcome, Candidate) and len(outcome.choices) > 1
    return outcome if complains or choice else None


def _meant(text: str) -> str:
    """Return what is claimed of a text: what follows a supposition belongs to it."""
    said = sentences.texts(text)
    cut = next((at for at, one in enumerate(said) if unclaimed.supposes(one)), None)
    return text if cut is None else "\n".join(said[:cut])


def _remembered(outcome: Correction | Candidate | None) -> bool:
    """Tell whether a memory is concerned."""
    return bool(outcome.entry if isinstance(outcome, Correction) else outcome and outcome.choices)


def _complains(own: str, found: Triage, agent: str) -> bool:
    """Tell whether somebody says that something is wrong; a no to a question only answers it."""
    called = [one for one in found.matches if one.route == VALIDATOR]
    if any(one.trigger_confidence == "high" or contradicting_words.blames(one.text) for one in called):
        return True
    asked = bool(agent) and (agent.rstrip().endswith(("?", "\uff1f")) or not unclaimed.claims(agent))
    return contradicting_words.strongly(contradicting_words.beyond(own) if asked else own) and (
        bool(agent) or len(own) <= _SHORT
    )


def _leaves(text: str) -> bool:
    """Tell whether nothing is meant to change: somebody declines, agrees, jests, or wants it kept."""
    return not text or unclaimed.keeps(text) or _waves_off(text) or unclaimed.jests(text)


def _waves_off(text: str) -> bool:
    return unclaimed.waves_off(text) or (reassures(text, 0) and not values(text))


def _outcome(scene: Scene, found: Triage, *, wanted: bool) -> Correction | Candidate | None:
    said = sentences.texts(scene.text)
    if any(unclaimed.unsure(one) for one in said if contradicting_words.contradicts(one) or len(said) == 1):
        return Candidate("it is not said for certain")
    sure = [one for one in said if not unclaimed.unsure(one)]
    outcome = _first(told_apart(sure, found if len(sure) == len(said) else Triage(), scene))
    if not isinstance(outcome, Correction):
        told = (_one_sided(one, scene) for one in sure) if wanted else ()
        outcome = _first(one for one in (outcome, *chain.from_iterable(told)) if one)
    return outcome or Candidate("it tells one side only")


def _one_sided(sentence: str, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield what comes of a sentence that tells only what is true: the agent just named one other of each such value.

    Several that differ are one correction: `Tuesday the 10th`.
    """
    plain = contradicting_words.bare(sentence)
    pairs: list[tuple[Value, Value]] = []
    for one in values(plain):
        heard = {other.canon: other for other in values(scene.agent) if alike(one, other)}
        if roles.denied(plain, one) or any(equal(one, other) for other in heard.values()):
            continue
        if len(heard) > 1:
            yield Candidate("the agent said several such things", "", one.text)
            return
        pairs += ((other, one) for other in heard.values())
    if pairs:
        (said, true), *rest = pairs
        found = anchored(said.text, true.text, scene, plain)
        if isinstance(found, Correction):
            about = words(plain, [one.text for one in values(plain)])
            if about and not about & words(found.entry.text if found.entry else found.subject):
                found = Candidate("it may be about something else", said.text, true.text)
            elif rest:
                found = _together(found, rest)
        yield found


def _together(found: Correction, rest: Iterable[tuple[Value, Value]]) -> Correction | Candidate:
    """Return a correction with more that is exchanged in the same sentence."""
    before = found.entry.text if found.entry else found.subject
    now = found.statement
    for said, true in rest:
        if len(spots := places(now, said.text)) != 1:
            return Candidate("more than one thing differs", found.said, found.true)
        now = replaced(now, *spots[0], true.text)
    wrong, right = differing_words(before, now)
    return Correction(wrong, right, found.entry, now, found.subject)


def _first(outcomes: Iterable[Correction | Candidate]) -> Correction | Candidate | None:
    """Return the first correction, else the first candidate."""
    every = list(outcomes)
    return next((one for one in every if isinstance(one, Correction)), every[0] if every else None)


def nearest(text: str, stored: Sequence[Stored]) -> list[Stored]:
    """Return the memories whose words are most like these, three at most, the nearest first; none that says so."""
    words = {one.text: one for one in reversed(stored) if not says_so(text, one)}
    return [words[one] for one in spelling.nearest(text, words)]


def _borne_out(text: str, stored: Sequence[Stored]) -> Correction | None:
    """Return what corrects no memory, as one says already what is true: it holds against what others say."""
    right = {one.text: one for one in stored if says_so(text, one)}
    near = spelling.nearest(text, right, 1)
    sides = says_so(text, right[near[0]]) if near else None
    return Correction(*sides, None, right[near[0]].text) if sides else None


def stated(
    text: str, found: Triage, stored: Sequence[Stored], about: Stored | None = None
) -> Correction | Candidate | None:
    """Return what `text` corrects among `stored`; `about` is the memory where it is named.

    Of that memory `text` may tell both sides, or the whole truth, which then takes the place of its words.
    """
    if about is None:
        return resolve(text, found, (), stored) or _borne_out(text, stored)
    if pair := within(text, about):
        return pair
    if sides := says_so(text, about):
        return Candidate(f"{about.id} says already what is true, and nothing that is wrong", *sides)
    outcome = resolve(text, found, (), [about])
    if isinstance(outcome, Correction) and outcome.entry:
        return outcome
    if isinstance(outcome, Candidate) and contradicting_words.strongly(text):
        return outcome
    return Correction(about.text, text, about, text)
