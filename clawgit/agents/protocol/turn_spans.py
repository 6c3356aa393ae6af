"""What of the conversations a voice has read."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from clawgit.agents import messages_to_read
from clawgit.agents.messages_to_read import Progress
from clawgit.git import repository
from clawgit.workspace.reading_cursors import Cursor
from clawgit.workspace.workspace import Workspace


class Span(Struct, frozen=True):
    """Messages of a session that were read, from the event `first` to the event `last`, both inside: so many."""

    first: str
    last: str
    count: int


Spans = Mapping[str, tuple[Span, ...]]
"""What was read of each session, by the name that its cursor has."""


class Read(Struct, frozen=True):
    """What a voice has read, and the last flag of the inbox that it answered."""

    spans: Spans = field(default_factory=dict)
    answered: str = ""


def covered(events: Sequence[str], spans: Iterable[Span]) -> set[int]:
    """Return the places in `events` that were read.

    A span that holds more or fewer messages than it did, or whose ends are gone, counts for nothing: what came in
    between was not read, and to read twice adds nothing.
    """
    at = {event: place for place, event in enumerate(events)}
    found: set[int] = set()
    for one in spans:
        first, last = at.get(one.first, -1), at.get(one.last, -1)
        if 0 <= first <= last and last - first + 1 == one.count:
            found.update(range(first, last + 1))
    return found


def spans_of(events: Sequence[str], places: Iterable[int]) -> tuple[Span, ...]:
    """Return the fewest spans that hold these places."""
    found: list[Span] = []
    start = end = -2
    for place in sorted(set(places)):
        if place != end + 1:
            found += [Span(events[start], events[end], end - start + 1)] if start >= 0 else []
            start = place
        end = place
    return (*found, Span(events[start], events[end], end - start + 1)) if start >= 0 else ()


class _Kept(Struct, frozen=True):
    """What is written down: spans as first, last and count."""

    head: str | None
    answered: str
    sessions: dict[str, list[tuple[str, str, int]]]


def load(workspace: Workspace, agent: str) -> Read:
    """Return what a voice has read for this agent; what cannot be read counts for nothing."""
    kept = workspace.store.read_document(_name_of(agent), _Kept)
    if kept is None or not repository.reaches(workspace.repo, workspace.head, kept.head):
        return Read()  # nothing, or what was learnt since has been reset away
    spans = {name: tuple(Span(*one) for one in some) for name, some in kept.sessions.items()}
    return Read(spans, kept.answered)


def save(workspace: Workspace, agent: str, read: Read) -> None:
    """Note what a voice has read."""
    sessions = {
        name: [(one.first, one.last, one.count) for one in some] for name, some in sorted(read.spans.items()) if some
    }
    workspace.store.save_document(_name_of(agent), _Kept(workspace.head, read.answered, sessions))


def joined(events: Sequence[str], *spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return the spans of one session as one list, as few as there can be."""
    return spans_of(events, (place for some in spans for place in covered(events, some)))


def reached(known: Progress, name: str, events: Sequence[str], times: Sequence[int], read: set[int]) -> Cursor | None:
    """Return how far a session is read without a gap, from the rules' cursor on; None where that is no further.

    `times` are milliseconds since 1970 by the place in `events`.
    """
    there = known.cursors.get(name)
    at = events.index(there.event) + 1 if there and there.event in events else 0
    if there and not at:
        return None
    last = at
    while last < len(events) and last in read:
        last += 1
    return Cursor(name, events[last - 1], max(times[:last], default=0)) if last > at else None


def rules_progress(workspace: Workspace, agent: str) -> Progress:
    """Return how far the rules have read for this agent."""
    return messages_to_read.load(workspace, agent)


def _name_of(agent: str) -> str:
    return f"{agent}.voice"
