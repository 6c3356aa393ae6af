"""Decides whose words a message holds."""

import re
from typing import Literal

from msgspec import Struct

from clawgit.sessions.events import Entry
from clawgit.sessions.noise import Clean
from clawgit.workspace.host.operators import NOBODY, Operators

Kind = Literal["direct", "group", "hook", "cron", "heartbeat", "subagent", "dreaming", "own", "unknown"]
Origin = Literal["operator", "agent", "untrusted", "unknown"]

MACHINES: frozenset[Kind] = frozenset({"cron", "heartbeat", "subagent", "dreaming", "own"})
"""Sessions in which nobody talks to the agent: they never make durable memory."""

_KEYS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"(?:^|:)clawgit(?:[:-]|$)|^(?:agent:[^:]+:)?explicit:model-run-"), "own"),
    (re.compile(r"(?:^|:)dreaming-"), "dreaming"),
    (re.compile(r"(?:^|:)(?:subagent:|active-memory(?::|$))"), "subagent"),
    (re.compile(r"(?:^|:)cron:"), "cron"),
    (re.compile(r":heartbeat$"), "heartbeat"),
    (re.compile(r"(?:^|:)hook:"), "hook"),
    (re.compile(r":(?:group|channel|room):"), "group"),
    (re.compile(r":(?:direct|dm):|^agent:[^:]+:main(?::thread:|$)|^main$"), "direct"),
)
_PLACE = re.compile(r"(?:^|:)agent:[^:]+:(?P<channel>[^:]+):(?:group|channel|room|direct|dm):")
_CLIENTS = frozenset({"cli", "gateway-client", "webchat", "webchat-ui", "openclaw-control-ui", "openclaw-tui"})
"""OpenClaw's own clients, which it names as senders in older transcripts: whoever uses them is at its machine."""
_CHATS: dict[str, Kind] = {"direct": "direct", "group": "group", "channel": "group", "room": "group"}


class Session(Struct, frozen=True):
    """A conversation; `key` is what OpenClaw calls the place where it is held, `channel` the messenger."""

    id: str
    agent: str = ""
    key: str = ""
    kind: Kind = "unknown"
    channel: str = ""
    started: float | None = None


def kind(session: str, key: str, chat: str = "", *, spawned: bool = False) -> Kind:
    """Return what kind of session this is: by its key, else by its chat type or its own id."""
    known = next((kind for sign, kind in _KEYS if sign.search(key)), None)
    if known in MACHINES or known == "hook":
        return known
    if session.startswith("clawgit-"):
        return "own"
    if session.startswith("dreaming-"):
        return "dreaming"
    if spawned:
        return "subagent"
    return _CHATS.get(chat) or known or "unknown"


def stricter(one: Kind, other: Kind) -> Kind:
    """Return the kind of a session that two sources describe: of the two, the one whose words are trusted less."""
    return max(one, other, key=lambda kind: (kind in MACHINES, kind in ("group", "hook"), kind != "unknown"))


def channel(session: Session) -> str:
    """Return the messenger on which a conversation is held, by its key where that tells."""
    place = _PLACE.search(session.key)
    return place["channel"] if place else session.channel


def origin(entry: Entry, session: Session, said: Clean, operators: Operators = NOBODY) -> Origin:
    """Return whose words a message holds.

    The operator's are those that OpenClaw took for its owner's (`senderIsOwner`), and those of a sender whom its lists
    tell to be: anywhere, in groups too. Where neither is known, those of a direct chat, or of one of which nothing
    tells that it is a group. What was forwarded is somebody else's; what a tool returned is nobody's to trust.
    """
    if entry.role == "assistant":
        return "agent"
    if entry.role == "tool" or session.kind == "hook" or said.forwarded:
        return "untrusted"
    if entry.by not in ("", "external_user"):
        return "agent"
    sender = entry.sender or said.sender
    if entry.owner or operators.are(channel(session), sender):
        return "operator"
    other = operators.named and sender and sender not in _CLIENTS
    return "untrusted" if entry.owner is False or session.kind == "group" or said.group or other else "operator"
