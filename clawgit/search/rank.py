"""Orders what was found."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from msgspec import Struct, field

from clawgit.search import boilerplate
from clawgit.search.question_words import Cues, Term
from clawgit.search.store import Place


def share(said: str) -> float:
    """Return the share of the vectors that `search_weights` gives them: `0.3/0.7`, or `3/7`."""
    vectors, words = map(float, said.split("/"))
    return vectors / (vectors + words)


SPOKEN = 1.7
"""For lines of the speaker that a question names."""
DATED = 1.5
"""For lines of the days that a question speaks of, and of those right after: things are told later."""
ON_DAY, IN_MONTH = 2.5, 1.0
"""What notes of a day, or of a week or month, get on top that a question names, of the best that words alone give."""
_AFTER = timedelta(9)
_FEW_DAYS, _MONTH = 3, 31
_FILE = 0.2
_COVER = 0.4
_STEEP = 0.35
_GUESSED, _SUPERSEDED = 0.5, 0.5
_DOUBT = 0.12
_SURE, _SURE_OF_DAY = 0.35, 0.8
_RARE = 3
"""A word in so many texts at most is an answer, whatever else is asked."""
_MIDDLE, _IMPORTANCE = 5, 0.05
"""An entry of importance 10 weighs 1.25, one of 1 .8: it orders what fits alike."""
_BEST = 10
_DATED_FOLDERS = ("memory/", "Archive/")
"""Journals and archives, which age."""


class Rules(Struct, frozen=True):
    """What CONFIG.md says of ranking; `today` is None where time must not count."""

    today: date | None
    half_life: float = 30
    floor: float = 0.9
    correction: float = 1.5
    vectors: float = 0.35
    least: float = 0.35


class Ranked(Struct):
    """A place with its score, at last from 0 to 1, what that is made of, and other places that say the same.

    `after` sorts what scores alike: the newest first, then by place.
    """

    place: Place
    score: float
    relevance: float = 0.0
    parts: dict[str, float] = field(default_factory=dict)
    after: tuple[int, str, int] = (0, "", 0)
    shown: float = 0.0
    repeats: list[Place] = field(default_factory=list)

    def times(self, name: str, factor: float) -> None:
        """Multiply the score, and remember why."""
        if factor != 1:
            self.score *= factor
            self.parts[name] = factor


def rank(
    places: Sequence[Place],
    keywords: Mapping[int, float],
    terms: Sequence[Term],
    cues: Cues,
    rules: Rules,
    similar: Mapping[str, float] | None = None,
) -> list[Ranked]:
    """Return the places that are relevant enough, each text once, the best first.

    `keywords` are scores of words by document, `similar` cosines by the hash of a text.
    """
    found = _blended(places, keywords, terms, cues, rules, similar or {})
    _of_files(found)
    dated = _of_days(found, cues)
    _covered(found, [term for term in terms if term.times])
    for one in found:  # the last digits depend on the order in which texts came
        one.score = float(f"{one.score:.12g}")
    found.sort(key=lambda place: (-place.score, place.after))
    rare = any(term.exact and 0 < term.times <= _RARE for term in terms)
    sure = max(_certainty(found, terms, similar or {}), _SURE_OF_DAY * dated, _SURE * rare)
    best = (found[0].score if found else 0.0) or 1.0
    relevance = [sure * max(one.score / best, 0.0) ** _STEEP for one in found]
    kept = zip(found, relevance, strict=True)
    return _folded([_weighed(one, min(much, 1.0), rules) for one, much in kept if much >= rules.least])


def _blended(
    places: Sequence[Place],
    keywords: Mapping[int, float],
    terms: Sequence[Term],
    cues: Cues,
    rules: Rules,
    similar: Mapping[str, float],
) -> list[Ranked]:
    top = max(keywords.values(), default=0.0) or 1.0
    share = rules.vectors if similar else 0.0
    trust = _trust(places, keywords, terms) if similar else 1.0
    found = []
    for place in places:
        fit = max(keywords.get(place.doc, 0.0), 0.0) / top
        score, parts = (1 - share) * trust * fit, {"keyword": fit}
        if similar:
            parts["vector"] = cosine = similar.get(place.hash, 0.0)
            score += share * cosine
        after = (-place.day.toordinal() if place.day else 0, place.path, place.nth)
        found.append(one := Ranked(place, score, parts=parts, after=after))
        if place.voice and place.voice == cues.voice:
            one.times("speaker", SPOKEN)
        if (day := place.day) and any(span.first <= day <= span.last + _AFTER for span in cues.spans):
            one.times("date", DATED)
    return found


def _trust(places: Sequence[Place], keywords: Mapping[int, float], terms: Sequence[Term]) -> float:
    """Return how much of what is asked stands in the best texts by words: bm25 has a best where words fail, too."""
    asked = sum(term.weight for term in terms)
    best = sorted((place for place in places if place.doc in keywords), key=lambda place: -keywords[place.doc])[:_BEST]
    said = [f"{place.text} {place.trail}".lower() for place in best]
    met = [sum(t.weight * (1 if t.exact else _GUESSED) for t in terms if t.times and t.stem in text) for text in said]
    return max(met, default=0.0) / asked if asked else 1.0


def _of_files(found: Sequence[Ranked]) -> None:
    """Raise lines of conversations that speak of the matter in other lines too."""
    sums: defaultdict[str, float] = defaultdict(float)
    for one in found:
        sums[one.place.path] += one.score
    most, top = max(sums.values(), default=1.0) or 1.0, max((one.score for one in found), default=0.0)
    for one in found:
        if one.place.chat:
            one.score += _FILE * top * sums[one.place.path] / most


def _of_days(found: Sequence[Ranked], cues: Cues) -> bool:
    """Raise notes of the days that are asked for, whatever they say; tell whether there are any.

    Turns of conversations have been raised by less: what happened is told on the days after.
    """
    spans = [(span, (span.last - span.first).days + 1) for span in cues.spans]
    lifts = [(span, ON_DAY if days <= _FEW_DAYS else IN_MONTH) for span, days in spans if days <= _MONTH]
    top, met = max((one.score for one in found), default=0.0) or 1.0, False
    for one in found if lifts else ():
        day = one.place.day
        most = max((lift for span, lift in lifts if day and span.first <= day <= span.last), default=0.0)
        if most and not one.place.chat:
            one.score, met = one.score + most * top, True
            one.parts["day"] = most
    return met


def _covered(found: list[Ranked], terms: Sequence[Term]) -> None:
    """Raise texts by how much of what is asked stands in them or above: bm25 lets one rare word make up for the others.

    Turns, which are short and go with their neighbours, are left as they are.
    """
    top = max((one.score for one in found), default=0.0)
    asked = sum(term.weight for term in terms) or 1.0
    roots = [(term.root, term.weight) for term in terms]
    for one in found:
        if not one.place.chat:
            said = one.place.plain
            one.score += _COVER * top * sum([weight for begun, weight in roots if begun in said]) / asked


def _certainty(found: Sequence[Ranked], terms: Sequence[Term], similar: Mapping[str, float]) -> float:
    """Return how sure it is that the best hit answers at all: by how much of what was asked stands anywhere near it."""
    if not found:
        return 0.0
    cosine = max(similar.values(), default=0.0)
    asked = sum(term.weight for term in terms)
    met = [term for term in terms if term.times]
    covered = sum(term.weight * (1 if term.exact else _GUESSED) for term in met) / asked if asked else 1.0
    if met and not any(term.exact for term in met):  # guesses alone: the more of the words they leave out, the wilder
        covered *= len(met) / len(terms)
    by_words = (
        _SURE * covered / _DOUBT
        if covered < _DOUBT
        else _SURE + (1 - _SURE) * math.sqrt((covered - _DOUBT) / (1 - _DOUBT))
    )
    return max(by_words, cosine)


def _weighed(one: Ranked, relevance: float, rules: Rules) -> Ranked:
    """Give a candidate the weight of its age and of being a correction: they order, and cut nothing off."""
    place, age, factor = one.place, 1.0, 1.0
    if rules.today and place.day and place.path.startswith(_DATED_FOLDERS):
        one.parts["age"] = age = decay(max((rules.today - place.day).days, 0), rules)
    if place.importance:
        one.parts["importance"] = weight = 1 + (place.importance - _MIDDLE) * _IMPORTANCE
        factor *= weight
    if "#" in place.text or place.path.startswith(boilerplate.CORRECTIONS):
        if boilerplate.corrects(place):
            one.parts["correction"] = rules.correction
            factor *= rules.correction
        if boilerplate.superseded(place):
            one.parts["superseded"] = _SUPERSEDED
            factor *= _SUPERSEDED
    one.score *= age * factor
    one.relevance = relevance
    one.shown = (relevance if factor == 1 else min(relevance * factor**_STEEP, 1.0)) * age
    return one


def decay(days: float, rules: Rules) -> float:
    """Return the weight of dated memory at an age: half of it after each half-life, never below the floor.

    exp(-age * ln 2 / half-life), as the memory tiers have it (spec 5, Temporal Decay).
    """
    return max(rules.floor, math.exp(-days * math.log(2) / rules.half_life))


def _folded(weighed: list[Ranked]) -> list[Ranked]:
    """Return each text once: where it ranks best, among equals where it is newest; no score above the one before.

    What a correction quotes is shown where the memory itself has it.
    """
    weighed.sort(key=lambda place: (-place.score, place.after))
    kept: dict[str, Ranked] = {}
    at: set[tuple[str, int, int]] = set()
    least = 1.0
    for one in weighed:
        said = boilerplate.unlabelled(one.place)
        here = (one.place.path, one.place.start, one.place.end)
        if first := kept.get(said):
            if first.place.path.startswith(boilerplate.CORRECTIONS) > one.place.path.startswith(
                boilerplate.CORRECTIONS
            ):
                first.place, one.place = one.place, first.place
            first.repeats.append(one.place)
        elif here not in at:
            one.score = least = min(least, one.shown)
            kept[said] = one
            at.add(here)
    return list(kept.values())
