"""Questions to indexes, their answers, and recalled lines."""

import contextlib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from math import log
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.search import question_words
from clawgit.search.question_words import Term
from clawgit.store.database import StateStore
from clawgit.text.entry import normalise, read_saying

Mode = Literal["core", "enhanced"]
MemoryTier = Literal["T0", "T1", "T2", "T3", "shared"]


class Query(Struct, frozen=True):
    """A question: None leaves a number to CONFIG.md.

    `since` and `until` are the first and last day of results. `category` is a tag, or a word of a heading or path,
    `project` the one in a comment of OpenClaw. `tier` is `core` or `enhanced`. Searched are the files `as_of` a change,
    revision or date, or with `deleted` their removed lines, else the present files.
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

    `score` is between 0 and 1. `commit` has exactly this file, None when none does yet; `committed`: HEAD has
    the lines, whatever else of the file was edited; `stale`: the file has changed
    since it was read; `gone`: the lines are removed and `commit` is the last that had them. `text` is all of the lines,
    `restore` the command that brings deleted ones back, `heading` the headings above them. `bm25` is the score by
    SQLite's FTS5 for the words of the question, `explain` the parts of the score. Lines that are not `trusted` were
    written in turns of others. `agents` are the owners of the memory, none if that need not be named.
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
    committed: bool = False
    stale: bool = False
    gone: bool = False
    restore: str = ""
    heading: str = ""
    text: str = ""
    bm25: float = 0.0
    explain: Mapping[str, object] = field(default_factory=dict)
    trusted: bool = True
    agents: tuple[str, ...] = ()

    @property
    def citation(self) -> str:
        """The citation: `path#L4-L9`."""
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


def document(answer: Answer) -> Mapping[str, object]:
    """Return an answer in OpenClaw's field names."""
    repaired = {word: list(replacements) for word, replacements in answer.repaired.items()}
    return {
        "results": list(map(_describe_hit, answer.results)),
        "provider": answer.provider,
        "model": answer.model,
        "mode": answer.mode,
        "degraded": answer.degraded,
        "commit": answer.commit,
        **({"repaired": repaired} if repaired else {}),
        **({"notes": list(answer.notes)} if answer.notes else {}),
    }


def _describe_hit(hit: Hit) -> dict[str, object]:
    return {
        "path": hit.path,
        "startLine": hit.start,
        "endLine": hit.end,
        "score": hit.score,
        "snippet": hit.snippet,
        "source": hit.source,
        "citation": hit.citation,
        "tier": hit.tier,
        "commit": hit.commit,
        "date": hit.day.isoformat() if hit.day else None,
        "stale": hit.stale,
        **({"committed": True} if hit.committed and not hit.commit else {}),
        **({} if hit.trusted else {"trusted": False}),
        **({"restore": hit.restore} if hit.restore else {}),
        **({"agent": hit.agents[0], "agents": list(hit.agents)} if hit.agents else {}),
        **({"explain": dict(hit.explain)} if hit.explain else {}),
    }


_PARTS = re.compile(r"[^\W_]+|[\W_]+")


