"""Tools that read the memory, and those that write."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from clawgit import file_roles, json_documents
from clawgit.agents import inbox_items, recall_validator
from clawgit.agents.recall_validator import OF_AGENT, file_suggestion
from clawgit.context import addition
from clawgit.context.receipt import Asked, SessionKind
from clawgit.errors import Advice, ClawgitError, options_conflict, path_role
from clawgit.git import paths
from clawgit.mcp import tool_arguments
from clawgit.mcp.tool_arguments import AGENT, Arguments, Called, Document, FileBytes, OfRequester, Rooms
from clawgit.memory import corrected_values, in_force
from clawgit.messages.triage import file_flag, read_patterns, triage
from clawgit.search import answer as found_as_json
from clawgit.search import corpus, index, recall
from clawgit.search.answer import Answer, Hit, Query, record_recall
from clawgit.sessions import envelope, session_follow, transcript
from clawgit.sessions.envelope import Requester
from clawgit.sessions.session_follow import LASTING, Caller, find_caller
from clawgit.sessions.session_import import is_own_tool, place_in_workspace
from clawgit.sessions.transcript import COMMANDS, FileUse
from clawgit.store.calls import (
    CallTable,
    KnownCalls,
    ToolCall,
    Turn,
    hash_command_lines,
    hash_content,
    hash_folded_lines,
    normalise_lines,
)
from clawgit.text import document
from clawgit.workspace import (
    commit_message,
    identity_edits,
    inbox,
    line_origins,
    line_writers,
    memory_lines,
    records,
    seen_versions,
    shared_memory,
)
from clawgit.workspace.capture_and_enforce import capture_all
from clawgit.workspace.change import Change, refuse_rejected
from clawgit.workspace.workspace import Workspace

_CHARACTERS = 50_000


def search_memory(rooms: Rooms, workspace: Workspace, request: tool_arguments.Search) -> Document:
    """Return the answer to a question, in OpenClaw's names."""
    if request.as_of and request.deleted:
        raise options_conflict("asOf and deleted ask for two different things")
    answer = hits_of(rooms, workspace, request)
    if rooms.session and workspace.managed and not (request.as_of or request.deleted):
        record_recall(workspace.store, rooms.session, answer.results, workspace.now())
    fallback = {"from": "enhanced", "reason": answer.degraded} if answer.degraded else None
    return {**found_as_json.document(answer), "fallback": fallback, "citations": "on"}


def hits_of(rooms: Rooms, workspace: Workspace, request: tool_arguments.Search) -> Answer:
    """Return the hits of a question, as many as were asked for."""
    narrow = request.corpus != "all"
    query = Query(
        request.query,
        # One corpus is filtered from all hits, so the search gets the largest limit.
        tool_arguments.RESULTS if narrow else request.max_results,
        request.min_score,
        request.since,
        request.until,
        as_of=request.as_of,
        deleted=request.deleted,
    )
    answer = addition.search_all(workspace, query)
    sources = (request.corpus, "shared") if request.corpus == "memory" else (request.corpus,)
    fits = [result for result in answer.results if not narrow or result.source in sources]
    if rooms.gateway:  # the agent is shown no line that somebody else had it write
        fits = [result for result in fits if result.trusted]
    count = min(recall.count_wanted(workspace, Query(request.query, request.max_results)), tool_arguments.RESULTS)
    return replace(answer, results=tuple(fits[:count]))


def get(rooms: Rooms, workspace: Workspace, request: tool_arguments.Get) -> Document:
    """Return lines of a file that belongs to the memory or the identity; a missing one has no text, as in OpenClaw.

    `shared:PATH` is a file of the shared memory.
    """
    if (inner := shared_memory.locate_in_shared(request.path)) is not None:
        with shared_memory.require_shared(workspace) as shared:
            result = get(rooms, shared, request.model_copy(update={"path": inner}))
        return {**result, "path": request.path}
    path = _remembered(workspace, request.path)
    if line_origins.text_shown(workspace, path) == (None, ""):
        return {"path": path, "text": "", "from": request.first, "lines": 0, "truncated": False, "status": "not_found"}
    excerpt = line_origins.excerpt(workspace, path, request.first, request.lines)
    if rooms.gateway and (lines := line_writers.list_withheld(workspace).get(path)):
        # Withheld lines become empty, so that the line numbers stay.
        text = corpus.blank_lines((workspace.read(path) or "").encode(), lines, withheld=False).decode()
        rows = document.split(text)[excerpt.first - 1 : excerpt.first - 1 + excerpt.count]
        excerpt = replace(excerpt, text="".join(rows))
    return json_documents.excerpt(bound_answer(excerpt))


