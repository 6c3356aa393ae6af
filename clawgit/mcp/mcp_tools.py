"""The tools, in a table."""

import contextlib
import json
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import msgspec
from mcp_types import CallToolResult, TextContent
from msgspec import Struct
from msgspec.structs import replace

from clawgit import json_documents
from clawgit.context.addition import search_shared_files
from clawgit.errors import Advice, ClawgitError, Command, answer_too_large, bug, explain_damage, not_shared
from clawgit.mcp import reading_tools, tool_arguments
from clawgit.mcp.tool_arguments import Arguments, Document, Rooms
from clawgit.safety.redaction import redact
from clawgit.search import answer as found_as_json
from clawgit.search.answer import Answer, Query
from clawgit.sessions import envelope
from clawgit.workspace import line_origins
from clawgit.workspace.workspace import Workspace

Run = Callable[[Rooms, Workspace, Any], Document]

_LOOKED_AT = "Only files that the operator shares were looked at, since others than he listen."
_PASSED_ON = "it is passed on; what becomes of it is told in private"
LARGEST = 250_000
"""Characters of an answer: models read no more."""
_NAME = re.compile(r"[0-9a-f]{40}|[k-z]{10}|[\d:T+ .-]{4,32}")
Client = Literal["openclaw", "claude", "cursor"]
WHERE: Mapping[Client, str] = {
    "openclaw": "~/.openclaw/openclaw.json",
    "claude": "claude_desktop_config.json, or .mcp.json of a project",
    "cursor": "~/.cursor/mcp.json",
}
"""The file that the snippet belongs to."""


class Tool(Struct, frozen=True):
    """A tool for clients: its purpose, input and output, and whether it writes.

    `text` names the field with the whole answer for a reader; "" is all of it as JSON.
    """

    name: str
    description: str
    takes: type[Arguments]
    run: Run
    writes: bool = False
    text: str = ""


TOOLS = (
    Tool(
        "memory_search",
        "Find what is remembered: notes, journals, corrections and, where they are kept, conversations. Call it before "
        "you answer anything about prior work, decisions, dates, people, preferences or todos; then memory_get for the "
        "lines around a hit. Without results nothing fits well enough: ask in other words, or with minScore 0.",
        tool_arguments.Search,
        reading_tools.search_memory,
    ),
    Tool(
        "memory_get",
        "Read lines of a file that memory_search names, or of MEMORY.md, SOUL.md or a journal. Lines count from 1.",
        tool_arguments.Get,
        reading_tools.get,
    ),
    Tool(
        "memory_add",
        "Keep one memory, word for word, with a tag. What is there already becomes a mention of it. One commit, which "
        "the operator can undo; what a timer, a heartbeat or a sub-agent asks for waits for him instead.",
        tool_arguments.Add,
        reading_tools.add_memory,
        writes=True,
    ),
    Tool(
        "memory_correct",
        "Say that a memory is wrong, and what is true. It becomes a candidate that the operator confirms or dismisses; "
        "until then nothing changes.",
        tool_arguments.Correct,
        reading_tools.correct,
        writes=True,
    ),
    Tool(
        "memory_why",
        "Tell where a line of a file came from: when, by whom, why, and the words of the evidence.",
        tool_arguments.Why,
        reading_tools.why,
    ),
    Tool(
        "context",
        "Put together what an answer needs, within a budget of tokens: identity, the user, corrections, recent and "
        "recalled memory. The receipt says what was kept and cut.",
        tool_arguments.Context,
        reading_tools.context,
        text="text",
    ),
    Tool(
        "soul_log",
        "Tell what happened to SOUL.md or another identity file, newest first: when, by whom, why, on what evidence.",
        tool_arguments.Log,
        reading_tools.list_identity_changes,
    ),
    Tool(
        "soul_propose",
        "Edit one place of SOUL.md or another identity file, with reason and evidence. What you heard from others, or "
        "what the policy says, waits for the operator. There is no other way to change the identity: tell the "
        "operator.",
        tool_arguments.Propose,
        reading_tools.propose,
        writes=True,
    ),
    Tool(
        "inbox",
        "List what waits for the operator's decision: each item with its id, kind, title, reason and source. Only the "
        "operator can decide: `clawgit accept ID` or `clawgit reject ID` at his terminal.",
        tool_arguments.Inbox,
        reading_tools.list_inbox,
    ),
)


