"""`clawgit session`."""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from clawgit import errors
from clawgit.agents import requested_memories
from clawgit.agents.running import Result
from clawgit.cli import run_command
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words
from clawgit.cli.render import Line, Span, line
from clawgit.errors import Command, session_forgotten
from clawgit.json_documents import Document, fields, map_documents
from clawgit.llm import voices
from clawgit.llm.model import ModelError
from clawgit.sessions import chat_store, conversation_handoff, model_context, openclaw_sessions, session_import
from clawgit.sessions.chat_store import Message, Summary
from clawgit.sessions.conversation_handoff import Handoff
from clawgit.sessions.envelope import MACHINES
from clawgit.sessions.model_context import Conversation
from clawgit.sessions.openclaw_sessions import TranscriptFile
from clawgit.workspace.workspace import Workspace


def _describe_chat(chat: Summary) -> Document:
    """Return a session as JSON has it."""
    session_fields = fields(chat.session, "session=id agent key kind channel")
    return {**session_fields, "messages": chat.messages, "first": _iso_time(chat.first), "last": _iso_time(chat.last)}


def _describe_message(turn: Message) -> Document:
    """Return a message as JSON has it."""
    extra = fields(turn, "tool failed") if turn.role == "tool" else {}
    if turn.calls:
        extra["calls"] = map_documents(turn.calls, "name arguments")
    evidence = f"session:{turn.session}#{turn.event}"
    return fields(turn, "event evidence role origin time text", evidence=evidence, time=_iso_time(turn.time), **extra)


def _draw_message(turn: Message) -> Iterator[Line]:
    """Yield a message as people see it."""
    speaker = {"user": turn.origin, "assistant": "agent", "tool": turn.tool or "tool"}[turn.role]
    time = (_iso_time(turn.time) or "no time")[:16].replace("T", " ")
    name = Span(f"{speaker}{' failed' if turn.failed else ''}", "bold")
    yield line(Span(f"{time}  ", "dim"), name, Span(f"  #{turn.event}", "dim"))
    for call in turn.calls:
        yield line(f"    calls {call.name} {call.arguments}")
    for row in turn.text.splitlines():
        yield line(f"    {row}")


def _iso_time(time: float | None) -> str | None:
    return None if time is None else datetime.fromtimestamp(time).astimezone().isoformat(timespec="milliseconds")


@click.group(cls=Group)
def session() -> None:
    """Import and read the conversations of OpenClaw."""


@session.command(
    "import",
    examples=(
        "clawgit session import",
        "clawgit session import ~/.openclaw/agents/main/sessions/5b0f3c1e.jsonl --json",
        "CLAWGIT_CHAT_URL=postgresql:///chats clawgit session import --all",
    ),
    apart={"path": "agent every", "agent": "every"},
)
@click.argument("path", type=Words(), required=False)
@click.option("--agent", "agent", type=Words(), default="", metavar="ID", help="Of this agent of OpenClaw.")
@click.option("--all", "every", is_flag=True, help="Of all agents of OpenClaw.")
def import_(call: Call, path: str | None, agent: str, *, every: bool) -> None:
    """Bring in conversations, each message once.

    From OpenClaw's databases and transcripts. PATH is one of these, or a folder of them; the
    default is those of this workspace's agent. Turns of machines are passed over. Kept in .git/clawgit/state.db, or in
    CLAWGIT_CHAT_URL.
    """
    with call.workspace(managed=True) as workspace, chat_store.open_chat_store(workspace.store, os.environ) as store:
        result = session_import.import_transcripts(
            workspace, store, _list_transcripts(workspace, path, agent, every=every), agent
        )
        messages = sum(store.count(item) for item in result.sessions.values())
    call.out.warn_of(result.problems)
    if result.problems and not result.sessions:
        raise errors.session_unreadable("nothing could be read", fix=result.problems[0].fix)
    if path and result.bad_lines and not (messages or result.skipped):
        raise errors.session_unreadable(f"{path} holds no transcripts", fix=Command("clawgit session import --all"))
    document = {
        "sessions": len(result.sessions),
        "messages": messages,
        "new": result.new,
        "skipped": dict(sorted(result.skipped.items())),
        "bad_lines": map_documents(result.bad_lines, "path line reason"),
        "rewritten": result.rewritten,
        "forgotten": [
            {"agent": owner, "session": name, "messages": count} for (owner, name), count in result.forgotten.items()
        ],
        "problems": map_documents(result.problems, "message fix"),
    }
    call.out.answer(document, shown="new messages sessions skipped bad_lines rewritten forgotten")


