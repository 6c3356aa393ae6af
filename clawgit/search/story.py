"""Tells how the lines about a matter changed."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Literal

from msgspec import Struct

from clawgit.git import churn, history
from clawgit.safety.redaction import redacted
from clawgit.search import changes, recall
from clawgit.search.answer import Query
from clawgit.search.changes import Moment
from clawgit.search.refresh import Told
from clawgit.workspace.workspace import Workspace

_SIDES: Mapping[changes.Side, Literal["+", "-"]] = {"taken": "-", "given": "+"}
_MOST = 100
_LEAST = 0.5


class Step(Struct, frozen=True):
    """A line, or a few, that a commit gave (`+`) to a file or took (`-`) from it, from line `line` on."""

    op: Literal["+", "-"]
    path: str
    line: int
    text: str


class Chapter(Struct, frozen=True):
    """What one commit did to the matter."""

    commit: str
    date: datetime
    subject: str
    steps: tuple[Step, ...]


class Story(Struct, frozen=True):
    """The chapters, the oldest first, and the stems that were looked for."""

    chapters: tuple[Chapter, ...]
    stems: frozenset[str]


def story(workspace: Workspace, topic: str, told: Told | None = None) -> Story:
    """Return what became of the lines about `topic`, commit by commit."""
    steps: dict[str, list[Step]] = {}
    stems: set[str] = set()
    for side in _SIDES:
        for where, text, found in _moments(workspace, topic, side, told):
            steps.setdefault(where.commit, []).append(Step(_SIDES[side], where.path, where.line, text))
            stems |= found
    if not steps:
        return Story((), frozenset(stems))
    known = history.several(workspace.repo, steps)
    order = [known[one] for one in reversed(churn.reachable(workspace.repo, workspace.head or "HEAD")) if one in known]
    chapters = tuple(
        Chapter(one.id, one.date, redacted(one.subject), tuple(sorted(steps[one.id], key=_place))) for one in order
    )
    return Story(chapters, frozenset(stems))


def _place(step: Step) -> tuple[str, int, bool]:
    return step.path, step.line, step.op == "+"


def _moments(
    workspace: Workspace, topic: str, side: changes.Side, told: Told | None
) -> Iterator[tuple[Moment, str, frozenset[str]]]:
    query = Query(topic, _MOST, _LEAST)
    with changes.of(workspace, side, told) as (store, _):
        rules = recall.rules(workspace, query, aging=False)
        ranked, found, _ = recall.answers(store, query, rules, today=workspace.now().date())
        for one in ranked[:_MOST]:
            for place in (one.place, *one.repeats):
                where = changes.moment(place.path)
                yield where._replace(line=where.line + place.start - 1), place.text, found.stems
