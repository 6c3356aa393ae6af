"""What an agent has not read, exchange by exchange."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from itertools import groupby, pairwise

from msgspec import Struct
from msgspec.structs import replace

from clawgit.agents.messages_to_read import Progress
from clawgit.agents.protocol import batch, turn_spans
from clawgit.agents.protocol.batch import Speaker, Turn
from clawgit.agents.protocol.turn_spans import Read
from clawgit.messages.message_flags import Flag
from clawgit.safety.redaction import redacted
from clawgit.sessions.chat_store import ChatStore, Message, Summary
from clawgit.sessions.envelope import Session
from clawgit.text.tokens import count
from clawgit.workspace.commit_message import one_line

OVERHEAD = 6
"""Tokens of a turn beyond its text: its number, who speaks, when."""
LONGEST = 6_000
"""Tokens of an operator's turn that are read: beyond that it loses its middle."""
FRESH = timedelta(days=7)
"""What was said longer ago comes after what is new, the newest first."""
_HELD = 8  # sessions that are kept at hand
_NEAR = 86_400.0  # seconds between a message and its flag
_HEARD = 2_000  # characters of somebody else's turn that are looked at
_FEW_WORDS, _OPTIONS = 40, 3
"""Letters of a brief answer, and how many times longer the agent's turn before it is left."""
_EXCHANGE = 3
"""Messages before an exchange that it may answer: a tool or somebody else may have spoken, too."""
_ANSWERS, _LAST = 3, 4
"""Turns at the beginning and at the end of a long exchange that are kept: what others say to each other is left out."""


class Exchange(Struct, frozen=True):
    """What the operator said, and what followed until he spoke again: places `first` to `last` of a session, both in.

    `session` is the name that its cursor has. `turns` are numbered 0. `flag` is the flag of the inbox that led to it.
    """

    session: str
    first: int
    last: int
    turns: tuple[Turn, ...]
    flag: str = ""
    priority: bool = False

    @property
    def tokens(self) -> int:
        """What it costs to read, as an estimate."""
        return sum(count(one.text) + OVERHEAD for one in self.turns)


class Talk(Struct, frozen=True, dict=True):
    """A session with all its messages."""

    summary: Summary
    messages: Sequence[Message]
    alone: bool
    brief: int = batch.AGENT

    @property
    def name(self) -> str:
        """The name of its cursor."""
        return name_of(self.summary.session)

    @cached_property
    def events(self) -> Sequence[str]:
        """The event of each message."""
        return [message.event for message in self.messages]

    @cached_property
    def times(self) -> Sequence[int]:
        """When each was said, in milliseconds since 1970; 0 where nothing told."""
        return [0 if message.time is None else round(message.time * 1000) for message in self.messages]

    @cached_property
    def replies(self) -> Mapping[str, str]:
        """What the operator answered to each event of the agent's."""
        said = [message for message in self.messages if message.role != "tool" and message.text.strip()]
        return {
            one.event: other.text.strip()
            for one, other in pairwise(said)
            if one.role == "assistant" and self.by(other) == "operator"
        }

    @cached_property
    def answered_briefly(self) -> frozenset[str]:
        """The events of what the agent said and the operator answered in a few words: his choice is told in there."""
        return frozenset(event for event, reply in self.replies.items() if len(reply) <= _FEW_WORDS)

    def exchanges(self, wanted: Collection[int], zone: datetime) -> Iterator[Exchange]:
        """Yield the exchanges that hold these places, in order; `zone` is a moment on the operator's clock."""
        starts = [at for at, one in enumerate(self.messages) if self.by(one) == "operator"]
        bounds = [0, *starts, len(self.messages)]
        places = sorted(wanted)
        for at, end in pairwise(bounds):
            here = places[bisect_left(places, at) : bisect_left(places, end)]
            if here:
                yield Exchange(self.name, here[0], here[-1], tuple(self._turns(here[0], here[-1], zone)))

    def before(self, place: int, zone: datetime, *, whole: bool = False) -> tuple[Turn, ...]:
        """Return what the agent said just before a place, and somebody else since, to understand an answer by.

        With `whole` what the operator had said goes before that: a correction may answer either, and stand there.
        """
        earlier = [one for one in self.messages[max(0, place - _EXCHANGE) : place] if one.text.strip()]
        if not whole:
            own = [at for at, one in enumerate(earlier) if self.by(one) == "operator"]
            earlier = earlier[own[-1] + 1 if own else 0 :]
            if not any(self.by(one) == "other" for one in earlier):
                earlier = earlier[-1:]
        return tuple(self.turn(one, zone) for one in earlier if one.role != "tool")

    def _turns(self, first: int, last: int, zone: datetime) -> Sequence[Turn]:
        said = [one for one in self.messages[first : last + 1] if one.text.strip() or one.role == "tool"]
        found: list[Turn] = []
        for speaker, some in groupby(said, key=self.by):
            here = list(some)
            if speaker == "tool":
                found.append(self._tools(here, zone))
            else:
                kept = here if speaker == "operator" else here[:1] + here[1:][-1:]
                found += (self.turn(one, zone) for one in kept)
        if len(found) <= _ANSWERS + _LAST or not any(one.by == "other" for one in found):
            return found
        return [*found[:_ANSWERS], *found[-_LAST:]]  # no speaker has three in a row: who spoke last but one stays told

    def by(self, one: Message) -> Speaker:
        """Return whose words a message holds: in a group the agent's own are its own, what a hook has it say is not."""
        if one.role == "tool":
            return "tool"
        if one.role == "user":
            return "operator" if one.origin == "operator" else "other"
        return "other" if self.summary.session.kind == "hook" or one.origin == "untrusted" else "agent"

    def turn(self, one: Message, zone: datetime) -> Turn:
        """Return a message as a turn, cut as its speaker asks for."""
        speaker = self.by(one)
        if speaker == "operator":
            text = batch.whole(redacted(one.text), LONGEST)
        elif speaker == "agent":
            most = self.brief * (_OPTIONS if one.event in self.answered_briefly else 1)
            text = batch.agent_turn(redacted(one.text), most, self.replies.get(one.event, ""))
        else:
            text = batch.agent_turn(redacted(one.text[:_HEARD]), batch.OTHER)
        session = one.session if self.alone else ""
        may_cite = speaker == "operator"
        return Turn(0, session, moment(one.time, zone), speaker, may_cite, priority=False, text=text, event=one.event)

    def _tools(self, some: Sequence[Message], zone: datetime) -> Turn:
        names = ", ".join(f"{n} {name}" if n > 1 else name for name, n in Counter(one.tool for one in some).items())
        last = batch.head(one_line(redacted(some[-1].text[:_HEARD])), batch.TOOL)
        failed = "failed: " if some[-1].failed else ""
        text = f"{names or 'a tool'}: {failed}{last}"
        session = some[-1].session if self.alone else ""
        when = moment(some[-1].time, zone)
        return Turn(0, session, when, "tool", may_cite=False, priority=False, text=text, event=some[-1].event)