def mark_matches(text: str, terms: Iterable[Term]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text in order, each with whether it was looked for."""
    roots = [term.root for term in terms if term.times]
    letters = "|".join(re.escape(root) for root in roots if question_words.has_script(root))
    # With a group in its pattern, a split has the matches at the odd positions.
    for number, run in enumerate(re.split(f"({letters})", text) if letters else [text]):
        for part in [run] if number % 2 else _PARTS.findall(run):
            yield part, bool(number % 2) or any(root in question_words.plain(part) for root in roots)


_GUESSED = 0.5
_BARE = 0.6
"""What is left of the scores of an index whose best hits have none of the words: vectors may know better."""
_BEST = 3
"""So many hits of an index say how well it answers."""


def join_hits(answers: Sequence[Answer], limit: int) -> Answer:
    """Return the `limit` best hits of several indexes, with scores that can be compared.

    An index scores its hits against its own best, and knows a word as rare by its own texts. Here the weights of words
    come from all texts together, and the scores of an index count as far as its best hits cover the question, relative
    to the index that covers most of it (docs/decisions/0068). Within an index the order stays. The answer is of no
    commit.
    """
    if len(answers) == 1:
        return answers[0]
    times: defaultdict[str, int] = defaultdict(int)
    for answer in answers:
        for term in answer.looked:
            times[term.word] += term.times if term.exact else 0
    texts = max(sum(answer.texts for answer in answers), *times.values(), 0)
    weights = {word: max(log((texts - count + 0.5) / (count + 0.5) + 1), 0.05) for word, count in times.items()}
    factors = [_BARE + (1 - _BARE) * _measure_coverage(answer, weights) for answer in answers]
    hits = [
        replace(hit, score=round(hit.score * factor / max(factors), 4))
        for answer, factor in zip(answers, factors, strict=True)
        for hit in answer.results
    ]
    return replace(
        answers[0],
        results=tuple(sorted(hits, key=lambda hit: -hit.score)[:limit]),
        degraded="; ".join(dict.fromkeys(answer.degraded for answer in answers if answer.degraded)) or None,
        commit=None,
        repaired={word: slips for answer in reversed(answers) for word, slips in answer.repaired.items()},
        looked=tuple(dict.fromkeys(term for answer in answers for term in answer.looked)),
        notes=tuple(dict.fromkeys(note for answer in answers for note in answer.notes)),
    )


def _measure_coverage(answer: Answer, weights: Mapping[str, float]) -> float:
    """Return the largest share of the question in one of the best hits, or above it, from 0 to 1."""
    total, terms = sum(weights.values()), {term.word: term for term in answer.looked if term.times}
    shares = [0.0]
    for hit in answer.results[:_BEST]:
        text = question_words.plain(f"{hit.heading} {hit.text}")
        covered_weights = (
            weights[word] * (1 if term.exact else _GUESSED) for word, term in terms.items() if term.root in text
        )
        shares.append(sum(covered_weights) / total if total else 1.0)
    return max(shares) if answer.looked else 1.0


NAME = "recalls"
_MIN_SHARE = 0.5
"""Of an entry in a passage that was found, or of the passage in the entry: beside it is not found."""


class Shown(Struct, frozen=True):
    """A passage of a file that sessions were shown, as it read then."""

    session: str
    path: str
    text: str
    at: str = ""


def record_recall(store: StateStore, session: str, hits: Iterable[Hit], now: datetime) -> None:
    """Note the lines that a session was shown; a failure does not prevent the answer.

    Lines of another workspace are not ours to promote.
    """
    own, time = (hit for hit in hits if hit.tier != "shared"), now.isoformat()
    rows = [Shown(session, hit.path, hit.snippet, time) for hit in own]
    with contextlib.suppress(ClawgitError):
        store.append_rows(NAME, rows)


def find_by_text(store: StateStore, text: str) -> list[Shown]:
    """Return the hits with a memory of these words, the newest first, each session once a day."""
    sentence = read_saying(text)
    records = {}
    for record in read_shown(store) if sentence else ():
        if sentence in map(read_saying, record.text.splitlines()):
            records[record.session, record.at[:10]] = record
    return list(records.values())[::-1]


def read_shown(store: StateStore) -> Iterator[Shown]:
    """Yield the noted hits, the oldest first; unreadable lines are skipped."""
    yield from (row for row in store.read_rows(NAME, Shown) if row.session)


def read_passages(store: StateStore) -> Mapping[str, Mapping[str, set[str]]]:
    """Return the passages of each file that searches gave, with the sessions of these searches."""
    passages: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record in read_shown(store):
        if text := normalise(record.text):
            passages[record.path][text].add(record.session)
    return passages


def count_sessions(text: str, passages: Mapping[str, set[str]]) -> int:
    """Return to how many sessions an entry was shown: it is much of a passage, or a passage much of it."""
    words = normalise(text)
    sessions: set[str] = set()
    for passage, session_names in passages.items():
        is_inside = words in passage or passage in words
        if is_inside and min(len(words), len(passage)) >= _MIN_SHARE * max(len(words), len(passage)):
            sessions |= session_names
    return len(sessions)
