"""Makes one answer of those of several indexes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clawgit.search import question_words
from clawgit.search.answer import Answer, Hit, Looked

_GUESSED = 0.5
_BARE = 0.6
"""What is left of the scores of an index whose best hits have none of the words: vectors may know better."""
_BEST = 3
"""So many hits of an index say how well it answers."""


class Part(Struct, frozen=True):
    """What one index answers; `agents` are those whose memory it is, none where that need not be told."""

    answer: Answer
    agents: tuple[str, ...] = ()


class Joined(NamedTuple):
    """One answer, and for each of its hits whose memory it is from."""

    answer: Answer
    agents: tuple[tuple[str, ...], ...]


def joined(parts: Sequence[Part], most: int) -> Joined:
    """Return the `most` best hits of several indexes, with scores that can be compared.

    An index scores what it has to offer against its own best, and knows a word as rare by its own texts: the best of a
    large one would always stand before the best of a small one. Here the words weigh what all texts together say, and
    the scores of an index count as far as its best hits say what is asked, beside those of the index that says most of
    it. Within an index the order stays.
    """
    if len(parts) == 1:
        (only,) = parts
        return Joined(only.answer, (only.agents,) * len(only.answer.results))
    weights = _weights([part.answer for part in parts])
    factors = [_factor(part.answer, weights) for part in parts]
    factors = [one / max(factors) for one in factors]
    rows = [
        (round(hit.score * factor, 4), nth, place, part.agents, hit)
        for place, (part, factor) in enumerate(zip(parts, factors, strict=True))
        for nth, hit in enumerate(part.answer.results)
    ]
    rows.sort(key=lambda row: (-row[0], row[1], row[2]))
    hits = tuple(replace(hit, score=score) for score, _, _, _, hit in rows[:most])
    return Joined(_together([part.answer for part in parts], hits), tuple(agents for *_, agents, _ in rows[:most]))


def _weights(answers: Iterable[Answer]) -> dict[str, float]:
    """Return how much each word tells, by how rare it is in the texts of all indexes, as bm25 has it."""
    times: defaultdict[str, int] = defaultdict(int)
    total = 0
    for answer in answers:
        total += answer.texts
        for one in answer.looked:
            times[one.word] += one.times if one.exact else 0
    return {word: max(log((max(total, much) - much + 0.5) / (much + 0.5) + 1), 0.05) for word, much in times.items()}


def _factor(answer: Answer, weights: Mapping[str, float]) -> float:
    """Return what the scores of an index are worth, from 0 to 1."""
    if not answer.looked:
        return 1.0
    best = max((covered(hit, answer.looked, weights) for hit in answer.results[:_BEST]), default=0.0)
    return _BARE + (1 - _BARE) * best


def covered(hit: Hit, looked: Iterable[Looked], weights: Mapping[str, float]) -> float:
    """Return how much of what is asked stands in a hit or above it, from 0 to 1."""
    said = question_words.plain(f"{hit.heading} {hit.text}")
    known = {one.word: one for one in looked}
    asked = sum(weights.values())
    met = sum(
        weights[word] * (1 if one.exact else _GUESSED)
        for word, one in known.items()
        if word in weights and one.times and one.root in said
    )
    return met / asked if asked else 1.0


def _together(answers: Sequence[Answer], hits: tuple[Hit, ...]) -> Answer:
    """Return one answer with what the others have to say beside their hits; it is of no commit."""
    degraded = "; ".join(dict.fromkeys(answer.degraded for answer in answers if answer.degraded))
    repaired = {word: meant for answer in reversed(answers) for word, meant in answer.repaired.items()}
    notes = tuple(dict.fromkeys(note for answer in answers for note in answer.notes))
    stems = frozenset().union(*(answer.stems for answer in answers))
    first = answers[0]
    return replace(
        first, results=hits, degraded=degraded or None, commit=None, repaired=repaired, stems=stems, notes=notes
    )
