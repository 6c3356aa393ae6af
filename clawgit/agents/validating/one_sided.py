"""Finds what is wrong where only the truth is told."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from clawgit.agents.validating import contradicting_words, roles, unclaimed
from clawgit.agents.validating.anchoring import Scene, anchored, around, best_of, doubtful
from clawgit.agents.validating.contradicting_words import Candidate, Correction, Stored
from clawgit.agents.validating.matter import alike, differs, equal, fits, nearest, of_matter, places, words
from clawgit.agents.validating.standalone_sentences import differing_words, replaced
from clawgit.agents.validating.stated_values import Value, values
from clawgit.language import pattern_tables, sentences

_pattern = partial(pattern_tables.pattern, Path(__file__).parent / "data/corrections.toml", "one_sided")


def single(plain: str, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield what comes of a sentence that says only what is true."""
    if not plain:
        return
    mine = [one for one in values(plain) if not roles.denied(plain, one)]
    yield from _by_kind(plain, mine, scene)


def _by_kind(plain: str, mine: Sequence[Value], scene: Scene) -> Iterator[Correction | Candidate]:
    pairs: list[tuple[Value, Value]] = []
    for one in mine:
        text = _speaking(one, plain, scene)
        heard = of_matter(one, plain, [other for other in values(text) if alike(one, other)], text)
        if any(equal(one, other) for other in heard):
            continue
        if len({other.canon for other in heard}) == 1:
            pairs.append((heard[0], one))
        elif len(heard) > 1:
            yield from stored(one, plain, scene)
            yield Candidate("the agent said several such things", "", one.text)
            return
    if len(pairs) > 1:
        yield _together(pairs, plain, scene)
    elif pairs:
        yield _heard(*pairs[0], plain, scene)
    elif len(mine) == 1 and not any(alike(mine[0], other) for other in values(scene.agent)):
        yield from stored(mine[0], plain, scene)


def _together(pairs: Sequence[tuple[Value, Value]], plain: str, scene: Scene) -> Correction | Candidate:
    """Return the correction of one sentence that differs in several values, as one exchange: `Tuesday the 10th`."""
    (said, true), *_ = pairs
    several = Candidate("more than one thing differs", said.text, true.text)
    found = anchored(said.text, true.text, scene, plain)
    if not isinstance(found, Correction):
        return several
    before = now = found.entry.text if found.entry else found.subject
    for said, true in pairs:
        spots = places(now, said.text)
        if not spots and places(now, true.text):
            continue
        if len(spots) != 1:
            return several
        now = replaced(now, *spots[0], true.text)
    wrong, right = differing_words(before, now)
    return Correction(wrong, right, found.entry, now if found.entry or found.statement else "", found.subject)


def _speaking(one: Value, plain: str, scene: Scene) -> str:
    """Return the newest turn of the agent that names something of this kind, best beside what a sentence is about."""
    about = words(plain, (one.text,))
    heard = [(text, [other for other in values(text) if alike(one, other)]) for text in (scene.agent, *scene.earlier)]
    close = (text for text, some in heard if nearest(about, some, text))
    return next(close, next((text for text, some in heard if some), ""))


def _heard(said: Value, true: Value, plain: str, scene: Scene) -> Correction | Candidate:
    outcome = anchored(said.text, true.text, scene, plain)
    if isinstance(outcome, Correction) and not outcome.entry and not _shares(outcome.subject, plain, said, true):
        return Candidate("it may be about something else", said.text, true.text)
    if isinstance(outcome, Correction) and outcome.entry and (better := _closer(outcome.entry, true, scene)):
        return next(stored(true, plain, scene), None) or Candidate("several memories fit", "", true.text, better)
    if isinstance(outcome, Correction) and outcome.entry is None:
        right = [one for one in scene.stored if places(one.text, true.text)]
        others = [
            one for one in scene.stored for other in values(one.text) if alike(true, other) and not equal(true, other)
        ]
        if best := best_of([*right, *others], scene, plain, said.text, true.text):
            if set(best) <= set(right):
                return outcome
            return Candidate("what is stored says something else again", said.text, true.text, tuple(best))
    return outcome


def _shares(subject: str, plain: str, said: Value, true: Value) -> bool:
    """Tell whether a sentence speaks of the same as the one it answers, or names nothing of its own."""
    about = words(plain, (said.text, true.text))
    return not about or bool(about & words(subject))


def _closer(entry: Stored, true: Value, scene: Scene) -> tuple[Stored, ...]:
    """Return the memories of such a value of which a sentence speaks more than of `entry`."""
    about = words(scene.text, [one.text for one in values(scene.text)])
    least = len(about & words(entry.text))
    others = (one for one in scene.stored if any(alike(true, other) for other in values(one.text)))
    return tuple(one for one in others if len(about & words(one.text)) > least)


_SAME = 4
_TELLING = ("phone", "address", "format", "path")


def stored(true: Value, plain: str, scene: Scene) -> Iterator[Correction | Candidate]:
    """Yield the correction of the one memory that says something else of what a sentence speaks of."""
    part = contradicting_words.since(around(plain, true.start, true.end))
    if unclaimed.orders(part.lstrip()):
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
    if _pattern("back").match(part.strip()) or not words(part, told):
        before = scene.text.partition(plain)[0]
        topic = words(contradicting_words.since(plain.replace(part, " ")), (true.text,)) or words(
            contradicting_words.since(_last(before))
        )
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
