"""Searches the files shared with others."""

from contextlib import suppress
from functools import partial
from itertools import islice

from clawgit.errors import ClawgitError
from clawgit.search import corpus, index, keyword_search, recall
from clawgit.search.answer import Answer, Query
from clawgit.search.corpus import Source
from clawgit.sessions import audience
from clawgit.workspace import served
from clawgit.workspace.workspace import Workspace


def search_shared_files(workspace: Workspace, query: Query) -> Answer:
    """Return what the files of `shared_files` say, from an index that holds nothing else."""
    paths = audience.list_shared_files(workspace)
    if not paths:
        return Answer(())
    sources = [Source(path, None, partial(_read_served, workspace, path)) for path in paths]
    where = index.place(workspace).with_name("shared.db")
    with index.fresh(where, lambda: sources, sizes=index.sizes(workspace)) as opened:
        ranked, found, _ = recall.answers(opened.store, query, recall.rules(workspace, query, aging=False))
        shown = islice(recall.without_refuted(workspace, ranked), recall.most(workspace, query))
        hits = tuple(recall.hit(one, None, query, found) for one in shown)
        return Answer(hits, looked=recall.looked(found), texts=keyword_search.total(opened.store))


def _read_served(workspace: Workspace, path: str) -> tuple[bytes, None] | None:
    with suppress(ClawgitError):
        return served.read(workspace, path, limit=corpus.LARGEST)[0] or b"", None
    return None
