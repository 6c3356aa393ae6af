"""Answers of then, of what is gone, of what changed."""

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import quoted
from clawgit.git import churn, history, regular_file, repository
from clawgit.git.churn import Touch
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.outside.sqlite_file import writing
from clawgit.safety.markers import join_sides
from clawgit.safety.redaction import redacted
from clawgit.search import corpus, index, recall, refresh
from clawgit.search.answer import Answer, Hit, Query
from clawgit.search.blocks import unmarked
from clawgit.search.corpus import Source
from clawgit.search.keyword_search import Found
from clawgit.search.rank import Ranked
from clawgit.search.recall import without_unapproved
from clawgit.search.refresh import Told
from clawgit.search.store import Store
from clawgit.text.entry import digest, entries, without_scores
from clawgit.workspace import file_contents, file_roles
from clawgit.workspace.workspace import Workspace

NAME = "past.db"
_REGULAR = ("100644", "100755")


def search_past(workspace: Workspace, query: Query, commit: Oid, told: Told | None = None) -> Answer:
    """Return what the files said in `commit`: nothing that came later, and no weight of age.

    The index of an older state is kept; going from one commit to another costs what differs between them.
    """
    when = history.commit(workspace.repo, commit).date
    more = index.memory_files(workspace)
    where = index.place(workspace).with_name(NAME)
    rules = recall.rules(workspace, query, aging=False)
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # nobody leads the index to another commit while we read, who may write
            stack.enter_context(regular_file.locked(where.with_suffix(".turn")))
        past = index.fresh(where, lambda: sources(workspace.repo, commit, more), told=told)
        opened = stack.enter_context(past)
        ranked, found, _ = recall.answers(opened.store, query, rules, today=when.date())
        hits = tuple(recall.hit(one, commit, query) for one in ranked[: recall.most(workspace, query)])
    shown = without_unapproved(workspace, hits, commit)
    return recall.make_answer(shown, found, degraded=opened.degraded, commit=commit, asof=when)


def sources(repo: Repository, commit: Oid, more: Iterable[str] = ()) -> Iterator[Source]:
    """Yield the files in scope as they are in a commit."""
    for row in git(repo.root, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]:
        entry, _, name = row.partition(b"\t")
        mode, _, blob = entry.decode().split(" ")
        path = name.decode("utf-8", "surrogateescape")
        if mode in _REGULAR and corpus.wanted(path, more) and path.isprintable():
            yield Source(path, None, partial(_read, repo, commit, path, blob), blob)


def _read(repo: Repository, commit: Oid, path: str, blob: Oid) -> "tuple[bytes, corpus.Stamp | None] | None":
    data = repository.blob(repo, blob)
    if file_roles.is_dump(path, data):
        return b"", None
    shown = file_contents.without_markers(repo, path, data, commit)
    return (shown.data if shown else data)[: corpus.LARGEST], None


def search_deleted(workspace: Workspace, query: Query, told: Told | None = None) -> Answer:
    """Return lines that commits took away and that stand nowhere any more, neither in HEAD nor on disk.

    `commit` of a hit is the last one that had them: `clawgit restore PATH --as-of COMMIT` brings the file back.
    """
    most = recall.most(workspace, query)
    ranked, found, degraded = _find_lines(workspace, query, "taken", told)
    standing = _standing(workspace) if ranked else frozenset()
    found_hits = (hit for place in ranked if (hit := _hit(place, standing, query)))
    hits = [_with_restore(workspace, hit) for hit in islice(found_hits, most)]
    shown = without_unapproved(workspace, hits, gone=True)
    return recall.make_answer(shown, found, degraded=degraded, commit=workspace.head)


def _with_restore(workspace: Workspace, hit: Hit) -> Hit:
    """Return a hit with the command that brings its lines back: by their ids, else the file as it was.

    What was forgotten comes back by an undo of that.
    """
    keys = [digest(entry.text) for entry in entries(hit.text)]
    with workspace.open_table() as table:
        removed = [entry for key in keys for entry in table.find_removed_by_key(key) if entry.path == hit.path]
        archived = [row for key in keys for row in table.find_by_key(key) if row.path.startswith(file_roles.FORGOTTEN)]
    for row in archived:
        for commit in history.log(workspace.repo, row.path):
            before = repository.read(workspace.repo, next(iter(commit.parents), None), row.path)
            if row.text.encode() not in (before or b""):
                return replace(hit, restore=f"clawgit undo {commit.id[:10]}")
    names = " ".join(dict.fromkeys(entry.id for entry in removed))
    way = (
        f"clawgit restore {names}" if names else f"clawgit restore {quoted(hit.path)} --as-of {(hit.commit or '')[:10]}"
    )
    return replace(hit, restore=way)


def _standing(workspace: Workspace) -> frozenset[str]:
    """Return all lines in scope that stand in HEAD or on disk, without their markers; what was forgotten does not."""
    more = index.memory_files(workspace)
    now = [*corpus.sources(workspace.root, more)]
    committed = sources(workspace.repo, workspace.head, more) if workspace.head else ()
    every = (source for source in (*now, *committed) if not source.path.startswith(file_roles.FORGOTTEN))
    texts = (corpus.text(found[0]) for source in every if (found := source.read()))
    return frozenset(said for text in texts for line in text.split("\n") if (said := _said(line)))


