"""`clawgit session`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawgit.cli import show_session
from clawgit.cli.call import Call, pass_call
from clawgit.cli.layout import Span
from clawgit.cli.lazy import Group
from clawgit.cli.options import Words, json_option
from clawgit.errors import ClawgitError, UsageError, quoted

if TYPE_CHECKING:
    from clawgit.sessions.chat_store import ChatStore, Summary
    from clawgit.sessions.find import Found
    from clawgit.workspace.workspace import Workspace


@click.group(cls=Group)
def session() -> None:
    """Keep and read the conversations of OpenClaw."""


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
@json_option
@pass_call
def import_(call: Call, path: str | None, agent: str, *, every: bool) -> None:
    """Bring in conversations, each message once.

    From OpenClaw's databases, transcripts with their archives, and what `/new` left in memory/. PATH is one of these,
    or a folder of them; without it, those of the agent that works in this workspace. Goes on where the last import
    ended. What surrounds the words is taken away; cron, heartbeat and other machines' turns are passed over. Kept in
    .git/clawgit/state/chat.db, or where CLAWGIT_CHAT_URL says.
    """
    from clawgit.sessions import importing  # noqa: PLC0415 - the help does without

    if sum((path is not None, bool(agent), every)) > 1:
        raise UsageError("PATH, --agent and --all name different conversations", fix="leave all but one out")
    with call.workspace() as workspace:
        workspace.require_managed()
        owner = next((one.id for one in workspace.host.owners(workspace.root)), "main")
        with _store(workspace) as store:
            done = importing.follow(workspace, store, _found(workspace, path, agent, every=every), agent or owner)
            messages = sum(store.count(one) for one in done.sessions.values())
    for problem in done.problems:
        call.out.warn(problem.message)
        call.out.talk(Span("  fix: ", "cyan"), problem.fix)
    if done.problems and not done.sessions:
        raise ClawgitError("nothing could be read", fix=done.problems[0].fix)
    if call.out.as_json:
        call.out.document(show_session.import_document(done, messages))
    else:
        call.out.lines(show_session.import_lines(done, messages), indent=11)


@session.command("list", examples=("clawgit session list", "clawgit session list --json"))
@json_option
@pass_call
def list_(call: Call) -> None:
    """List the conversations that are kept, the oldest first."""
    with call.workspace() as workspace, _store(workspace, reading=True) as store:
        found = store.sessions()
    if call.out.as_json:
        call.out.documents(show_session.summary(one) for one in found)
        return
    call.out.lines(show_session.summary_line(one) for one in found)
    if not found:
        call.out.note("no conversations yet; clawgit session import brings them in")


@session.command("show", examples=("clawgit session show 5b0f3c1e", "clawgit session show main/5b0f3c1e --json"))
@click.argument("wanted", type=Words(), metavar="ID")
@click.option("--abandoned", is_flag=True, help="Also what was said on branches that were given up.")
@json_option
@pass_call
def show(call: Call, wanted: str, *, abandoned: bool) -> None:
    """Print one conversation.

    ID is the one that `session list` shows, or its beginning; AGENT/ID where two agents have one of that name.
    """
    with call.workspace() as workspace, _store(workspace, reading=True) as store:
        found = _one(store, wanted)
        messages = store.messages(found.session, abandoned=abandoned)
        if call.out.as_json:
            shown = [show_session.message(one) for one in messages]
            call.out.document({**show_session.summary(found), "messages": shown})
        else:
            call.out.lines((row for one in messages for row in show_session.message_lines(one)), indent=4)


def last_words(call: Call, wanted: str) -> str:
    """Return what the operator said last in a session."""
    with call.workspace() as workspace, _store(workspace, reading=True) as store:
        found = _one(store, wanted)
        said = [one.text for one in store.messages(found.session) if one.origin == "operator"]
    if not said:
        raise ClawgitError(f"the operator said nothing in {wanted}", fix=f"clawgit session show {quoted(wanted)}")
    return said[-1]


@contextmanager
def _store(workspace: "Workspace", *, reading: bool = False) -> Iterator["ChatStore"]:
    from clawgit.sessions import stores  # noqa: PLC0415 - loads sqlite3

    with stores.opened(workspace.state, os.environ, reading=reading) as store:
        yield store


def _found(workspace: "Workspace", path: str | None, agent: str, *, every: bool) -> "Iterator[Found]":
    from clawgit.sessions import find  # noqa: PLC0415

    host = workspace.host
    if path is not None:
        yield from find.at(Path(path).expanduser())
        return
    if every:
        yield from find.of_host(host, find.every_agent(host))
        return
    owners = [host.agent(agent).id] if agent else [one.id for one in host.owners(workspace.root)]
    if not owners:
        raise UsageError(
            f"no agent of OpenClaw works in {workspace.root}", fix="clawgit session import --all   # or name a PATH"
        )
    yield from find.of_host(host, owners)


def _one(store: "ChatStore", wanted: str) -> "Summary":
    """Return the session that is called `wanted`, in full or by a beginning that no other has."""
    agent, _, name = wanted.rpartition("/")
    fits = [one for one in store.sessions() if not agent or one.session.agent == agent]
    found = [one for one in fits if one.session.id == name] or [one for one in fits if one.session.id.startswith(name)]
    if not found or not name:
        raise ClawgitError(f"no session {wanted} is kept", fix="clawgit session list")
    if len(found) > 1:
        first = found[0].session
        words = f"{len(found)} sessions are called {wanted}"
        raise ClawgitError(words, fix=f"clawgit session show {quoted(f'{first.agent}/{first.id}')}")
    return found[0]
