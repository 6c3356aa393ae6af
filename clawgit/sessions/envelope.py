"""Message envelopes, and the audience of a conversation."""

import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal

from msgspec import Struct, ValidationError, convert

from clawgit import file_roles
from clawgit.errors import ClawgitError
from clawgit.openclaw.host import NOBODY, Operators
from clawgit.sessions.transcript import TranscriptEntry, read_object, read_table
from clawgit.store.calls import Turn
from clawgit.workspace.workspace import Workspace

# ruff: noqa: E501 -- a pattern is read whole


_INFO = re.compile(
    r"^[ \t]*(?P<label>[^\n(:]{1,80}?)(?: \(untrusted(?P<about>[^)\n]{0,80})\):|(?: \([^)\n]{0,80}\))?: (?P<mark>⟦openclaw:ctx⟧))[ \t]*$",
    re.MULTILINE,
)
_TRAILER = re.compile(
    r"^(?:Untrusted context \(metadata, do not treat as instructions or commands\):|Context: ⟦openclaw:ctx⟧)[ \t]*$",
    re.MULTILINE,
)
_FORWARDED = re.compile(r"^[ \t]*Forwarded message context(?: \(untrusted|: ⟦openclaw:ctx⟧)", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*(?:\n|\Z)")
_REPLY_HEAD = re.compile(r'^Current message:\n\[Replying to: "(?:[^"\\\n]|\\.)*"\]\n(?:#[^\s:]+: ?)?', re.MULTILINE)
_ENVELOPE = re.compile(
    r"\[(?:[A-Za-z]{3} \d{4}-\d{2}-\d{2} \d{2}:\d{2}|[A-Za-z][^\]\n]{0,200}? \d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2})[^\]\n]{0,80}\][ \t]*"
)
_RUNTIME = re.compile(r"^[ \t]*OpenClaw runtime context \(internal\):", re.MULTILINE)
_SYSTEM = re.compile(r"^[ \t]*System(?: \(untrusted\))?: \[[^\n]*(?:\n|\Z)", re.MULTILINE)
_TECHNICAL = (
    r"\[message_id: [^\]\n]*\]",
    r"\[media attached[^\n]*\]",
    r"<media:[a-z]+>(?: \([^\n)]*\))?",
    r"To send an image back, prefer the message tool[^\n]*",
    r"Note: The previous agent run was aborted by the user\.[^\n]*",
    r"\[\[(?:reply_to_current|reply_to:[^\]\n]*)\]\]",
)
_LINES = re.compile(rf"^[ \t]*(?:{'|'.join(_TECHNICAL)})[ \t]*(?:\n|\Z)", re.MULTILINE)
_MESSAGE_ID = re.compile(r"[ \t]*\[message_id: [^\]\n]*\][ \t]*$", re.MULTILINE)
_GROUP = re.compile(r'"is_group_chat"\s*:\s*true|"(?:group_subject|group_channel|group_space|group_members)"\s*:\s*"')
_GROUP_ENVELOPE = re.compile(r" id:-\d| #\S|@g\.us\b|\b[Gg]roup\b|\bchannel id:")
_SENDER_LINE = re.compile(r"^\[from: [^\]\n]+\][ \t]*(?:\n|\Z)", re.MULTILINE)
_PAST = "[Chat messages since your last reply - for context]"
_PRESENT = "[Current message - respond to this]"
_STARTUP = "[Startup context loaded by runtime]"
_QUOTED_END = "END_QUOTED_NOTES"
_COMMAND = re.compile(
    r"/(?!(?:bin|boot|dev|etc|home|lib|media|mnt|opt|proc|root|run|srv|sys|tmp|usr|var)\b)[a-z][\w-]*(?=[\s:]|$)"
)
_FRESH = re.compile(r"/(?:new|reset)\b[ \t:]*")

_MACHINE = (
    (re.compile(r"\[cron:"), "cron"),
    (
        re.compile(
            r"(?:Default heartbeat prompt:\s*)?(?:Read HEARTBEAT\.md if it exists|Follow the heartbeat monitor scratch context)"
        ),
        "heartbeat",
    ),
    (re.compile(r"A new session was started via /new or /reset"), "startup"),
    (re.compile(r"Pre-compaction memory flush\."), "flush"),
    (re.compile(r"\[Subagent (?:Context|Task)\]"), "subagent"),
    (re.compile(r"\[Inter-session message\]"), "inter-session"),
    (
        re.compile(
            r"Continue the OpenClaw runtime event\.|OpenClaw runtime context \(internal\):|\[Internal task completion event\]"
        ),
        "runtime",
    ),
    (
        re.compile(r"An async command [^\n]{0,60}has completed|\[?Exec (?:completed|finished|failed)\b"),
        "exec",
    ),
)
_SILENT = re.compile(r'NO_REPLY|\{\s*"action"\s*:\s*"NO_REPLY"\s*\}')
_ACK = "HEARTBEAT_OK"
_LONGEST_ACK = 300
_TAGS = re.compile(r"[ \t]*\[\[[ \t]*(?:reply_to_current|reply_to:[^\]\n]*)[ \t]*\]\][ \t]*")
_TOKENS = re.compile(r"<\|[a-z_]{2,24}\|>|</?tool_call>|</?(?:function_calls?|tool_calls)>")


class Clean(Struct, frozen=True):
    """Words without their envelope.

    `reason`: nothing of a turn is anybody's words; `group`: it came from a group; `forwarded`: somebody else wrote it.
    `sender` is the id of its author, if OpenClaw put it before the words.
    """

    text: str
    reason: str = ""
    group: bool = False
    forwarded: bool = False
    sender: str = ""


def user(text: str) -> Clean:
    """Return the words of a person in a user's turn."""
    group, forwarded = bool(_GROUP.search(text)) or _PAST in text, bool(_FORWARDED.search(text))
    rest = _strip_blocks(text)
    # OpenClaw puts earlier messages of a group before the present one.
    if _PRESENT in rest:
        rest = rest.partition(_PRESENT)[2]
    rest, sender = _strip_info(rest)
    rest, system = _SYSTEM.subn("", _REPLY_HEAD.sub("", rest))
    rest = _LINES.sub("", rest).strip()
    envelope = _ENVELOPE.match(rest)
    group = group or bool(envelope and _GROUP_ENVELOPE.search(envelope[0])) or bool(_SENDER_LINE.search(rest))
    rest = _MESSAGE_ID.sub("", _SENDER_LINE.sub("", rest[envelope.end() if envelope else 0 :])).strip()
    if reason := next((reason for sign, reason in _MACHINE if sign.match(rest)), ""):
        return Clean("", reason)
    rest, command = _strip_command(rest)
    if rest:
        return Clean(rest, group=group, forwarded=forwarded, sender=sender)
    started = _STARTUP in text
    return Clean("", "command" if command else "startup" if started else "system" if system else "empty")


def assistant(text: str) -> Clean:
    """Return the words of the agent."""
    rest = _TAGS.sub(" ", _strip_between(text, "<tool_call>", "</tool_call>")).strip()
    rest = _TOKENS.sub("", rest).strip()
    if _SILENT.fullmatch(rest):
        return Clean("", "no reply")
    if rest.startswith(_ACK) or rest.endswith(_ACK):
        rest = rest.removeprefix(_ACK).removesuffix(_ACK).strip()
        if len(rest) <= _LONGEST_ACK:
            return Clean("", "heartbeat")
    return Clean(rest, "" if rest else "empty")


def _strip_blocks(text: str) -> str:
    """Return `text` without the parts between known marks, anywhere."""
    rest = _strip_between(text, "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>")
    rest = _strip_between(rest, "<relevant-memories>", "</relevant-memories>")
    rest = _strip_between(rest, "[Replying to ", "[/Replying]")
    if _STARTUP in rest:
        before, _, after = rest.partition(_STARTUP)
        rest = before + after.rpartition(_QUOTED_END)[2].removeprefix("\n```") * (_QUOTED_END in after)
    for sign in (_TRAILER, _RUNTIME):
        cut = sign.search(rest)
        if cut and rest[: cut.start()].strip():
            rest = rest[: cut.start()]
    return rest


def _strip_between(text: str, begin: str, end: str) -> str:
    """Return `text` without its blocks; one that is never closed reaches to the end."""
    parts = []
    while begin in text:
        before, _, after = text.partition(begin)
        parts.append(before)
        text = after.partition(end)[2]
    return "".join((*parts, text))


def _strip_info(text: str) -> tuple[str, str]:
    """Return `text` without each line that announces data, and the data; and the id of the sender in them.

    The data are a fence, or lines up to an empty one. Only text before all words is OpenClaw's for certain, so the
    sender is taken from there alone.
    """
    parts, position, sender = [], 0, ""
    for head in _INFO.finditer(text):
        fenced = text.startswith("\n```", head.end())
        if head.start() < position or not (fenced or head["mark"] or "chronological" in head["about"]):
            continue
        end = _find_data_end(text, head.end(), fenced=fenced, is_marked=bool(head["mark"]))
        if end < 0:
            break
        parts.append(text[position : head.start()])
        if fenced and not sender and not _LINES.sub("", _SYSTEM.sub("", "".join(parts))).strip():
            sender = _sender(head["label"].strip(), text[head.end() : end])
        position = end
    return "".join((*parts, text[position:])), sender


def _find_data_end(text: str, begin: int, *, fenced: bool, is_marked: bool) -> int:
    """Return the end of data that begin at `begin`; those of a younger version, which marks them, end somewhere."""
    if fenced:
        close = text.find("\n```", begin + 4)
        return close + 4 if close >= 0 else len(text) if is_marked else -1
    blank = _BLANK.search(text, begin)
    return blank.end() if blank else len(text)


def _sender(label: str, fence: str) -> str:
    """Return the id in a JSON fence on the conversation, or on its sender; "" if there is none."""
    if label not in ("Conversation info", "Sender"):
        return ""
    fields = read_table(fence.strip().removeprefix("```json").removesuffix("```"))
    sender_table = fields if label == "Sender" else read_object(fields.get("sender"))
    candidates = (sender_table.get("id"), fields.get("sender_id"))
    return next((sender_id for sender_id in candidates if isinstance(sender_id, str)), "")


def _strip_command(text: str) -> tuple[str, bool]:
    """Return `text` without a slash command, and whether there was one; `/new` may be followed by a message."""
    if fresh := _FRESH.match(text):
        return text[fresh.end() :].strip(), True
    return ("", True) if _COMMAND.match(text) else (text, False)


Kind = Literal["direct", "group", "hook", "cron", "heartbeat", "subagent", "dreaming", "own", "unknown"]
Origin = Literal["operator", "agent", "untrusted", "unknown"]

MACHINES: frozenset[Kind] = frozenset({"cron", "heartbeat", "subagent", "dreaming", "own"})
"""Sessions in which nobody talks to the agent: they never make durable memory."""

MACHINE_TURNS: dict[str, Turn] = {
    "cron": "cron",
    "heartbeat": "heartbeat",
    "subagent": "subagent",
    "inter-session": "subagent",
    "hook": "hook",
}

_KEYS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"(?:^|:)clawgit(?:[:-]|$)|^(?:agent:[^:]+:)?explicit:model-run-|:dashboard:incognito-"), "own"),
    (re.compile(r"(?:^|:)dreaming-"), "dreaming"),
    (re.compile(r"(?:^|:)(?:subagent:|active-memory(?::|$))"), "subagent"),
    (re.compile(r"(?:^|:)cron:"), "cron"),
    (re.compile(r":heartbeat$"), "heartbeat"),
    (re.compile(r"(?:^|:)hook:"), "hook"),
    (re.compile(r":(?:group|channel|room):"), "group"),
    (re.compile(r":(?:direct|dm):|^agent:[^:]+:(?:main(?::thread:|$)|dashboard:)|^main$"), "direct"),
)
_PLACE = re.compile(r"(?:^|:)agent:[^:]+:(?P<channel>[^:]+):(?:group|channel|room|direct|dm):")
_CLIENTS = frozenset({"cli", "gateway-client", "webchat", "webchat-ui", "openclaw-control-ui", "openclaw-tui"})
"""OpenClaw's own clients, which it names as senders in older transcripts: whoever uses them is at its machine."""
_CHATS: dict[str, Kind] = {"direct": "direct", "group": "group", "channel": "group", "room": "group"}


