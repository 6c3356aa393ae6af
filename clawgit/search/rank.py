"""Orders search results."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from msgspec import Struct, field

from clawgit.search import corpus, question_words
from clawgit.search.question_words import Cues, Term
from clawgit.search.store import Place


def parse_vector_share(setting: str) -> float:
    """Return the share of the vectors that `search_weights` gives them: `0.3/0.7`, or `3/7`."""
    vectors, words = map(float, setting.split("/"))
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
_GUESSED = 0.5
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
    """The settings of ranking; with a `half_life` of 0 days, or without `today`, age does not count."""

    today: date | None
    half_life: float = 0
    correction: float = 1.5
    vectors: float = 0.35
    least: float = 0.35


class Ranked(Struct):
    """A place with its score, at last from 0 to 1, the parts of the score, and other places with the same text.

    `after` sorts equal scores: the newest first, then by place.
    """

    place: Place
    score: float
    relevance: float = 0.0
    parts: dict[str, float] = field(default_factory=dict)
    after: tuple[int, str, int] = (0, "", 0)
    shown: float = 0.0
    repeats: list[Place] = field(default_factory=list)


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
    candidates = _blend(places, keywords, terms, cues, rules, similar or {})
    _raise_conversations(candidates)
    dated = _raise_days(candidates, cues)
    _raise_covered(candidates, [term for term in terms if term.times])
    for candidate in candidates:  # the last digits depend on the order in which texts came
        candidate.score = float(f"{candidate.score:.12g}")
    candidates.sort(key=lambda place: (-place.score, place.after))
    rare = any(term.exact and 0 < term.times <= _RARE for term in terms)
    sure = max(_certainty(candidates, terms, similar or {}), _SURE_OF_DAY * dated, _SURE * rare)
    best = (candidates[0].score if candidates else 0.0) or 1.0
    relevance = [sure * max(candidate.score / best, 0.0) ** _STEEP for candidate in candidates]
    pairs = zip(candidates, relevance, strict=True)
    return _fold_copies(
        [_weigh(candidate, min(value, 1.0), rules) for candidate, value in pairs if value >= rules.least]
    )


def _blend(
    places: Sequence[Place],
    keywords: Mapping[int, float],
    terms: Sequence[Term],
    cues: Cues,
    rules: Rules,
    similar: Mapping[str, float],
) -> list[Ranked]:
    top = max(keywords.values(), default=0.0) or 1.0
    share = rules.vectors if similar else 0.0
    # The share of the words shrinks only if vectors can take their place.
    trust = _trust(places, keywords, terms) if similar else 1.0
    candidates = []
    for place in places:
        fit = max(keywords.get(place.doc, 0.0), 0.0) / top
        score, parts = (1 - share) * trust * fit, {"keyword": fit}
        if similar:
            parts["vector"] = cosine = similar.get(place.hash, 0.0)
            score += share * cosine
        after = (-place.day.toordinal() if place.day else 0, place.path, place.nth)
        if place.voice and place.voice == cues.voice:
            parts["speaker"], score = SPOKEN, score * SPOKEN
        if (day := place.day) and any(span.first <= day <= span.last + _AFTER for span in cues.spans):
            parts["date"], score = DATED, score * DATED
        candidates.append(Ranked(place, score, parts=parts, after=after))
    return candidates


def _trust(places: Sequence[Place], keywords: Mapping[int, float], terms: Sequence[Term]) -> float:
    """Return the share of the question in the best texts by words: bm25 has a best even without a good one."""
    total = sum(term.weight for term in terms)
    best = sorted((place for place in places if place.doc in keywords), key=lambda place: -keywords[place.doc])[:_BEST]
    texts = [f"{place.text} {place.trail}".lower() for place in best]
    weights = [
        sum(t.weight * (1 if t.exact else _GUESSED) for t in terms if t.times and t.stem in text) for text in texts
    ]
    return max(weights, default=0.0) / total if total else 1.0


def _raise_conversations(ranking: Sequence[Ranked]) -> None:
    """Raise lines of conversations that speak of the matter in other lines too."""
    sums: defaultdict[str, float] = defaultdict(float)
    for candidate in ranking:
        sums[candidate.place.path] += candidate.score
    max_sum, top = max(sums.values(), default=1.0) or 1.0, max((candidate.score for candidate in ranking), default=0.0)
    for candidate in ranking:
        if candidate.place.chat:
            candidate.score += _FILE * top * sums[candidate.place.path] / max_sum


def _raise_days(ranking: Sequence[Ranked], cues: Cues) -> bool:
    """Raise notes of the requested days, whatever their words; return whether there are any.

    Turns of conversations were raised by less: events are also reported on the days after.
    """
    spans = [(span, (span.last - span.first).days + 1) for span in cues.spans]
    lifts = [(span, ON_DAY if days <= _FEW_DAYS else IN_MONTH) for span, days in spans if days <= _MONTH]
    top, has_match = max((candidate.score for candidate in ranking), default=0.0) or 1.0, False
    for candidate in ranking if lifts else ():
        day = candidate.place.day
        max_lift = max((lift for span, lift in lifts if day and span.first <= day <= span.last), default=0.0)
        if max_lift and not candidate.place.chat:
            candidate.score, has_match = candidate.score + max_lift * top, True
            candidate.parts["day"] = max_lift
    return has_match


def _raise_covered(ranking: list[Ranked], terms: Sequence[Term]) -> None:
    """Raise texts by the share of the question in them or above: bm25 lets one rare word make up for the others.

    Turns, which are short and go with their neighbours, are left as they are.
    """
    top = max((candidate.score for candidate in ranking), default=0.0)
    total = sum(term.weight for term in terms) or 1.0
    roots = [(term.root, term.weight) for term in terms]
    for candidate in ranking:
        if not candidate.place.chat:
            place = candidate.place
            text = question_words.plain(f"{place.trail} {place.text} {place.triggers}")
            candidate.score += _COVER * top * sum([weight for root, weight in roots if root in text]) / total


def _certainty(ranking: Sequence[Ranked], terms: Sequence[Term], similar: Mapping[str, float]) -> float:
    """Return the certainty that the best hit answers at all: the share of the question anywhere near it."""
    if not ranking:
        return 0.0
    cosine = max(similar.values(), default=0.0)
    total = sum(term.weight for term in terms)
    matches = [term for term in terms if term.times]
    coverage = sum(term.weight * (1 if term.exact else _GUESSED) for term in matches) / total if total else 1.0
    if matches and not any(
        term.exact for term in matches
    ):  # guesses alone: the more of the words they leave out, the wilder
        coverage *= len(matches) / len(terms)
    by_words = (
        _SURE * coverage / _DOUBT
        if coverage < _DOUBT
        else _SURE + (1 - _SURE) * math.sqrt((coverage - _DOUBT) / (1 - _DOUBT))
    )
    return max(by_words, cosine)


def _weigh(candidate: Ranked, relevance: float, rules: Rules) -> Ranked:
    """Give a candidate the weight of its age and of being a correction: they order, and cut nothing off."""
    place, age, factor = candidate.place, 1.0, 1.0
    if rules.half_life and rules.today and place.day and place.path.startswith(_DATED_FOLDERS):
        candidate.parts["age"] = age = weigh_age(max((rules.today - place.day).days, 0), rules)
    if place.importance:
        candidate.parts["importance"] = weight = 1 + (place.importance - _MIDDLE) * _IMPORTANCE
        factor *= weight
    if _is_correction(place):
        candidate.parts["correction"] = rules.correction
        factor *= rules.correction
    candidate.score *= age * factor
    candidate.relevance = relevance
    candidate.shown = (relevance if factor == 1 else min(relevance * factor**_STEEP, 1.0)) * age
    return candidate


def _is_correction(place: Place) -> bool:
    """Return whether a text is a correction: a section or bullet of a record, not its introduction."""
    if not place.path.startswith(corpus.CORRECTIONS):
        return "#correction" in place.text
    return "#superseded" not in place.text and bool(place.trail or place.text.startswith(("- ", "* ", "+ ", "|")))


def weigh_age(days: float, rules: Rules) -> float:
    """Return the weight of dated memory at an age: half of it after each half-life.

    exp(-age * ln 2 / half-life), as the memory tiers have it (spec 5, Temporal Decay).
    """
    return math.exp(-days * math.log(2) / rules.half_life)


def _fold_copies(candidates: list[Ranked]) -> list[Ranked]:
    """Return each text once: where it ranks best, among equals where it is newest; no score above the one before."""
    candidates.sort(key=lambda place: (-place.score, place.after))
    result: dict[str, Ranked] = {}
    positions: set[tuple[str, int, int]] = set()
    last_score = 1.0
    for candidate in candidates:
        text = " ".join(candidate.place.text.split()).lstrip("-*+> ")
        position = (candidate.place.path, candidate.place.start, candidate.place.end)
        if first := result.get(text):
            first.repeats.append(candidate.place)
        elif position not in positions:
            candidate.score = last_score = min(last_score, candidate.shown)
            result[text] = candidate
            positions.add(position)
    return list(result.values())
