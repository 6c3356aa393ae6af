"""The messages and turns that are unread."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property, lru_cache
from itertools import groupby, pairwise

from msgspec import Struct, field
from msgspec.structs import replace

from clawgit.git import repository
from clawgit.messages import triage
from clawgit.messages.triage import MINER, Flag
from clawgit.reading import operations
from clawgit.reading.operations import Speaker, Turn
from clawgit.safety.redaction import redact
from clawgit.sessions.chat_store import ChatStore, Message, Summary
from clawgit.sessions.envelope import Origin, Session
from clawgit.store.database import StateStore
from clawgit.text.tokens import count
from clawgit.workspace import reading_cursors
from clawgit.workspace.workspace import Workspace

MIN_TURNS = 100
"""Unread turns of the operator's from which on a reading starts."""
MAX_WAIT = timedelta(days=3)
"""Age of the oldest unread turn from which on a reading starts."""
_TURN_TOKENS = 6
"""Tokens of a turn beside its text: its number, who speaks, when."""
_MAX_OPERATOR_TOKENS = 6_000
_MAX_HELD_SESSIONS = 8
_FLAG_SECONDS = 86_400.0
"""Between a message and its flag."""
_HEARD_CHARS = 2_000
_MESSAGES_BEFORE = 3
_FIRST_TURNS, _LAST_TURNS = 3, 4
"""Turns at both ends of a long exchange that are kept; the talk of others in between is left out."""


class Span(Struct, frozen=True, array_like=True):
    """The read messages of a session, from the event `first` to the event `last`, both inside: so many.

    Without `first` from the beginning on; a `count` of 0 is unknown. `at` is the time of the last, in milliseconds
    since 1970, 0 if unknown.
    """

    first: str
    last: str
    count: int
    at: int = 0


Spans = Mapping[str, tuple[Span, ...]]
"""What was read of each session, by its name."""


class Read(Struct, frozen=True):
    """The messages that a reader has read, and the last flag that it answered."""

    spans: Spans = field(default_factory=dict)
    answered: str = ""

    def has_all(self, summary: Summary) -> bool:
        """Return whether all of a session is read, as far as known without its messages."""
        spans = self.spans.get(name_session(summary.session), ())
        is_past = to_milliseconds(summary.last) <= max((span.at for span in spans), default=-1)
        # A late message may have an old time, so the number has to agree as well.
        return is_past and summary.messages <= sum(span.count for span in spans)


def to_milliseconds(time: float | None) -> int:
    """Return seconds as whole milliseconds, 0 if unknown."""
    return 0 if time is None else round(time * 1000)


def name_reader(role: str, *, by_rules: bool) -> str:
    """Return the reader of a role: messages read by rules may be unread by a model."""
    return role if by_rules else f"{role}.voice"


class _Saved(Struct, frozen=True):
    """The saved form, with the commit at which it was saved."""

    head: str | None
    answered: str
    sessions: dict[str, tuple[Span, ...]]


def load_read(workspace: Workspace, reader: str) -> Read:
    """Return the messages that a reader has read; none of this clone's if the history was reset since.

    The cursors of the memory miner are also in the workspace, as of the last commit.
    """
    text = workspace.read(reading_cursors.CURSORS_PATH) if reader == MINER else None
    tracked = {
        name: (Span("", cursor.event, 0, cursor.at),)
        for name, cursor in reading_cursors.parse_cursors(text or "").items()
    }
    saved = workspace.store.read_document(reader, _Saved)
    # After a reset the results of these readings are gone from the history, so the turns count as unread.
    if saved is None or not repository.reaches(workspace.repo, workspace.head, saved.head):
        return Read(tracked)
    return Read({**tracked, **saved.sessions}, saved.answered)


def save_read(workspace: Workspace, reader: str, spans: Spans, flag_id: str) -> None:
    """Save the read messages of some sessions for a reader, and the last flag, "" for none. Raises ClawgitError."""
    state = load_read(workspace, reader)
    sessions = {name: tuple(rows) for name, rows in sorted({**state.spans, **spans}.items()) if rows}
    workspace.store.save_document(reader, _Saved(workspace.head, flag_id or state.answered, sessions))


def find_places(events: Sequence[str], spans: Iterable[Span]) -> set[int]:
    """Return the indexes in `events` that were read.

    A span with more or fewer messages than before, or without its ends, is ignored: reading twice adds nothing.
    """
    places = {event: place for place, event in enumerate(events)}
    indexes: set[int] = set()
    for span in spans:
        first, last = places.get(span.first, -1) if span.first else 0, places.get(span.last, -1)
        if 0 <= first <= last and span.count in (0, last - first + 1):
            indexes.update(range(first, last + 1))
    return indexes