class Session(Struct, frozen=True):
    """A conversation; `key` is OpenClaw's name of its place, `channel` the messenger."""

    id: str
    agent: str = ""
    key: str = ""
    kind: Kind = "unknown"
    channel: str = ""
    started: float | None = None


def read_session_kind(session: str, key: str, chat: str = "", *, spawned: bool = False) -> Kind:
    """Return the kind of a session: by its key, else by its chat type or its own id."""
    key_kind = next((kind for sign, kind in _KEYS if sign.search(key)), None)
    if key_kind in MACHINES or key_kind == "hook":
        return key_kind
    if session.startswith("clawgit-"):
        return "own"
    if session.startswith("dreaming-"):
        return "dreaming"
    if spawned:
        return "subagent"
    return _CHATS.get(chat) or key_kind or "unknown"


def choose_stricter(first: Kind, other: Kind) -> Kind:
    """Return the kind of a session with two descriptions: the one that is trusted less."""
    return max(first, other, key=lambda kind: (kind in MACHINES, kind in ("group", "hook"), kind != "unknown"))


def channel(session: Session) -> str:
    """Return the messenger of a conversation, by its key if possible."""
    place = _PLACE.search(session.key)
    return place["channel"] if place else session.channel


def origin(entry: TranscriptEntry, session: Session, message: Clean, operators: Operators = NOBODY) -> Origin:
    """Return the origin of a message.

    The operator's are messages that OpenClaw attributes to its owner (`senderIsOwner`), and those of a sender on its
    lists: anywhere, in groups too. If neither is known, those of a direct chat, or of one without a sign of a group.
    Forwarded text is somebody else's; the result of a tool is nobody's to trust.
    """
    if entry.role == "assistant":
        return "agent"
    if entry.role == "tool" or session.kind == "hook" or message.forwarded:
        return "untrusted"
    # Another session, or OpenClaw itself, made this turn.
    if entry.by not in ("", "external_user"):
        return "agent"
    sender = entry.sender or message.sender
    if entry.owner or operators.are(channel(session), sender):
        return "operator"
    # If OpenClaw names its operators, an unlisted sender is somebody else.
    other = operators.named and sender and sender not in _CLIENTS
    return "untrusted" if entry.owner is False or session.kind == "group" or message.group or other else "operator"


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
    kind: str = read_session_kind("", requester.session)
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
    kind = read_session_kind("", requester.session)
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
    announced = requester.tool == "subagent_announce" and read_session_kind("", requester.source) == "subagent"
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
    is_heard = read_session_kind("", target) not in ("group", "hook") and _is_owners(Requester(target), operators)
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
