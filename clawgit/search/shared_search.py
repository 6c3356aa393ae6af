"""Searches the shared memory beside one's own."""

import sqlite3

from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.search import enhanced, recall
from clawgit.search.answer import Answer, Hit, Query
from clawgit.search.federated_search import Part, joined
from clawgit.workspace import shared_memory
from clawgit.workspace.workspace import Workspace


def beside(workspace: Workspace, own: Answer, query: Query, tier: str | None = None) -> Answer:
    """Return an answer with what the shared memory says to the question, where there is one; of the same commit.

    What cannot be read is told in `degraded`.
    """
    try:
        shared = shared_memory.opened(workspace)
        if shared is None:
            return own
        said = answer(shared, query, tier)
    except (ClawgitError, OSError, sqlite3.Error) as exc:
        return _without(own, str(exc))
    found = joined([Part(own), Part(said)], recall.most(workspace, query)).answer
    return replace(found, commit=own.commit)


def answer(shared: Workspace, query: Query, tier: str | None = None) -> Answer:
    """Return what the shared memory says to a question, as other workspaces tell of it."""
    return relabelled(enhanced.search(shared, query, tier))


def relabelled(said: Answer) -> Answer:
    """Return an answer of the shared memory as other workspaces tell of it."""
    degraded = f"shared memory: {said.degraded}" if said.degraded else None
    return replace(said, results=tuple(map(_told, said.results)), degraded=degraded)


def past(workspace: Workspace, own: Answer) -> Answer:
    """Return an answer of the past, which says that the shared memory was not searched, where there is one."""
    try:
        there = shared_memory.place(workspace) is not None
    except ClawgitError as exc:
        return _without(own, exc.message)
    return _without(own, "it knows the present alone here; ask in its own workspace") if there else own


def _told(hit: Hit) -> Hit:
    return replace(hit, path=f"{shared_memory.PREFIX}{hit.path}", tier="shared", source="shared")


def _without(own: Answer, why: str) -> Answer:
    told = f"shared memory not searched: {why}"
    return replace(own, degraded="; ".join(filter(None, (own.degraded, told))))
