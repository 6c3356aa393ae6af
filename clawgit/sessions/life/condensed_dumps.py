"""Takes away the dumps of conversations that were handed over."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from clawgit.errors import ClawgitError
from clawgit.git import history
from clawgit.safety.redaction import redacted
from clawgit.sessions import chat_store_choice
from clawgit.sessions.life import conversation_handoff
from clawgit.sessions.life.conversation_handoff import AGENT, MARK, Handoff
from clawgit.workspace import dumped_text, file_roles
from clawgit.workspace.change import Change, Edit
from clawgit.workspace.workspace import Workspace

_LATE = timedelta(days=2)
"""How long after a conversation was handed over what OpenClaw left of it is looked for."""
_TITLE = "## Conversation Summary"


class Gone(Struct, frozen=True):
    """The dumps that went, each with a commit of its own, and why others stay."""

    paths: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()


def remove(workspace: Workspace, handoff: Handoff) -> Gone:
    """Take away each dump of these days that says nothing beyond a conversation that was handed over after it.

    Only where `session_dumps` is `condense`; `clawgit undo` brings one back. OpenClaw may write one after the
    conversation was handed over: it goes with the next handoff of that conversation.
    """
    gone, wrong = list[str](), list[str]()
    for path in dumps(workspace, handoff):
        try:
            workspace.apply(
                Change(
                    f"handoff: {path} goes, its conversation was handed over",
                    edits=(Edit(path, workspace.read(path), None, exact=True),),
                    origin="agent",
                    agent=AGENT,
                )
            )
        except ClawgitError as exc:
            wrong.append(f"{path} stays: {exc.message}")
        else:
            gone.append(path)
    return Gone(tuple(gone), tuple(wrong))


def dumps(workspace: Workspace, handoff: Handoff) -> tuple[str, ...]:
    """Return the dumps that would go once `handoff` is kept; () where `session_dumps` is not `condense`."""
    if workspace.config.value("session_dumps") != "condense":
        return ()
    return tuple(_covered(workspace, handoff))


def _covered(workspace: Workspace, handoff: Handoff) -> Iterator[str]:
    begin, found = handoff.began.date() - _LATE, dict[str, str]()
    handed = {conversation_handoff.mark(handoff.session.id): datetime.max.replace(tzinfo=UTC)}
    for place in sorted((workspace.root / workspace.journal_path(begin)).parent.glob("*-*.md")):
        path = place.relative_to(workspace.root).as_posix()
        day = file_roles.journal_day(path)
        if day is None or day < begin or not dumped_text.may_be_dump(path):
            continue
        head = conversation_handoff.head(place)
        if dumped_text.is_dump(path, head.encode()):
            found[path] = dumped_text.session(head.encode())
        elif (mark := MARK.search(head)) and conversation_handoff.is_ours(workspace, path):
            last = next(history.log(workspace.repo, path, limit=1))
            handed.setdefault(mark[1], last.date)
    for path, session in found.items():
        after = handed.get(conversation_handoff.mark(session)) if session else None
        if after and _written(workspace, path) <= after and _says_no_more(workspace, path, session):
            yield path


def _written(workspace: Workspace, path: str) -> datetime:
    try:
        return datetime.fromtimestamp((workspace.root / path).stat().st_mtime, UTC)
    except OSError:
        return datetime.max.replace(tzinfo=UTC)


def _says_no_more(workspace: Workspace, path: str, session: str) -> bool:
    """Tell whether each line of a dump stands in a message of its conversation: what somebody wrote into it stays."""
    try:
        body = (workspace.read(path) or "").partition(_TITLE)[2]
        with chat_store_choice.opened(workspace.state, os.environ, reading=True) as store:
            kept = [one.session for one in store.sessions() if one.session.id == session]
            said = "\n".join(message.text for one in kept for message in store.messages(one))
    except ClawgitError:
        return False
    known = {" ".join(row.split()) for row in said.splitlines()}
    rows = (" ".join(redacted(dumped_text.TURN.sub("", row)).split()) for row in body.splitlines())
    return bool(body.strip()) and all(not row or row in known for row in rows)