def name_of(session: Session) -> str:
    """Return the name of a session's cursor."""
    return f"{session.agent}/{session.id}" if session.agent else session.id


def moment(time: float | None, zone: datetime) -> str:
    """Return when something was said, in ISO 8601 on the operator's clock; "" where nothing told."""
    return "" if time is None else datetime.fromtimestamp(time, zone.tzinfo).isoformat(timespec="seconds")


class Unread:
    """What is to be read in a run; each exchange is handed out once.

    `read` is what a voice has read, `rules` how far the rules have. `wanted` tells whether an exchange is for this
    agent; one that is not comes without its turns. `of` tells whether a session is. With `start` (seconds since 1970)
    all is read from there on, whatever was read before.
    """

    def __init__(
        self,
        store: ChatStore,
        read: Read,
        rules: Progress,
        now: datetime,
        *,
        start: float | None = None,
        wanted: Callable[[Exchange], bool] = lambda exchange: True,  # noqa: ARG005 - it keeps to a signature
        of: Callable[[Session], bool] = lambda session: True,  # noqa: ARG005 - as above
        brief: int = batch.AGENT,
    ) -> None:
        self._store, self._read, self._rules, self._now = store, read, rules, now
        self._start, self._wanted, self._brief = start, wanted, brief
        self._taken: defaultdict[str, set[int]] = defaultdict(set)
        self.summaries = [one for one in store.sessions() if of(one.session)]
        self._shared = Counter(summary.session.id for summary in self.summaries)
        self._talks: dict[str, Talk] = {}

    def flagged(self, flags: Iterable[Flag]) -> Iterator[Exchange]:
        """Yield the exchanges that flags of the inbox are about; a message that no conversation has is one by itself.

        What another of them was read with comes without turns, so that its flag is answered, too.
        """
        gone = {session for _, session in self._store.forgotten()}
        for flag in flags:
            if (flag.session and flag.session in gone) or not flag.text.strip():
                continue
            yield self._of_flag(flag)

    def coming(self) -> Iterator[Exchange]:
        """Yield what is new, the oldest first, then what only the rules have read or nobody for long, newest first."""
        for summary in self.summaries:
            if self._may_be_new(summary):
                talk = self._talk(summary)
                new = self._places(talk) - self._old(talk)
                yield from (self._take(exchange) for exchange in talk.exchanges(new, self._now))
        for summary in sorted(self.summaries, key=lambda one: one.last or 0.0, reverse=True):
            if self._is_open(summary) and self._start is None:
                talk = self._talk(summary)
                found = list(talk.exchanges(self._places(talk), self._now))
                yield from (self._take(one) for one in reversed(found))

    def before(self, exchange: Exchange, *, whole: bool = False) -> tuple[Turn, ...]:
        """Return what the agent said just before an exchange; with `whole` the exchange before it."""
        summary = next((one for one in self.summaries if name_of(one.session) == exchange.session), None)
        return self._talk(summary).before(exchange.first, self._now, whole=whole) if summary else ()

    def talk(self, name: str) -> Talk | None:
        """Return a session by the name of its cursor."""
        summary = next((one for one in self.summaries if name_of(one.session) == name), None)
        return self._talk(summary) if summary else None

    def turn(self, talk: Talk, place: int) -> Turn:
        """Return one turn of a session, numbered 0."""
        return talk.turn(talk.messages[place], self._now)

    def is_open(self, exchange: Exchange) -> bool:
        """Return whether all of an exchange is to be read here, too."""
        talk = self.talk(exchange.session)
        return talk is not None and {*range(exchange.first, exchange.last + 1)} <= self._places(talk)

    def hold(self, name: str, places: Iterable[int]) -> None:
        """Leave out places of a session."""
        self._taken[name].update(places)

    def _take(self, exchange: Exchange) -> Exchange:
        self._taken[exchange.session].update(range(exchange.first, exchange.last + 1))
        return exchange if self._wanted(exchange) else replace(exchange, turns=())

    def _of_flag(self, flag: Flag) -> Exchange:
        when = datetime.fromisoformat(flag.at).timestamp()
        for one in self._store.saying("user", flag.text):
            if one.time and abs(one.time - when) <= _NEAR:
                summary = next((found for found in self.summaries if found.session.id == one.session), None)
                if summary is None:
                    continue
                talk = self._talk(summary)
                place = talk.events.index(one.event) if one.event in talk.events else -1
                if place < 0:
                    continue
                if place not in self._places(talk):
                    return Exchange("", 0, -1, (), flag.id)  # it is read, or waits in another batch
                found = next(talk.exchanges({place, *self._followed(talk, place)}, self._now))
                return replace(self._take(found), flag=flag.id, priority=True)
        said = batch.whole(redacted(flag.text), LONGEST)
        turn = Turn(0, "", moment(when, self._now), "operator", may_cite=True, priority=True, text=said)
        return Exchange("", 0, -1, (turn,), flag.id, priority=True)

    def _followed(self, talk: Talk, place: int) -> Iterator[int]:
        """Yield the places after an operator's turn until he speaks again, as far as they are not read."""
        open_ = self._places(talk)
        for at in range(place + 1, len(talk.messages)):
            if talk.by(talk.messages[at]) == "operator" or at not in open_:
                return
            yield at

    def _places(self, talk: Talk) -> set[int]:
        """Return the places of a session that are to be read."""
        every = set(range(len(talk.messages)))
        if self._start is not None:
            since = round(self._start * 1000)
            every = {at for at in every if not talk.times[at] or talk.times[at] >= since}
            return every - self._taken[talk.name]
        return every - turn_spans.covered(talk.events, self._read.spans.get(talk.name, ())) - self._taken[talk.name]

    def _old(self, talk: Talk) -> set[int]:
        """Return the places that the rules have read, and what was said long ago."""
        if self._start is not None:
            return set()
        cursor = self._rules.cursors.get(talk.name)
        read = talk.events.index(cursor.event) + 1 if cursor and cursor.event in talk.events else 0
        long_ago = round((self._now - FRESH).timestamp() * 1000)
        return {at for at in range(len(talk.messages)) if at < read or talk.times[at] < long_ago}

    def _may_be_new(self, summary: Summary) -> bool:
        if self._start is not None:
            return summary.last is None or summary.last >= self._start
        return self._is_open(summary) and (summary.last or 0.0) >= (self._now - FRESH).timestamp()

    def _is_open(self, summary: Summary) -> bool:
        name = name_of(summary.session)
        read = sum(one.count for one in self._read.spans.get(name, ()))
        return summary.messages > max(read, len(self._taken[name]))

    def _talk(self, summary: Summary) -> Talk:
        name = name_of(summary.session)
        found = self._talks.pop(name, None)
        if found is None:
            alone = self._shared[summary.session.id] == 1
            found = Talk(summary, list(self._store.messages(summary.session)), alone, self._brief)
        self._talks[name] = found
        if len(self._talks) > _HELD:
            del self._talks[next(iter(self._talks))]
        return found
