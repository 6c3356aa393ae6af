"""Answers about the past, deleted lines, and changes."""

import contextlib
import sqlite3
from collections.abc import Container, Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clawgit import file_roles
from clawgit.errors import quote_shell
from clawgit.git import churn, history, regular_file, repository
from clawgit.git.churn import Touch
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.outside.sqlite_file import writing
from clawgit.safety.hidden_text import conflict_markers, join_sides
from clawgit.safety.redaction import redact
from clawgit.search import corpus, index, recall, store
from clawgit.search.answer import Answer, Hit, Query, mark_matches
from clawgit.search.blocks import unmarked
from clawgit.search.corpus import Refuted, Sources
from clawgit.search.keyword_search import WordMatches
from clawgit.search.rank import Ranked
from clawgit.search.recall import omit_unapproved
from clawgit.search.store import Progress, Store
from clawgit.text.entry import entries, hash_entry, remove_scores
from clawgit.workspace import file_contents
from clawgit.workspace.workspace import Workspace

NAME = "past.db"
_REGULAR = ("100644", "100755")


def search_past(workspace: Workspace, query: Query, commit: Oid, progress: Progress | None = None) -> Answer:
    """Return the answer of the files in `commit`: nothing later, and no weight of age.

    The index of an older state is kept; going from one commit to another costs the difference between them.
    """
    moment = history.commit(workspace.repo, commit).date
    extra = index.memory_files(workspace)
    path = index.place(workspace).with_name(NAME)
    rules = recall.read_ranking_rules(workspace, query, aging=False)
    refuted = Refuted(workspace.root, lambda path: file_contents.to_text(repository.read(workspace.repo, commit, path)))
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # nobody leads the index to another commit while we read, who may write
            stack.enter_context(regular_file.lock_file(path.with_suffix(".turn")))
        past = index.open_fresh_index(path, lambda: sources(workspace.repo, commit, extra, refuted), progress=progress)
        opening = stack.enter_context(past)
        ranking, search_result, _ = recall.answers(opening.store, query, rules, today=moment.date())
        candidates = ranking[: recall.count_wanted(workspace, query)]
        hits = tuple(recall.hit(candidate, commit, query) for candidate in candidates)
    approved_hits = omit_unapproved(workspace, hits, commit)
    return recall.make_answer(approved_hits, search_result, degraded=opening.degraded, commit=commit, asof=moment)


def sources(repo: Repository, commit: Oid, extra: Iterable[str] = (), refuted: Refuted | None = None) -> Sources:
    """Return the files in scope as they are in a commit, without the sentences that are refuted there."""
    blobs, stamps = dict[str, str](), dict[str, str]()
    for row in git(repo.root, "ls-tree", "-r", "-z", "--full-tree", commit).split(b"\0")[:-1]:
        entry, _, name = row.partition(b"\t")
        mode, _, blob = entry.decode().split(" ")
        path = name.decode("utf-8", "surrogateescape")
        if mode in _REGULAR and corpus.is_searched(path, extra) and path.isprintable():
            blobs[path], stamps[path] = blob, f"{blob}{refuted.mark(path) if refuted else ''}"

    def read(path: str) -> tuple[bytes, str]:
        data = repository.blob(repo, blobs[path])
        if file_roles.is_dump(path, data):
            return b"", stamps[path]
        content = file_contents.remove_markers(repo, path, data, commit)
        data = (content.data if content else data)[: regular_file.LARGEST_SEARCHED]
        return refuted.remove_from(path, data) if refuted else data, stamps[path]

    return Sources(stamps, read)


def search_deleted(workspace: Workspace, query: Query, progress: Progress | None = None) -> Answer:
    """Return lines that commits removed and that are nowhere any more, then lines of HEAD that the disk lacks.

    `commit` of a hit is the last one that had them.
    """
    limit = recall.count_wanted(workspace, query)
    ranking, search_result, degraded = _find_lines(workspace, query, "taken", progress)
    disk_lines, committed_lines = _list_present_lines(workspace)
    current_lines = disk_lines | committed_lines
    found_hits = (hit for place in ranking if (hit := _make_removed_hit(place, current_lines, query)))
    hits = [_with_restore(workspace, hit) for hit in islice(found_hits, limit)]
    approved_hits = omit_unapproved(workspace, hits, gone=True)
    if workspace.head and committed_lines - disk_lines:
        answer = search_past(workspace, query, workspace.head, progress)
        uncommitted = (hit for found in answer.results if (hit := _keep_missing_lines(found, answer, disk_lines)))
        approved_hits = (*approved_hits, *uncommitted)[:limit]
    return recall.make_answer(approved_hits, search_result, degraded=degraded, commit=workspace.head)


