"""`clawgit session`."""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from clawgit import errors
from clawgit.agents import session_flush
from clawgit.cli import change_output, run_output
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group
from clawgit.cli.options import Words
from clawgit.cli.text_lines import Line, Span, line
from clawgit.errors import Command, session_forgotten
from clawgit.integrations.json_documents import Document, each, fields
from clawgit.llm import voices
from clawgit.llm.model import ModelError
from clawgit.sessions import chat_store, session_import, transcript_discovery
from clawgit.sessions.chat_store import ChatStore, Message, Summary
from clawgit.sessions.envelope import MACHINES
from clawgit.sessions.life import conversation_handoff, model_context, session_plan
from clawgit.sessions.life.conversation_handoff import Handoff, Kept
from clawgit.sessions.life.model_context import Conversation
from clawgit.sessions.life.session_plan import Reset
from clawgit.sessions.transcript_discovery import Found
from clawgit.workspace.workspace import Workspace


def summary(one: Summary) -> Document:
    """Return a session as JSON has it."""
    known = fields(one.session, "session=id agent key kind channel")
    return {**known, "messages": one.messages, "first": _iso(one.first), "last": _iso(one.last)}


def message(one: Message) -> Document:
    """Return a message as JSON has it."""
    more = fields(one, "tool failed") if one.role == "tool" else {}
    if one.calls:
        more["calls"] = each(one.calls, "name arguments")
    evidence = f"session:{one.session}#{one.event}"
    return fields(one, "event evidence role origin time text", evidence=evidence, time=_iso(one.time), **more)


def message_lines(one: Message) -> Iterator[Line]:
    """Yield a message as people see it."""
    who = {"user": one.origin, "assistant": "agent", "tool": one.tool or "tool"}[one.role]
    failed = " failed" if one.failed else ""
    yield line(Span(f"{_short(one.time)}  ", "dim"), Span(f"{who}{failed}", "bold"), Span(f"  #{one.event}", "dim"))
    for call in one.calls:
        yield line(f"    calls {call.name} {call.arguments}")
    for row in one.text.splitlines():
        yield line(f"    {row}")


def _iso(time: float | None) -> str | None:
    return None if time is None else datetime.fromtimestamp(time).astimezone().isoformat(timespec="milliseconds")


