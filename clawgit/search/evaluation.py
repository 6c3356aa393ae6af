"""Measures answers to questions with known answers."""

import json
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, median

from msgspec import Struct

from clawgit.errors import Advice, ClawgitError, questions_invalid
from clawgit.git.paths import check
from clawgit.search import corpus, index, recall
from clawgit.search.answer import Query
from clawgit.text import evidence_pointer, tokens
from clawgit.workspace.workspace import Workspace

DEPTH = 50
_BUDGETS = (1000, 2000)

Span = tuple[str, int, int]


class Question(Struct, frozen=True):
    """A question, and the lines that answer it."""

    text: str
    expected: tuple[Span, ...]


_FORM = Advice('write {"question": "…", "expected": ["MEMORY.md#L4-L6"]}')


def read_test_questions(place: Path) -> list[Question]:
    """Return the questions of a file: a JSON object on each line, with `question` and `expected`.

    Raises ClawgitError, with the line, for an unreadable or empty file.
    """
    rows = place.read_text("utf-8").splitlines()
    questions = [_question(place, number, row) for number, row in enumerate(rows, 1) if row.strip()]
    if not questions:
        raise questions_invalid(f"{place} has no questions", fix=_FORM)
    return questions


def _question(place: Path, number: int, row: str) -> Question:
    try:
        document = json.loads(row)
        pointers = list(map(evidence_pointer.parse_pointer, document["expected"]))
        spans = tuple((check(pointer.path), pointer.start, pointer.end) for pointer in pointers)
        question = str(document["question"])
    except (ValueError, KeyError, TypeError, ClawgitError) as exc:
        raise questions_invalid(
            f"{place}:{number}: not a question with the lines that answer it ({exc})",
            fix=_FORM,
        ) from exc
    if not spans or any(pointer.kind != "lines" for pointer in pointers):
        words = f"{place}:{number}: expected does not point at lines of a file"
        raise questions_invalid(words, fix=Advice('"expected": ["MEMORY.md#L4-L6"]'))
    return Question(question, spans)


def trial(workspace: Workspace, questions: Sequence[Question]) -> dict[str, float]:
    """Ask every question of our search, and return the means of all measures."""
    sources = corpus.sources(workspace.root, index.memory_files(workspace))
    contents = {path: content[0] for path in sources.stamps if (content := sources.read(path))}
    texts = {path: corpus.text(data).split("\n") for path, data in contents.items()}
    rows, took = [], []
    with index.current(workspace) as opening:
        rules = recall.read_ranking_rules(workspace, Query(""))
        for question in questions:
            started = time.perf_counter()
            ranking = recall.answers(opening.store, Query(question.text), rules, today=workspace.now().date())[0]
            took.append((time.perf_counter() - started) * 1000)
            hits = [(hit.place.path, hit.place.start, hit.place.end) for hit in ranking[:DEPTH]]
            rows.append(_score_hits(hits, question.expected, texts))
    means = {name: round(fmean(row[name] for row in rows), 4) for name in rows[0]}
    last = sorted(took)[math.ceil(0.95 * len(took)) - 1]
    return means | {"p50_ms": round(median(took), 2), "p95_ms": round(last, 2)}


def _score_hits(hits: Sequence[Span], expected: Sequence[Span], texts: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return the measures of an answer: each expected place counts once, at its first hit."""
    ranks = [
        next((rank for rank, hit in enumerate(hits, 1) if hit[0] == path and start <= hit[2] and hit[1] <= end), 0)
        for path, start, end in expected
    ]
    first = min((rank for rank in ranks if rank), default=0)
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if 0 < rank <= 10)  # noqa: PLR2004 - nDCG@10
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(expected), 10) + 1))
    row = {
        **{f"recall@{limit}": sum(0 < rank <= limit for rank in ranks) / len(ranks) for limit in (5, 10)},
        "mrr": 1 / first if first else 0.0,
        "ndcg@10": min(gain / ideal, 1.0),
    }
    for budget in _BUDGETS:
        fit = _count_fitting_hits(hits, budget, texts)
        row[f"evidence@{budget}tok"] = sum(0 < rank <= fit for rank in ranks) / len(ranks)
    return row


def _count_fitting_hits(hits: Sequence[Span], budget: int, texts: Mapping[str, Sequence[str]]) -> int:
    """Return how many of the first hits fit into so many tokens."""
    for count, (path, first, last) in enumerate(hits):
        budget -= tokens.count("\n".join(texts.get(path, ())[first - 1 : last]))
        if budget < 0:
            return count
    return len(hits)