def _with_restore(workspace: Workspace, hit: Hit) -> Hit:
    """Return a hit with the command that brings its lines back: by their ids, else with a file that is gone.

    A forgotten or reworded line comes back by an undo of that.
    """
    keys = dict.fromkeys(hash_entry(entry.text) for entry in entries(hit.text))
    with workspace.open_table() as table:
        matches = {key: table.find(key=key, paths=(hit.path,), removed=True) for key in keys}
        archived = [row for key in keys for row in table.find(key=key) if row.path.startswith(file_roles.FORGOTTEN)]
    for row in archived:
        for commit in history.walk_log(workspace.repo, row.path):
            before = repository.read(workspace.repo, next(iter(commit.parents), None), row.path)
            # The commit that put the line into this archive is the one to undo.
            if row.text.encode() not in (before or b""):
                return replace(hit, restore=f"clawgit undo {commit.id[:10]}")
    if names := [group[-1].id for group in matches.values() if group]:  # of one that went twice the last one
        return replace(hit, restore=f"clawgit restore {' '.join(names)}")
    if repository.blob_id(workspace.repo, workspace.head, hit.path):
        log = history.walk_log(workspace.repo, hit.path, named=False)
        commit_id = next((commit.id[:10] for commit in log if hit.commit in commit.parents), "")
        return replace(hit, restore=f"clawgit undo {commit_id}" if commit_id else "")
    return replace(hit, restore=f"clawgit restore {quote_shell(hit.path)} --as-of {(hit.commit or '')[:10]}")


def _keep_missing_lines(hit: Hit, answer: Answer, disk_lines: Container[str]) -> Hit | None:
    """Return a hit in HEAD with its matching lines that are not on disk; None if there is none."""
    rows = [row for row in hit.text.split("\n") if (words := _normalise_line(row)) and words not in disk_lines]
    text = "\n".join(row for row in rows if any(good for _, good in mark_matches(row, answer.looked)))
    return replace(hit, snippet=recall.snippet(remove_scores(text)), text=text, gone=True) if text else None


def _list_present_lines(workspace: Workspace) -> tuple[frozenset[str], frozenset[str]]:
    """Return all lines in scope on disk, and in HEAD, without their markers, and without forgotten ones."""
    extra = index.memory_files(workspace)
    committed = sources(workspace.repo, workspace.head, extra) if workspace.head else None
    return _list_lines(corpus.sources(workspace.root, extra)), _list_lines(committed)


def _list_lines(files: Sources | None) -> frozenset[str]:
    paths = [path for path in (files.stamps if files else ()) if not path.startswith(file_roles.FORGOTTEN)]
    texts = (corpus.text(content[0]) for path in paths if files and (content := files.read(path)))
    return frozenset(words for text in texts for line in text.split("\n") if (words := _normalise_line(line)))


def _normalise_line(line: str) -> str:
    return " ".join(unmarked(line.rstrip("\r")).split())


def _make_removed_hit(candidate: Ranked, current_lines: Iterable[str], query: Query) -> Hit | None:
    """Return the first removed lines of a place; None when all of them still exist somewhere."""
    origin = _moment(candidate.place.path)
    lines = candidate.place.text.split("\n")
    flags = [bool(words) and words not in current_lines for words in map(_normalise_line, lines)]
    if True not in flags:
        return None
    first = flags.index(True)
    last = next((number for number in range(first, len(lines)) if not flags[number]), len(lines))
    text = "\n".join(lines[first:last])
    start = origin.line + candidate.place.start - 1
    whole = candidate.place.end - candidate.place.start + 1 == len(lines)
    span = (start + first, start + last - 1) if whole else (start, origin.line + candidate.place.end - 1)
    hit = recall.hit(candidate, origin.holder, query)
    return replace(
        hit,
        path=origin.path,
        start=span[0],
        end=span[1],
        snippet=recall.snippet(remove_scores(text)),
        text=text,
        gone=True,
    )


Side = Literal["taken", "given"]

_SEPARATOR = "\x1f"
_HEAD = "head"


class Moment(NamedTuple):
    """The version of lines: in `commit` they came or went, `holder` is the commit that has them."""

    path: str
    commit: Oid
    holder: Oid
    line: int


def _find_lines(
    workspace: Workspace, query: Query, side: Side, report: Progress | None
) -> tuple[list[Ranked], WordMatches, str | None]:
    """Return the matches among all lines that commits removed, or added; the searched terms; a reason for no index.

    The index is made on first use, and continued later.
    """
    path = index.place(workspace).with_name(f"{side}.db")
    rules = recall.read_ranking_rules(workspace, query, aging=False)
    with index.open_fresh_index(path, progress=report, update=partial(_index_new_commits, workspace, side)) as opening:
        ranking, search_result, _ = recall.answers(opening.store, query, rules, today=workspace.now().date())
        return ranking, search_result, opening.degraded