def _remembered(workspace: Workspace, name: str) -> str:
    """Return a path of the memory or the identity. Raises ClawgitError for another one."""
    path = paths.check(name)
    if not (file_roles.is_captured(path) or path in index.files(workspace).stamps):
        raise path_role(f"{path} is no memory or identity file", fix=Advice("memory_search finds what is remembered"))
    return path


def bound_answer(excerpt: line_origins.Excerpt) -> line_origins.Excerpt:
    """Return the part that fits into an answer: whole lines, of which the first may be cut."""
    if len(excerpt.text) <= _CHARACTERS:
        return excerpt
    rows = excerpt.text[:_CHARACTERS].splitlines(keepends=True)
    lines = rows[:-1] or rows
    return replace(excerpt, text="".join(lines), count=len(lines), truncated=True)


def why(rooms: Rooms, workspace: Workspace, request: tool_arguments.Why) -> Document:
    """Return the origin of a line, and the words that it rests on."""
    if (inner := shared_memory.locate_in_shared(request.path)) is not None:
        with shared_memory.require_shared(workspace) as shared:
            result = why(rooms, shared, request.model_copy(update={"path": inner}))
        return {**result, "path": request.path, "undo": None}
    path = _remembered(workspace, request.path)
    line, citations = line_origins.trace_line(workspace, path, request.line)
    return json_documents.reason(path, line, citations, line_origins.undo(workspace, line.record, path))


def context(rooms: Rooms, workspace: Workspace, request: tool_arguments.Context) -> Document:  # noqa: ARG001 - as every tool
    """Return the context of a conversation, and the receipt for it."""
    question = Asked(**request.model_dump() | {"as_of": request.as_of or None})
    result: Document = to_builtins(addition.assemble_all(workspace, question))
    return result


def add_to_turn(rooms: Rooms, workspace: Workspace, request: tool_arguments.TurnArguments) -> Document:
    """Return the addition to a turn, and the decisions that it rests on."""
    is_live = rooms.gateway and rooms.backlog.count == 0
    return build_addition(workspace, request, request.session_kind, is_live=is_live)


def build_addition(
    workspace: Workspace, request: tool_arguments.TurnArguments, kind: SessionKind, *, is_live: bool = False
) -> Document:
    """Return the addition to a turn of a session of this kind."""
    turn = Asked(request.text, request.query, request.session, session_kind=kind, shown=request.shown)
    with workspace.lenient():
        result: Document = to_builtins(addition.add_to_turn(workspace, turn, missed=request.missed, is_live=is_live))
    return result


def list_inbox(rooms: Rooms, workspace: Workspace, request: tool_arguments.Inbox) -> Document:  # noqa: ARG001 - as every tool
    """Return the items of the inbox."""
    inbox_items.refresh_candidates(workspace)
    items = inbox.list_items(workspace, *([request.kind] if request.kind else ()))
    return {"items": [json_documents.item_document(item) for item in items]}


_LONGEST = 1_400
"""Characters of an answer that a model reads at once."""
_SNIPPET = 300
_NO_RESULTS = "Nothing is remembered of that. Say so; do not guess."