def make_spans(talk: "Talk", places: Iterable[int]) -> tuple[Span, ...]:
    """Return the fewest spans of a session with these places."""
    numbered = enumerate(sorted(set(places)))
    # Places without a gap differ from their number by the same amount.
    runs = ([place for _, place in group] for _, group in groupby(numbered, key=lambda pair: pair[1] - pair[0]))
    return tuple(
        Span(talk.events[run[0]], talk.events[run[-1]], len(run), max(talk.times[run[0] : run[-1] + 1])) for run in runs
    )


# ---- messages


def make_message(text: str, origin: Origin, time: float | None, session: str = "", event: str = "") -> Message:
    """Return what a person said; without a session and an event nothing can cite it."""
    return Message(session, event, "user", origin, text, time)


def find_messages(store: ChatStore, flag: Flag) -> Iterator[Message]:
    """Yield the messages of the conversations that a flag may mean, by their words and time."""
    flag_time = datetime.fromisoformat(flag.at).timestamp()
    messages = store.saying("user", flag.text)
    return (message for message in messages if message.time and abs(message.time - flag_time) <= _FLAG_SECONDS)


def list_flagged(store: ChatStore, state: StateStore, flag_id: str) -> Iterator[tuple[str, Message]]:
    """Yield the flags since `flag_id`, each with its message, found again in the conversations."""
    flags = triage.list_unanswered(state, (flag_id,))
    shared = Counter(summary.session.id for summary in store.sessions()) if flags else Counter[str]()
    forgotten_ids = {session for _, session in store.forgotten()} if flags else set[str]()
    for flag in flags:
        if flag.session and flag.session in forgotten_ids:
            continue
        message = next(find_messages(store, flag), None)
        if message is None:
            message = make_message(flag.text, "operator", datetime.fromisoformat(flag.at).timestamp())
        # Sessions of two agents may have one id: nothing can cite a message by such an id.
        yield flag.id, message if shared[message.session] == 1 else replace(message, session="")


# ---- turns


class Exchange(Struct, frozen=True):
    """The operator's words and the answers until his next words: places `first` to `last` of a session, both in.

    `session` is its name. `turns` are numbered 0; one without a turn of the operator's is handed out without turns.
    `flag` is the flag that led to it.
    """

    session: str
    first: int
    last: int
    turns: tuple[Turn, ...]
    flag: str = ""

    @property
    def day(self) -> str:
        """The day of its first turn, in ISO 8601."""
        return self.turns[0].time[:10]

    @property
    def tokens(self) -> int:
        """Its cost in tokens, as an estimate."""
        return sum(count(turn.text) + _TURN_TOKENS for turn in self.turns)


