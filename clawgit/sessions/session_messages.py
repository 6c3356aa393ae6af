"""Makes messages of a session's entries, and chooses their branch."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from hashlib import blake2b

from msgspec import Struct
from msgspec.structs import replace

from clawgit.safety.redaction import redacted
from clawgit.sessions import envelope, openclaw_sessions
from clawgit.sessions.envelope import MACHINES, Clean, Origin, Session
from clawgit.sessions.transcript import Call, Entry, Role
from clawgit.workspace.host.host import NOBODY, Operators

READER = 2
"""Counts up when the same lines are read as other messages: what was read before is then read again."""

_ANSWERED = frozenset({"cron", "heartbeat", "subagent", "startup", "flush"})
"""Turns of a machine whose answers are of no more use than they are."""
_READERS: Mapping[Role, Callable[[str], Clean]] = {"user": envelope.user, "assistant": envelope.assistant}


class Event(Struct, frozen=True):
    """An entry of a session, in whose message there is no noise left.

    `parent` is as in the entry, `ordinal` its place in the source. `at` never goes back, `time` is None where nothing
    tells. `skipped` says why there is no message; `digest` is the same for the same words by the same speaker. In
    `text` and `calls` a secret is named, not repeated: what was said is kept for long, and read by many.
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
        """Whether somebody said or did something."""
        return bool(self.role) and not self.skipped


class State(Struct, frozen=True):
    """What later entries of a source depend on: the time of the last one, and the machine that has the word."""

    at: float = 0.0
    machine: str = ""


def way(session: Session, operators: Operators) -> str:
    """Return what is another whenever the entries of a session would be read as other events."""
    return f"{READER}.{operators.digest}.{session.kind}.{'packed' if openclaw_sessions.readable() else 'plain'}"


def read(
    entries: Iterable[tuple[int, Entry]], session: Session, state: State, operators: Operators = NOBODY
) -> Iterator[tuple[Event, State, Entry]]:
    """Yield the event of each entry, given with its ordinal, the state after it, and the entry."""
    for ordinal, entry in entries:
        at = max(state.at, entry.time if entry.time is not None else state.at or session.started or 0.0)
        event, machine = _event(entry, ordinal, at, session, state.machine, operators)
        state = State(at, machine)
        yield event, state, entry


def _event(
    entry: Entry, ordinal: int, at: float, session: Session, machine: str, operators: Operators
) -> tuple[Event, str]:
    said = _READERS.get(entry.role, Clean)(entry.text)
    bare = Event(_id(entry, said, ordinal), entry.parent, ordinal, at, entry.role, time=entry.time)
    if not entry.role:
        return bare, machine
    if entry.role == "user":
        made = entry.source if entry.by == "internal_system" else said.reason
        machine = made if made in _ANSWERED else ""
    reason = session.kind if session.kind in MACHINES else _reason(entry, said) or machine
    if reason:
        return replace(bare, skipped=reason), machine
    text = redacted(said.text)
    calls = tuple(Call(call.name, redacted(call.arguments)) for call in entry.calls)
    event = replace(
        bare,
        origin=envelope.origin(entry, session, said, operators),
        text=text,
        tool=entry.tool,
        failed=entry.failed,
        calls=calls,
        digest=digest(entry.role, text or repr(calls)),
    )
    return event, machine


def _reason(entry: Entry, said: Clean) -> str:
    """Return why an entry is no message, "" for one that is."""
    if entry.mirror:
        return "mirror"
    if entry.by == "inter_session":
        return "inter-session"
    if entry.by == "internal_system":
        return entry.source if entry.source in _ANSWERED else "system"
    return "" if entry.calls else said.reason


def _id(entry: Entry, said: Clean, ordinal: int) -> str:
    """Return the entry's own id, else one made of what it says and when."""
    if entry.id:
        return entry.id
    when = ordinal if entry.time is None else entry.time
    return f"~{digest(entry.role or entry.type, f'{when} {entry.text or said.text}')}"


def digest(role: str, text: str) -> str:
    """Return what two messages with the same words have in common, however they are broken into lines."""
    words = " ".join(text.split())
    return blake2b(f"{role}\0{words}".encode(), digest_size=12).hexdigest()


# ---- the branch that counts


class Link(Struct, frozen=True):
    """Where an event hangs: below the one called `up`, which stands earlier in the same source; None is a root."""

    event: str
    up: str | None
    ordinal: int


class Grown(Struct, frozen=True):
    """What a tree gained: its new links, the leaf that now ends its active branch, and whether it `forked`."""

    links: tuple[Link, ...]
    leaf: str | None
    forked: bool


def grown(events: Iterable[Event], leaf: str | None, known: Callable[[Collection[str]], Collection[str]]) -> Grown:
    """Return the links of events that follow `leaf` in one source; `known` returns which ids stand there already.

    A parent that does not stand earlier (it was on a line that cannot be read, or closes a circle) counts as the event
    before, so that one bad line does not hide what came before it. An event that is there already is passed over.
    """
    events = list(events)
    wanted = {event.id for event in events} | {event.parent for event in events if event.parent}
    standing = set(known(wanted))
    links, forked = [], False
    for event in events:
        if event.id in standing:
            continue
        up = leaf if event.parent == "" or (event.parent and event.parent not in standing) else event.parent
        forked |= up != leaf
        links.append(Link(event.id, up, event.ordinal))
        standing.add(event.id)
        leaf = event.id
    return Grown(tuple(links), leaf, forked)


def active(ups: Mapping[str, str | None], leaf: str | None) -> frozenset[str]:
    """Return the events from `leaf` up to its root; a circle ends the way."""
    found: set[str] = set()
    while leaf is not None and leaf in ups and leaf not in found:
        found.add(leaf)
        leaf = ups[leaf]
    return frozenset(found)
