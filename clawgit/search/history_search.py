"""Answers of then, and of what is gone."""

import contextlib
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from clawgit.errors import quoted
from clawgit.git import history, regular_file, repository
from clawgit.git.git_command import git
from clawgit.git.repository import Oid, Repository
from clawgit.search import corpus, index, recall, topic_history
from clawgit.search.answer import Answer, Hit, Query
from clawgit.search.blocks import unmarked
from clawgit.search.corpus import Source
from clawgit.search.rank import Ranked
from clawgit.search.recall import without_unapproved
from clawgit.search.refresh import Told
from clawgit.text.entry import digest, entries, without_scores
from clawgit.workspace import conflict_markers, file_roles
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
    sizes = index.sizes(workspace)
    with (
        _alone(where),
        index.fresh(where, lambda: sources(workspace.repo, commit, more), told=told, sizes=sizes) as opened,
    ):
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
    shown = conflict_markers.served(repo, path, data, commit)
    return (shown.data if shown else data)[: corpus.LARGEST], None


@contextlib.contextmanager
def _alone(where: Path) -> Iterator[None]:
    """Keep others from leading the index to another commit while we read; without the right to write nobody does."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            stack.enter_context(regular_file.locked(where.with_suffix(".turn")))
        yield


def search_deleted(workspace: Workspace, query: Query, told: Told | None = None) -> Answer:
    """Return lines that commits took away and that stand nowhere any more, neither in HEAD nor on disk.

    `commit` of a hit is the last one that had them: `clawgit restore PATH --as-of COMMIT` brings the file back.
    """
    rules = recall.rules(workspace, query, aging=False)
    most = recall.most(workspace, query)
    with topic_history.of(workspace, "taken", told) as (store, degraded):
        ranked, found, _ = recall.answers(store, query, rules, today=workspace.now().date())
    standing = _standing(workspace) if ranked else frozenset()
    found_hits = (hit for place in ranked if (hit := _hit(place, standing, query)))
    hits = [_with_restore(workspace, hit) for hit in islice(found_hits, most)]
    shown = without_unapproved(workspace, hits, gone=True)
    return recall.make_answer(shown, found, degraded=degraded, commit=workspace.head)


def _with_restore(workspace: Workspace, hit: Hit) -> Hit:
    """Return a hit with the command that brings its lines back: by their ids, else the file as it was."""
    keys = [digest(entry.text) for entry in entries(hit.text)]
    with workspace.open_table() as table:
        removed = [entry for key in keys for entry in table.find_removed_by_key(key) if entry.path == hit.path]
    names = " ".join(dict.fromkeys(entry.id for entry in removed))
    way = (
        f"clawgit restore {names}" if names else f"clawgit restore {quoted(hit.path)} --as-of {(hit.commit or '')[:10]}"
    )
    return replace(hit, restore=way)


def _standing(workspace: Workspace) -> frozenset[str]:
    """Return all lines in scope that stand in HEAD or on disk, without their markers."""
    more = index.memory_files(workspace)
    now = [*corpus.sources(workspace.root, more)]
    committed = sources(workspace.repo, workspace.head, more) if workspace.head else ()
    texts = (corpus.text(found[0]) for source in (*now, *committed) if (found := source.read()))
    return frozenset(said for text in texts for line in text.split("\n") if (said := _said(line)))


def _said(line: str) -> str:
    return " ".join(unmarked(line.rstrip("\r")).split())


def _hit(one: Ranked, standing: Iterable[str], query: Query) -> Hit | None:
    """Return the first lines of a place that are gone; None when all of them stand somewhere."""
    where = topic_history.moment(one.place.path)
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
