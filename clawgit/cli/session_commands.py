"""`clawgit session`."""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import click

from clawgit import errors
from clawgit.cli.call import Call
from clawgit.cli.lazy_commands import Group, Listed
from clawgit.cli.options import Words
from clawgit.cli.text_lines import Line, Span, line
from clawgit.errors import Command
from clawgit.integrations.json_documents import Document, each, fields
from clawgit.sessions import chat_store_choice, session_import, transcript_discovery
from clawgit.sessions.chat_store import ChatStore, Message, Summary
from clawgit.sessions.session_import import Imported
from clawgit.sessions.transcript_discovery import Found
from clawgit.workspace.workspace import Workspace


def import_document(done: Imported, messages: int) -> Document:
    """Return what an import came to; `messages` are those that are kept of the sessions it read."""
    return {
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


LISTED = {
    name: Listed(f"session_life_commands:{name}", words)
    for name, words in (
        ("plan", "Show how full a conversation is, and what OpenClaw will do to it."),
        ("handoff", "Keep what a conversation came to in a file for the next one."),
        ("flush", "Note what a conversation asks to be kept, before it is compacted."),
    )
}


@click.group(cls=Group, listed=LISTED)
def session() -> None:
    """Import and read the conversations of OpenClaw."""


@session.command(
    "import",
    examples=(
        "clawgit session import",
        "clawgit session import ~/.openclaw/agents/main/sessions/5b0f3c1e.jsonl --json",
        "CLAWGIT_CHAT_URL=postgresql:///chats clawgit session import --all",
    ),
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
    if sum((path is not None, bool(agent), every)) > 1:
        raise errors.options_conflict("PATH, --agent and --all name different conversations")
    with call.workspace(managed=True) as workspace:
        owner = next((one.id for one in workspace.host.owners(workspace.root)), "main")
        with chat_store_choice.opened(workspace.store, os.environ) as store:
            done = session_import.follow(workspace, store, _found(workspace, path, agent, every=every), agent or owner)
            messages = sum(store.count(one) for one in done.sessions.values())
    call.out.warn_of(done.problems)
    if done.problems and not done.sessions:
        raise errors.session_unreadable("nothing could be read", fix=done.problems[0].fix)
    call.out.answer(
        import_document(done, messages), shown="new messages sessions skipped bad_lines rewritten forgotten"
    )


@session.command("list", examples=("clawgit session list", "clawgit session list --json"))
def list_(call: Call) -> None:
    """List the conversations that are kept, the oldest first."""
    with call.workspace() as workspace, chat_store_choice.opened(workspace.store, os.environ, reading=True) as store:
        found = store.sessions()
    none = "no conversations yet; clawgit session import brings them in"
    call.out.answer(list(map(summary, found)), shown="session key first last messages kind channel", none=none)


def print_session(call: Call, workspace: Workspace, wanted: str) -> None:
    """Print the conversation that is called `wanted`, or AGENT/ID. Raises ClawgitError where there is none."""
    with chat_store_choice.opened(workspace.store, os.environ, reading=True) as store:
        found = _one(store, wanted)
        messages = list(store.messages(found.session))
    document = {**summary(found), "messages": list(map(message, messages))}
    call.out.answer(document, (row for one in messages for row in message_lines(one)), indent=4)


def last_words(call: Call, wanted: str) -> str:
    """Return what the operator said last in a session."""
    with call.workspace() as workspace, chat_store_choice.opened(workspace.store, os.environ, reading=True) as store:
        found = _one(store, wanted)
        said = [one.text for one in store.messages(found.session) if one.origin == "operator"]
    if not said:
        raise errors.session_empty(f"no operator message in {wanted}", fix=Command("clawgit show {}", wanted))
    return said[-1]


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
