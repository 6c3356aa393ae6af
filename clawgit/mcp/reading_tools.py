"""Tools that read the memory."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from msgspec import to_builtins
from msgspec.structs import replace

from clawgit import file_roles, json_documents
from clawgit.agents import inbox_items, recall_validator
from clawgit.context import addition, conversation_search
from clawgit.context.receipt import Asked, SessionKind
from clawgit.errors import Advice, ClawgitError, options_conflict, path_role
from clawgit.git import paths
from clawgit.mcp import tool_arguments
from clawgit.mcp.mcp_session import Document, Rooms
from clawgit.memory import corrected_values
from clawgit.messages import message_flags
from clawgit.messages.triage import read_patterns, triage
from clawgit.search import answer as found_as_json
from clawgit.search import corpus, index, recall, recall_log
from clawgit.search.answer import Answer, Hit, Query
from clawgit.search.index import Sources
from clawgit.sessions import session_follow
from clawgit.text import document
from clawgit.workspace import inbox, line_origins, line_writers, served, shared_memory
from clawgit.workspace.workspace import Workspace

_CHARACTERS = 50_000


def search(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Search) -> Document:
    """Return the answer to a question, in OpenClaw's names."""
    if asked.as_of and asked.deleted:
        raise options_conflict("asOf and deleted ask for two different things")
    answer = hits_of(rooms, workspace, asked)
    if rooms.session and workspace.managed and not (asked.as_of or asked.deleted):
        recall_log.keep(workspace.store, rooms.session, answer.results, workspace.now())
    fallback = {"from": "enhanced", "reason": answer.degraded} if answer.degraded else None
    return {**found_as_json.document(answer), "fallback": fallback, "citations": "on"}


def _count_wanted(workspace: Workspace, asked: tool_arguments.Search) -> int:
    """Return how many hits are wanted."""
    return min(recall.count_wanted(workspace, Query(asked.query, asked.max_results)), tool_arguments.RESULTS)


def hits_of(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Search) -> Answer:
    """Return the hits of a question, as many as were asked for."""
    narrow = asked.corpus != "all"
    query = Query(
        asked.query,
        tool_arguments.RESULTS if narrow else asked.max_results,
        asked.min_score,
        asked.since,
        asked.until,
        as_of=asked.as_of,
        deleted=asked.deleted,
    )
    answer = conversation_search.search_all(workspace, query)
    sources = (asked.corpus, "shared") if asked.corpus == "memory" else (asked.corpus,)
    fits = [result for result in answer.results if not narrow or result.source in sources]
    if rooms.gateway:  # the agent is shown no line that somebody else had it write
        fits = [result for result in fits if result.trusted]
    return replace(answer, results=tuple(fits[: _count_wanted(workspace, asked)]))


def get(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Get) -> Document:
    """Return lines of a file that belongs to the memory or the identity; a missing one has no text, as in OpenClaw.

    `shared:PATH` is a file of the shared memory.
    """
    if (inner := shared_memory.within(asked.path)) is not None:
        with shared_memory.required(workspace) as shared:
            result = get(rooms, shared, asked.model_copy(update={"path": inner}))
        return {**result, "path": asked.path}
    path = _remembered(workspace, asked.path)
    if served.text_shown(workspace, path) == (None, ""):
        return {"path": path, "text": "", "from": asked.first, "lines": 0, "truncated": False, "status": "not_found"}
    excerpt = served.excerpt(workspace, path, asked.first, asked.lines)
    if rooms.gateway and (lines := line_writers.list_withheld(workspace).get(path)):
        text = corpus.blank((workspace.read(path) or "").encode(), lines, withheld=False).decode()
        rows = document.split(text)[excerpt.first - 1 : excerpt.first - 1 + excerpt.count]
        excerpt = replace(excerpt, text="".join(rows))
    return json_documents.excerpt(bounded(excerpt))


def _remembered(workspace: Workspace, given: str) -> str:
    """Return a path of the memory or the identity. Raises ClawgitError for another one."""
    path = paths.check(given)
    if not (file_roles.is_captured(path) or any(file.path == path for file in index.files(workspace))):
        raise path_role(f"{path} is no memory or identity file", fix=Advice("memory_search finds what is remembered"))
    return path


def bounded(found: served.Excerpt) -> served.Excerpt:
    """Return the part that fits into an answer: whole lines, of which the first may be cut."""
    if len(found.text) <= _CHARACTERS:
        return found
    rows = found.text[:_CHARACTERS].splitlines(keepends=True)
    lines = rows[:-1] or rows
    return replace(found, text="".join(lines), count=len(lines), truncated=True)


def why(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Why) -> Document:
    """Return the origin of a line, and the words that it rests on."""
    if (inner := shared_memory.within(asked.path)) is not None:
        with shared_memory.required(workspace) as shared:
            result = why(rooms, shared, asked.model_copy(update={"path": inner}))
        return {**result, "path": asked.path, "undo": None}
    path = _remembered(workspace, asked.path)
    line, citations = line_origins.trace_line(workspace, path, asked.line)
    return json_documents.reason(path, line, citations, line_origins.undo(workspace, line.record, path))


