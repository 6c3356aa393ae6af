"""Answers of now, of then, of what is gone."""

from msgspec.structs import replace

from clawgit.search.answer import Answer, Query
from clawgit.search.index import Sources
from clawgit.search.refresh import Told
from clawgit.workspace.workspace import Workspace


def search(
    workspace: Workspace,
    query: Query,
    tier: str | None = None,
    *,
    as_of: str = "",
    deleted: bool = False,
    told: Told | None = None,
    sessions: Sources | None = None,
) -> Answer:
    """Return what the files say, what they said `as_of` a change, revision or date, or what stands in them no more.

    `sessions` are as in `recall.search`; the past knows none.
    """
    if as_of:
        from clawgit.search import history_search  # noqa: PLC0415 - few ask for the past
        from clawgit.workspace import records  # noqa: PLC0415

        answer = history_search.search_past(workspace, query, records.find(workspace, as_of), told)
    elif deleted:
        from clawgit.search import history_search as gone  # noqa: PLC0415 - see above

        answer = gone.search_deleted(workspace, query, told)
    else:
        from clawgit.search import enhanced  # noqa: PLC0415

        return enhanced.search(workspace, query, tier, told=told, sessions=sessions)
    if tier == "enhanced":
        return replace(answer, degraded="vectors know the present alone; the past was searched by words")
    return answer