def print_sessions(call: Call, workspace: Workspace, limit: int | None) -> None:
    """Print the conversations that are kept, the oldest first; of many the last ones."""
    with chat_store.open_chat_store(workspace.store, os.environ, reading=True) as store:
        documents = list(map(_describe_chat, store.sessions()))
    documents = documents[max(len(documents) - limit, 0) :] if limit is not None else documents
    none = "no conversations yet; clawgit session import brings them in"
    call.out.answer(documents, shown="session key first last messages kind channel", none=none)


def print_session(call: Call, workspace: Workspace, label: str) -> None:
    """Print the conversation called `label`, or AGENT/ID, in full or by its beginning.

    Raises ClawgitError if there is none, or several.
    """
    agent, _, name = label.rpartition("/")
    with chat_store.open_chat_store(workspace.store, os.environ, reading=True) as store:
        summaries = [item for item in store.sessions() if not agent or item.session.agent == agent]
        # A whole id wins over an id that begins with it.
        matches = [item for item in summaries if item.session.id == name]
        matches = matches or [item for item in summaries if name and item.session.id.startswith(name)]
        if not matches:
            raise errors.session_unknown(f"no session {label} is kept", fix=Command("clawgit log --sessions"))
        if len(matches) > 1:
            first = matches[0].session
            words = f"{len(matches)} sessions are called {label}"
            raise errors.id_ambiguous(words, fix=Command("clawgit show {}", f"{first.agent}/{first.id}"))
        messages = list(store.messages(matches[0].session))
    document = {**_describe_chat(matches[0]), "messages": list(map(_describe_message, messages))}
    call.out.answer(document, (row for turn in messages for row in _draw_message(turn)))


def _list_transcripts(workspace: Workspace, path: str | None, agent: str, *, every: bool) -> Iterator[TranscriptFile]:
    host = workspace.host
    if path is not None:
        return openclaw_sessions.list_transcripts_at(Path(path).expanduser())
    owners = [host.agent(agent).id] if agent else [owner.id for owner in host.owners(workspace.root)]
    if every:
        owners = list(openclaw_sessions.list_all_agents(host))
    elif not owners:
        fix = Command("clawgit session import --all", note="or name a PATH")
        raise errors.agent_unknown(f"no agent of OpenClaw works in {workspace.root}", fix=fix)
    return openclaw_sessions.list_transcripts_of_host(host, owners)


_ENDS = ("new", "reset", "idle", "daily")
"""Why OpenClaw begins another conversation in the place of one."""
wanted_session = click.argument("wanted", type=Words(), metavar="FILE|SESSION")


@session.command(examples=("clawgit session plan 5b0f3c1e", "clawgit session plan talk.jsonl --json"))
@wanted_session
def plan(call: Call, wanted: str) -> None:
    """Show how full a conversation is, and OpenClaw's next step.

    FILE is a transcript; SESSION is an id or its beginning, AGENT/ID, or a key. Tokens are those of the last answer,
    with an estimate of the rest. Flush, compaction, pruning and reset follow openclaw.json: contextTokens, compaction,
    contextPruning and session.reset. Nothing is written.
    """
    with call.workspace() as workspace:
        conversation = model_context.read_model_context(_find_transcript(workspace, wanted), workspace.host.operators)
        now = workspace.now()
        for problem in workspace.host.problems:
            call.out.warn(problem)
        rules, zone = model_context.read_rules(workspace.host.config), now.tzinfo
    token_count, reported = model_context.count_tokens(conversation.context)
    last = None if conversation.last is None else datetime.fromtimestamp(conversation.last, zone)
    reset = model_context.plan_reset(last, now, zone, rules) if last and zone else {}
    flushes, compacts = rules.flushes and token_count >= rules.flush_at, token_count >= rules.compact_at
    document = {
        **_describe_conversation(conversation),
        "tokens": token_count,
        "reported": reported,
        "limits": fields(rules, "window reserve soft flush_at compact_at"),
        "flush": {"enabled": rules.flushes, "due": flushes, **model_context.flush_prompts(rules, now.date())},
        "compact": {"due": compacts, "turns": rules.turns},
        "prune": fields(rules, "prunes ttl answers max_chars clears clear_ratio"),
        "reset": {
            "mode": rules.mode,
            "last": last and last.astimezone().isoformat(),
            "due": False,
            "by": None,
            "since": None,
            "next": None,
            **reset,
        },
    }
    call.out.answer(document)


def _find_transcript(workspace: Workspace, name: str, *, files: bool = True) -> TranscriptFile:
    """Return the place of a conversation. Raises ClawgitError if there is none, or several."""
    owners = [owner.id for owner in workspace.host.owners(workspace.root)]
    # In a workspace of no agent any conversation may be meant.
    agents = owners or openclaw_sessions.list_all_agents(workspace.host)
    return openclaw_sessions.find_transcript(workspace.host, agents, name, files=files)