def _short(time: float | None) -> str:
    return "no time" if time is None else datetime.fromtimestamp(time).astimezone().strftime("%Y-%m-%d %H:%M")


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

    From OpenClaw's databases, and from transcripts with their archives. PATH is one of these, or a folder of them;
    without it, those of the agent that works in this workspace. Goes on where the last import ended. What surrounds the
    words is taken away; cron, heartbeat and other machines' turns are passed over. Kept in .git/clawgit/state.db, or
    where CLAWGIT_CHAT_URL says.
    """
    with call.workspace(managed=True) as workspace, chat_store.opened(workspace.store, os.environ) as store:
        done = session_import.follow(workspace, store, _found(workspace, path, agent, every=every), agent)
        messages = sum(store.count(one) for one in done.sessions.values())
    call.out.warn_of(done.problems)
    if done.problems and not done.sessions:
        raise errors.session_unreadable("nothing could be read", fix=done.problems[0].fix)
    document = {
        "sessions": len(done.sessions),
        "messages": messages,
        "new": done.new,
        "skipped": dict(sorted(done.skipped.items())),
        "bad_lines": each(done.bad_lines, "path line reason"),
        "rewritten": done.rewritten,
        "forgotten": [
            {"agent": agent, "session": name, "messages": count} for (agent, name), count in done.forgotten.items()
        ],
        "problems": each(done.problems, "message fix"),
    }
    call.out.answer(document, shown="new messages sessions skipped bad_lines rewritten forgotten")


@session.command("list", examples=("clawgit session list", "clawgit session list --json"))
def list_(call: Call) -> None:
    """List the conversations that are kept, the oldest first."""
    with call.workspace() as workspace, chat_store.opened(workspace.store, os.environ, reading=True) as store:
        found = store.sessions()
    none = "no conversations yet; clawgit session import brings them in"
    call.out.answer(list(map(summary, found)), shown="session key first last messages kind channel", none=none)


def print_session(call: Call, workspace: Workspace, wanted: str) -> None:
    """Print the conversation that is called `wanted`, or AGENT/ID. Raises ClawgitError where there is none."""
    with chat_store.opened(workspace.store, os.environ, reading=True) as store:
        found = _one(store, wanted)
        messages = list(store.messages(found.session))
    document = {**summary(found), "messages": list(map(message, messages))}
    call.out.answer(document, (row for one in messages for row in message_lines(one)), indent=4)


def _found(workspace: Workspace, path: str | None, agent: str, *, every: bool) -> Iterator[Found]:
    host = workspace.host
    if path is not None:
        yield from transcript_discovery.at(Path(path).expanduser())
        return
    if every:
        yield from transcript_discovery.of_host(host, transcript_discovery.every_agent(host))
        return
    owners = [host.agent(agent).id] if agent else [owner.id for owner in host.owners(workspace.root)]
    if not owners:
        raise errors.agent_unknown(
            f"no agent of OpenClaw works in {workspace.root}",
            fix=Command("clawgit session import --all", note="or name a PATH"),
        )
    yield from transcript_discovery.of_host(host, owners)


def _one(store: ChatStore, wanted: str) -> Summary:
    """Return the session that is called `wanted`, in full or by a beginning that no other has."""
    agent, _, name = wanted.rpartition("/")
    fits = [one for one in store.sessions() if not agent or one.session.agent == agent]
    found = [one for one in fits if one.session.id == name] or [one for one in fits if one.session.id.startswith(name)]
    if not found or not name:
        raise errors.session_unknown(f"no session {wanted} is kept", fix=Command("clawgit session list"))
    if len(found) > 1:
        first = found[0].session
        words = f"{len(found)} sessions are called {wanted}"
        raise errors.id_ambiguous(words, fix=Command("clawgit show {}", f"{first.agent}/{first.id}"))
    return found[0]


_OVER = ("new", "reset", "idle", "daily")
"""Why OpenClaw begins another conversation in the place of one."""


wanted_session = click.argument("wanted", type=Words(), metavar="FILE|SESSION")


@session.command(examples=("clawgit session plan 5b0f3c1e", "clawgit session plan talk.jsonl --json"))
@wanted_session
def plan(call: Call, wanted: str) -> None:
    """Show how full a conversation is, and what OpenClaw will do to it.

    FILE is a transcript; SESSION is an id or the beginning of one, AGENT/ID, or a key. Tokens are those that the last
    answer reported, with an estimate of what came after it. When memory is flushed, how many turns a compaction keeps
    whole, how results of tools are pruned, and when the conversation ends by its age is as openclaw.json says:
    contextTokens, compaction, contextPruning and session.reset. Nothing is written.
    """
    with call.workspace() as workspace:
        found = model_context.read(found_session(workspace, wanted), workspace.host.operators)
        now = workspace.now()
        rules, zone = session_plan.read_rules(workspace.host.config), now.tzinfo
    used, reported = model_context.count_tokens(found.context)
    last = None if found.last is None else datetime.fromtimestamp(found.last, zone)
    reset = session_plan.plan_reset(last, now, zone, rules) if last and zone else Reset()
    flushes, compacts = rules.flushes and used >= rules.flush_at, used >= rules.compact_at
    document = {
        **about(found),
        "tokens": used,
        "reported": reported,
        "limits": fields(rules, "window reserve soft flush_at compact_at"),
        "flush": {"due": flushes, **session_plan.flush_prompts(rules, now.date())},
        "compact": {"due": compacts, "turns": rules.turns},
        "prune": fields(rules, "prunes ttl answers max_chars clears clear_ratio"),
        "reset": {
            "mode": rules.mode,
            "last": last and last.astimezone().isoformat(),
            "due": bool(reset.by),
            **fields(reset, "by? since? next?"),
        },
    }
    call.out.answer(document)


def found_session(workspace: Workspace, wanted: str, *, files: bool = True) -> Found:
    """Return where a conversation lies. Raises ClawgitError where there is none, or several."""
    owners = [owner.id for owner in workspace.host.owners(workspace.root)]
    agents = owners or transcript_discovery.every_agent(workspace.host)
    return transcript_discovery.find(workspace.host, agents, wanted, files=files)


def about(found: Conversation) -> dict[str, Any]:
    """Return what a document says of the conversation that it is about."""
    return {**fields(found.session, "session=id agent kind"), "messages": len(found.items), "unread": found.unread}


@session.command(examples=("clawgit session handoff 5b0f3c1e", "clawgit session handoff 5b0f --dry-run"))
@wanted_session
@click.option("--dry-run", is_flag=True, help="Print the file, and write nothing; no model is asked.")
def handoff(call: Call, wanted: str, *, dry_run: bool) -> None:
    """Keep what a conversation came to in a file for the next one.

    memory/DATE-SLUG.md holds what was decided, what is open, the last request, the files that tools touched and the
    last new_session_messages messages, quoted, each with its pointer, marked as past. A model names the file where one
    is set up (see clawgit model), else the time of day does. A search finds it. A conversation has one such file
    a day: called again, it is brought up to date.
    """
    with call.workspace() as workspace:
        place = found_session(workspace, wanted)
        if not dry_run:
            workspace.require_managed()
            _bring(call, workspace, place)
        found = model_context.read(place, workspace.host.operators)
        made = _gathered(workspace, found)
        if made is None:
            _tell_nothing(call, "nobody said anything in it that could be handed over", **about(found))
            return
        if dry_run:
            text = conversation_handoff.text(made)
            call.out.answer({**about(found), "text": text}, map(line, text.splitlines()), indent=0)
            return
        kept = _keep(call, workspace, made)
        more = {**about(found), "path": kept.path}
        if kept.change and kept.applied:
            change_output.tell(call, kept.applied, kept.change.subject, **more)
        else:
            _tell_nothing(call, f"{kept.path} has all of it already", **more)


def _gathered(workspace: Workspace, found: Conversation, ended: datetime | None = None) -> Handoff | None:
    """Return what to hand over of a conversation, None where no people said anything in it (until it `ended`)."""
    if found.session.kind in MACHINES:
        return None
    now, most = workspace.now(), int(workspace.config.value("new_session_messages"))
    return conversation_handoff.gather(found, session_flush.kept_sentences, most, now, ended)


def _keep(call: Call, workspace: Workspace, made: Handoff) -> Kept:
    try:
        voice = voices.find(workspace.config.value, os.environ, workspace.store)
    except ModelError as exc:
        call.out.warn(exc.message, exc.fix)
        voice = None
    kept = conversation_handoff.keep(workspace, made, voice)
    if kept.wrong:
        call.out.warn(f"the time of day names the file: {kept.wrong}")
    return kept


def _tell_nothing(call: Call, reason: str, **more: Any) -> None:
    call.out.answer({"commit": None, "reason": reason, **more}, [line(reason)])


@session.command(examples=("clawgit session flush 5b0f3c1e", "clawgit session flush talk.jsonl --json"))
@wanted_session
@click.option(
    "--left",
    type=click.Choice([*_OVER, "compaction", "shutdown", "restart"]),
    metavar="WHY",
    help=f"OpenClaw compacts or leaves it: {', '.join(_OVER)}, compaction, shutdown or restart.",
)
@click.option("--direct", is_flag=True, help="With --left: operator and agent were alone in it, as OpenClaw says.")
@click.option(
    "--ended",
    type=click.DateTime(["%Y-%m-%dT%H:%M:%S.%f%z"]),
    metavar="MOMENT",
    help="With --left: when, since the session may go on, such as 2026-05-04T08:12:07.250Z.",
)
def flush(call: Call, wanted: str, left: str | None, ended: datetime | None, *, direct: bool) -> None:
    """Note what a conversation asks to be kept, before it is compacted.

    Brings in the conversation, also what a compaction dropped already, and writes what rules find in the operator's
    words (decisions, requests to remember) into the journal of the day when it was said, with the message as evidence,
    in one commit for each 5,000 messages. No model is asked. Called again it adds nothing.

    With --left, as the plugin in OpenClaw calls it, nothing is done where memory_flush is off; and a direct
    conversation that is over leaves a file for the next one, as session handoff does.
    """
    with call.workspace(managed=True) as workspace:
        if left and workspace.config.value("memory_flush") != "on":
            _tell_nothing(call, "memory_flush is off")
            return
        place = found_session(workspace, wanted, files=not left)
        session = place.session if place.form == "database" else session_import.described(place).id
        new = _bring(call, workspace, place, session)
        with chat_store.opened_untainted(workspace, os.environ) as store:
            workspace.conversations = store.turn
            done = session_flush.flush(workspace, store, session)
            found = model_context.read(place, workspace.host.operators) if left in _OVER else None
            kinds = ("direct", "unknown") if direct else ("direct",)
            made = _gathered(workspace, found, ended) if found and found.session.kind in kinds else None
            kept = _keep(call, workspace, made) if made else None
    more = {"handoff": kept.path if kept else None} if left else {}
    run_output.tell_result(call.out, done, applied=True, session=session, new=new, **more)


def _bring(call: Call, workspace: Workspace, found: Found, session: str = "") -> int:
    """Bring a conversation into the chat store, and return how many of its messages are new.

    Raises ClawgitError where it cannot be read, or was to be forgotten.
    """
    with chat_store.opened(workspace.store, os.environ) as store:
        done = session_import.follow(workspace, store, [found], found.agent)
        gone = {name for _, name in store.forgotten()}
    call.out.warn_of(done.problems)
    if (session or found.session) in gone:
        raise session_forgotten(f"OpenClaw forgot {session or found.session}", fix=Command("clawgit session list"))
    return done.new