def hear(rooms: Rooms, workspace: Workspace, request: tool_arguments.Hear) -> Document:  # noqa: ARG001 - as every tool
    """File the operator's requests to remember, and apply corrections, as `clawgit triage --act` does."""
    workspace.require_managed()
    verdict = triage(request.text, read_patterns(workspace.config).patterns)
    flag = change = None
    if verdict.matches:
        flag = file_flag(workspace.store, request.text, workspace.now(), request.session).id
    if corrected_values.is_called_for(request.text, verdict):
        with suppress(ClawgitError):  # what fails, the validator's next run does
            _, applied, _ = recall_validator.act_on_message(
                workspace, request.text, verdict, request.session, vouched=True
            )
            change = applied.change if applied and applied.commit else None
    return {"flag": flag, "correction": change}


def import_conversations(rooms: Rooms, workspace: Workspace, request: tool_arguments.Nothing) -> Document:  # noqa: ARG001 - as every tool
    """Bring in the conversations as OpenClaw has them now: before it compacts or leaves one."""
    session_follow.follow_host(workspace)
    return {"kept": True}


def recall_briefly(rooms: Rooms, workspace: Workspace, request: tool_arguments.Recall) -> Document:
    """Return the answer to a question in a few lines: each text once, with place, date and author."""
    fields = {"query": request.query, "maxResults": 10, "asOf": request.as_of, "deleted": request.deleted}
    search_request = tool_arguments.Search.model_validate(fields)
    hits = hits_of(rooms, workspace, search_request).results
    rows = rows_of_hits(hits, workspace if not request.as_of and not request.deleted else None)
    return {"text": "\n".join(rows) or _NO_RESULTS, "found": len(hits)}


def rows_of_hits(hits: Iterable[Hit], dated: Workspace | None = None) -> Iterator[str]:
    """Yield a short row for each hit with new words, `dated` by the history of its workspace."""
    return _short(_cite_hit(dated, hit) for hit in _omit_repeated(hits))


