"""Answers of now, of then, of what is gone."""

from msgspec.structs import replace

from clawgit.search import enhanced
from clawgit.search.answer import Answer, Query
from clawgit.search.index import Sources
from clawgit.search.refresh import Told
from clawgit.workspace import settings
from clawgit.workspace.workspace import Workspace

_SHARED = "shared"


def search(
    workspace: Workspace,
    query: Query,
    tier: str | None = None,
    *,
    as_of: str = "",
    deleted: bool = False,
    told: Told | None = None,
    sessions: Sources | None = None,
    shared: bool = True,
) -> Answer:
    """Return what the files say, what they said `as_of` a change, revision or date, or what stands in them no more.

    `sessions` are as in `recall.search`; the past knows none. With `shared` the memory that all agents read is searched
    beside it, where CONFIG.md names one.
    """
    if as_of:
        from clawgit.search import history_search  # noqa: PLC0415 - few ask for the past
        from clawgit.workspace import records  # noqa: PLC0415

        answer = history_search.search_past(workspace, query, records.find(workspace, as_of), told)
    elif deleted:
        from clawgit.search import history_search as gone  # noqa: PLC0415 - see above

        answer = gone.search_deleted(workspace, query, told)
    else:
        answer = enhanced.search(workspace, query, tier, told=told, sessions=sessions)
        if workspace.managed and workspace.store.path.exists():
            from clawgit.search import withheld_search  # noqa: PLC0415 - nobody else writes in most workspaces

            answer = withheld_search.beside(workspace, answer, query)
        if shared and not settings.unset(workspace.root, _SHARED):
            from clawgit.search import shared_search  # noqa: PLC0415 - few share a memory

            return shared_search.beside(workspace, answer, query, tier)
        return answer
    if shared and not settings.unset(workspace.root, _SHARED):
        from clawgit.search import shared_search as of_all  # noqa: PLC0415 - as above

        answer = of_all.past(workspace, answer)
    if tier == "enhanced":
        words = "vectors know the present alone; the past was searched by words"
        return replace(answer, degraded="; ".join(filter(None, (answer.degraded, words))))
    return answer