def _describe_conversation(chat: Conversation) -> dict[str, Any]:
    """Return the fields of a document about a conversation."""
    return {**fields(chat.session, "session=id agent kind"), "messages": len(chat.items), "unread": chat.unread}


def _gather_handoff(workspace: Workspace, conversation: Conversation, ended: datetime | None = None) -> Handoff | None:
    """Return the handoff of a conversation, None if no people took part in it (until it `ended`)."""
    if conversation.session.kind in MACHINES:
        return None
    return conversation_handoff.gather(conversation, requested_memories.list_kept_sentences, workspace.now(), ended)


def _keep_handoff(call: Call, workspace: Workspace, notes: Handoff, result: Result) -> str:
    """Keep a handoff, add its change to the result, and return its path."""
    try:
        voice = voices.find_voice(workspace.config.value, os.environ, workspace.store)
    # Without a model the time of day names the file.
    except ModelError as exc:
        call.out.warn(exc.message, exc.fix)
        voice = None
    kept = conversation_handoff.save_handoff(workspace, notes, voice)
    if kept.wrong:
        call.out.warn(f"the time of day names the file: {kept.wrong}")
    if kept.change and kept.applied:
        result.applied.append((kept.change, kept.applied))
    return kept.path


@session.command(examples=("clawgit session flush 5b0f3c1e", "clawgit session flush talk.jsonl --handoff"))
@wanted_session
@click.option("--handoff", "is_handoff", is_flag=True, help="Leave a file for the next conversation, too.")
@click.option(
    "--left",
    type=click.Choice([*_ENDS, "compaction", "shutdown", "restart"]),
    metavar="WHY",
    help=f"OpenClaw compacts or leaves it: {', '.join(_ENDS)}, compaction, shutdown or restart.",
)
@click.option("--direct", is_flag=True, help="With --left: operator and agent were alone in it, as OpenClaw says.")
@click.option(
    "--ended",
    type=click.DateTime(["%Y-%m-%dT%H:%M:%S.%f%z"]),
    metavar="MOMENT",
    help="With --left: when, since the session may go on, such as 2026-05-04T08:12:07.250Z.",
)
def flush(call: Call, wanted: str, left: str | None, ended: datetime | None, *, is_handoff: bool, direct: bool) -> None:
    """Keep the requests of a conversation before it is compacted.

    Imports the conversation, and writes decisions and requests to remember in the operator's words into the journal of
    their day, with the message as evidence. Called again it adds nothing. With --handoff memory/DATE-SLUG.md holds
    decisions, open points, the last request, the files of tools and the last 15 messages, quoted, each with its
    pointer; a model names it if one is set up, else the time of day does. With --left, as the plugin in OpenClaw calls
    it, a direct conversation that is over leaves such a file.
    """
    with call.workspace(managed=True) as workspace:
        place = _find_transcript(workspace, wanted, files=not left)
        session = place.session if place.form == "database" else session_import.describe_session(place).id
        new = _import_transcript(call, workspace, place, session)
        extra: dict[str, str | None] = {"handoff": None} if left or is_handoff else {}
        with chat_store.open_untainted(workspace, os.environ) as store:
            workspace.conversations = store.turn
            result = requested_memories.flush(workspace, store, session)
            # After a compaction or a restart the conversation goes on, without a handoff.
            if left in _ENDS or is_handoff:
                conversation = model_context.read_model_context(place, workspace.host.operators)
                is_direct = conversation.session.kind in (("direct", "unknown") if direct else ("direct",))
                notes = _gather_handoff(workspace, conversation, ended) if is_direct or is_handoff else None
                extra["handoff"] = _keep_handoff(call, workspace, notes, result) if notes else None
    run_command.tell_result(call.out, result, applied=True, session=session, new=new, **extra)


def _import_transcript(call: Call, workspace: Workspace, place: TranscriptFile, session: str = "") -> int:
    """Import a conversation into the chat store, and return the number of its new messages.

    Raises ClawgitError if it cannot be read, or was to be forgotten.
    """
    with chat_store.open_chat_store(workspace.store, os.environ) as store:
        result = session_import.import_transcripts(workspace, store, [place], place.agent)
        forgotten_ids = {name for _, name in store.forgotten()}
    call.out.warn_of(result.problems)
    if (session or place.session) in forgotten_ids:
        raise session_forgotten(f"OpenClaw forgot {session or place.session}", fix=Command("clawgit log --sessions"))
    return result.new