def _omit_repeated(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yield hits whose text is not part of one before."""
    texts: list[str] = []
    for hit in hits:
        text = " ".join(hit.snippet.split())
        if not any(text in other for other in texts):
            texts.append(text)
            yield hit


def _cite_hit(workspace: Workspace | None, hit: Hit) -> str:
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


_WORDS: Mapping[Turn, str] = {
    "others": "of somebody else",
    "cron": "of a timer",
    "heartbeat": "of a heartbeat",
    "subagent": "of a sub-agent",
    "hook": "of a webhook",
    "machine": "of OpenClaw's own",
}


def find_barred_caller(workspace: Workspace, tool: str, text: str, request: Arguments) -> Caller | None:
    """Return the caller of a tool that writes `text`, if his writes have to wait; None for the operator's own turn.

    The plugin in OpenClaw names the turn; for other clients OpenClaw's transcripts may. An unknown client is taken for
    an agent that the operator talks to.
    """
    if isinstance(request, OfRequester):
        requester = envelope.read_requester(request.requester)
        caller: Caller | None = Caller(envelope.find_turn(requester), requester.session)
    else:
        agents = [owner.id for owner in workspace.host.owners(workspace.root)]
        caller = find_caller(workspace.host, agents, tool, text, workspace.clock().timestamp()) if agents else None
    return None if caller is None or caller.turn in LASTING else caller


def hold_change(change: Change, caller: Caller) -> Change:
    """Return a change that waits for the operator, with the turn of its request."""
    place = f", session {commit_message.fold_spaces(caller.session)}" if caller.session else ""
    sentence = f"Asked for in a turn {_WORDS[caller.turn]}{place}."
    origin = "untrusted" if caller.turn in ("others", "hook") else change.origin
    return replace(change, why="\n\n".join(filter(None, (change.why, sentence))), origin=origin, held=True)


def add_memory(rooms: Rooms, workspace: Workspace, request: tool_arguments.Add) -> Document:  # noqa: ARG001 - as every tool
    """Keep a memory in the agent's name, or let it wait, by its turn."""
    caller = find_barred_caller(workspace, "memory_add", request.text, request)
    in_force.require_none(request.text, in_force.rules_of(workspace))
    extra: dict[str, Any] = {"tag": request.tag, "origin": "agent", "evidence": tuple(request.evidence), "agent": AGENT}
    if request.to == "shared":
        with shared_memory.require_shared(workspace) as shared:
            in_force.require_none(request.text, in_force.rules_of(shared))
            make_held = partial(hold_change, caller=caller) if caller else None
            entry, applied = shared_memory.add_shared_memory(
                workspace, shared, request.text, **extra, transform=make_held
            )
        root: Path | None = shared.root
    else:
        entry = memory_lines.make_addition(workspace, request.text, daily=request.to == "daily", **extra)
        # A caller whose writes wait does not raise the mentions of an entry.
        if caller and entry.merged_into:
            return {"commit": None, "reason": json_documents.NOTHING, "id": entry.id, "merged_into": entry.merged_into}
        applied, root = workspace.apply(hold_change(entry.change, caller) if caller else entry.change), None
    refuse_rejected(applied)
    options = {"id": entry.id, "merged_into": entry.merged_into, "notes": list(applied.notes)}
    return json_documents.document_change(applied, root, **options)


def correct(rooms: Rooms, workspace: Workspace, request: tool_arguments.Correct) -> Document:  # noqa: ARG001 - as every tool
    """File a candidate: an agent's correction is none until the operator confirms it."""
    item = file_suggestion(workspace, request.text, request.about)
    return {
        "commit": None,
        "reason": OF_AGENT,
        "candidate": {**json_documents.candidate_document(item), "state": item.state},
        "confirm": f"clawgit accept {item.id}",
    }


def list_identity_changes(rooms: Rooms, workspace: Workspace, request: tool_arguments.Log) -> Document:  # noqa: ARG001 - as every tool
    """Return the changes of an identity file, newest first."""
    commits = records.list_records(workspace, _identity(request.file), limit=request.limit)
    return {"log": [json_documents.record(record) for record in records.hide_words(workspace.read, commits)]}


def propose(rooms: Rooms, workspace: Workspace, request: tool_arguments.Propose) -> Document:  # noqa: ARG001 - as every tool
    """Land an edit of the identity, or let it wait for the operator, by soul_policy, its evidence and the turn."""
    caller = find_barred_caller(workspace, "soul_propose", request.text, request)
    change = identity_edits.edit_identity(
        workspace,
        request.act,
        request.text,
        old=request.old,
        section=request.section or None,
        path=_identity(request.file),
        why=request.why,
        evidence=tuple(request.evidence),
        origin="agent",
        agent=AGENT,
    )
    applied = workspace.apply(hold_change(change, caller) if caller else change)
    refuse_rejected(applied)
    return json_documents.document_change(applied, notes=list(applied.notes))


def _identity(name: str) -> str:
    path = paths.check(name)
    if not file_roles.is_identity(path):
        raise path_role(f"{path} is not an identity file", fix=Advice(f"use one of {', '.join(file_roles.IDENTITY)}"))
    return path


UNREAD = "\0"
"""In place of a text that nobody could read."""
_TRUSTED: tuple[Turn, ...] = ("operator", "cron", "heartbeat", "subagent")


def take_call(rooms: Rooms, workspace: Workspace, request: Called) -> Document:
    """Record a call; commit the files of the workspace that it changed."""
    requester = envelope.read_requester(getattr(request, "requester", {}))
    root = os.path.realpath(workspace.root)
    turn = _find_turn(requester)
    files = {path: file for file in request.files if (path := place_in_workspace(root, _resolve(file.path)))}
    calls = list(_list_calls(request, files, requester, turn))
    with closing(CallTable(workspace.store)) as table:
        parent = requester.parent
        # A sub-agent is trusted no more than the session that started it.
        has_outside = turn == "subagent" and (parent is None or table.has_outside(parent.id, request.started))
        # From here on, words from outside may have shaped the writes of this session.
        if turn not in _TRUSTED or has_outside:
            table.note_outside(request.session, request.started)
        for call in calls:
            table.record_call(call)
        read_path = _resolve(request.reads) if request.reads else ""
        withheld_paths = line_writers.list_withheld(workspace).keys()
        if request.untrusted or not is_own_tool(request.tool, read_path, root, withheld_paths):
            table.note_outside(request.session, request.ended or request.started)
    globs = workspace.config.captured_globs
    changed = [call.path for call in calls if call.path and file_roles.is_captured(call.path, globs)]
    before = {path: (file.before or "").encode() for path, file in files.items() if file.before != UNREAD}
    call_index = KnownCalls(workspace.store)
    # What a file held before calls that overlap is not what others wrote.
    alone = [path for path in changed if path in before and call_index.is_alone(path, request.session, request.call)]
    for path in changed:
        rooms.backlog.paths.setdefault(path, before[path] if path in alone else b"")
    rooms.backlog.has_command |= request.tool.lower() in COMMANDS and request.ended is not None
    # A commit for each call, unless more have come meanwhile.
    if rooms.backlog.count <= 1:
        paths, rooms.backlog.paths = rooms.backlog.paths, {}
        _capture(workspace, paths)
        if rooms.backlog.has_command:
            rooms.backlog.has_command = False
            with suppress(ClawgitError):  # git is busy: the next capture tells
                capture_all(workspace)
    for call in calls:
        text = files[call.path].after if call.path else None
        if text and text != UNREAD:
            seen_versions.keep_write(workspace, call, text)
    return {"recorded": bool(calls)}


def _capture(workspace: Workspace, paths: Mapping[str, bytes]) -> None:
    """Commit files with their former content; of several, one that is held back does not stop the others."""
    if not paths:
        return
    try:
        workspace.capture(paths, before={path: data for path, data in paths.items() if data})
    except ClawgitError:  # held back, or git is busy: the next capture tells
        for path in paths if len(paths) > 1 else ():
            _capture(workspace, {path: paths[path]})


def _find_turn(requester: Requester) -> Turn:
    """Return the owner of the turn; a sub-agent belongs to the turn that started it."""
    turn = envelope.find_turn(requester)
    if turn == "subagent" and requester.parent:
        parent = _find_turn(requester.parent)
        return turn if parent in _TRUSTED else "others"
    return turn


def _list_calls(event: Called, files: Mapping[str, FileBytes], requester: Requester, turn: Turn) -> Iterator[ToolCall]:
    """Yield the call once for each file that it changed, or as the command that it ran."""
    uses = {Path(use.path).name: use for use in transcript.read_call(event.call, event.tool, event.params)}
    sender = f"{requester.channel} {requester.sender}".strip()
    call = ToolCall(
        event.session,
        event.call,
        event.tool,
        "command",
        "",
        event.started,
        event.ended,
        turn=turn,
        requester=f"{sender} owner" if requester.owner else sender,
        run=event.run,
        place=requester.session,
        is_seen=True,
    )
    if event.tool.lower() in COMMANDS:
        yield replace(call, words=hash_command_lines(next(iter(uses.values())).text if uses else ""))
    for path, file in files.items():
        if file.before != file.after:
            yield _describe_file(replace(call, path=path), file, uses.get(Path(path).name))


def _describe_file(call: ToolCall, file: FileBytes, use: FileUse | None) -> ToolCall:
    """Return a call for one file, with the lines that the file did not have before, or not as often."""
    after = file.after or "" if file.after != UNREAD else ""
    new = list(Counter(normalise_lines(after).splitlines()) - Counter(normalise_lines(file.before or "").splitlines()))
    if use:  # of calls that overlap each has its own lines
        own, pieces = set(normalise_lines(use.text).splitlines()), [normalise_lines(piece) for piece in use.pieces]
        new = [line for line in new if line in own or any(piece and piece in line for piece in pieces)]
    new_words = hash_folded_lines("\n".join(new)) if UNREAD not in (file.before, file.after) else None
    if call.tool == "write" and file.after != UNREAD:
        return replace(call, kind="write", added=new_words, **hash_content(after))
    return replace(call, kind="edit", words=hash_folded_lines("\n".join(new)), added=new_words)


def _resolve(path: str) -> str:
    """Return a path without links to its folder; the file itself may be one."""
    folder, name = os.path.split(path)
    return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118 - a path as the agent wrote it