CALLED = "called"
GATEWAY = (
    Tool(
        "hear",
        "Flag what is to be remembered, and correct what the operator corrects.",
        tool_arguments.Hear,
        reading_tools.hear,
        writes=True,
    ),
    Tool(
        CALLED,
        "Record a call of the agent's, and commit what it wrote.",
        tool_arguments.Called,
        reading_tools.take_call,
        writes=True,
    ),
    Tool(
        "keep",
        "Bring in the conversations as OpenClaw has them now.",
        tool_arguments.Nothing,
        reading_tools.import_conversations,
        writes=True,
    ),
    Tool(
        "listens",
        "Tell whether the operator alone hears the answer.",
        tool_arguments.Nothing,
        lambda *_: {"alone": True},
    ),
    Tool(
        "recall",
        "Find what is remembered, in a few lines of text.",
        tool_arguments.Recall,
        reading_tools.recall_briefly,
        text="text",
    ),
    Tool(
        "context",
        "Find what the agent should know for a message: few lines, or nothing.",
        tool_arguments.TurnArguments,
        reading_tools.add_to_turn,
        text="text",
    ),
)
"""For the plugin in OpenClaw's gateway alone; its `context` takes the place of the one above."""


def list_offered(rooms: Rooms) -> dict[str, Tool]:
    """Return the tools that a client is offered, by name."""
    tools: Sequence[Tool] = TOOLS
    if rooms.gateway:  # the plugin says for whom it calls: who is not the operator, in private, gets less
        tools = tuple(
            replace(
                tool,
                takes=tool_arguments.add_requester(tool.takes),
                run=partial(_answer_requester, tool.name, tool.run),
            )
            for tool in (*TOOLS, *GATEWAY)
        )
    return {tool.name: tool for tool in tools if not (rooms.read_only and tool.writes)}


def answer_document(tool: Tool, document: Document) -> CallToolResult:
    """Return a document as structured content, with its text. Raises ClawgitError for one that is too large."""
    content = make_safe_value(document)
    body = json.dumps(content, ensure_ascii=False)
    if len(body) > LARGEST:
        raise answer_too_large(
            f"the answer would have {len(body):,} characters; a client gets no more than {LARGEST:,}",
            fix=Advice("ask for less: fewer lines, a smaller limit, versions nearer to each other"),
        )
    text = str(content[tool.text]) if tool.text else body
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=content)


def make_safe_value(value: Any) -> Any:
    """Return a value in a form for JSON; a secret in its words is named instead of shown."""
    if isinstance(value, str):
        # Commit ids, change ids and dates are never secrets.
        return value if _NAME.fullmatch(value) else redact(value.encode("utf-8", "replace").decode())
    if isinstance(value, Mapping):
        return {str(key): make_safe_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [make_safe_value(item) for item in value]
    return value


def refusal(tool: Tool, arguments: Mapping[str, Any], exc: Exception) -> CallToolResult:
    """Return an error as its sentence and the fix, in OpenClaw's names."""
    error = exc if isinstance(exc, ClawgitError) else explain_damage(exc)
    if error is None:  # its kind for the client, all of it for the log of the server
        with contextlib.suppress(OSError):
            traceback.print_exception(exc, file=sys.stderr)
        words = getattr(exc, "strerror", "") or type(exc).__name__
        error = bug(f"clawgit failed: {words}", fix=Command("clawgit doctor"))
    fix = str(error.fix)
    document: dict[str, Any] = {"error": error.message, "key": error.key, "fix": fix}
    # OpenClaw's own memory tools answer a failure with these fields.
    if tool.name == "memory_search":
        flags = {"results": [], "disabled": True, "unavailable": True}
        document |= {**flags, "warning": error.message, "action": fix}
    elif tool.name == "memory_get":
        path = arguments.get("path")
        document |= {"path": str(path or "")[:1_000], "text": "", "disabled": True}
    text = make_safe_value(f"{error.message}\nfix: {fix}" if fix else error.message)
    structure = make_safe_value(document)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structure, is_error=True)