def context(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Context) -> Document:  # noqa: ARG001 - as every tool
    """Return the context of a conversation, and the receipt for it."""
    request = Asked(**asked.model_dump() | {"as_of": asked.as_of or None})
    result: Document = to_builtins(conversation_search.assemble_all(workspace, request))
    return result


def add_to_turn(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Turn) -> Document:
    """Return the addition to a turn, and the decisions that it rests on."""
    with conversation_search.followed(workspace) as sessions:
        is_live = rooms.gateway and rooms.backlog.count == 0
        return build_addition(workspace, asked, asked.session_kind, sessions, is_live=is_live)


def build_addition(
    workspace: Workspace,
    asked: tool_arguments.Turn,
    kind: SessionKind,
    sessions: Sources | None = None,
    *,
    is_live: bool = False,
) -> Document:
    """Return the addition to a turn of a session of this kind."""
    turn = Asked(asked.text, asked.query, asked.session, session_kind=kind, shown=asked.shown)
    result: Document = to_builtins(
        addition.add_to_turn(workspace, turn, sessions, missed=asked.missed, is_live=is_live)
    )
    return result


def list_inbox(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Inbox) -> Document:  # noqa: ARG001 - as every tool
    """Return the items of the inbox."""
    inbox_items.refresh(workspace)
    items = inbox.list_items(workspace, *([asked.kind] if asked.kind else ()))
    return {"items": [json_documents.item_document(item) for item in items]}


_LONGEST = 1_400
"""Characters of an answer that a model reads at once."""
_SNIPPET = 300
_NOTHING = "Nothing is remembered of that. Say so; do not guess."


def hear(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Hear) -> Document:  # noqa: ARG001 - as every tool
    """File the operator's requests to remember, and apply corrections, as `clawgit triage --act` does."""
    workspace.require_managed()
    found = triage(asked.text, read_patterns(workspace.config).patterns)
    flag = change = None
    if found.matches:
        flag = message_flags.file(workspace.store, asked.text, found, workspace.now(), asked.session).id
    if corrected_values.is_called_for(asked.text, found):
        with suppress(ClawgitError):  # what fails, the validator's next run does
            _, applied, _ = recall_validator.act(workspace, asked.text, found, asked.session, vouched=True)
            change = applied.change if applied and applied.commit else None
    return {"flag": flag, "correction": change}


def keep(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Nothing) -> Document:  # noqa: ARG001 - as every tool
    """Bring in the conversations as OpenClaw has them now: before it compacts or leaves one."""
    session_follow.follow_host(workspace)
    return {"kept": True}


def recall_briefly(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Recall) -> Document:
    """Return the answer to a question in a few lines: each text once, with place, date and author."""
    fields = {"query": asked.query, "maxResults": 10, "asOf": asked.as_of, "deleted": asked.deleted}
    request = tool_arguments.Search.model_validate(fields)
    hits = hits_of(rooms, workspace, request).results
    rows = rows_of_hits(hits, workspace if not asked.as_of and not asked.deleted else None)
    return {"text": "\n".join(rows) or _NOTHING, "found": len(hits)}


def rows_of_hits(found: Iterable[Hit], dated: Workspace | None = None) -> Iterator[str]:
    """Yield a short row for each hit with new words, `dated` by the history of its workspace."""
    return _short(_row(dated, hit) for hit in _omit_repeated(found))


def _omit_repeated(found: Iterable[Hit]) -> Iterator[Hit]:
    """Yield hits whose text is not part of one before."""
    texts: list[str] = []
    for hit in found:
        text = " ".join(hit.snippet.split())
        if not any(text in other for other in texts):
            texts.append(text)
            yield hit


def _row(workspace: Workspace | None, hit: Hit) -> str:
    text = " ".join(hit.snippet.split()).removeprefix("- ")
    text = text if len(text) <= _SNIPPET else text[: _SNIPPET - 1] + "…"
    about = ", ".join(_origin(workspace, hit)) if workspace else ""
    return f"- {text} [{hit.citation}{f'; {about}' if about else ''}]"


def _origin(workspace: Workspace, hit: Hit) -> Iterator[str]:
    """Yield the author of a line by its commit, and its date."""
    try:
        (line,) = line_origins.lines(workspace, hit.path, (hit.start, hit.start))
    except (ClawgitError, OSError, ValueError):
        return  # a conversation, or a file that git does not know
    if line.record:
        yield line.record.origin or line.record.who
        yield f"{line.record.date:%Y-%m-%d}"


def _short(rows: Iterable[str]) -> Iterator[str]:
    left = _LONGEST
    for row in rows:
        left -= len(row) + 1
        if left < 0:
            yield "(there is more; ask more closely)"
            return
        yield row
