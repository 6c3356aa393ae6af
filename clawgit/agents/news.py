"""What was said since an agent last read."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.heard import Heard
from clawgit.agents.progress import Progress
from clawgit.messages import inbox
from clawgit.sessions.chat_store import ChatStore, Message, Summary
from clawgit.sessions.origin import Session
from clawgit.workspace.cursors import Cursor

_NEAR = 86_400.0  # seconds between a message and its flag
_BEFORE = 400  # characters of what the other side said


class New(Struct, frozen=True):
    """A message, and how far it is read with it: the cursor and the count, or the flag."""

    heard: Heard
    cursor: Cursor | None = None
    count: int = 0
    flag: str = ""


def flagged(store: ChatStore, state: Path, answered: str) -> Iterator[New]:
    """Yield the messages that triage flagged since the flag `answered`, found again in the conversations."""
    flags = list(inbox.flags(state))
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
        name = _name(summary)
        cursor = None if start is not None else progress.cursors.get(name)
        if start is not None and summary.last is not None and summary.last < start:
            continue
        if cursor and _ms(summary.last) <= cursor.at and summary.messages == progress.counts.get(name):
            continue
        messages = list(store.messages(summary.session))
        first = _first(messages, cursor, progress.counts.get(name, 0)) if cursor else 0
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


def _name(summary: Summary) -> str:
    session = summary.session
    return f"{session.agent}/{session.id}" if session.agent else session.id


def _news(name: str, messages: Sequence[Message], first: int, start: float | None) -> Iterator[New]:
    at = 0
    spoken = [one for one in messages if one.role != "tool"]
    befores = {other.event: one.text for one, other in pairwise(spoken) if one.role != other.role}
    for number, one in enumerate(messages):
        at = max(at, _ms(one.time))
        if number < first or (start is not None and one.time is not None and one.time < start):
            continue
        before = befores.get(one.event, "")[-_BEFORE:]
        heard = Heard(one.text, one.origin, one.time, one.session, one.event, before)
        yield New(heard, Cursor(name, one.event, at), number + 1)


def _first(messages: Iterable[Message], cursor: Cursor, count: int) -> int:
    """Return the number of the first message after a cursor; 0 where others came in before it since then."""
    at, same = 0, -1
    for number, one in enumerate(messages):
        at = max(at, _ms(one.time))
        if one.event == cursor.event:
            return number + 1 if count in (0, number + 1) else 0
        if at >= cursor.at and same < 0:
            same = number
    return max(same, 0)


def _ms(time: float | None) -> int:
    return 0 if time is None else round(time * 1000)