class Talk(Struct, frozen=True, dict=True):
    """A session with all its messages; `is_own`: its exchanges have the turns of the operator's alone."""

    summary: Summary
    messages: Sequence[Message]
    is_own: bool = False

    @property
    def name(self) -> str:
        """Its name."""
        return name_session(self.summary.session)

    @cached_property
    def events(self) -> Sequence[str]:
        """The event of each message."""
        return [message.event for message in self.messages]

    @cached_property
    def times(self) -> Sequence[int]:
        """The time of each message, in milliseconds since 1970; 0 if unknown."""
        return [to_milliseconds(message.time) for message in self.messages]

    def reach(self, last: Message | None = None) -> Spans:
        """Return how far it is read up to a message, or with all of them."""
        end = self.events.index(last.event) + 1 if last else len(self.events)
        return {self.name: (Span("", self.events[end - 1], end, max(self.times[:end])),)}

    def list_exchanges(self, positions: Collection[int], zone: datetime) -> Iterator[Exchange]:
        """Yield the exchanges with these places, in order; `zone` is a moment on the operator's clock."""
        starts = [index for index, message in enumerate(self.messages) if self.find_speaker(message) == "operator"]
        places = sorted(positions)
        for start, end in pairwise((0, *starts, len(self.messages))):
            if inner := places[bisect_left(places, start) : bisect_left(places, end)]:
                turns = tuple(self._list_turns(self.messages[inner[0] : inner[-1] + 1], zone))
                yield Exchange(self.name, inner[0], inner[-1], turns)

    def list_before(self, place: int, zone: datetime, *, whole: bool = False) -> tuple[Turn, ...]:
        """Return what was said just before a place, after the operator's own words.

        With `whole` the operator's words before that as well: a correction may answer either.
        """
        nearest = [
            message for message in self.messages[max(0, place - _MESSAGES_BEFORE) : place] if message.text.strip()
        ]
        own = [index for index, message in enumerate(nearest) if self.find_speaker(message) == "operator"]
        earlier = nearest if whole or not own else nearest[own[-1] + 1 :]
        return tuple(self.make_turn(message, zone) for message in earlier if message.role != "tool")

    def _list_turns(self, messages: Sequence[Message], zone: datetime) -> Sequence[Turn]:
        """Return messages as turns: of others in a row the first and the last, of tools the last."""
        turns: list[Turn] = []
        spoken = (message for message in messages if message.text.strip() or message.role == "tool")
        for speaker, group in groupby(spoken, key=self.find_speaker):
            run = list(group)
            if speaker == "operator":
                turns += (self.make_turn(message, zone) for message in run)
            elif not self.is_own:
                ends = run[-1:] if speaker == "tool" else run[:1] + run[1:][-1:]
                turns += (self.make_turn(message, zone) for message in ends)
        has_others = len(turns) > _FIRST_TURNS + _LAST_TURNS and any(turn.by == "other" for turn in turns)
        return [*turns[:_FIRST_TURNS], *turns[-_LAST_TURNS:]] if has_others else turns

    def find_speaker(self, message: Message) -> Speaker:
        """Return the speaker of a message; a webhook's message is somebody else's."""
        if message.role == "tool":
            return "tool"
        if message.role == "user":
            return "operator" if message.origin == "operator" else "other"
        return "other" if self.summary.session.kind == "hook" or message.origin == "untrusted" else "agent"

    def make_turn(self, message: Message, zone: datetime) -> Turn:
        """Return a message as a turn, cut as its speaker asks for."""
        speaker = self.find_speaker(message)
        message_text = redact(message.text if speaker in ("operator", "agent") else message.text[:_HEARD_CHARS])
        if speaker == "operator":
            text = operations.cut_middle(message_text, _MAX_OPERATOR_TOKENS)
        elif speaker == "tool":
            text = operations.cut_line(message_text, operations.MAX_TOOL_TOKENS)
            text = f"{message.tool or 'a tool'}: {'failed: ' if message.failed else ''}{text}"
        else:
            text = operations.cut_line(message_text, operations.MAX_OTHER_TOKENS)
        moment = to_moment(message.time, zone)
        return Turn(0, message.session, moment, speaker, speaker == "operator", text, message.event)


def name_session(session: Session) -> str:
    """Return the name of a session."""
    return f"{session.agent}/{session.id}" if session.agent else session.id


def to_moment(time: float | None, zone: datetime) -> str:
    """Return a time in ISO 8601 on the operator's clock; "" if unknown."""
    return "" if time is None else datetime.fromtimestamp(time, zone.tzinfo).isoformat(timespec="seconds")