def snippet(client: Client, program: Path, workspace: Path, *, read_only: bool) -> Mapping[str, object]:
    """Return the part of a client's configuration that starts the server for a workspace."""
    words: Sequence[str] = ["-C", str(workspace), "mcp", *(["--read-only"] if read_only else [])]
    server = {"command": str(program), "args": words}
    # OpenClaw has its servers below `mcp`, the other clients below `mcpServers`.
    if client == "openclaw":
        return {"mcp": {"servers": {"clawgit": server}}}
    return {"mcpServers": {"clawgit": {"type": "stdio", **server} if client == "cursor" else server}}


def _answer_requester(name: str, run: Run, rooms: Rooms, workspace: Workspace, request: Any) -> Document:
    """Return the answer of the tool `name` to the requester of a call: all of `run`, or from shared files."""
    requester, operators = envelope.read_requester(request.requester), workspace.host.operators
    if name in ("context", "called") and requester.owner is None and operators.named:  # the hook that asks is not told
        requester = replace(requester, owner=operators.are(requester.channel, str(requester.sender)) or None)
    operators_own = envelope.find_turn(requester) == "operator"
    # Only the operator's own words correct a memory or ask for one.
    if name == "hear" and not operators_own:
        return {"flag": None, "correction": None}
    if name == "called":
        request = request.model_copy(update={"requester": msgspec.to_builtins(requester)})
    # No model sees what these three answer.
    if name in ("hear", "keep", "called") or envelope.is_private(requester, operators):
        return run(rooms, workspace, request)
    # The answer is the same for a success and a refusal, since others read it.
    if name in ("memory_add", "memory_correct", "soul_propose"):
        with contextlib.suppress(ClawgitError):  # why it cannot be done would tell what the files say
            run(rooms, workspace, request)
        return {"commit": None, "reason": _PASSED_ON if operators_own else json_documents.WAITS}
    if name in _SHARED_ANSWERS:
        return _SHARED_ANSWERS[name](workspace, request)
    raise not_shared(_LOOKED_AT, fix=Advice("ask in private"))


def _search_shared(workspace: Workspace, request: tool_arguments.Search | tool_arguments.Recall) -> Document:
    # Shared files are shared as they are now, without their past.
    past = bool(request.as_of or request.deleted)
    query = Query(request.query, getattr(request, "max_results", None))
    hits = () if past else search_shared_files(workspace, query).results
    rows = [*reading_tools.rows_of_hits(hits), _LOOKED_AT]
    document = found_as_json.document(Answer(hits))
    return {**document, "text": "\n".join(rows), "found": len(hits), "citations": "on", "notes": [_LOOKED_AT]}


def _read_shared(workspace: Workspace, request: tool_arguments.Get) -> Document:
    if request.path not in envelope.list_shared_files(workspace):
        raise not_shared(_LOOKED_AT, fix=Advice("ask in private"))
    excerpt = line_origins.excerpt(workspace, request.path, request.first, request.lines)
    return {**json_documents.excerpt(reading_tools.bound_answer(excerpt)), "note": _LOOKED_AT}


_SHARED_ANSWERS: dict[str, Callable[[Workspace, Any], Document]] = {
    "memory_search": _search_shared,
    "recall": _search_shared,
    "memory_get": _read_shared,
    "context": lambda workspace, request: {"text": reading_tools.build_addition(workspace, request, "group")["text"]},
    "listens": lambda *_: {"alone": False},
}
