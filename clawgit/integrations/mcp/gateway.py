"""Tools for the plugin in OpenClaw's gateway alone.

The plugin alone is told by OpenClaw whose words a message is, so it alone may have them heard as the operator's.
"""

from collections.abc import Iterable, Iterator

from clawgit.agents import validation
from clawgit.agents.validating import cues
from clawgit.errors import ClawgitError
from clawgit.integrations.mcp import arguments, reading
from clawgit.integrations.mcp.rooms import Document, Rooms
from clawgit.messages import inbox
from clawgit.messages.known import known
from clawgit.messages.triage import Triage, triage
from clawgit.search.answer import Hit
from clawgit.sessions import stores
from clawgit.workspace import origins
from clawgit.workspace.workspace import Workspace

_LONGEST = 1_400
"""Characters of an answer that a model reads at once."""
_SNIPPET = 300
_NOTHING = "Nothing is remembered of that. Say so; do not guess."


def hear(rooms: Rooms, workspace: Workspace, asked: arguments.Hear) -> Document:
    """File what the operator asks to be remembered, and correct what is corrected, as `clawgit triage --act` does."""
    workspace.require_managed()
    cache = workspace.state.parent / "cache"
    patterns = known(workspace.root, cache if cache.is_dir() else None)
    found = triage(asked.text, patterns.patterns)
    flag = inbox.file(workspace.state, asked.text, found, workspace.now(), asked.session) if found.matches else None
    corrected = _validated(rooms, workspace, asked, found) if cues.called_for(asked.text, found) else None
    return {"flag": flag.id if flag else None, "correction": corrected}


def _validated(rooms: Rooms, workspace: Workspace, asked: arguments.Hear, found: Triage) -> str | None:
    """Return the change that corrects a memory, None where none does; what fails, the validator's next run does."""
    try:
        rooms.bring(workspace)
        with stores.opened(workspace.state, rooms.environ, reading=True) as store:
            _, applied, _ = validation.act(workspace, store, asked.text, found, asked.session, vouched=True)
    except ClawgitError:
        return None
    return applied.change if applied and applied.commit else None


def keep(rooms: Rooms, workspace: Workspace, asked: arguments.Nothing) -> Document:  # noqa: ARG001 - as every tool
    """Bring in the conversations as OpenClaw has them now: before it compacts or leaves one."""
    rooms.bring(workspace)
    return {"kept": True}


def recall(rooms: Rooms, workspace: Workspace, asked: arguments.Recall) -> Document:
    """Return what answers a question in a few lines: each found text once, where it stands, since when, by whom."""
    given = {"query": asked.query, "maxResults": 10, "asOf": asked.as_of, "deleted": asked.deleted}
    wanted = arguments.Search.model_validate(given)
    found = reading.found(rooms, workspace, wanted).results
    rows = _short(_row(workspace, one, dated=not asked.as_of and not asked.deleted) for one in _once(found))
    return {"text": "\n".join(rows) or _NOTHING, "found": len(found)}


def _once(found: Iterable[Hit]) -> Iterator[Hit]:
    """Yield hits whose text is not part of one before."""
    shown: list[str] = []
    for one in found:
        text = " ".join(one.snippet.split())
        if not any(text in other for other in shown):
            shown.append(text)
            yield one


def _row(workspace: Workspace, one: Hit, *, dated: bool) -> str:
    text = " ".join(one.snippet.split()).removeprefix("- ")
    text = text if len(text) <= _SNIPPET else text[: _SNIPPET - 1] + "…"
    about = ", ".join(_origin(workspace, one)) if dated else ""
    return f"- {text} [{one.citation}{f'; {about}' if about else ''}]"


def _origin(workspace: Workspace, one: Hit) -> Iterator[str]:
    """Yield whose words a line is by the commit that it came with, and since when it stands there."""
    try:
        (line,) = origins.lines(workspace, one.path, (one.start, one.start))
    except (ClawgitError, OSError, ValueError):
        return  # a conversation, or a file that git does not know
    if line.record:
        yield line.record.origin or line.record.author
        yield f"{line.record.date:%Y-%m-%d}"


def _short(rows: Iterable[str]) -> Iterator[str]:
    left = _LONGEST
    for row in rows:
        left -= len(row) + 1
        if left < 0:
            yield "(there is more; ask more closely)"
            return
        yield row
