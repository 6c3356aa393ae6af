"""What the tools answer others, from shared files.

Nothing else is looked at, not to rank a hit nor to word a refusal: workspaces that differ in private lines alone give
the same bytes.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from msgspec.structs import replace

from clawgit.errors import Advice, ClawgitError, not_shared
from clawgit.integrations import json_documents
from clawgit.integrations.mcp import reading_tools, tool_arguments
from clawgit.integrations.mcp.mcp_session import Document, Rooms
from clawgit.search import answer as found_as_json
from clawgit.search import corpus, index, recall
from clawgit.search.answer import Answer, Hit, Query
from clawgit.search.corpus import Source
from clawgit.sessions import audience
from clawgit.workspace import served
from clawgit.workspace.workspace import Workspace

Run = Callable[[Rooms, Workspace, Any], Document]

LOOKED_AT = "Only files that the operator shares were looked at, since others than he listen."
_PASSED_ON = "it is passed on; what becomes of it is told in private"
_WRITES = ("memory_add", "memory_correct", "soul_propose")
_MOST_HITS = 5


def answer(name: str, run: Run, rooms: Rooms, workspace: Workspace, asked: Any) -> Document:
    """Return what the tool `name` answers to the requester of a call: all that `run` does, or from shared files."""
    requester, operators = audience.read_requester(asked.requester), workspace.host.operators
    if name == "context" and requester.owner is None and operators.named:  # the hook that asks is not told
        requester = replace(requester, owner=operators.are(requester.channel, str(requester.sender)) or None)
    operators_own = audience.find_turn(requester) == "operator"
    if name == "hear" and not operators_own:
        return {"flag": None, "correction": None}
    if name in ("hear", "keep") or audience.is_private(requester, operators):  # no model sees what these two answer
        return run(rooms, workspace, asked)
    if name in _WRITES:
        with suppress(ClawgitError):  # why it cannot be done would tell what the files say
            run(rooms, workspace, asked)
        return {"commit": None, "reason": _PASSED_ON if operators_own else json_documents.WAITS}
    if name in _ANSWERS:
        return _ANSWERS[name](workspace, asked)
    raise not_shared(LOOKED_AT, fix=Advice("ask in private"))


def _search(workspace: Workspace, asked: tool_arguments.Search | tool_arguments.Recall) -> Document:
    past = bool(asked.as_of or asked.deleted)
    hits = () if past else _find(workspace, Query(asked.query, getattr(asked, "max_results", None)))
    rows = [*reading_tools.rows_of_hits(hits), LOOKED_AT]
    document = found_as_json.document(Answer(hits))
    return {**document, "text": "\n".join(rows), "found": len(hits), "citations": "on", "notes": [LOOKED_AT]}


def _get(workspace: Workspace, asked: tool_arguments.Get) -> Document:
    if asked.path not in audience.list_shared_files(workspace):
        raise not_shared(LOOKED_AT, fix=Advice("ask in private"))
    found = served.excerpt(workspace, asked.path, asked.first, asked.lines)
    return {**json_documents.excerpt(reading_tools.bounded(found)), "note": LOOKED_AT}


def _context(workspace: Workspace, asked: tool_arguments.Context) -> Document:
    question = asked.query.strip() or asked.text.strip()[-4_000:]
    hits = [one for one in _find(workspace, Query(question, _MOST_HITS)) if one.path not in asked.shown]
    return {"text": "\n".join([LOOKED_AT, *reading_tools.rows_of_hits(hits)]) if hits else ""}


def _find(workspace: Workspace, query: Query) -> tuple[Hit, ...]:
    """Return the hits in the shared files, from an index that holds nothing else."""
    paths = audience.list_shared_files(workspace)
    if not paths:
        return ()
    sources = [Source(path, None, partial(_read_served, workspace, path)) for path in paths]
    where = index.place(workspace).with_name("shared.db")
    with index.fresh(where, lambda: sources, sizes=index.sizes(workspace)) as opened:
        ranked, _, _ = recall.answers(opened.store, query, recall.rules(workspace, query, aging=False))
        shown = islice(recall.without_refuted(workspace, ranked), recall.most(workspace, query))
        return tuple(recall.hit(one, None, query) for one in shown)


def _read_served(workspace: Workspace, path: str) -> tuple[bytes, None] | None:
    with suppress(ClawgitError):
        return served.read(workspace, path, limit=corpus.LARGEST)[0] or b"", None
    return None


_ANSWERS: dict[str, Callable[[Workspace, Any], Document]] = {
    "memory_search": _search,
    "recall": _search,
    "memory_get": _get,
    "context": _context,
    "listens": lambda *_: {"alone": False},
}