def _moment(place: str) -> Moment:
    """Return the moment in the path of a place in such an index."""
    path, commit, holder, line = place.split(_SEPARATOR)
    return Moment(path, commit, holder, int(line))


def _index_new_commits(workspace: Workspace, side: Side, index_store: Store, report: Progress | None) -> None:
    """Add commits that are not in the index yet; after a rewrite of history it is made anew."""
    head = workspace.head or ""
    before = index_store.get(_HEAD)
    if (before or "") == head:
        return
    if before and not repository.reaches(workspace.repo, head, before):
        # For `index.open_fresh_index` this error is damage, so it makes the index anew.
        raise sqlite3.DatabaseError("an index of another past")
    names = (head, f"^{before}") if before else (head,)
    commits = churn.reachable(workspace.repo, *names)
    extra = index.memory_files(workspace)
    with writing(index_store.raw):
        # Another process has added these commits meanwhile.
        if index_store.get(_HEAD) != before:
            return
        for number, touch in churn.churn(workspace.repo, commits, "*.md"):
            if report:
                report(number, len(commits))
            if isinstance(touch, Touch) and corpus.is_searched(touch.path, extra):
                runs = {name: (data, name) for name, data in _list_runs(touch, side)}
                store.add_files(index_store, runs, runs.__getitem__)
        index_store.put(_HEAD, head)
        index_store.count()


def _list_runs(touch: Touch, side: Side) -> Iterator[tuple[str, bytes]]:
    """Yield the name and text of each run of lines that a commit took from a file, or gave it, a file of its own."""
    if side == "given" and len(touch.parents) > 1:  # a merge gives what others gave already
        return
    if touch.path.encode("utf-8", "ignore").decode() != touch.path:  # the index takes no other name
        return
    for hunk in touch.hunks:
        lines, first = (hunk.taken, hunk.old) if side == "taken" else (hunk.given, hunk.new)
        holder = touch.commit if side == "given" else (touch.parents or (touch.commit,))[0]
        text = b"\n".join(lines)
        if text.strip() and not file_roles.begins_dump(text):
            yield _SEPARATOR.join((touch.path, touch.commit, holder, str(first))), _join_lines(text)


def _join_lines(text: bytes) -> bytes:
    """Return the lines without conflict markers, none of a conflict with unknown sides."""
    if not file_contents.may_have_markers(text):
        return text
    sides = join_sides(text.decode("utf-8", "surrogateescape"))
    return b"" if conflict_markers(sides) else sides.encode("utf-8", "surrogateescape")


_SIDES: Mapping[Side, Literal["+", "-"]] = {"taken": "-", "given": "+"}
_MAX_STEPS = 100
_MIN_STEP_SCORE = 0.5


class LineStep(Struct, frozen=True):
    """A line, or a few, that a commit gave (`+`) to a file or took (`-`) from it, from line `line` on."""

    op: Literal["+", "-"]
    path: str
    line: int
    text: str


class Chapter(Struct, frozen=True):
    """The changes of the matter by one commit."""

    commit: str
    date: datetime
    subject: str
    steps: tuple[LineStep, ...]


def story(workspace: Workspace, topic: str, progress: Progress | None = None) -> tuple[Chapter, ...]:
    """Return the changes of the lines about `topic`, commit by commit, the oldest first."""
    steps: dict[str, list[LineStep]] = {}
    for side, op in _SIDES.items():
        ranking, _, _ = _find_lines(workspace, Query(topic, _MAX_STEPS, _MIN_STEP_SCORE), side, progress)
        for place in (place for candidate in ranking[:_MAX_STEPS] for place in (candidate.place, *candidate.repeats)):
            origin = _moment(place.path)
            step = LineStep(op, origin.path, origin.line + place.start - 1, place.text)
            steps.setdefault(origin.commit, []).append(step)
    if not steps:
        return ()
    commits = history.read_commits(workspace.repo, steps)
    order = [
        commits[commit_id]
        for commit_id in reversed(churn.reachable(workspace.repo, workspace.head or "HEAD"))
        if commit_id in commits
    ]
    for commit_steps in steps.values():
        commit_steps.sort(key=lambda step: (step.path, step.line, step.op == "+"))
    return tuple(Chapter(commit.id, commit.date, redact(commit.subject), tuple(steps[commit.id])) for commit in order)
