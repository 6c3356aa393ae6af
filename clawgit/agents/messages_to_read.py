"""The messages an agent reads, and how far it has."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from clawgit.errors import ClawgitError
from clawgit.git import repository
from clawgit.memory.corrected_values import Turn
from clawgit.messages import message_flags
from clawgit.messages.patterns import VALIDATOR
from clawgit.messages.triage import Triage
from clawgit.reading.backlog import Progress, name_session, to_milliseconds
from clawgit.sessions.chat_store import ChatStore, Message, Summary
from clawgit.sessions.envelope import Session
from clawgit.sessions.session_messages import digest
from clawgit.store.database import StateStore
from clawgit.text import evidence_pointer
from clawgit.text.entry import named, normalise
from clawgit.text.evidence_pointer import Pointer
from clawgit.workspace import commit_message, reading_cursors
from clawgit.workspace.change import Origin
from clawgit.workspace.reading_cursors import Cursor
from clawgit.workspace.unkept_requests import message_of_mention
from clawgit.workspace.workspace import Workspace

_NO_TIME = "00000000-0000"
_HASHED = 8
_MENTION = re.compile(r"\d{8}-\d{4}-[0-9a-f]{8}")


class Heard(Struct, frozen=True):
    """What somebody said; `time` counts seconds since 1970, None where nothing told.

    `session` and `event` are "" while only triage has seen it. `before` is what the other side had said just before.
    """

    text: str
    origin: Origin
    time: float | None = None
    session: str = ""
    event: str = ""
    before: str = ""

    @property
    def day(self) -> date | None:
        """The day on which it was said, in UTC: everywhere the same."""
        return None if self.time is None else datetime.fromtimestamp(self.time, UTC).date()

    @property
    def mention(self) -> str:
        """What a mention is known by: when it was said, to the minute in UTC, and a hash of the words.

        The earlier of two messages has the smaller one.
        """
        when = _NO_TIME if self.time is None else f"{datetime.fromtimestamp(self.time, UTC):%Y%m%d-%H%M}"
        return f"{when}-{digest('', self.text)[:_HASHED]}"

    @property
    def message(self) -> str:
        """What the mentions of one message have in common, whoever tells of it, and how exactly."""
        return message_of_mention(self.mention)

    def pointer(self, quote: str) -> str | None:
        """Return the evidence that points here, None where nothing can be pointed at."""
        if not self.session or not self.event:
            return None
        meant = Pointer("session", id=self.session, event=self.event, quote=quote)
        text = evidence_pointer.format(meant)
        try:
            return text if evidence_pointer.parse(text) == meant else None
        except ClawgitError:
            return None


def is_mention(name: str) -> bool:
    """Return whether this names a message, and not a change."""
    return bool(_MENTION.fullmatch(name))


_QUOTE = 160


class Step(Struct, frozen=True):
    """How far is read with a message, and over how many: the flag that it answers, or the conversations."""

    flag: str = ""
    reached: tuple[tuple[Cursor, int], ...] = ()
    read: int = 1


class Told(Struct, frozen=True):
    """A message that may correct something, with what triage says of it and the turns before it."""

    heard: Heard
    found: Triage
    before: tuple[Turn, ...] = ()
    step: Step = Step()

    @property
    def name(self) -> str:
        """The id of the candidate that it may be."""
        return named("\0".join(("candidate", str(self.heard.day), normalise(self.heard.text))))

    @property
    def trigger(self) -> tuple[str, str]:
        """The words that called the validator, and how sure they are."""
        matches = [match for match in self.found.matches if match.route == VALIDATOR]
        best = next((match for match in matches if match.trigger_confidence == "high"), matches[0] if matches else None)
        return (best.text, best.trigger_confidence or "medium") if best else ("", "medium")


def quote(text: str) -> str:
    """Return the words of a message as evidence quotes them."""
    return commit_message.one_line(text)[:_QUOTE]


TRACKED = "memory-miner"
"""The agent whose cursors are in the workspace, too."""


class _Kept(Struct, frozen=True):
    """What is written down: of each session the event, its time and a count."""

    head: str | None
    answered: str
    sessions: dict[str, tuple[str, int, int]]


def load(workspace: Workspace, agent: str) -> Progress:
    """Return how far the agent has read; what cannot be read counts for nothing, since reading twice adds nothing."""
    tracked = reading_cursors.parse(workspace.read(reading_cursors.PATH) or "") if agent == TRACKED else {}
    kept = workspace.store.read_document(agent, _Kept)
    if kept is None or not repository.reaches(workspace.repo, workspace.head, kept.head):
        return Progress(tracked, {})  # nothing, or what was learnt since has been reset away
    here = [Cursor(name, event, at) for name, (event, at, _) in kept.sessions.items()]
    counts = {name: count for name, (_, _, count) in kept.sessions.items()}
    return Progress(reading_cursors.furthest(tracked, here), counts, kept.answered)


def save(workspace: Workspace, agent: str, read: Iterable[tuple[Cursor, int]], answered: str) -> None:
    """Note how far the agent has read by now: cursors with their counts, and the last flag, "" for none."""
    known = load(workspace, agent)
    more = list(read)
    furthest = reading_cursors.furthest(known.cursors, (one for one, _ in more))
    counts = {**known.counts, **{one.session: count for one, count in more}}
    sessions = {name: (one.event, one.at, counts.get(name, 0)) for name, one in sorted(furthest.items())}
    kept = _Kept(workspace.head, answered or known.answered, sessions)
    workspace.store.save_document(agent, kept)


_NEAR = 86_400.0  # seconds between a message and its flag
_BEFORE = 400  # characters of what the other side said


class New(Struct, frozen=True):
    """A message, and how far it is read with it: the cursor and the count, or the flag."""

    heard: Heard
    cursor: Cursor | None = None
    count: int = 0
    flag: str = ""


def flagged(store: ChatStore, state: StateStore, answered: str) -> Iterator[New]:
    """Yield the messages that triage flagged since the flag `answered`, found again in the conversations."""
    flags = list(message_flags.flags(state))
    shared = Counter(one.session.id for one in store.sessions()) if flags else Counter[str]()
    names = [one.id for one in flags]
    gone = {session for _, session in store.forgotten()} if flags else set[str]()
    for flag in flags[names.index(answered) + 1 if answered in names else 0 :]:
        if flag.session and flag.session in gone:
            continue
        when = datetime.fromisoformat(flag.at).timestamp()
        heard = Heard(flag.text, "operator", when)
        said = (one for one in store.saying("user", flag.text) if one.time and abs(one.time - when) <= _NEAR)
        found = next(said, None)
        if found:
            session = found.session if shared[found.session] == 1 else ""
            heard = Heard(found.text, found.origin, found.time, session, found.event)
        yield New(heard, flag=flag.id)


def since(store: ChatStore, progress: Progress, start: float | None) -> Iterator[New]:
    """Yield what was said after the cursors, or from `start` on (seconds since 1970), the oldest session first."""
    summaries = store.sessions()
    shared = Counter(one.session.id for one in summaries)
    for summary in summaries:
        name = name_session(summary.session)
        if is_read(summary, progress, start):
            continue
        messages = list(store.messages(summary.session))
        first = progress.find_start(name, messages) if start is None else 0
        told = [_told(one, summary.session, alone=shared[summary.session.id] == 1) for one in messages]
        yield from _news(name, told, first, start)


def _told(one: Message, session: Session, *, alone: bool) -> Message:
    """Return a message as far as it may be believed and cited.

    Where others talk to the agent, its answers are made of what they say; the operator's own words are his everywhere.
    A session whose id another agent's has, too, cannot be told from it.
    """
    others = session.kind in ("group", "hook") and one.role != "user"
    origin = "untrusted" if others else one.origin
    return replace(one, origin=origin, session=one.session if alone else "")


def is_read(summary: Summary, progress: Progress, start: float | None) -> bool:
    """Return whether nothing of a session is to be read: all of it was, or all is from before `start`."""
    if start is not None:
        return summary.last is not None and summary.last < start
    return progress.has_all(summary)


def _news(name: str, messages: Sequence[Message], first: int, start: float | None) -> Iterator[New]:
    at = 0
    spoken = [one for one in messages if one.role != "tool"]
    befores = {other.event: one.text for one, other in pairwise(spoken) if one.role != other.role}
    for number, one in enumerate(messages):
        at = max(at, to_milliseconds(one.time))
        if number < first or (start is not None and one.time is not None and one.time < start):
            continue
        before = befores.get(one.event, "")[-_BEFORE:]
        heard = Heard(one.text, one.origin, one.time, one.session, one.event, before)
        yield New(heard, Cursor(name, one.event, at), number + 1)
