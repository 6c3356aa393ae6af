"""Answers from present, past and shared memory."""

import sqlite3

from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.search import corpus, index, recall
from clawgit.search.answer import Answer, Query, join_hits
from clawgit.search.corpus import Sources
from clawgit.search.store import Progress
from clawgit.workspace import line_writers, settings, shared_memory
from clawgit.workspace.workspace import Workspace

_SHARED = "shared"
MAX_WITHHELD = 5


def answer_question(
    workspace: Workspace, query: Query, *, progress: Progress | None = None, shared: bool = True
) -> Answer:
    """Return an answer from present, past or deleted lines of the files.

    With `shared` the memory that all agents read is searched beside it, if CONFIG.md names one.
    """
    shared = shared and not settings.is_unset(workspace.root, _SHARED)
    if not (query.as_of or query.deleted):
        answer = add_withheld(workspace, recall.search_files(workspace, query, progress=progress), query)
        return _add_shared(workspace, answer, query) if shared else answer
    from clawgit.search import history_search  # noqa: PLC0415 - few ask for the past
    from clawgit.workspace import records  # noqa: PLC0415

    if query.as_of:
        answer = history_search.search_past(workspace, query, records.find_commit(workspace, query.as_of), progress)
    else:
        answer = history_search.search_deleted(workspace, query, progress)
    if query.tier == "enhanced":
        answer = recall.degrade(answer, "vectors know the present alone; the past was searched by words")
    return _tell_shared(workspace, answer) if shared else answer


def add_withheld(workspace: Workspace, answer: Answer, query: Query) -> Answer:
    """Return an answer with matching withheld lines behind all others, marked as not trusted.

    They have an index of their own: none of their words changes the other results, or their ranks.
    """
    lines_by_path = line_writers.list_withheld(workspace)
    if not lines_by_path:
        return answer

    refuted = index.list_refuted(workspace)

    def read(path: str) -> "tuple[bytes, str] | None":
        content = corpus.read_searched_bytes(f"{workspace.root}/{path}")
        text = content and corpus.blank_lines(content[0], lines_by_path[path], withheld=True)
        return (refuted.remove_from(path, text), "") if text else None

    sources = Sources(dict.fromkeys(lines_by_path, ""), read)
    hits = recall.search_sources(workspace, "withheld.db", lambda: sources, replace(query, most=MAX_WITHHELD)).results
    return replace(answer, results=(*answer.results, *(replace(hit, trusted=False) for hit in hits)))


def _add_shared(workspace: Workspace, own: Answer, query: Query) -> Answer:
    """Return an answer with the results of the shared memory, if there is one; of the same commit."""
    try:
        shared = shared_memory.open_shared(workspace)
        if shared is None:
            return own
        answer = relabel_shared(recall.search_files(shared, query))
    except (ClawgitError, OSError, sqlite3.Error) as exc:
        return _degrade_shared(own, str(exc))
    return replace(join_hits([own, answer], recall.count_wanted(workspace, query)), commit=own.commit)


def relabel_shared(answer: Answer) -> Answer:
    """Return an answer of the shared memory with paths for other workspaces."""
    degraded = f"shared memory: {answer.degraded}" if answer.degraded else None
    hits = (
        replace(hit, path=f"{shared_memory.PREFIX}{hit.path}", tier="shared", source="shared") for hit in answer.results
    )
    return replace(answer, results=tuple(hits), degraded=degraded)


def _tell_shared(workspace: Workspace, own: Answer) -> Answer:
    """Return an answer of the past, with a note that the shared memory was not searched, if there is one."""
    try:
        has_shared = shared_memory.locate_shared_memory(workspace) is not None
    except ClawgitError as exc:
        return _degrade_shared(own, exc.message)
    return _degrade_shared(own, "it knows the present alone here; ask in its own workspace") if has_shared else own


def _degrade_shared(own: Answer, reason: str) -> Answer:
    return recall.degrade(own, f"shared memory not searched: {reason}")
