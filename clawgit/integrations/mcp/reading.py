"""Tools that read the memory."""

from msgspec import to_builtins
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.integrations import as_json
from clawgit.integrations.mcp import arguments
from clawgit.integrations.mcp.rooms import Document, Rooms
from clawgit.safety import paths
from clawgit.search import as_json as found_as_json
from clawgit.search import ask, index, recall, recalled
from clawgit.search.answer import Answer, Query
from clawgit.workspace import excerpt, origins, scope, served
from clawgit.workspace.workspace import Workspace

_CHARACTERS = 50_000


def search(rooms: Rooms, workspace: Workspace, asked: arguments.Search) -> Document:
    """Return what answers a question, in OpenClaw's names."""
    if asked.as_of and asked.deleted:
        raise ClawgitError("asOf and deleted ask for two different things", fix="leave one of them out")
    answer = found(rooms, workspace, asked)
    if rooms.session and workspace.managed and not (asked.as_of or asked.deleted):
        recalled.keep(workspace.state, rooms.session, answer.results, workspace.now())
    fallback = {"from": "enhanced", "reason": answer.degraded} if answer.degraded else None
    document = found_as_json.document([("", answer)], several=False)
    return {**document, "fallback": fallback, "citations": "on"}


def found(rooms: Rooms, workspace: Workspace, asked: arguments.Search) -> Answer:
    """Return the hits of a question, as many as were asked for."""
    narrow = asked.corpus != "all"
    query = Query(
        asked.query,
        arguments.RESULTS if narrow else asked.max_results,
        asked.min_score,
        asked.since,
        asked.until,
    )
    if not (asked.as_of or asked.deleted):
        rooms.follow(workspace)
    answer = ask.search(workspace, query, as_of=asked.as_of, deleted=asked.deleted)
    wanted = min(recall.most(workspace, replace(query, most=asked.max_results)), arguments.RESULTS)
    fits = [one for one in answer.results if not narrow or one.source == asked.corpus]
    return replace(answer, results=tuple(fits[:wanted]))


def get(rooms: Rooms, workspace: Workspace, asked: arguments.Get) -> Document:  # noqa: ARG001 - as every tool
    """Return lines of a file that belongs to the memory or the identity; a missing one has no text, as in OpenClaw."""
    path = _remembered(workspace, asked.path)
    if served.text(workspace, path)[0] is None:
        return {"path": path, "text": "", "from": asked.first, "lines": 0, "truncated": False, "status": "not_found"}
    return as_json.excerpt(_bounded(excerpt.excerpt(workspace, path, asked.first, asked.lines)))


def _remembered(workspace: Workspace, given: str) -> str:
    """Return a path of the memory or the identity. Raises ClawgitError for another one."""
    path = paths.check(given)
    if not (scope.captured(path) or any(one.path == path for one in index.files(workspace))):
        raise ClawgitError(
            f"{path} belongs neither to the memory nor to the identity", fix="memory_search finds what is remembered"
        )
    return path


def _bounded(found: excerpt.Excerpt) -> excerpt.Excerpt:
    """Return what fits into an answer: whole lines, of which the first may be cut."""
    if len(found.text) <= _CHARACTERS:
        return found
    rows = found.text[:_CHARACTERS].splitlines(keepends=True)
    kept = rows[:-1] or rows
    return replace(found, text="".join(kept), count=len(kept), truncated=True)


def why(rooms: Rooms, workspace: Workspace, asked: arguments.Why) -> Document:  # noqa: ARG001 - as every tool
    """Return where a line came from, and the words that it rests on."""
    path = _remembered(workspace, asked.path)
    line, said = origins.why(workspace, path, asked.line)
    return as_json.reason(path, line, said, origins.undo(workspace, line.record))


def context(rooms: Rooms, workspace: Workspace, asked: arguments.Context) -> Document:
    """Return the context of a conversation, and the receipt for it."""
    from clawgit.context.asked import Asked  # noqa: PLC0415 - loads what only this tool needs
    from clawgit.context.assemble import assemble  # noqa: PLC0415
    from clawgit.sessions import stores  # noqa: PLC0415

    wanted = Asked(
        asked.text,
        asked.query,
        asked.session,
        asked.budget,
        asked.session_kind,
        asked.as_of or None,
        tuple(asked.shown),
    )
    if wanted.as_of is None:
        rooms.follow(workspace)
    with stores.opened(workspace.state, rooms.environ, reading=True) as store:
        found: Document = to_builtins(assemble(workspace, wanted, store))
    return found


def triage(rooms: Rooms, workspace: Workspace, asked: arguments.Triage) -> Document:  # noqa: ARG001 - as every tool
    """Return what a message is a sign of; nothing is filed."""
    from clawgit.messages.known import known  # noqa: PLC0415 - loads the patterns
    from clawgit.messages.triage import triage as sorted_out  # noqa: PLC0415

    cache = workspace.state.parent / "cache"
    patterns = known(workspace.root, cache if cache.is_dir() else None)
    found = to_builtins(sorted_out(asked.text, patterns.patterns, origin=asked.origin))
    return {**found, "problems": [one.message for one in patterns.problems]}
