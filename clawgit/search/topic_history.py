"""The lines that came or went, commit by commit."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Literal, NamedTuple

from msgspec import Struct

from clawgit.git import churn, history, repository
from clawgit.git.churn import Touch
from clawgit.git.repository import Oid
from clawgit.safety.markers import join_sides
from clawgit.safety.redaction import redacted
from clawgit.search import corpus, index, recall, refresh
from clawgit.search.answer import Query
from clawgit.search.corpus import Source
from clawgit.search.refresh import Told
from clawgit.search.store import Store
from clawgit.workspace import conflict_markers, file_roles
from clawgit.workspace.workspace import Workspace

Side = Literal["taken", "given"]

_GLOBS = ("*.md",)
_BETWEEN = "\x1f"
_BYTES = "\x01"  # before a path whose bytes are no UTF-8
_HEAD = "head"


class Moment(NamedTuple):
    """Where lines stood: in `commit` they came or went, `holder` is the commit that has them."""

    path: str
    commit: Oid
    holder: Oid
    line: int


@contextmanager
def of(workspace: Workspace, side: Side, told: Told | None = None) -> Iterator[tuple[Store, str | None]]:
    """Open the index of all lines that commits took, or gave; with why it is not kept, where it is not.

    It is made when it is first asked for, and goes on where it stopped.
    """
    where = index.place(workspace).with_name(f"{side}.db")
    with index.fresh(where, tuple, told=told, update=partial(_follow, workspace, side)) as opened:
        yield opened.store, opened.degraded


def moment(place: str) -> Moment:
    """Return what the path of a place in such an index stands for."""
    path, commit, holder, line = place.split(_BETWEEN)
    path = os.fsdecode(path[1:].encode("latin-1")) if path.startswith(_BYTES) else path
    return Moment(path, commit, holder, int(line))


def _follow(workspace: Workspace, side: Side, store: Store, told: Told | None) -> None:
    """Add what commits did that are not in the index yet; of another past it is made anew."""
    head = workspace.head or ""
    if store.get(_HEAD) in (head, None) and (not head or store.get(_HEAD) == head):
        return
    before = store.get(_HEAD)
    if before and not repository.reaches(workspace.repo, head, before):
        raise sqlite3.DatabaseError("an index of another past")
    names = (head, f"^{before}") if before else (head,)
    commits = churn.reachable(workspace.repo, *names)
    more = index.memory_files(workspace)
    with store.writing():
        if store.get(_HEAD) != before:
            return
        for at, touch in churn.churn(workspace.repo, commits, *_GLOBS):
            if told:
                told(at, len(commits))
            if isinstance(touch, Touch) and corpus.wanted(touch.path, more):
                refresh.add(store, *_sources(touch, side))
        store.put(_HEAD, head)
        refresh.count(store)


def _sources(touch: Touch, side: Side) -> Iterator[Source]:
    """Yield each run of lines that a commit took from a file, or gave it, as a file of its own."""
    if side == "given" and len(touch.parents) > 1:  # a merge gives what others gave already
        return
    for hunk in touch.hunks:
        lines, first = (hunk.taken, hunk.old) if side == "taken" else (hunk.given, hunk.new)
        holder = touch.commit if side == "given" else (touch.parents or (touch.commit,))[0]
        if any(line.strip() for line in lines) and not file_roles.begins_dump(b"\n".join(lines)):
            name = _BETWEEN.join((_stored(touch.path), touch.commit, holder, str(first)))
            yield Source(name, None, partial(_joined, lines), blob=name)


def _stored(path: str) -> str:
    """Return a path as the index keeps it: it takes no name that is not UTF-8."""
    if path.encode("utf-8", "ignore").decode() == path:
        return path
    return _BYTES + os.fsencode(path).decode("latin-1")


def _joined(lines: tuple[bytes, ...]) -> tuple[bytes, None]:
    """Return the lines without conflict markers."""
    said = b"\n".join(lines)
    if not conflict_markers.marked(said):
        return said, None
    return join_sides(said.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape"), None


_SIDES: Mapping[Side, Literal["+", "-"]] = {"taken": "-", "given": "+"}
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


def story(workspace: Workspace, topic: str, told: Told | None = None) -> tuple[Chapter, ...]:
    """Return what became of the lines about `topic`, commit by commit, the oldest first."""
    steps: dict[str, list[Step]] = {}
    for side in _SIDES:
        for where, text in _moments(workspace, topic, side, told):
            steps.setdefault(where.commit, []).append(Step(_SIDES[side], where.path, where.line, text))
    if not steps:
        return ()
    known = history.several(workspace.repo, steps)
    order = [known[one] for one in reversed(churn.reachable(workspace.repo, workspace.head or "HEAD")) if one in known]
    return tuple(
        Chapter(one.id, one.date, redacted(one.subject), tuple(sorted(steps[one.id], key=_place))) for one in order
    )


def _place(step: Step) -> tuple[str, int, bool]:
    return step.path, step.line, step.op == "+"


def _moments(workspace: Workspace, topic: str, side: Side, told: Told | None) -> Iterator[tuple[Moment, str]]:
    query = Query(topic, _MOST, _LEAST)
    with of(workspace, side, told) as (store, _):
        rules = recall.rules(workspace, query, aging=False)
        ranked, _, _ = recall.answers(store, query, rules, today=workspace.now().date())
        for one in ranked[:_MOST]:
            for place in (one.place, *one.repeats):
                where = moment(place.path)
                yield where._replace(line=where.line + place.start - 1), place.text
