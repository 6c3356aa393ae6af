"""Questions to one or several indexes, and their answers."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from math import log
from typing import Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.search import question_words
from clawgit.search.question_words import Term, fold
from clawgit.search.store import stems

Mode = Literal["core", "enhanced"]
MemoryTier = Literal["T0", "T1", "T2", "T3", "shared"]


class Query(Struct, frozen=True):
    """What is asked: None leaves a number to CONFIG.md.

    `since` and `until` are days of what is found, both inside. `category` is a tag, or a word of a heading or path,
    `project` the one that a comment of OpenClaw's names. `tier` is `core` or `enhanced`. What the files said `as_of` a
    change, revision or date is asked, or with `deleted` what stands in them no more, else what they say now.
    """

    text: str
    most: int | None = None
    least: float | None = None
    since: date | None = None
    until: date | None = None
    category: str | None = None
    explain: bool = False
    project: str | None = None
    tier: str | None = None
    as_of: str = ""
    deleted: bool = False


class Hit(Struct, frozen=True):
    """Lines `start` to `end` of a file that answer, the best part of them as `snippet`.

    `score` is between 0 and 1. `commit` holds exactly this file, None when none does yet; `stale` tells that the file
    has changed since it was read, `gone` that the lines stand no more and `commit` is the last that had them. `text` is
    all of the lines, `restore` the command that brings deleted ones back, `heading` what is above them. `bm25` is what
    SQLite's FTS5 gives the lines for the words of the question, `explain` says what the score is made of. Lines
    that are not `trusted` were written in turns of others.
    """

    path: str
    start: int
    end: int
    score: float
    snippet: str
    tier: MemoryTier
    source: str = "memory"
    commit: str | None = None
    day: date | None = None
    stale: bool = False
    gone: bool = False
    restore: str = ""
    heading: str = ""
    text: str = ""
    bm25: float = 0.0
    explain: Mapping[str, object] = field(default_factory=dict)
    trusted: bool = True

    @property
    def citation(self) -> str:
        """Where to look it up: `path#L4-L9`."""
        return f"{self.path}#{span(self.start, self.end)}"


def span(start: int, end: int) -> str:
    """Return lines as a citation has them: `L4`, `L4-L9`."""
    return f"L{start}" if start == end else f"L{start}-L{end}"


class Answer(Struct, frozen=True):
    """What was found, the best first; `degraded` says what is missing and why.

    `commit` is HEAD, or what the answer is as of; `asof` the moment of that. `repaired` are words that were taken for
    slips of others. `notes` are sentences about files of which something else was searched than what stands there.
    `looked` are the words that were looked for among `texts` texts, by which answers of several indexes are made
    comparable.
    """

    results: tuple[Hit, ...]
    mode: Mode = "core"
    degraded: str | None = None
    commit: str | None = None
    provider: str = "clawgit"
    model: str | None = None
    repaired: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    asof: datetime | None = None
    notes: tuple[str, ...] = ()
    looked: tuple[Term, ...] = ()
    texts: int = 0

    @property
    def stems(self) -> frozenset[str]:
        """What was looked for, as the index has it."""
        return frozenset(term.stem for term in self.looked if term.times)


def document(found: Answer, agents: Sequence[Sequence[str]] | None = None) -> Mapping[str, object]:
    """Return an answer as OpenClaw names it; `agents` are those whose memory each of its hits is from."""
    whose = agents if agents is not None else [()] * len(found.results)
    repaired = {word: list(meant) for word, meant in found.repaired.items()}
    return {
        "results": [_hit(one, names) for one, names in zip(found.results, whose, strict=True)],
        "provider": found.provider,
        "model": found.model,
        "mode": found.mode,
        "degraded": found.degraded,
        "commit": found.commit,
        **({"repaired": repaired} if repaired else {}),
        **({"notes": list(found.notes)} if found.notes else {}),
    }


def _hit(one: Hit, agents: Sequence[str]) -> dict[str, object]:
    return {
        "path": one.path,
        "startLine": one.start,
        "endLine": one.end,
        "score": one.score,
        "snippet": one.snippet,
        "source": one.source,
        "citation": one.citation,
        "tier": one.tier,
        "commit": one.commit,
        "date": one.day.isoformat() if one.day else None,
        "stale": one.stale,
        **({} if one.trusted else {"trusted": False}),
        **({"restore": one.restore} if one.restore else {}),
        **({"agent": agents[0], "agents": list(agents)} if agents else {}),
        **({"explain": dict(one.explain)} if one.explain else {}),
    }


_PARTS = re.compile(r"[^\W_]+|[\W_]+")


def marked(text: str, wanted: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text in order, each with whether it was looked for."""
    parts = _PARTS.findall(text)
    known = list({part.lower() for part in parts if part[0].isalnum()})
    good = {
        word for word, found in zip(known, stems([fold(word) for word in known]), strict=True) if set(found) & {*wanted}
    }
    runs = [one for one in wanted if question_words.present(one)]
    for part in parts:
        if part.lower() not in good and runs and question_words.present(part):
            yield from _pairs(part, runs)
        else:
            yield part, part.lower() in good


def _pairs(text: str, wanted: Collection[str]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text without spaces: letters that belong to a pair that was looked for, and others."""
    inside = [False] * len(text)
    for pair in wanted:
        for match in re.finditer(re.escape(pair), text):
            inside[match.start() : match.end()] = [True] * len(match[0])
    for at, letter in enumerate(text):
        yield letter, inside[at]


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
    it. Within an index the order stays. The answer is of no commit.
    """
    if len(parts) == 1:
        (only,) = parts
        return Joined(only.answer, (only.agents,) * len(only.answer.results))
    answers = [part.answer for part in parts]
    weights = _weights(answers)
    factors = [_factor(part.answer, weights) for part in parts]
    factors = [one / max(factors) for one in factors]
    rows = [
        (round(hit.score * factor, 4), nth, place, part.agents, hit)
        for place, (part, factor) in enumerate(zip(parts, factors, strict=True))
        for nth, hit in enumerate(part.answer.results)
    ]
    rows.sort(key=lambda row: (-row[0], row[1], row[2]))
    hits = tuple(replace(hit, score=score) for score, _, _, _, hit in rows[:most])
    degraded = "; ".join(dict.fromkeys(answer.degraded for answer in answers if answer.degraded)) or None
    repaired = {word: meant for answer in reversed(answers) for word, meant in answer.repaired.items()}
    notes = tuple(dict.fromkeys(note for answer in answers for note in answer.notes))
    looked = tuple(dict.fromkeys(term for answer in answers for term in answer.looked))
    of_all = {"degraded": degraded, "commit": None, "repaired": repaired, "looked": looked, "notes": notes}
    return Joined(replace(answers[0], results=hits, **of_all), tuple(agents for *_, agents, _ in rows[:most]))


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


def covered(hit: Hit, looked: Iterable[Term], weights: Mapping[str, float]) -> float:
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
