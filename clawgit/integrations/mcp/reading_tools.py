"""Tools that read the memory."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from msgspec import to_builtins
from msgspec.structs import replace

from clawgit.agents import candidate_items, recall_validator
from clawgit.context import addition, conversation_search
from clawgit.context.receipt import Asked, SessionKind
from clawgit.errors import Advice, ClawgitError, options_conflict, path_role
from clawgit.git import paths
from clawgit.integrations import json_documents
from clawgit.integrations.mcp import tool_arguments
from clawgit.integrations.mcp.mcp_session import Document, Rooms
from clawgit.memory import corrected_values
from clawgit.messages import message_flags
from clawgit.messages.triage import triage
from clawgit.messages.workspace_patterns import known
from clawgit.search import answer as found_as_json
from clawgit.search import corpus, index, recall, recall_log
from clawgit.search.answer import Answer, Hit, Query
from clawgit.search.index import Sources
from clawgit.sessions import session_follow
from clawgit.text import document
from clawgit.workspace import (
    file_roles,
    inbox,
    line_origins,
    served,
    shared_memory,
    untrusted_sessions,
)
from clawgit.workspace.workspace import Workspace

_CHARACTERS = 50_000


def search(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Search) -> Document:
    """Return what answers a question, in OpenClaw's names."""
    if asked.as_of and asked.deleted:
        raise options_conflict("asOf and deleted ask for two different things")
    answer = hits_of(rooms, workspace, asked)
    if rooms.session and workspace.managed and not (asked.as_of or asked.deleted):
        recall_log.keep(workspace.store, rooms.session, answer.results, workspace.now())
    fallback = {"from": "enhanced", "reason": answer.degraded} if answer.degraded else None
    return {**found_as_json.document(answer), "fallback": fallback, "citations": "on"}


def _wanted(workspace: Workspace, asked: tool_arguments.Search) -> int:
    """Return how many hits are wanted."""
    return min(recall.most(workspace, Query(asked.query, asked.max_results)), tool_arguments.RESULTS)


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
    return replace(answer, results=tuple(fits[: _wanted(workspace, asked)]))


def get(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Get) -> Document:
    """Return lines of a file that belongs to the memory or the identity; a missing one has no text, as in OpenClaw.

    `shared:PATH` is a file of the shared memory.
    """
    if (inner := shared_memory.within(asked.path)) is not None:
        with shared_memory.required(workspace) as shared:
            found = get(rooms, shared, asked.model_copy(update={"path": inner}))
        return {**found, "path": asked.path}
    path = _remembered(workspace, asked.path)
    if served.text_shown(workspace, path) == (None, ""):
        return {"path": path, "text": "", "from": asked.first, "lines": 0, "truncated": False, "status": "not_found"}
    excerpt = served.excerpt(workspace, path, asked.first, asked.lines)
    if rooms.gateway and (lines := untrusted_sessions.list_withheld(workspace).get(path)):
        text = corpus.blank((workspace.read(path) or "").encode(), lines, withheld=False).decode()
        rows = document.split(text)[excerpt.first - 1 : excerpt.first - 1 + excerpt.count]
        excerpt = replace(excerpt, text="".join(rows))
    return json_documents.excerpt(bounded(excerpt))


def _remembered(workspace: Workspace, given: str) -> str:
    """Return a path of the memory or the identity. Raises ClawgitError for another one."""
    path = paths.check(given)
    if not (file_roles.captured(path) or any(file.path == path for file in index.files(workspace))):
        raise path_role(f"{path} is no memory or identity file", fix=Advice("memory_search finds what is remembered"))
    return path


def bounded(found: served.Excerpt) -> served.Excerpt:
    """Return what fits into an answer: whole lines, of which the first may be cut."""
    if len(found.text) <= _CHARACTERS:
        return found
    rows = found.text[:_CHARACTERS].splitlines(keepends=True)
    kept = rows[:-1] or rows
    return replace(found, text="".join(kept), count=len(kept), truncated=True)


def why(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Why) -> Document:
    """Return where a line came from, and the words that it rests on."""
    if (inner := shared_memory.within(asked.path)) is not None:
        with shared_memory.required(workspace) as shared:
            found = why(rooms, shared, asked.model_copy(update={"path": inner}))
        return {**found, "path": asked.path, "undo": None}
    path = _remembered(workspace, asked.path)
    line, said = line_origins.why(workspace, path, asked.line)
    return json_documents.reason(path, line, said, line_origins.undo(workspace, line.record, path))


def context(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Context) -> Document:  # noqa: ARG001 - as every tool
    """Return the context of a conversation, and the receipt for it."""
    wanted = Asked(**asked.model_dump() | {"as_of": asked.as_of or None})
    found: Document = to_builtins(conversation_search.assemble_all(workspace, wanted))
    return found


def add_to_turn(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Turn) -> Document:
    """Return what is added to a turn, and the decisions that it rests on."""
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
    """Return what is added to a turn of a session of this kind."""
    turn = Asked(asked.text, asked.query, asked.session, session_kind=kind, shown=asked.shown)
    found: Document = to_builtins(addition.add_to_turn(workspace, turn, sessions, missed=asked.missed, is_live=is_live))
    return found


def list_inbox(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Inbox) -> Document:  # noqa: ARG001 - as every tool
    """Return the items of the inbox."""
    candidate_items.refresh(workspace)
    items = inbox.list_items(workspace, *([asked.kind] if asked.kind else ()))
    return {"items": [json_documents.item_document(item) for item in items]}


_LONGEST = 1_400
"""Characters of an answer that a model reads at once."""
_SNIPPET = 300
_NOTHING = "Nothing is remembered of that. Say so; do not guess."


def hear(rooms: Rooms, workspace: Workspace, asked: tool_arguments.Hear) -> Document:  # noqa: ARG001 - as every tool
    """File what the operator asks to be remembered, and correct what is corrected, as `clawgit triage --act` does."""
    workspace.require_managed()
    found = triage(asked.text, known(workspace.config).patterns)
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
    """Return what answers a question in a few lines: each found text once, where it stands, since when, by whom."""
    given = {"query": asked.query, "maxResults": 10, "asOf": asked.as_of, "deleted": asked.deleted}
    wanted = tool_arguments.Search.model_validate(given)
    found = hits_of(rooms, workspace, wanted).results
    rows = rows_of_hits(found, workspace if not asked.as_of and not asked.deleted else None)
    return {"text": "\n".join(rows) or _NOTHING, "found": len(found)}


def rows_of_hits(found: Iterable[Hit], dated: Workspace | None = None) -> Iterator[str]:
    """Yield a short row for each hit that says something new, `dated` by the history of its workspace."""
    return _short(_row(dated, one) for one in _once(found))


def _once(found: Iterable[Hit]) -> Iterator[Hit]:
    """Yield hits whose text is not part of one before."""
    shown: list[str] = []
    for one in found:
        text = " ".join(one.snippet.split())
        if not any(text in other for other in shown):
            shown.append(text)
            yield one


def _row(workspace: Workspace | None, one: Hit) -> str:
    text = " ".join(one.snippet.split()).removeprefix("- ")
    text = text if len(text) <= _SNIPPET else text[: _SNIPPET - 1] + "…"
    about = ", ".join(_origin(workspace, one)) if workspace else ""
    return f"- {text} [{one.citation}{f'; {about}' if about else ''}]"


def _origin(workspace: Workspace, one: Hit) -> Iterator[str]:
    """Yield whose words a line is by the commit that it came with, and since when it stands there."""
    try:
        (line,) = line_origins.lines(workspace, one.path, (one.start, one.start))
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
