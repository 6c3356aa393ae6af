"""Makes messages of a session's entries, and chooses their branch."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from clawgit.openclaw.host import NOBODY, Operators
from clawgit.safety.redaction import redact
from clawgit.sessions import envelope, openclaw_sessions
from clawgit.sessions.envelope import MACHINES, Clean, Origin, Session
from clawgit.sessions.transcript import Call, Role, TranscriptEntry

READER = 2
"""Counts up when the same lines are read as other messages: what was read before is then read again."""

_MACHINE_CAUSES = frozenset({"cron", "heartbeat", "subagent", "startup", "flush"})
"""Turns of a machine whose answers are of no more use than they are."""
_READERS: Mapping[Role, Callable[[str], Clean]] = {"user": envelope.user, "assistant": envelope.assistant}


class Event(Struct, frozen=True):
    """An entry of a session, with its message cleaned.

    `parent` is as in the entry, `ordinal` its place in the source. `at` never goes back, `time` is None if unknown.
    `skipped` is the reason for no message; `digest` is the same for the same words by the same speaker. In `text` and
    `calls` a secret is named, not repeated: messages are kept for long, and read by many.
    """

    id: str
    parent: str | None
    ordinal: int
    at: float
    role: Role = ""
    origin: Origin = "unknown"
    text: str = ""
    time: float | None = None
    tool: str = ""
    failed: bool = False
    calls: tuple[Call, ...] = ()
    digest: str = ""
    skipped: str = ""

    @property
    def is_message(self) -> bool:
        """Whether it is a message or an action."""
        return bool(self.role) and not self.skipped


class State(Struct, frozen=True):
    """The state that later entries of a source depend on: the time of the last one, and the current machine."""

    at: float = 0.0
    machine: str = ""


def mark_reading(session: Session, operators: Operators) -> str:
    """Return a mark that changes whenever the entries of a session would be read as other events."""
    return f"{READER}.{operators.digest}.{session.kind}.{'packed' if openclaw_sessions.can_read_packed() else 'plain'}"


def read_events(
    entries: Iterable[tuple[int, TranscriptEntry]], session: Session, state: State, operators: Operators = NOBODY
) -> Iterator[tuple[Event, State, TranscriptEntry]]:
    """Yield the event of each entry, given with its ordinal, the state after it, and the entry."""
    for ordinal, entry in entries:
        # A clock may go back, but the order of messages may not.
        time = max(state.at, entry.time if entry.time is not None else state.at or session.started or 0.0)
        event, machine = _make_event(entry, ordinal, time, session, state.machine, operators)
        state = State(time, machine)
        yield event, state, entry


def _make_event(
    entry: TranscriptEntry, ordinal: int, timestamp: float, session: Session, machine: str, operators: Operators
) -> tuple[Event, str]:
    message = _READERS.get(entry.role, Clean)(entry.text)
    bare = Event(_id(entry, message, ordinal), entry.parent, ordinal, timestamp, entry.role, time=entry.time)
    if not entry.role:
        return bare, machine
    if entry.role == "user":
        cause = entry.source if entry.by == "internal_system" else message.reason
        machine = cause if cause in _MACHINE_CAUSES else ""
    reason = session.kind if session.kind in MACHINES else _reason(entry, message) or machine
    if reason:
        return replace(bare, skipped=reason), machine
    text = redact(message.text)
    calls = tuple(Call(call.name, redact(call.arguments)) for call in entry.calls)
    event = replace(
        bare,
        origin=envelope.origin(entry, session, message, operators),
        text=text,
        tool=entry.tool,
        failed=entry.failed,
        calls=calls,
        digest=hash_words(entry.role, text or repr(calls)),
    )
    return event, machine


def _reason(entry: TranscriptEntry, message: Clean) -> str:
    """Return why an entry is no message, "" for one that is."""
    if entry.mirror:
        return "mirror"
    if entry.by == "inter_session":
        return "inter-session"
    if entry.by == "internal_system":
        return entry.source if entry.source in _MACHINE_CAUSES else "system"
    return "" if entry.calls else message.reason


def _id(entry: TranscriptEntry, message: Clean, ordinal: int) -> str:
    """Return the entry's own id, else one made of its words and time."""
    if entry.id:
        return entry.id
    time = ordinal if entry.time is None else entry.time
    return f"~{hash_words(entry.role or entry.type, f'{time} {entry.text or message.text}')}"


def hash_words(role: str, text: str) -> str:
    """Return a hash that is the same for the same words, whatever their line breaks."""
    words = " ".join(text.split())
    return blake2b(f"{role}\0{words}".encode(), digest_size=12).hexdigest()


# ---- the branch that counts


class ForkedError(Exception):
    """An event does not hang below the one before it."""


Tree = dict[str, str | None]
"""The event that each event of a source hangs below, None for a root; the last one is the leaf."""


def grow_tree(tree: Tree, events: Iterable[Event]) -> None:
    """Add the events of a source that follow in a tree; one that is there already is skipped.

    A parent that is not earlier (it was on an unreadable line, or closes a circle) counts as the event before, so that
    one bad line does not hide earlier ones.
    """
    leaf = next(reversed(tree), None)
    for event in events:
        if event.id not in tree:
            tree[event.id] = event.parent if event.parent is None or event.parent in tree else leaf
            leaf = event.id


def find_branch(tree: Tree) -> frozenset[str]:
    """Return the events from the leaf up to its root."""
    branch, event = set[str](), next(reversed(tree), None)
    while event is not None:
        branch.add(event)
        event = tree[event]
    return frozenset(branch)


def find_leaf(events: Iterable[Event], leaf: str | None) -> str | None:
    """Return the last of the events that follow `leaf` in a line. Raises ForkedError if one hangs elsewhere."""
    for event in events:
        if event.parent not in ("", leaf):
            raise ForkedError
        leaf = event.id
    return leaf
