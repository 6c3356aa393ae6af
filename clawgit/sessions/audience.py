"""The requester, the audience and the readable files."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct, ValidationError, convert

from clawgit import file_roles
from clawgit.errors import ClawgitError
from clawgit.openclaw.host import Operators
from clawgit.sessions import envelope
from clawgit.sessions.envelope import MACHINE_TURNS
from clawgit.store.calls import Turn
from clawgit.workspace.workspace import Workspace

_PEER = re.compile(r"^agent:[^:]+:(?:(?P<channel>[^:]+):)?(?:[^:]+:)?(?:direct|dm):(?P<peer>[^:]+)")
_OWN_CHANNELS = ("", "webchat")
"""Where nobody but the operator writes: OpenClaw's command line and its page."""
_PRIVATE = (file_roles.USER, file_roles.CORRECTIONS, file_roles.CONFLICTS, file_roles.CONFIG)


class Requester(Struct, frozen=True):
    """OpenClaw's description of a turn; `owner` is None if the sender is unknown.

    `session` is the session's key, `to` the target of the answer. `trigger` and `cause` are the reasons of the turn,
    `source` and `tool` the session and the tool that it came from. `parent` is the turn that started a sub-agent, and
    `id` the id of the session, which `/new` changes.
    """

    session: str = ""
    channel: str = ""
    to: str | int = ""
    sender: str | int = ""
    owner: bool | None = None
    trigger: str = ""
    cause: str = ""
    source: str = ""
    tool: str = ""
    parent: "Requester | None" = None
    id: str = ""


def read_requester(arguments: Mapping[str, Any]) -> Requester:
    """Return the requester that a call names; one that is missing or malformed is nobody."""
    try:
        return convert({name: value for name, value in arguments.items() if value is not None}, Requester)
    except (ValidationError, RecursionError):
        return Requester()


def find_turn(requester: Requester) -> Turn:
    """Return the owner of a turn."""
    kind: str = envelope.read_session_kind("", requester.session)
    if kind in ("own", "dreaming"):
        return "machine"
    if kind != "subagent" and requester.trigger in ("cron", "heartbeat"):
        kind = requester.trigger
    if kind in MACHINE_TURNS:
        return MACHINE_TURNS[kind]
    if requester.cause not in ("", "external_user"):
        return "subagent" if requester.cause == "inter_session" else "machine"
    return "operator" if requester.owner else "others"


def is_private(requester: Requester, operators: Operators) -> bool:
    """Return whether the operator asks, and he alone hears the answer; unknown facts count against it.

    A stranger's direct message runs in the operator's own session, so the session alone never decides.
    """
    kind = envelope.read_session_kind("", requester.session)
    if kind in ("group", "hook"):
        return False
    if kind == "subagent":
        parent = requester.parent
        # OpenClaw writes a stranger's message into the operator's session before its turn: a report or a heartbeat that
        # runs meanwhile may answer it.
        if parent is None or parent.cause == "inter_session" or parent.trigger == "heartbeat":
            return False
        return is_private(parent, operators) and _reaches_owner(requester, operators)
    timed = kind in MACHINE_TURNS or requester.trigger in ("cron", "heartbeat")
    if not timed and requester.cause in ("", "external_user"):
        own = requester.channel in _OWN_CHANNELS
        if not requester.owner or (kind == "unknown" and not own):
            return False
        return bool(requester.sender and not own) or _is_owners(requester, operators)
    announced = requester.tool == "subagent_announce" and envelope.read_session_kind("", requester.source) == "subagent"
    is_for_owner = announced if requester.cause == "inter_session" else requester.owner is not False
    return is_for_owner and not requester.sender and kind != "unknown" and _reaches_owner(requester, operators)


def _is_owners(requester: Requester, operators: Operators) -> bool:
    """Return whether a session is no chat with another person."""
    match = _PEER.match(requester.session)
    return not match or operators.are(match["channel"] or "", match["peer"])


def _reaches_owner(requester: Requester, operators: Operators) -> bool:
    """Return whether the answer of a turn that is no message's goes to the operator, or nowhere."""
    channel, target = requester.channel, str(requester.to)
    if channel not in _OWN_CHANNELS:
        return _is_owners(requester, operators) and operators.are(channel, target.removeprefix(f"{channel}:"))
    is_heard = envelope.read_session_kind("", target) not in ("group", "hook") and _is_owners(
        Requester(target), operators
    )
    return is_heard and _is_owners(requester, operators)


def list_shared_files(workspace: Workspace) -> tuple[str, ...]:
    """Return the files that `shared_files` names, none that is hidden or reached through a link.

    A wildcard names none that is private by its role, such as MEMORY.md; its whole name does.
    """
    root, globs, paths = workspace.root.resolve(), list[str](), set[str]()
    with suppress(ClawgitError):  # of a CONFIG.md that cannot be read
        globs = [str(glob) for glob in workspace.config.value("shared_files")]
    for glob in globs:
        try:
            matches = root.glob(re.sub(r"(\*\*/)+", "**/", glob))  # several in a row name no more, and take ages
            places = [place for place in matches if place.is_file() and place.resolve() == place]
            paths |= {place.relative_to(root).as_posix() for place in places}
        except (ValueError, NotImplementedError, OSError):  # it is no glob, or leads out of the workspace
            continue
    private = (*_PRIVATE, file_roles.MEMORY, *workspace.memory_files)
    role = file_roles.role_name
    names = (name for name in paths if name in globs or not (role(name) in private or file_roles.journal_day(name)))
    return tuple(sorted(name for name in names if not name.startswith(".") and "/." not in name))