def _said(line: str) -> str:
    return " ".join(unmarked(line.rstrip("\r")).split())


def _hit(one: Ranked, standing: Iterable[str], query: Query) -> Hit | None:
    """Return the first lines of a place that are gone; None when all of them stand somewhere."""
    where = _moment(one.place.path)
    lines = one.place.text.split("\n")
    gone = [bool(said) and said not in standing for said in map(_said, lines)]
    if True not in gone:
        return None
    first = gone.index(True)
    last = next((at for at in range(first, len(lines)) if not gone[at]), len(lines))
    text = "\n".join(lines[first:last])
    start = where.line + one.place.start - 1
    whole = one.place.end - one.place.start + 1 == len(lines)
    span = (start + first, start + last - 1) if whole else (start, where.line + one.place.end - 1)
    found = recall.hit(one, where.holder, query)
    return replace(
        found,
        path=where.path,
        start=span[0],
        end=span[1],
        snippet=recall.snippet(without_scores(text)),
        text=text,
        gone=True,
    )


Side = Literal["taken", "given"]

_BETWEEN = "\x1f"
_BYTES = "\x01"  # before a path whose bytes are no UTF-8
_HEAD = "head"


class Moment(NamedTuple):
    """Where lines stood: in `commit` they came or went, `holder` is the commit that has them."""

    path: str
    commit: Oid
    holder: Oid
    line: int


def _find_lines(
    workspace: Workspace, query: Query, side: Side, told: Told | None
) -> tuple[list[Ranked], Found, str | None]:
    """Return which of all lines that commits took, or gave, answer; what was looked for; why the index is not kept.

    It is made when it is first asked for, and goes on where it stopped.
    """
    where = index.place(workspace).with_name(f"{side}.db")
    rules = recall.rules(workspace, query, aging=False)
    with index.fresh(where, tuple, told=told, update=partial(_follow, workspace, side)) as opened:
        ranked, found, _ = recall.answers(opened.store, query, rules, today=workspace.now().date())
        return ranked, found, opened.degraded


def _moment(place: str) -> Moment:
    """Return what the path of a place in such an index stands for."""
    path, commit, holder, line = place.split(_BETWEEN)
    path = os.fsdecode(path[1:].encode("latin-1")) if path.startswith(_BYTES) else path
    return Moment(path, commit, holder, int(line))


def _follow(workspace: Workspace, side: Side, store: Store, told: Told | None) -> None:
    """Add what commits did that are not in the index yet; of another past it is made anew."""
    head = workspace.head or ""
    before = store.get(_HEAD)
    if (before or "") == head:
        return
    if before and not repository.reaches(workspace.repo, head, before):
        raise sqlite3.DatabaseError("an index of another past")
    names = (head, f"^{before}") if before else (head,)
    commits = churn.reachable(workspace.repo, *names)
    more = index.memory_files(workspace)
    with writing(store.raw):
        if store.get(_HEAD) != before:
            return
        for at, touch in churn.churn(workspace.repo, commits, "*.md"):
            if told:
                told(at, len(commits))
            if isinstance(touch, Touch) and corpus.wanted(touch.path, more):
                refresh.add(store, *_list_runs(touch, side))
        store.put(_HEAD, head)
        refresh.count(store)


def _list_runs(touch: Touch, side: Side) -> Iterator[Source]:
    """Yield each run of lines that a commit took from a file, or gave it, as a file of its own."""
    if side == "given" and len(touch.parents) > 1:  # a merge gives what others gave already
        return
    path = touch.path
    if path.encode("utf-8", "ignore").decode() != path:  # the index takes no other name
        path = _BYTES + os.fsencode(path).decode("latin-1")
    for hunk in touch.hunks:
        lines, first = (hunk.taken, hunk.old) if side == "taken" else (hunk.given, hunk.new)
        holder = touch.commit if side == "given" else (touch.parents or (touch.commit,))[0]
        if any(line.strip() for line in lines) and not file_roles.begins_dump(b"\n".join(lines)):
            name = _BETWEEN.join((path, touch.commit, holder, str(first)))
            yield Source(name, None, partial(_joined, lines), blob=name)


def _joined(lines: tuple[bytes, ...]) -> tuple[bytes, None]:
    """Return the lines without conflict markers."""
    said = b"\n".join(lines)
    if not file_contents.marked(said):
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
    for side, op in _SIDES.items():
        ranked, _, _ = _find_lines(workspace, Query(topic, _MOST, _LEAST), side, told)
        for place in (place for one in ranked[:_MOST] for place in (one.place, *one.repeats)):
            where = _moment(place.path)
            step = Step(op, where.path, where.line + place.start - 1, place.text)
            steps.setdefault(where.commit, []).append(step)
    if not steps:
        return ()
    known = history.several(workspace.repo, steps)
    order = [known[one] for one in reversed(churn.reachable(workspace.repo, workspace.head or "HEAD")) if one in known]
    for some in steps.values():
        some.sort(key=lambda step: (step.path, step.line, step.op == "+"))
    return tuple(Chapter(one.id, one.date, redacted(one.subject), tuple(steps[one.id])) for one in order)
