"""Has a language model say a question in other words."""

import os
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from clawgit.llm import asking, voices
from clawgit.llm.model import Budget, ModelError
from clawgit.search import recall
from clawgit.search.answer import Answer, Hit, Query
from clawgit.workspace.workspace import Workspace

_RULES = """\
You widen a search in somebody's notes, which finds texts by their words. Say the question that follows in up to three
other ways, with the words that such notes would use: synonyms, the names of things, how the answer may be put. Keep the
language. One way on each line, words alone: no numbers, no quotes, no comments."""
_MOST = 3
_LONGEST = 300
_SECONDS = 30.0
_LESS = 0.9


def reworded(workspace: Workspace, question: str) -> tuple[list[str], str | None]:
    """Return the question in up to three other ways; and why there is none, for people."""
    budget = Budget(tokens=8_000, seconds=_SECONDS, calls=2)
    try:
        voice = voices.find(workspace.config.value, os.environ, workspace.state)
        if voice is None:
            return [], "--smart needs a language model, and none is set up; the question was searched for as it is"
        said = asking.answer(voice, budget, _RULES, question, 1000, _SECONDS)
    except ModelError as exc:
        return [], f"--smart: {exc}; the question was searched for as it is"
    rows = (row.strip(" \t-*•\"'").strip()[:_LONGEST] for row in said.splitlines())
    found = [row for row in dict.fromkeys(rows) if row and row.casefold() != question.casefold()]
    return found[:_MOST], None


def most(workspace: Workspace, query: Query) -> int:
    """Return how many results are wanted."""
    return recall.most(workspace, query)


def merged(first: Answer, others: Iterable[Answer], most: int) -> Answer:
    """Return one answer of several: each place once with its best score, what the question itself found a little more.

    Scores stay between 0 and 1, the best first.
    """
    best: dict[tuple[str, int, int], Hit] = {(one.path, one.start, one.end): one for one in first.results}
    for hit in (hit for answer in others for hit in answer.results):
        here = (hit.path, hit.start, hit.end)
        less = replace(hit, score=round(hit.score * _LESS, 4))
        if here not in best or best[here].score < less.score:
            best[here] = less
    ordered: Sequence[Hit] = sorted(best.values(), key=lambda hit: -hit.score)
    return replace(first, results=tuple(ordered[:most]))
