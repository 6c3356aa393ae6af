"""The tree of a transcript, and the branch that counts."""

from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec import Struct

from clawgit.sessions.session_messages import Event


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
