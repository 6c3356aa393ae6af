"""Answers from the files as they were."""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from clawgit.git import history, repository
from clawgit.git.command import git
from clawgit.git.repository import Oid, Repository
from clawgit.search import corpus, index, recall
from clawgit.search.answer import Answer, Query
from clawgit.search.corpus import Source
from clawgit.search.refresh import Told
from clawgit.search.withheld import without_unapproved
from clawgit.workspace import conflicted, dumped
from clawgit.workspace.workspace import Workspace

NAME = "past.db"
_REGULAR = ("100644", "100755")


def search(workspace: Workspace, query: Query, commit: Oid, told: Told | None = None) -> Answer:
    """Return what the files said in `commit`: nothing that came later, and no weight of age.

    The index of an older state is kept; going from one commit to another costs what differs between them.
    """
    when = history.commit(workspace.repo, commit).date
    more = index.memory_files(workspace)
    where = index.place(workspace).with_name(NAME)
    rules = recall.rules(workspace, query, aging=False)
    with _alone(where), index.fresh(where, lambda: sources(workspace.repo, commit, more), told=told) as opened:
        ranked, found, _ = recall.answers(opened.store, query, rules, today=when.date())
        hits = tuple(recall.hit(one, commit, query) for one in ranked[: recall.most(workspace, query)])
    shown = without_unapproved(workspace, hits, commit)
    return Answer(shown, degraded=opened.degraded, commit=commit, repaired=found.repaired, stems=found.stems, asof=when)


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
    if dumped.is_dump(path, data):
        return b"", None
    shown = conflicted.served(repo, path, data, commit)
    return (shown.data if shown else data)[: corpus.LARGEST], None


@contextmanager
def _alone(where: Path) -> Iterator[None]:
    """Keep others from leading the index to another commit while we read; without the right to write nobody does."""
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(where.with_suffix(".turn"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