class Backlog:
    """The unread part in a run; each exchange is handed out once.

    `reads` is the read part for each of the agents that read: a turn is unread if one of them has not read it.
    `is_wanted` returns whether a session is read. With `start` (seconds since 1970) all is read from there on, read or
    unread. With `is_own` each session is read in its order, and only the operator's turns are. A session that shares
    its id with one of another agent is not cited.
    """

    def __init__(
        self,
        store: ChatStore,
        reads: Sequence[Read],
        now: datetime,
        *,
        start: float | None = None,
        is_wanted: Callable[[Session], bool] = lambda session: True,  # noqa: ARG005 - it keeps to a signature
        is_own: bool = False,
    ) -> None:
        self._store, self._reads, self._now, self.start, self._is_own = store, reads, now, start, is_own
        self._taken: defaultdict[str, set[int]] = defaultdict(set)
        summaries = store.sessions()
        self.summaries = [summary for summary in summaries if is_wanted(summary.session)]
        self._shared = Counter(summary.session.id for summary in summaries)
        self._read_talk = lru_cache(_MAX_HELD_SESSIONS)(self._load_talk)

    def list_messages(self) -> Iterator[tuple[Talk, Sequence[Message]]]:
        """Yield the sessions with their unread messages, oldest first; none counts as read."""
        for summary in filter(self._is_open, self.summaries):
            talk = self._read_talk(summary)
            if new := [talk.messages[place] for place in sorted(self._unread_places(talk))]:
                yield talk, new

    def list_unread(self, flags: Iterable[Flag] = ()) -> list[Turn]:
        """Return the unread turns of the operator's; none counts as read."""
        exchanges = (*self.find_flagged(flags, spoken=False), *self._list_exchanges())
        return [turn for exchange in exchanges for turn in exchange.turns if turn.may_cite]

    def is_due(self, turns: Sequence[Turn]) -> bool:
        """Return whether a reading of unread turns starts: at 100 of them, or if one is three days old."""
        oldest = min((datetime.fromisoformat(turn.time) for turn in turns if turn.time), default=self._now)
        return len(turns) >= MIN_TURNS or self._now - oldest >= MAX_WAIT

    def _list_exchanges(self) -> Iterator[Exchange]:
        for talk in map(self._read_talk, filter(self._is_open, self.summaries)):
            yield from talk.list_exchanges(self._unread_places(talk), self._now)

    def list_batches(self, flags: Iterable[Flag], limit: int) -> Iterator[tuple[Exchange, ...]]:
        """Yield batches of exchanges: as many as fit into `limit` tokens, at least one, those of a session together."""
        batch: list[Exchange] = []
        size = 0
        for exchange in (*self.find_flagged(flags, spoken=False), *map(self._take, self._list_exchanges())):
            if size and size + exchange.tokens > limit:
                yield tuple(batch)
                batch, size = [], 0
            batch.append(exchange)
            size += exchange.tokens
        if batch:
            yield tuple(batch)

    def find_flagged(self, flags: Iterable[Flag], *, spoken: bool = True) -> Iterator[Exchange]:
        """Yield the exchanges of flagged messages; a message that no conversation has is one by itself.

        Without `spoken` those in a conversation are left to it.
        """
        forgotten_ids = {session for _, session in self._store.forgotten()}
        for flag in flags:
            if (flag.session and flag.session in forgotten_ids) or not flag.text.strip():
                continue
            place = self._find_message(flag)
            if place is None:
                text = operations.cut_middle(redact(flag.text), _MAX_OPERATOR_TOKENS)
                time = to_moment(datetime.fromisoformat(flag.at).timestamp(), self._now)
                yield Exchange("", 0, -1, (Turn(0, "", time, "operator", may_cite=True, text=text),), flag.id)
            elif spoken:
                talk, number = place
                exchanges = talk.list_exchanges(self._unread_places(talk), self._now)
                matches = (exchange for exchange in exchanges if exchange.first <= number <= exchange.last)
                yield from (replace(self._take(exchange), flag=flag.id) for exchange in matches)

    def list_before(self, exchange: Exchange, *, whole: bool = False) -> tuple[Turn, ...]:
        """Return the agent's words just before an exchange; with `whole` the exchange before it."""
        talk = self.find_talk(exchange.session)
        return talk.list_before(exchange.first, self._now, whole=whole) if talk else ()

    def find_talk(self, name: str) -> Talk | None:
        """Return a session by its name."""
        summary = next((item for item in self.summaries if name_session(item.session) == name), None)
        return self._read_talk(summary) if summary else None

    def hold(self, name: str, spans: Iterable[Span]) -> None:
        """Leave out the parts read elsewhere."""
        if talk := self.find_talk(name):
            self._taken[name].update(find_places(talk.events, spans))

    def _take(self, exchange: Exchange) -> Exchange:
        self._taken[exchange.session].update(range(exchange.first, exchange.last + 1))
        return exchange if any(turn.may_cite for turn in exchange.turns) else replace(exchange, turns=())

    def _find_message(self, flag: Flag) -> tuple[Talk, int] | None:
        for message in find_messages(self._store, flag):
            summary = next((item for item in self.summaries if item.session.id == message.session), None)
            talk = self._read_talk(summary) if summary else None
            if talk and message.event in talk.events:
                return talk, talk.events.index(message.event)
        return None

    def _unread_places(self, talk: Talk) -> set[int]:
        places = set(range(len(talk.messages))) - self._taken[talk.name]
        if self.start is not None:
            since = round(self.start * 1000)
            # A message without a time may be newer than the start.
            return {place for place in places if not talk.times[place] or talk.times[place] >= since}
        read = [find_places(talk.events, read.spans.get(talk.name, ())) for read in self._reads]
        return places - set[int].intersection(*read) if read else places

    def _is_open(self, summary: Summary) -> bool:
        """Return whether some of a session may be unread, without its messages."""
        if self.start is not None:
            return summary.last is None or summary.last >= self.start
        is_taken = summary.messages <= len(self._taken[name_session(summary.session)])
        return not is_taken and not (self._reads and all(read.has_all(summary) for read in self._reads))

    def _load_talk(self, summary: Summary) -> Talk:
        messages = list(self._store.messages(summary.session))
        # Two agents have a session of this id, so nothing can cite its messages.
        if self._shared[summary.session.id] > 1:
            messages = [replace(message, session="") for message in messages]
        return Talk(summary, messages, self._is_own)
